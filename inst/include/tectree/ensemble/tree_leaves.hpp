// The leaves of a boosted tree: which rows they contain, and their numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../base/fetch.hpp"
#include "../base/row_passes.hpp"
#include "../search/gradients/gradient_rows.hpp"
#include "../tree/spread.hpp"
#include "../tree/tree.hpp"

namespace tectree {

// The rows of one tree, leaf by leaf. Growth leaves the rows of a node side by side; below a split
// whose branches are leaves they may not be divided, so there the codes decide.
class TreeLeaves {
 public:
  TreeLeaves(const GradientData& data, const GradientRows& rows, const Tree& tree)
      : rows_(rows), tree_(tree) {
    std::vector<std::size_t> begin(tree.size(), 0);
    std::vector<char> done(tree.size(), 0);          // its rows are those of a piece
    for (std::size_t v = 0; v < tree.size(); ++v) {  // parents come first
      if (tree.kind[v] == 0) {
        if (done[v] == 0) pieces_.push_back({begin[v], {v, v}, nullptr, {}});
        continue;
      }
      const std::size_t left = child(v, 0), right = child(v, 1);
      begin[left] = begin[v];
      begin[right] = begin[v] + static_cast<std::size_t>(tree.n[left]);
      if (tree.kind[left] != 0 || tree.kind[right] != 0) continue;
      done[left] = done[right] = 1;
      pieces_.push_back({begin[v], {left, right}, &data.columns[column(v)], {}});
      side_of_codes(tree.split(static_cast<int>(v)), *pieces_.back().column,
                    tree.default_child[v] == 1, pieces_.back().side);
    }
    std::sort(pieces_.begin(), pieces_.end(),
              [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
  }

  // The leaf of each row; returns the sums of the gradients of each node that is a leaf.
  std::vector<Gradient> place(std::vector<std::uint32_t>& leaf, Team& team) const {
    const std::size_t n = rows_.size();
    std::vector<std::vector<Sums>> by_block(passes_over(n));
    pass_over(n, 1, team, [&](std::size_t first, std::size_t end, Team&) {
      std::vector<Sums>& sums = by_block[first / rows_of_pass];
      for (std::size_t p = piece_at(first); first < end; ++p) {
        const std::size_t last = p + 1 < pieces_.size() ? pieces_[p + 1].begin : n;
        sums.push_back(place_piece(pieces_[p], first, std::min(end, last), leaf));
        first = std::min(end, last);
      }
    });
    std::vector<Gradient> out(tree_.size());
    for (const std::vector<Sums>& block : by_block) {
      for (const Sums& one : block) {
        for (int j = 0; j < 2; ++j) out[one.leaf[j]] += one.sum[j];
      }
    }
    return out;
  }

 private:
  // Rows from `begin` on that are in one leaf, or in two by the codes of a column.
  struct Piece {
    std::size_t begin;
    std::size_t leaf[2];
    const CodeColumn* column;
    std::vector<std::uint8_t> side;
  };
  struct Sums {
    std::size_t leaf[2];
    Gradient sum[2];
  };

  std::size_t child(std::size_t v, int branch) const {
    return static_cast<std::size_t>(child_of(tree_, static_cast<int>(v), branch));
  }
  std::size_t column(std::size_t v) const { return static_cast<std::size_t>(tree_.variable[v]); }

  std::size_t piece_at(std::size_t at) const {
    const auto after =
        std::upper_bound(pieces_.begin(), pieces_.end(), at,
                         [](std::size_t i, const Piece& piece) { return i < piece.begin; });
    return static_cast<std::size_t>(after - pieces_.begin()) - 1;
  }

  Sums place_piece(const Piece& piece, std::size_t first, std::size_t end,
                   std::vector<std::uint32_t>& leaf) const {
    Sums out{{piece.leaf[0], piece.leaf[1]}, {}};
    const auto place_rows = [&](auto side_of) {
      for (std::size_t i = first; i < end; ++i) {
        if (i + rows_ahead < end) fetch(&rows_.gradient(rows_[i + rows_ahead]));
        const std::uint32_t row = rows_[i];
        const std::size_t side = side_of(row);
        leaf[row] = static_cast<std::uint32_t>(piece.leaf[side]);
        out.sum[side] += rows_.gradient(row);
      }
    };
    if (piece.column) {
      piece.column->with_codes([&](const auto* code) {
        place_rows([&](std::uint32_t row) { return std::size_t{piece.side[code[row]]}; });
      });
    } else {
      place_rows([](std::uint32_t) { return std::size_t{0}; });
    }
    return out;
  }

  const GradientRows& rows_;
  const Tree& tree_;
  std::vector<Piece> pieces_;  // in the order of their rows
};

// Clips the numbers of a tree's nodes to the bounds set by the directions of its splits.
inline void keep_directions(const GradientRule& rule, Tree& tree) {
  if (rule.monotone.empty()) return;
  std::vector<LeafBounds> bounds(tree.size());
  for (std::size_t v = 0; v < tree.size(); ++v) {  // parents come first
    tree.yval[v] = bounds[v].clip(tree.yval[v]);
    if (tree.kind[v] == 0) continue;
    const int* child = tree.child.data() + tree.child_start[v];
    const int direction = rule.direction(static_cast<std::uint32_t>(tree.variable[v]));
    double value[2];
    for (int j = 0; j < 2; ++j) value[j] = bounds[v].clip(tree.yval[child[j]]);
    for (int j = 0; j < 2; ++j)
      bounds[child[j]] = bounds[v].of_child(direction, j == 1, value[0], value[1]);
  }
}

}  // namespace tectree

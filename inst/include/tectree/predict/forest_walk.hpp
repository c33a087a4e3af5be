// Rows down the trees of a forest, which is read where it lies.
//
// The values of a block of rows are put side by side, row after row; then one tree after the other
// takes the rows, several at once, so that the processor neither waits for memory nor mispredicts
// branches. Nothing is set up that grows with the forest: few rows read only the nodes on their
// way.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

#include "../base/team.hpp"
#include "../data/frame.hpp"
#include "../tally/weights.hpp"
#include "../tree/forest.hpp"
#include "check_forest.hpp"

namespace tectree {

// Some rows of a frame, value beside value: numbers, or the codes of levels; NaN where missing.
class RowBlock {
 public:
  explicit RowBlock(const Frame& frame) : frame_(frame), width_(frame.columns.size()) {}

  // row_at(i): the row of the frame.
  template <class RowAt>
  void fill(std::size_t n, RowAt row_at) {
    values_.resize(n * width_);
    for (std::size_t c = 0; c < width_; ++c) {
      if (frame_.columns[c].present()) fill_column(c, n, row_at);
    }
  }
  // One column alone.
  template <class RowAt>
  void fill_column(std::size_t c, std::size_t n, RowAt row_at) {
    const Column& column = frame_.columns[c];
    double* to = values_.data() + c;
    for (std::size_t i = 0; i < n; ++i) to[i * width_] = column.value(row_at(i));
  }

  const Frame& frame() const { return frame_; }
  const double* row(std::size_t i) const { return values_.data() + i * width_; }

 private:
  const Frame& frame_;
  std::size_t width_;
  std::vector<double> values_;
};

// A tree with what a row needs of a node in one place.
class PackedTree {
 public:
  void pack(const ForestView& forest, std::size_t first, std::size_t end, const Frame& frame) {
    nodes_.resize(end - first);
    has_sides_ = false;
    for (std::size_t node = first; node < end; ++node) {
      Node& to = nodes_[node - first];
      if (forest.is_leaf(node)) {
        to = Node();
        continue;
      }
      const std::size_t column = forest.column(node);
      const bool sides = by_sides(frame.columns[column]);
      has_sides_ = has_sides_ || sides;
      to.cut = forest.cut[node];
      to.column = static_cast<std::int32_t>(column);
      to.step[1] = 1;
      to.step[2] = forest.right[node];
      if (forest.unknown == UnknownRows::branch)
        to.step[0] = forest.variable[node] < 0 ? forest.right[node] : 1;
      if (sides) to.column = -to.column - 1;
    }
    sides_ = forest.sides;
    levels_ = frame.columns.data();
  }

  // Where each of some rows stops: at a leaf, or where it has no value and goes nowhere.
  template <std::size_t n>
  void last_of_each(const std::array<const double*, n>& row, std::array<std::size_t, n>& at) const {
    has_sides_ ? go<true>(row, at) : go<false>(row, at);
  }

 private:
  static constexpr int looked_at = 4;  // levels from one look at what still moves to the next

  // step: by side, from the node; a leaf takes none.
  struct Node {
    double cut = std::numeric_limits<double>::quiet_NaN();
    std::int32_t column = 0, step[3] = {0, 0, 0};
  };

  template <bool may_have_sides>
  std::size_t next(std::size_t at, const double* row) const {
    const Node& node = nodes_[at];
    if (may_have_sides && node.column < 0) {
      const std::int32_t column = -node.column - 1;
      return at + node.step[side_of_level(sides_, node.cut, row[column], levels_[column].n_levels)];
    }
    const double x = row[node.column];
    return at + node.step[static_cast<int>(x <= node.cut) + 2 * static_cast<int>(x > node.cut)];
  }

  // Once half have stopped each goes on alone, so that none waits for the deepest.
  template <bool may_have_sides, std::size_t n>
  void go(const std::array<const double*, n>& row, std::array<std::size_t, n>& at) const {
    for (std::size_t moving = n; moving > n / 2;) {
      std::array<std::size_t, n> before;
      for (int level = 0; level < looked_at; ++level) {
        before = at;
        for (std::size_t i = 0; i < n; ++i) at[i] = next<may_have_sides>(at[i], row[i]);
      }
      moving = 0;
      for (std::size_t i = 0; i < n; ++i) moving += at[i] != before[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t to; (to = next<may_have_sides>(at[i], row[i])) != at[i];) at[i] = to;
    }
  }

  std::vector<Node> nodes_;
  bool has_sides_ = false;
  const unsigned char* sides_ = nullptr;
  const Column* levels_ = nullptr;
};

// The end of some rows in one tree at a time, and what it predicts.
class TreeWalk {
 public:
  // `trusted`: the forest has been checked; otherwise every node is, when a row comes to it.
  TreeWalk(const RowBlock& rows, bool trusted) : rows_(rows), trusted_(trusted) {}

  // Follows some rows of the block down a tree: those of these numbers.
  void follow(const ForestView& forest, std::size_t tree, const std::vector<std::uint32_t>& rows) {
    forest_ = forest;
    if (!trusted_) check_start(forest, tree);
    first_ = forest.root(tree);
    end_ = forest.root(tree + 1);
    followed_ = rows.data();
    nodes_.resize(rows.size());
    cover_.clear();
    means_.clear();
    parts_.clear();
    if (trusted_ && rows.size() * nodes_a_row > end_ - first_) {
      follow_packed();
    } else {
      for (std::size_t i = 0; i < nodes_.size(); ++i)
        nodes_[i] = trusted_ ? last<true>(first_, row(i)) : last<false>(first_, row(i));
    }
    if (forest_.unknown != UnknownRows::share) return;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!is_leaf(nodes_[i])) divide(i);
    }
  }

  // Where row i ends; of several parts, in the first of the largest.
  std::size_t node(std::size_t i) const {
    const Part *part = parts_of(i), *end = parts_.data() + parts_.size();
    if (!part) return nodes_[i];
    const Part* largest = part;
    for (; part < end && part->row == i; ++part) {
      if (part->weight > largest->weight * (1 + 1e-12)) largest = part;
    }
    return largest->node;
  }

  double number(std::size_t i) {
    const Part *part = parts_of(i), *end = parts_.data() + parts_.size();
    if (!part) return number_at(nodes_[i]);
    double sum = 0.0;
    for (; part < end && part->row == i; ++part) sum += part->weight * number_at(part->node);
    return sum;
  }

  // The class of row i; its shares are added to those at `sums`, `stride` from class to class.
  int add_class(std::size_t i, double* sums, std::size_t stride) {
    const Part *part = parts_of(i), *end = parts_.data() + parts_.size();
    if (!part) {
      const int pure = is_leaf(nodes_[i]) ? forest_.pure_class(nodes_[i]) : -1;
      if (pure < 0) return add_shares(shares_at(nodes_[i]), sums, stride);
      sums[static_cast<std::size_t>(pure) * stride] += 1.0;
      return pure;
    }
    mixed_.assign(static_cast<std::size_t>(forest_.n_classes), 0.0);
    for (; part < end && part->row == i; ++part) add(part->weight, part->node, mixed_);
    return add_shares(mixed_.data(), sums, stride);
  }

 private:
  static constexpr std::size_t side_by_side = 16;
  static constexpr std::size_t nodes_a_row = 16;  // that may be packed for each row that follows

  struct Part {
    std::size_t row, node;
    double weight;
  };

  bool is_leaf(std::size_t node) const { return forest_.is_leaf(node); }
  const double* row(std::size_t i) const { return rows_.row(followed_[i]); }

  const Part* parts_of(std::size_t i) const {
    if (parts_.empty() || is_leaf(nodes_[i]) || forest_.unknown != UnknownRows::share)
      return nullptr;
    return &*std::lower_bound(parts_.begin(), parts_.end(), i,
                              [](const Part& part, std::size_t row) { return part.row < row; });
  }

  // Where a row that has come to a node stops.
  template <bool trusted>
  std::size_t last(std::size_t node, const double* row) const {
    for (;;) {
      if constexpr (!trusted) check_node(forest_, node, end_, rows_.frame());
      if (is_leaf(node)) return node;
      const std::size_t column = forest_.column(node);
      int side = side_of(forest_, node, rows_.frame().columns[column], row[column]);
      if (side == 0) {
        if (forest_.unknown != UnknownRows::branch) return node;
        side = forest_.variable[node] < 0 ? 2 : 1;
      }
      node = side == 1 ? forest_.left_child(node) : forest_.right_child(node);
    }
  }

  void follow_packed() {
    packed_.pack(forest_, first_, end_, rows_.frame());
    std::array<const double*, side_by_side> from;
    std::array<std::size_t, side_by_side> at;
    const std::size_t n = nodes_.size();
    for (std::size_t i = 0; i < n; i += side_by_side) {
      const std::size_t here = std::min(side_by_side, n - i);
      for (std::size_t j = 0; j < side_by_side; ++j) from[j] = row(i + std::min(j, here - 1));
      at.fill(0);
      packed_.last_of_each(from, at);
      for (std::size_t j = 0; j < here; ++j) nodes_[i + j] = first_ + at[j];
    }
  }

  // The parts of a row from the node on where it has no value.
  void divide(std::size_t i) {
    const std::vector<double>& cover = covers();
    std::vector<Part> open{{i, nodes_[i], 1.0}};
    while (!open.empty()) {
      Part part = open.back();
      open.pop_back();
      part.node = last<true>(part.node, row(i));
      if (is_leaf(part.node)) {
        parts_.push_back(part);
        continue;
      }
      const std::size_t left = forest_.left_child(part.node),
                        right = forest_.right_child(part.node);
      const double total = cover[left - first_] + cover[right - first_];
      for (std::size_t child : {right, left}) {
        const double weight = cover[child - first_];
        if (weight > 0.0) open.push_back({i, child, part.weight * (weight / total)});
      }
    }
  }

  const std::vector<double>& covers() {
    if (!cover_.empty()) return cover_;
    if (!trusted_) check_nodes(forest_, first_, end_, rows_.frame());
    return cover_ = cover_of(forest_, first_, end_);
  }

  // ---- what a node predicts ----

  double number_at(std::size_t node) {
    return is_leaf(node) ? forest_.number(node) : mean_at(node)[0];
  }
  const double* shares_at(std::size_t node) {
    return is_leaf(node) ? forest_.leaf_shares(node) : mean_at(node).data();
  }
  void add(double weight, std::size_t node, std::vector<double>& to) {
    const int pure = is_leaf(node) ? forest_.pure_class(node) : -1;
    if (pure >= 0) {
      to[static_cast<std::size_t>(pure)] += weight;
      return;
    }
    const double* shares = shares_at(node);
    for (std::size_t s = 0; s < to.size(); ++s) to[s] += weight * shares[s];
  }
  int add_shares(const double* shares, double* sums, std::size_t stride) const {
    const auto k = static_cast<std::size_t>(forest_.n_classes);
    for (std::size_t s = 0; s < k; ++s) sums[s * stride] += shares[s];
    return static_cast<int>(heaviest(shares, k));
  }

  // Of an inner node where rows stop: the mean of the leaves below, by weight.
  const std::vector<double>& mean_at(std::size_t node) {
    std::vector<double>& mean = means_[node];
    if (!mean.empty()) return mean;
    const std::vector<double>& cover = covers();
    const bool classes = forest_.n_classes > 0;
    mean.assign(classes ? static_cast<std::size_t>(forest_.n_classes) : 1, 0.0);
    std::size_t end = node;  // of the nodes below
    while (!is_leaf(end)) end = forest_.right_child(end);
    for (std::size_t leaf = node; leaf <= end; ++leaf) {
      if (!is_leaf(leaf) || !(cover[leaf - first_] > 0.0)) continue;
      const double weight = cover[leaf - first_] / cover[node - first_];
      if (classes) {
        add(weight, leaf, mean);
      } else {
        mean[0] += weight * forest_.number(leaf);
      }
    }
    return mean;
  }

  const RowBlock& rows_;
  bool trusted_;
  ForestView forest_;
  std::size_t first_ = 0, end_ = 0;          // of the tree
  const std::uint32_t* followed_ = nullptr;  // numbers of the rows in the block
  PackedTree packed_;
  std::vector<std::size_t> nodes_;  // where each row stops
  std::vector<Part> parts_;         // of the rows that end in several leaves, row after row
  std::vector<double> cover_, mixed_;
  std::map<std::size_t, std::vector<double>> means_;
};

// The rows of a block whose values fit the cache.
inline std::size_t rows_of_block(const Frame& frame, std::size_t most) {
  constexpr std::size_t values = std::size_t{1} << 17, least = 64;
  const std::size_t rows = values / std::max<std::size_t>(1, frame.columns.size());
  return std::clamp(rows, least, std::max(least, most));
}

// Every row of the frame down every tree: use(tree, first row, number of rows, walk), for blocks of
// rows; those of a block in the order of trees and on one thread.
template <class Use>
void each_block(const ForestView& forest, const Frame& frame, Team& team, Use use) {
  constexpr std::size_t nodes_a_row = 16, blocks_a_thread = 4;
  // To check all nodes must not take longer than to follow the rows.
  const bool trusted = frame.n_rows * forest.trees * nodes_a_row > forest.nodes;
  if (trusted) check_forest(forest, frame);
  const std::size_t shares = blocks_a_thread * static_cast<std::size_t>(team.size()),
                    block = rows_of_block(frame, (frame.n_rows + shares - 1) / shares);
  team.each((frame.n_rows + block - 1) / block, [&](std::size_t b, Team& inner) {
    const std::size_t first = b * block, n = std::min(block, frame.n_rows - first);
    RowBlock rows(frame);
    rows.fill(n, [&](std::size_t i) { return first + i; });
    std::vector<std::uint32_t> all(n);
    std::iota(all.begin(), all.end(), 0u);
    TreeWalk walk(rows, trusted);
    for (std::size_t tree = 0; tree < forest.trees; ++tree) {
      inner.check();
      walk.follow(forest, tree, all);
      use(tree, first, n, walk);
    }
  });
}

}  // namespace tectree

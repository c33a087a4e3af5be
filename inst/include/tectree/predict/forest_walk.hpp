// Rows down the trees of a forest, without copying it.
//
// The values of a block of rows are put side by side, row by row; then one tree after another takes
// the rows, several at once, so the processor neither waits for memory nor mispredicts branches. No
// preparation grows with the forest: few rows read only the nodes on their way.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

#include "../base/team.hpp"
#include "../data/frame.hpp"
#include "../tally/weights.hpp"
#include "../tree/forest.hpp"
#include "check_forest.hpp"
#include "packed_tree.hpp"

namespace tectree {

// The ends of some rows in one tree at a time, and its predictions.
class TreeWalk {
 public:
  // `trusted`: the forest has been checked; otherwise every node is checked when a row reaches it.
  TreeWalk(const RowBlock& rows, bool trusted) : rows_(rows), trusted_(trusted) {}

  // Follows some rows of the block, given by number, down a tree.
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

  // Where row i ends; for several parts, the first of the largest.
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
    const int pure = part || !is_leaf(nodes_[i]) ? -1 : forest_.pure_class(nodes_[i]);
    if (!part && pure < 0) return add_shares(shares_at(nodes_[i]), sums, stride);
    if (pure >= 0 && !forest_.loss) {
      sums[static_cast<std::size_t>(pure) * stride] += 1.0;
      return pure;
    }
    mixed_.assign(static_cast<std::size_t>(forest_.n_classes), 0.0);
    if (!part) mixed_[static_cast<std::size_t>(pure)] = 1.0;
    for (; part && part < end && part->row == i; ++part) add(part->weight, part->node, mixed_);
    return add_shares(mixed_.data(), sums, stride);
  }

 private:
  static constexpr std::size_t side_by_side = 16;
  static constexpr std::size_t nodes_a_row = 16;  // that may be packed per row

  struct Part {
    std::size_t row, node;
    double weight;
  };

  bool is_leaf(std::size_t node) const { return forest_.is_leaf(node); }
  // Where rows with a missing value go, unless they are divided.
  std::size_t default_child(std::size_t node) const {
    return forest_.variable[node] < 0 ? forest_.right_child(node) : forest_.left_child(node);
  }
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
      const int side = side_of(forest_, node, rows_.frame().columns[column], row[column]);
      if (side == 0) {
        if (forest_.unknown != UnknownRows::branch) return node;
        node = default_child(node);
        continue;
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

  // The parts of a row from the node on where its value is missing.
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
      if (!(total > 0.0)) {  // no rows determine how to divide it
        open.push_back({i, default_child(part.node), part.weight});
        continue;
      }
      for (std::size_t child : {right, left}) {
        const double weight = cover[child - first_];
        if (weight > 0.0) open.push_back({i, child, part.weight * (weight / total)});
      }
    }
  }

  const std::vector<double>& covers() {
    if (!cover_.empty()) return cover_;
    if (!trusted_) {
      check_nodes(forest_, first_, end_, rows_.frame());
      check_order(forest_, first_, end_);  // otherwise parts of a row could meet again and again
    }
    return cover_ = cover_of(forest_, first_, end_);
  }

  // ---- what a node predicts ----

  double number_at(std::size_t node) {
    return is_leaf(node) ? forest_.number(node) : *value_at(node);
  }
  const double* shares_at(std::size_t node) {
    return is_leaf(node) ? forest_.leaf_shares(node) : value_at(node);
  }
  const double* value_at(std::size_t node) {
    return forest_.own ? forest_.own + node * forest_.outputs() : mean_at(node).data();
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
    return forest_.loss ? forest_.loss->best(shares, forest_.n_classes)
                        : static_cast<int>(heaviest(shares, k));
  }

  // The value of an inner node without its own: the weighted mean of the leaves below.
  const std::vector<double>& mean_at(std::size_t node) {
    std::vector<double>& mean = means_[node];
    if (!mean.empty()) return mean;
    const std::vector<double>& cover = covers();
    const bool classes = forest_.n_classes > 0;
    mean.assign(classes ? static_cast<std::size_t>(forest_.n_classes) : 1, 0.0);
    if (!(cover[node - first_] > 0.0)) {  // no rows for a mean
      std::size_t leaf = node;
      while (!is_leaf(leaf)) leaf = default_child(leaf);
      if (classes) {
        add(1.0, leaf, mean);
      } else {
        mean[0] = forest_.number(leaf);
      }
      return mean;
    }
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
  std::vector<Part> parts_;         // of the rows that end in several leaves, row by row
  std::vector<double> cover_, mixed_;
  std::map<std::size_t, std::vector<double>> means_;
};

// The rows of a block, whose values fit the cache.
inline std::size_t rows_of_block(const Frame& frame, std::size_t most) {
  constexpr std::size_t values = std::size_t{1} << 17, least = 64;
  const std::size_t rows = values / std::max<std::size_t>(1, frame.columns.size());
  return std::clamp(rows, least, std::max(least, most));
}

// Every row of the frame down every tree: use(tree, first row, number of rows, walk), for blocks of
// rows; those of a block in the order of trees and on one thread. fill(block, tree, first row,
// number of rows) puts the values that the tree sees into the block.
template <class Fill, class Use>
void each_block(const ForestView& forest, const Frame& frame, Team& team, Fill fill, Use use) {
  constexpr std::size_t nodes_a_row = 16, blocks_a_thread = 4;
  // Checking all nodes must not take longer than following the rows.
  const bool trusted = frame.n_rows * forest.trees * nodes_a_row > forest.nodes;
  if (trusted) check_forest(forest, frame);
  const std::size_t shares = blocks_a_thread * static_cast<std::size_t>(team.size()),
                    block = rows_of_block(frame, (frame.n_rows + shares - 1) / shares);
  team.each((frame.n_rows + block - 1) / block, [&](std::size_t b, Team& inner) {
    const std::size_t first = b * block, n = std::min(block, frame.n_rows - first);
    RowBlock rows(frame);
    rows.make_room(n);
    std::vector<std::uint32_t> all(n);
    std::iota(all.begin(), all.end(), 0u);
    TreeWalk walk(rows, trusted);
    for (std::size_t tree = 0; tree < forest.trees; ++tree) {
      inner.check();
      fill(rows, tree, first, n);
      walk.follow(forest, tree, all);
      use(tree, first, n, walk);
    }
  });
}

// The same if all trees see the values of the frame.
template <class Use>
void each_block(const ForestView& forest, const Frame& frame, Team& team, Use use) {
  const auto fill = [](RowBlock& rows, std::size_t tree, std::size_t first, std::size_t n) {
    if (tree == 0) rows.fill(n, [&](std::size_t i) { return first + i; });
  };
  each_block(forest, frame, team, fill, use);
}

}  // namespace tectree

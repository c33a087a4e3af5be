// Whether a forest, which may come from a file, can be walked: every index must be inside its
// vector, and the nodes must be those of its trees in pre-order, so each has one parent and every
// path ends.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "../tree/forest.hpp"
#include "predictor.hpp"

namespace tectree {

namespace detail {

[[noreturn]] inline void refuse(const char* what, std::size_t node) {
  throw DamagedTree(std::string(what) + " of node " + std::to_string(node + 1));
}

inline bool leaf_holds(const ForestView& forest, std::size_t node) {
  const long long right = forest.right[node];
  if (forest.n_classes == 0)
    return right >= 0 || static_cast<std::size_t>(-right) <= forest.n_weights;
  if (right > 0) return right <= forest.n_classes;
  return right < 0 && static_cast<std::size_t>(-right) <= forest.n_shares;
}

}  // namespace detail

// `end`: of the node's tree.
inline void check_node(const ForestView& forest, std::size_t node, std::size_t end,
                       const Frame& frame) {
  if (forest.is_leaf(node)) {
    if (!std::isfinite(forest.cut[node]) || !detail::leaf_holds(forest, node) ||
        !(forest.leaf_weight(node) >= 0.0))
      detail::refuse("leaf", node);
    return;
  }
  if (std::isnan(forest.cut[node])) detail::refuse("cut", node);
  const std::size_t column = forest.column(node);
  if (column >= frame.columns.size()) detail::refuse("variable", node);
  const Column& values = frame.columns[column];
  if (!values.present())
    throw DamagedTree("column " + std::to_string(column + 1) + " does not exist");
  const int right = forest.right[node];
  if (right < 2 || static_cast<std::size_t>(right) >= end - node) detail::refuse("children", node);
  if (!by_sides(values)) return;
  const double place = forest.cut[node];
  const bool inside = place >= 0.0 && place == std::floor(place) &&
                      place + values.n_levels <= static_cast<double>(forest.n_sides);
  if (!values.has_levels() || !inside) detail::refuse("levels", node);
}

inline void check_nodes(const ForestView& forest, std::size_t first, std::size_t end,
                        const Frame& frame) {
  for (std::size_t node = first; node < end; ++node) check_node(forest, node, end, frame);
}

// Checks that a tree's nodes are in pre-order: the left child is the next node, the right one
// follows the last node below the left one.
inline void check_order(const ForestView& forest, std::size_t first, std::size_t end) {
  std::vector<std::size_t> open;  // right children to come, the next one last
  for (std::size_t node = first; node < end; ++node) {
    if (!forest.is_leaf(node)) {
      open.push_back(forest.right_child(node));
      continue;
    }
    const std::size_t next = open.empty() ? end : open.back();
    if (next != node + 1) detail::refuse("children", node);
    if (!open.empty()) open.pop_back();
  }
}

inline void check_start(const ForestView& forest, std::size_t tree) {
  const int first = forest.start[tree], end = forest.start[tree + 1];
  if (first < 0 || end <= first || static_cast<std::size_t>(end) > forest.nodes)
    throw DamagedTree("the start of tree " + std::to_string(tree + 1));
}

inline void check_forest(const ForestView& forest, const Frame& frame) {
  const unsigned char *side = forest.sides, *last = side + forest.n_sides;
  if (std::any_of(side, last, [](unsigned char x) { return x > 2; }))
    throw DamagedTree("the side of a level");
  const auto is_share = [](double x) { return x >= 0.0 && x <= 1.0 + 1e-6; };
  const double* end_of_shares =
      forest.shares + forest.n_shares * static_cast<std::size_t>(forest.n_classes);
  if (forest.n_classes > 0 && !std::all_of(forest.shares, end_of_shares, is_share))
    throw DamagedTree("the shares of a leaf");
  if (forest.start[0] != 0 || forest.root(forest.trees) != forest.nodes)
    throw DamagedTree("some of its nodes are in no tree");
  for (std::size_t tree = 0; tree < forest.trees; ++tree) {
    check_start(forest, tree);
    check_nodes(forest, forest.root(tree), forest.root(tree + 1), frame);
    check_order(forest, forest.root(tree), forest.root(tree + 1));
  }
}

}  // namespace tectree

// Rows down a fitted tree. The tree may come from a file, so it is checked before anything follows
// its numbers.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "../base/team.hpp"
#include "../data/frame.hpp"
#include "../tree/tree.hpp"

namespace tectree {

struct DamagedTree : std::runtime_error {
  explicit DamagedTree(const std::string& what) : std::runtime_error("damaged tree: " + what) {}
};

// Children come after their parent, so every path ends; every index lies inside its pool.
inline void check_tree(const Tree& tree, std::size_t n_columns) {
  const auto in_pool = [](int start, int count, std::size_t size) {
    return start >= 0 && count >= 0 &&
           static_cast<std::size_t>(start) + static_cast<std::size_t>(count) <= size;
  };
  const auto require = [](bool holds, const char* what, std::size_t node) {
    if (!holds) throw DamagedTree(std::string(what) + " of node " + std::to_string(node + 1));
  };
  if (tree.size() == 0) throw DamagedTree("it has no nodes");
  if (tree.level.size() != tree.level_child.size())
    throw DamagedTree("levels and their branches differ in number");
  for (std::size_t i = 0; i < tree.size(); ++i) {
    require(tree.kind[i] >= 0 && tree.kind[i] <= 5, "kind", i);
    if (tree.kind[i] == 0) continue;
    const int g = tree.n_children[i];
    require(tree.variable[i] >= 0 && static_cast<std::size_t>(tree.variable[i]) < n_columns,
            "variable", i);
    require(g >= 1 && in_pool(tree.child_start[i], g, tree.child.size()), "children", i);
    require(in_pool(tree.break_start[i], tree.break_count[i], tree.breaks.size()), "thresholds", i);
    require(in_pool(tree.level_start[i], tree.level_count[i], tree.level.size()), "levels", i);
    require(tree.default_child[i] >= 0 && tree.default_child[i] < g, "default branch", i);
    const auto kind = static_cast<SplitKind>(tree.kind[i]);
    if (kind == SplitKind::threshold || kind == SplitKind::level)
      require(tree.break_count[i] == 1 && g == 2, "threshold", i);
    if (kind == SplitKind::intervals) require(tree.break_count[i] == g - 1, "thresholds", i);
    for (int j = 0; j < tree.level_count[i]; ++j) {
      const int to = tree.level_child[tree.level_start[i] + j];
      require(to >= 0 && to < g, "branch of a level", i);
    }
    for (int j = 0; j < g; ++j) {
      const int to = tree.child[tree.child_start[i] + j];
      require(to > static_cast<int>(i) && static_cast<std::size_t>(to) < tree.size(), "child", i);
    }
  }
}

struct Step {
  int node;
  bool by_default;
};

// The child that `row` of the frame goes to from `node`.
inline Step step(const Tree& tree, const Frame& frame, int node, std::size_t row) {
  const int branch = route(tree.split(node), frame.columns[tree.variable[node]], row);
  const int taken = branch == no_branch ? tree.default_child[node] : branch;
  return {tree.child[tree.child_start[node] + taken], branch == no_branch};
}

// The leaf of every row.
inline void predict_leaves(const Tree& tree, const Frame& frame, int* leaf, Team& team) {
  constexpr std::size_t block = 4096;
  team.each((frame.n_rows + block - 1) / block, [&](std::size_t b, Team&) {
    const std::size_t end = std::min(frame.n_rows, (b + 1) * block);
    for (std::size_t row = b * block; row < end; ++row) {
      int node = 0;
      while (tree.kind[node] != 0) node = step(tree, frame, node, row).node;
      leaf[row] = node;
    }
  });
}

}  // namespace tectree

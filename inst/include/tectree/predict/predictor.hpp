// Room predict/: rows down a finished tree.
//
// The tree may come from a file, so its indices are checked first.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "../base/team.hpp"
#include "../data/frame.hpp"
#include "../tree/spread.hpp"
#include "steps.hpp"

namespace tectree {

struct DamagedTree : std::runtime_error {
  explicit DamagedTree(const std::string& what) : std::runtime_error("damaged tree: " + what) {}
};

namespace detail {

inline bool in_pool(int start, int count, std::size_t size) {
  return start >= 0 && count >= 0 &&
         static_cast<std::size_t>(start) + static_cast<std::size_t>(count) <= size;
}

inline bool all_below(const std::vector<int>& values, int start, int count, int bound) {
  const auto first = values.begin() + start;
  return std::all_of(first, first + count, [&](int x) { return x >= 0 && x < bound; });
}

inline void require(bool holds, const char* what, std::size_t node) {
  if (!holds) throw DamagedTree(std::string(what) + " of node " + std::to_string(node + 1));
}

// A surrogate splits a column in two, by a break or by its own levels.
inline bool surrogate_holds(const Tree& tree, std::size_t at, std::size_t n_columns) {
  const SurrogatePools& s = tree.surrogates;
  const auto kind = static_cast<SplitKind>(s.kind[at]);
  return s.variable[at] >= 0 && static_cast<std::size_t>(s.variable[at]) < n_columns &&
         (kind == SplitKind::subset || kind == SplitKind::threshold || kind == SplitKind::level) &&
         in_pool(s.level_start[at], s.level_count[at], tree.level.size()) &&
         all_below(tree.level_child, s.level_start[at], s.level_count[at], 2);
}

}  // namespace detail

inline void check_surrogates(const Tree& tree, std::size_t n_columns) {
  const SurrogatePools& s = tree.surrogates;
  const std::size_t n = s.size();
  if (s.kind.size() != n || s.flipped.size() != n || s.level_start.size() != n ||
      s.level_count.size() != n || s.cut.size() != n)
    throw DamagedTree("the vectors of its surrogates differ in length");
  if (s.start.size() != tree.size() || s.count.size() != tree.size())
    throw DamagedTree("its vectors differ in length");
  for (std::size_t at = 0; at < n; ++at) {
    if (!detail::surrogate_holds(tree, at, n_columns))
      throw DamagedTree("surrogate " + std::to_string(at + 1));
  }
  for (std::size_t i = 0; i < tree.size(); ++i) {
    detail::require(
        detail::in_pool(s.start[i], s.count[i], n) && (s.count[i] == 0 || tree.n_children[i] == 2),
        "surrogates", i);
  }
}

// Children come after their parent, so every path ends; no node has two parents, so the paths are
// as many as the leaves; every index is inside its pool.
inline void check_tree(const Tree& tree, std::size_t n_columns) {
  using detail::all_below, detail::in_pool, detail::require;
  if (tree.size() == 0) throw DamagedTree("it has no nodes");
  if (tree.level.size() != tree.level_child.size())
    throw DamagedTree("levels and their branches differ in number");
  check_surrogates(tree, n_columns);
  if (tree.unknown == UnknownRows::share && tree.weight.size() != tree.size())
    throw DamagedTree("its vectors differ in length");
  std::vector<char> has_parent(tree.size(), 0);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    require(tree.kind[i] >= 0 && tree.kind[i] <= 5, "kind", i);
    if (tree.kind[i] == 0) continue;
    const int g = tree.n_children[i];
    require(tree.variable[i] >= 0 && static_cast<std::size_t>(tree.variable[i]) < n_columns,
            "variable", i);
    require(g >= 1 && in_pool(tree.child_start[i], g, tree.child.size()), "children", i);
    require(in_pool(tree.break_start[i], tree.break_count[i], tree.breaks.size()), "thresholds", i);
    require(in_pool(tree.level_start[i], tree.level_count[i], tree.level.size()), "levels", i);
    const bool stops = tree.unknown == UnknownRows::stop && tree.default_child[i] == no_branch;
    require(stops || (tree.default_child[i] >= 0 && tree.default_child[i] < g), "default branch",
            i);
    const auto kind = static_cast<SplitKind>(tree.kind[i]);
    if (kind == SplitKind::threshold || kind == SplitKind::level)
      require(tree.break_count[i] == 1 && g == 2, "threshold", i);
    if (kind == SplitKind::intervals) require(tree.break_count[i] == g - 1, "thresholds", i);
    require(all_below(tree.level_child, tree.level_start[i], tree.level_count[i], g),
            "branch of a level", i);
    for (int j = 0; j < g; ++j) {
      const int to = tree.child[tree.child_start[i] + j];
      require(to > static_cast<int>(i) && static_cast<std::size_t>(to) < tree.size(), "child", i);
      require(!has_parent[to], "child", i);
      has_parent[to] = 1;
    }
  }
}

// The end node of a row that has stopped at one: if its parts end in several, the first of the
// largest.
inline int end_of_row(const Tree& tree, const Frame& frame, const Steps& steps, int node,
                      std::size_t row, std::vector<Part>& stack) {
  while (tree.kind[node] != 0) {
    const Onward to = onward(tree, frame, node, row);
    if (to.branch == no_branch) break;
    node = steps.last(child_of(tree, node, to.branch), row);
  }
  if (tree.kind[node] == 0 || tree.unknown != UnknownRows::share) return node;
  double largest = 0.0;
  follow_row(tree, frame, row, {node, 1.0, Onward::By::value, -1}, stack,
             [&](const Part& part, bool ends) {
               if (!ends || !(part.weight > largest * (1 + 1e-12))) return;
               largest = part.weight;
               node = part.node;
             });
  return node;
}

inline void predict_leaves(const Tree& tree, const Frame& frame, int* leaf, Team& team) {
  constexpr std::size_t block = 4096, beside = Steps::side_by_side;
  const Steps steps(tree, frame);
  team.each((frame.n_rows + block - 1) / block, [&](std::size_t b, Team&) {
    const std::size_t end = std::min(frame.n_rows, (b + 1) * block);
    std::size_t row = b * block;
    for (; row + beside <= end; row += beside) steps.last_of_each(row, leaf + row);
    for (; row < end; ++row) leaf[row] = steps.last(0, row);
    std::vector<Part> stack;
    for (row = b * block; row < end; ++row) {
      if (tree.kind[leaf[row]] != 0)
        leaf[row] = end_of_row(tree, frame, steps, leaf[row], row, stack);
    }
  });
}

// The leaf of each row, on one thread.
inline std::vector<int> predict_leaves(const Tree& tree, const Frame& frame) {
  check_tree(tree, frame.columns.size());
  std::vector<int> leaf(frame.n_rows);
  Team team(1);
  predict_leaves(tree, frame, leaf.data(), team);
  return leaf;
}

// The parts of the rows that end in several nodes: row, node, share.
struct SharedRows {
  std::vector<int> row, node;
  std::vector<double> share;
};

inline SharedRows shared_rows(const Tree& tree, const Frame& frame, Team& team) {
  SharedRows out;
  if (tree.unknown != UnknownRows::share) return out;
  std::vector<Part> stack, ends_of_row;
  for (std::size_t row = 0; row < frame.n_rows; ++row) {
    if (row % 1024 == 0) team.check();
    ends_of_row.clear();
    follow_row(tree, frame, row, Part(), stack, [&](const Part& part, bool ends) {
      if (ends) ends_of_row.push_back(part);
    });
    if (ends_of_row.size() < 2) continue;
    for (const Part& part : ends_of_row) {
      out.row.push_back(static_cast<int>(row));
      out.node.push_back(part.node);
      out.share.push_back(part.weight);
    }
  }
  return out;
}

}  // namespace tectree

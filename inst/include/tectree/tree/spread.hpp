// Where a row goes in a tree: one step, and where all its parts end.
#pragma once

#include <cstddef>
#include <vector>

#include "../data/frame.hpp"
#include "tree.hpp"

namespace tectree {

// From an inner node: to a branch, by its value, a surrogate (its position in the pool) or default;
// or, with no_branch, it stops here or is divided into parts.
struct Onward {
  enum class By { value, surrogate, unknown } by = By::value;
  int branch = no_branch;
  int surrogate = -1;
};

inline Onward onward(const Tree& tree, const Frame& frame, int node, std::size_t row) {
  Onward to;
  to.branch = route(tree.split(node), frame.columns[tree.variable[node]], row);
  if (to.branch != no_branch) return to;
  if (tree.by_surrogate) {
    const int first = tree.surrogates.start[node], n = tree.surrogates.count[node];
    for (int i = first; i < first + n; ++i) {
      to.branch = route(tree.surrogate(i), frame, row);
      if (to.branch == no_branch) continue;
      to.by = Onward::By::surrogate;
      to.surrogate = i;
      return to;
    }
  }
  to.by = Onward::By::unknown;
  if (tree.unknown == UnknownRows::branch) to.branch = tree.default_child[node];
  return to;
}

inline int child_of(const Tree& tree, int node, int branch) {
  return tree.child[tree.child_start[node] + branch];
}

struct Part {
  int node = 0;
  double weight = 1.0;
  Onward::By by = Onward::By::value;  // how it came to the node
  int surrogate = -1;
};

// Calls reach(part, ends) for every node that a part of the row reaches, parents first, branches in
// order; a row with a missing value may be divided into parts, in proportion to the children's
// weights.
template <class Reach>
void follow_row(const Tree& tree, const Frame& frame, std::size_t row, const Part& from,
                std::vector<Part>& stack, Reach reach) {
  stack.assign(1, from);
  while (!stack.empty()) {
    const Part part = stack.back();
    stack.pop_back();
    const int node = part.node;
    if (tree.kind[node] == 0) {
      reach(part, true);
      continue;
    }
    const Onward to = onward(tree, frame, node, row);
    if (to.branch != no_branch) {
      reach(part, false);
      stack.push_back({child_of(tree, node, to.branch), part.weight, to.by, to.surrogate});
      continue;
    }
    double total = 0.0;
    if (tree.unknown == UnknownRows::share) {
      for (int j = 0; j < tree.n_children[node]; ++j) total += tree.weight[child_of(tree, node, j)];
    }
    const bool shared = total > 0.0;
    reach(part, !shared);
    if (!shared) continue;
    for (int j = tree.n_children[node]; j-- > 0;) {
      const int child = child_of(tree, node, j);
      if (tree.weight[child] > 0.0)
        stack.push_back({child, part.weight * (tree.weight[child] / total), to.by, -1});
    }
  }
}

// Calls visit(node, weight) for every end node that a part of the row reaches from `node`.
template <class Visit>
void spread(const Tree& tree, const Frame& frame, std::size_t row, double weight, int node,
            Visit visit) {
  std::vector<Part> stack;
  follow_row(tree, frame, row, {node, weight, Onward::By::value, -1}, stack,
             [&](const Part& part, bool ends) {
               if (ends) visit(part.node, part.weight);
             });
}

}  // namespace tectree

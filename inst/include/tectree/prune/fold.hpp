// Room prune/: which nodes become leaves. A header a way of pruning.
//
// Pruning is a fold over the tree. Nodes stand in pre-order, children after their parent, so a loop
// from the last node to the first meets every child before its parent: no recursion, whatever the
// depth. A pruner marks the nodes that become leaves; compact() makes the tree that is left.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "../tree/spread.hpp"

namespace tectree {

// Calls meet(node) for every node, children before parents.
template <class Meet>
void fold_up(const Tree& tree, Meet meet) {
  for (std::size_t v = tree.size(); v-- > 0;) meet(static_cast<int>(v));
}

// Of each node the sum over the leaves below it.
inline std::vector<double> sums_of_leaves(const Tree& tree, std::vector<double> value) {
  fold_up(tree, [&](int v) {
    if (tree.kind[v] == 0) return;
    value[v] = 0.0;
    for (int j = 0; j < tree.n_children[v]; ++j) value[v] += value[child_of(tree, v, j)];
  });
  return value;
}

inline std::vector<double> leaves_below(const Tree& tree) {
  return sums_of_leaves(tree, std::vector<double>(tree.size(), 1.0));
}

inline void make_leaf(Tree& tree, int node) {
  tree.kind[node] = 0;
  tree.n_children[node] = 0;
}

// The tree below `root` in pre-order, without what is not reached from there.
inline Tree compact(const Tree& from, int root = 0) {
  struct Visit {
    int node, parent, branch;
  };
  Tree out;
  out.n_classes = from.n_classes;
  out.unknown = from.unknown;
  out.by_surrogate = from.by_surrogate;
  std::vector<Visit> stack{{root, -1, 0}};
  while (!stack.empty()) {
    const Visit v = stack.back();
    stack.pop_back();
    const int made = out.add_leaf(facts_of(from, v.node), from.shares(v.node), v.parent);
    if (v.parent >= 0) out.child[out.child_start[v.parent] + v.branch] = made;
    if (from.kind[v.node] == 0) continue;
    copy_node(from, v.node, out, made);
    out.child_start[made] = static_cast<int>(out.child.size());
    out.child.resize(out.child.size() + from.n_children[v.node]);
    for (int j = from.n_children[v.node]; j-- > 0;) {
      stack.push_back({child_of(from, v.node, j), made, j});
    }
  }
  return out;
}

// The tree with the marked nodes as leaves.
template <class Marked>
Tree cut_at(Tree tree, Marked marked) {
  for (std::size_t v = 0; v < tree.size(); ++v) {
    if (tree.kind[v] != 0 && marked(static_cast<int>(v))) make_leaf(tree, static_cast<int>(v));
  }
  return compact(tree);
}

}  // namespace tectree

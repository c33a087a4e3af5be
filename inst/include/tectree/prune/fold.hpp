// Room prune/: which nodes become leaves. One header per pruning method.
//
// Pruning is a fold over the tree. Nodes are in pre-order, children after their parent, so a loop
// from the last node to the first meets every child before its parent: no recursion, whatever the
// depth. A pruner marks the nodes that become leaves; assemble() makes the remaining tree.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "../tree/node_risk.hpp"
#include "../tree/spread.hpp"
#include "../tree/tree.hpp"

namespace tectree {

// Calls meet(node) for every node, children before parents.
template <class Meet>
void fold_up(const Tree& tree, Meet meet) {
  for (std::size_t v = tree.size(); v-- > 0;) meet(static_cast<int>(v));
}

// For each node, the sum over the leaves below it.
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

// The tree with the marked nodes as leaves.
template <class Marked>
Tree cut_at(Tree tree, Marked marked) {
  for (std::size_t v = 0; v < tree.size(); ++v) {
    if (tree.kind[v] != 0 && marked(static_cast<int>(v))) make_leaf(tree, static_cast<int>(v));
  }
  return assemble(tree);
}

// Errors as counted by pessimistic and error-based pruning: between 0 and the node's weight, so
// with losses each is in units of the largest.
inline std::vector<double> training_errors(const Tree& tree, const NodeRisk& risk) {
  const double unit = risk.loss.largest();
  std::vector<double> out(tree.size());
  for (std::size_t v = 0; v < tree.size(); ++v) {
    out[v] = tree.weight[v] > 0.0 ? risk.errors(tree, static_cast<int>(v)) / unit : 0.0;
  }
  return out;
}

}  // namespace tectree

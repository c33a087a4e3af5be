// Room prune/: which nodes become leaves. A header a way of pruning.
//
// Pruning is a fold over the tree. Nodes are in pre-order, children after their parent, so a loop
// from the last node to the first meets every child before its parent: no recursion, whatever the
// depth. A pruner marks the nodes that become leaves; assemble() makes the tree that is left.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "../criterion/loss.hpp"
#include "../tree/spread.hpp"
#include "../tree/tree.hpp"

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

// The tree with the marked nodes as leaves.
template <class Marked>
Tree cut_at(Tree tree, Marked marked) {
  for (std::size_t v = 0; v < tree.size(); ++v) {
    if (tree.kind[v] != 0 && marked(static_cast<int>(v))) make_leaf(tree, static_cast<int>(v));
  }
  return assemble(tree);
}

// ---- what a node costs as a leaf, from what the tree keeps of it --------------------------------

// Shares lose the last digits of the counts they came from; whole counts are restored.
inline double count_of(double weight, double share) {
  const double count = weight * share, whole = std::nearbyint(count);
  return std::fabs(count - whole) <= 1e-10 * (weight > 1 ? weight : 1.0) ? whole : count;
}

struct NodeRisk {
  Loss loss;
  bool impurity = false;  // the criterion's own impurity times the weight; regression: always so

  double operator()(const Tree& tree, int node) const {
    if (impurity || tree.n_classes == 0) return tree.weight[node] * tree.impurity[node];
    return errors(tree, node);
  }

  // The loss of the node's class over its rows.
  double errors(const Tree& tree, int node) const {
    const int answer = static_cast<int>(tree.yval[node]);
    double sum = 0.0;
    for (int s = 0; s < tree.n_classes; ++s) {
      sum +=
          count_of(tree.weight[node], tree.shares(node)[s]) * loss.one(s, answer, tree.n_classes);
    }
    return sum;
  }
};

// Errors as the estimates of pessimistic and error-based pruning count them: between 0 and the
// node's weight, so under a loss each in units of the largest.
inline std::vector<double> training_errors(const Tree& tree, const NodeRisk& risk) {
  const double unit = risk.loss.largest();
  std::vector<double> out(tree.size());
  for (std::size_t v = 0; v < tree.size(); ++v) {
    out[v] = tree.weight[v] > 0.0 ? risk.errors(tree, static_cast<int>(v)) / unit : 0.0;
  }
  return out;
}

}  // namespace tectree

// Two-class trees with random shapes and counts.
#pragma once

#include <tectree/prune/fold.hpp>

#include <vector>

#include "support/build.h"
#include "support/random.h"

namespace support {

inline void set_counts(tectree::Tree& tree, int node, double a, double b) {
  tree.weight[node] = a + b;
  tree.n[node] = a + b;
  tree.yval[node] = b > a ? 1 : 0;
  tree.share[2 * node] = a + b > 0 ? a / (a + b) : 0.5;
  tree.share[2 * node + 1] = a + b > 0 ? b / (a + b) : 0.5;
  tree.impurity[node] = 2 * tree.share[2 * node] * tree.share[2 * node + 1];
}

// Splits random leaves into two or three until there are `splits`; whole counts. assemble() puts
// the nodes in pre-order.
inline tectree::Tree random_tree(int splits, Random& random) {
  tectree::Tree tree;
  add_leaf(tree, -1, 1);
  set_counts(tree, 0, 20 + random.below(200), 20 + random.below(200));
  for (int i = 0; i < splits; ++i) {
    std::vector<int> leaves;
    for (int v = 0; v < static_cast<int>(tree.size()); ++v) {
      if (tree.kind[v] == 0) leaves.push_back(v);
    }
    const int at = leaves[random.below(leaves.size())];
    const bool three = random.below(4) == 0;
    const auto w =
        three ? winner(tectree::SplitKind::intervals, 0, 3, {1.0, 2.0}) : threshold(0, 1.0);
    const std::vector<int> children = split(tree, at, w, 0, 1);
    double left[2];
    for (int s = 0; s < 2; ++s) {
      left[s] = std::nearbyint(tree.weight[at] * tree.share[2 * at + s]);
    }
    for (std::size_t j = 0; j < children.size(); ++j) {
      double take[2];
      for (int s = 0; s < 2; ++s) {
        take[s] = j + 1 == children.size() ? left[s] : random.below(static_cast<int>(left[s]) + 1);
        left[s] -= take[s];
      }
      set_counts(tree, children[j], take[0], take[1]);
    }
  }
  return tectree::assemble(tree);
}

// Every split reduces the impurity.
inline tectree::Tree saving_chain(std::size_t size) {
  tectree::Tree tree = chain(size);
  for (std::size_t v = 0; v < tree.size(); ++v) {
    set_counts(tree, static_cast<int>(v), static_cast<double>(tree.size() - v), 1);
    tree.impurity[v] = (tree.kind[v] == 0 ? 0.0 : 1.0);
  }
  return tree;
}

}  // namespace support

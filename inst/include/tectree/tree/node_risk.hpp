// The risk of a node as a leaf, from what the tree stores about it.
#pragma once

#include <cmath>

#include "../criterion/loss.hpp"
#include "tree.hpp"

namespace tectree {

// Shares lose the last digits of the counts they came from; whole counts are restored.
inline double count_of(double weight, double share) {
  const double count = weight * share, whole = std::nearbyint(count);
  return std::fabs(count - whole) <= 1e-10 * (weight > 1 ? weight : 1.0) ? whole : count;
}

struct NodeRisk {
  Loss loss;
  bool impurity = false;  // the criterion's own impurity times the weight; always for regression

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

}  // namespace tectree

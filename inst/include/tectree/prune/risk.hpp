// What a node costs as a leaf, from what the tree keeps of it.
#pragma once

#include <cmath>
#include <vector>

#include "../criterion/loss.hpp"
#include "../tree/tree.hpp"

namespace tectree {

// Shares lose the last digits of the counts they came from; whole counts are given back.
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
    counts_.resize(tree.n_classes);
    const double* share = tree.shares(node);
    for (int s = 0; s < tree.n_classes; ++s) counts_[s] = count_of(tree.weight[node], share[s]);
    return loss.of(counts_.data(), tree.n_classes, static_cast<int>(tree.yval[node]));
  }

 private:
  mutable std::vector<double> counts_;
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

// Pessimistic pruning (Quinlan 1987), from the root down: a leaf is charged half an error more than
// it makes. A subtree of L leaves with errors e_i makes m = sum e_i + L / 2 of n; it stays where
// that, plus one standard deviation of a binomial count of this mean, is less than what the node
// would make as a leaf, e + 1/2. Here e are the node's *own* errors as a leaf; the sum of its
// leaves' errors, as one printed source has it, would prune every node.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "fold.hpp"
#include "risk.hpp"

namespace tectree {

inline bool pessimistic_leaf(double n, double as_leaf, double below, double leaves) {
  const double mean = below + leaves / 2, rate = n > 0.0 ? mean / n : 0.0;
  const double sd = std::sqrt(n * rate * std::max(0.0, 1.0 - rate));
  return mean + sd >= as_leaf + 0.5 - 1e-9 * std::max(1.0, as_leaf);
}

inline Tree prune_pessimistic(const Tree& tree, const NodeRisk& risk) {
  const std::vector<double> errors = training_errors(tree, risk);
  const std::vector<double> below = sums_of_leaves(tree, errors), leaves = leaves_below(tree);
  // From the root down or not, the same tree: a node's figures do not change by what is cut below.
  return cut_at(tree, [&](int v) {
    return pessimistic_leaf(tree.weight[v], errors[v], below[v], leaves[v]);
  });
}

}  // namespace tectree

// When a node becomes a leaf without a search for a split.
#pragma once

#include <algorithm>

#include "../split/split.hpp"
#include "../tally/weights.hpp"
#include "../tree/records.hpp"

namespace tectree {

struct StopRule {
  double min_split = 2.0;
  double min_bucket = 1.0;
  double max_depth = HUGE_VAL;
  double max_leaves = HUGE_VAL;
  double min_impurity = 0.0;  // a node with at most this is a leaf; 0: only pure nodes
  // The minimum gain of a split, times the node's share of the root's weight.
  double min_weighted_gain = 0.0;
  double root_weight = 0.0;  // 0 until the root is known
  // What cost-complexity pruning would remove need not be grown: a node whose risk is at most the
  // penalty of one leaf becomes a leaf.
  double least_risk = -HUGE_VAL;
  double least_share = 0.0;  // the same as a share of the root's risk, until the root is known
  bool risk_is_impurity = false;
  // How many splits are tried in every node, compared by the loss of the subtree below; and the
  // price of a leaf, in units of the risk, or as a share of the root's until that is known.
  double lookahead = 1.0;
  double leaf_price = 0.0, leaf_price_share = 0.0;
  // A split is made only if its p value is at most max_p (see split_test.hpp): by a formula, or by
  // so many permutations. Optionally adjusted for the number of divisions of the column.
  double max_p = 1.0;
  int permutations = 0;
  bool adjusts_p = true;
  bool has_test() const { return max_p < 1.0; }

  double risk(const NodeFacts& node) const {
    return risk_is_impurity ? node.weight * node.impurity : node.risk;
  }

  bool has_penalty() const { return least_share > 0.0 || least_risk > 0.0; }

  // Whether only sizes and depth decide where a tree ends.
  bool by_size_alone() const {
    return !has_penalty() && !has_test() && min_impurity <= 0.0 && min_weighted_gain <= 0.0;
  }

  void know_root(const NodeFacts& root) {
    if (root_weight == 0.0) root_weight = root.weight;
    if (least_share > 0.0) least_risk = std::max(least_risk, least_share * risk(root));
    least_share = 0.0;
    if (leaf_price_share > 0.0) leaf_price = std::max(leaf_price, leaf_price_share * risk(root));
    leaf_price_share = 0.0;
  }

  bool looks_ahead() const { return lookahead > 1.0; }
  std::size_t most_tried() const {
    return lookahead < 1e9 ? static_cast<std::size_t>(lookahead) : static_cast<std::size_t>(1e9);
  }
  // The part of a node's risk that stays there with the rows that its branches do not have, if such
  // rows stop.
  static double risk_of_stopped(double risk, double weight, double of_children, UnknownRows rows) {
    if (rows != UnknownRows::stop || !(weight > 0.0)) return 0.0;
    return risk * std::max(0.0, 1.0 - of_children / weight);
  }

  bool is_leaf(const NodeFacts& node, int depth) const {
    // Every kind of split needs two branches of min_bucket.
    const double least = std::max(min_split, 2.0 * min_bucket);
    return node.pure || node.n < 2 || depth >= max_depth ||
           !reaches(node.size.value_or(node.weight), least) || risk(node) <= least_risk ||
           (min_impurity > 0.0 && node.impurity <= min_impurity * (1 + 1e-12));
  }

  // Whether a split found by the search is made, in a node of this weight.
  bool worth(double gain, double weight) const {
    return min_weighted_gain <= 0.0 ||
           gain * (weight / root_weight) >= min_weighted_gain * (1 - 1e-12);
  }
};

}  // namespace tectree

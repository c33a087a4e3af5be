// When a node is a leaf without looking for a split.
#pragma once

#include <algorithm>

#include "../search/door.hpp"

namespace tectree {

struct StopRule {
  double min_split = 2.0;
  double min_bucket = 1.0;
  double max_depth = HUGE_VAL;
  double max_leaves = HUGE_VAL;
  // What cost-complexity pruning takes off again need not be grown: of a node whose risk is at most
  // the price of one leaf no split survives.
  double least_risk = -HUGE_VAL;
  double least_share = 0.0;  // the same as a share of the root's risk, until the root is known
  bool risk_is_impurity = false;

  double risk(const NodeFacts& node) const {
    return risk_is_impurity ? node.weight * node.impurity : node.risk;
  }

  bool has_price() const { return least_share > 0.0 || least_risk > 0.0; }

  void know_root(const NodeFacts& root) {
    if (least_share > 0.0) least_risk = std::max(least_risk, least_share * risk(root));
    least_share = 0.0;
  }

  bool is_leaf(const NodeFacts& node, int depth) const {
    // Every kind of split needs two branches of min_bucket.
    const double least = std::max(min_split, 2.0 * min_bucket);
    return node.pure || node.n < 2 || depth >= max_depth ||
           !reaches(node.size.value_or(node.weight), least) || risk(node) <= least_risk;
  }
};

}  // namespace tectree

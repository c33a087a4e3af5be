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

  bool is_leaf(const NodeFacts& node, int depth) const {
    // Every kind of split needs two branches of min_bucket.
    const double least = std::max(min_split, 2.0 * min_bucket);
    return node.pure || node.n < 2 || depth >= max_depth || !reaches(node.weight, least);
  }
};

}  // namespace tectree

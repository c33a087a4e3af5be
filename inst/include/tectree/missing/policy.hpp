// Room missing/: the policies for rows without a value.
//
// What happens to rows that have no value in a column: in its search, at a split that the tree
// makes of it, and in prediction. The search asks how to count them, the grower where they go; the
// tree carries what the predictor needs.
#pragma once

#include <cstddef>
#include <vector>

#include "../search/door/node_search.hpp"

namespace tectree {

class MissingPolicy {
 public:
  virtual ~MissingPolicy() = default;
  virtual SearchControl::Unknown search() const { return SearchControl::Unknown::ignored; }
  // What becomes of the rows that no surrogate sends anywhere.
  virtual UnknownRows rows() const { return UnknownRows::branch; }
  // The branch on its own: that of those rows, where they go to one.
  virtual int branch(const Winner& winner) const { return heaviest(winner.branch_weight); }
  virtual SurrogateRule surrogates() const { return {}; }

  // The first among equals.
  static int heaviest(const std::vector<double>& weight) {
    int best = 0;
    for (std::size_t j = 1; j < weight.size(); ++j) {
      if (weight[j] > weight[best] * (1 + 1e-12)) best = static_cast<int>(j);
    }
    return best;
  }
};

}  // namespace tectree

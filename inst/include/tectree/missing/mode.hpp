// The commonest value of the node's rows (the lower weighted median where numeric) stands in for a
// missing one, in the search and at the split.
#pragma once

#include "policy.hpp"

namespace tectree {

class Mode : public MissingPolicy {
 public:
  SearchControl::Unknown search() const override { return SearchControl::Unknown::filled; }
  int branch(const Winner& winner) const override { return winner.filled; }
};

}  // namespace tectree

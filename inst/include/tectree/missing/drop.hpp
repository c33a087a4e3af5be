// The search leaves rows without a value out; they leave the tree at the split, and prediction ends
// there.
#pragma once

#include "policy.hpp"

namespace tectree {

class Drop : public MissingPolicy {
 public:
  UnknownRows rows() const override { return UnknownRows::stop; }
};

}  // namespace tectree

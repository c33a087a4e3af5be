// C4.5's (Quinlan 1993, chapter 3): a gain counts by the share of the rows with a value, those
// without are one more group in the split information, and go down every branch in parts.
#pragma once

#include "policy.hpp"

namespace tectree {

class Fractional : public MissingPolicy {
 public:
  SearchControl::Unknown search() const override { return SearchControl::Unknown::grouped; }
  UnknownRows rows() const override { return UnknownRows::share; }
};

}  // namespace tectree

// CART's (Breiman et al. 1984, section 5.3), as rpart has it: a gain counts by the share of the
// rows with a value; a row without goes where the best surrogate that has one sends it, else to the
// heaviest branch, or, if asked, no further.
#pragma once

#include "policy.hpp"

namespace tectree {

class BySurrogate : public MissingPolicy {
 public:
  BySurrogate() { rule_.most = 5; }
  BySurrogate(const SurrogateRule& rule, bool majority_last)
      : rule_(rule), majority_last_(majority_last) {}

  SearchControl::Unknown search() const override { return SearchControl::Unknown::scaled; }
  UnknownRows rows() const override {
    return majority_last_ ? UnknownRows::branch : UnknownRows::stop;
  }
  SurrogateRule surrogates() const override { return rule_; }

 private:
  SurrogateRule rule_;
  bool majority_last_ = true;
};

}  // namespace tectree

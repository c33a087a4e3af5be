// Every policy for rows without a value.
#pragma once

#include "policy.hpp"

namespace tectree {

// The search leaves rows without a value out; they go to the heaviest branch.
class Majority : public MissingPolicy {};

// The search leaves them out; they leave the tree at the split, and prediction ends there.
class Drop : public MissingPolicy {
 public:
  UnknownRows rows() const override { return UnknownRows::stop; }
};

// The most frequent value of the node's rows (the lower weighted median where numeric) stands in
// for a missing one, in the search and at the split.
class Mode : public MissingPolicy {
 public:
  SearchControl::Unknown search() const override { return SearchControl::Unknown::filled; }
  int branch(const Winner& winner) const override { return winner.filled; }
};

// C4.5's (Quinlan 1993, chapter 3): a gain counts by the share of the rows with a value, those
// without are one more group in the split information, and go down every branch in parts.
class Fractional : public MissingPolicy {
 public:
  SearchControl::Unknown search() const override { return SearchControl::Unknown::grouped; }
  UnknownRows rows() const override { return UnknownRows::share; }
};

// CART's (Breiman et al. 1984, section 5.3), as rpart has it: a gain counts by the share of the
// rows with a value; a row without goes where the best surrogate that has one sends it, else to the
// heaviest branch, or, if asked, no further.
class BySurrogate : public MissingPolicy {
 public:
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

// A policy less its surrogates: where no row lacks a value they send no row anywhere, and can be
// found for the nodes that are left when the tree has been pruned.
class WithoutSurrogates : public MissingPolicy {
 public:
  explicit WithoutSurrogates(const MissingPolicy& policy) : policy_(policy) {}

  SearchControl::Unknown search() const override { return policy_.search(); }
  UnknownRows rows() const override { return policy_.rows(); }
  int branch(const Winner& winner) const override { return policy_.branch(winner); }

 private:
  const MissingPolicy& policy_;
};

}  // namespace tectree

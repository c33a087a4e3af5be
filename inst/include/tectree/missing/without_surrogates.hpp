// A policy less its surrogates: where no row lacks a value they send no row anywhere, and can be
// found for the nodes that are left when the tree has been pruned.
#pragma once

#include "policy.hpp"

namespace tectree {

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

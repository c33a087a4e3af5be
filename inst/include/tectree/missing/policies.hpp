// Room missing/: the policies for rows without a value.
//
// What happens to rows that have no value in a column: in its search, at a split that the tree
// makes of it, and in prediction. The search asks how to count them, the grower where they go; the
// tree carries what the predictor needs.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
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

struct SurrogateControl {
  SurrogateRule rule{5, true, false};
  bool majority_last = true;  // else a row that no surrogate decides goes no further
};

inline std::unique_ptr<MissingPolicy> make_missing_policy(const std::string& name,
                                                          const SurrogateControl& control = {}) {
  if (name == "majority") return std::make_unique<Majority>();
  if (name == "mode") return std::make_unique<Mode>();
  if (name == "drop") return std::make_unique<Drop>();
  if (name == "fractional") return std::make_unique<Fractional>();
  if (name == "surrogate")
    return std::make_unique<BySurrogate>(control.rule, control.majority_last);
  throw std::invalid_argument("no missing-value policy is called '" + name + "'");
}

// The policy with its usual settings, made when it is first asked for; by one thread at a time.
inline const MissingPolicy& missing_policy(const std::string& name) {
  static std::map<std::string, std::unique_ptr<MissingPolicy>> made;
  std::unique_ptr<MissingPolicy>& policy = made[name];
  if (!policy) policy = make_missing_policy(name);
  return *policy;
}

}  // namespace tectree

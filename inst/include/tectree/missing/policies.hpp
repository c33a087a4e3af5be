// Room missing/: the policies for rows with a missing value.
//
// How a column's search counts rows with a missing value, and where they go at a split, in growth
// and in prediction.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "../search/door/search_control.hpp"
#include "../split/split.hpp"
#include "../tally/weights.hpp"
#include "../tree/records.hpp"

namespace tectree {

struct MissingPolicy {
  SearchControl::Unknown search = SearchControl::Unknown::ignored;
  UnknownRows rows = UnknownRows::branch;  // for those that no surrogate sends anywhere
  SurrogateRule surrogates;

  bool looks_for_surrogates() const { return surrogates.most > 0; }

  // The branch of those rows, if they go to one: the one where the search counted them, or the
  // heaviest, the first on ties.
  int branch(const Winner& winner) const {
    if (winner.filled != no_branch) return winner.filled;
    const std::vector<double>& weight = winner.branch_weight;
    return static_cast<int>(heaviest(weight.data(), weight.size()));
  }

  // If no row has a missing value, surrogates send no row anywhere, and can be found for the nodes
  // that are left after pruning.
  MissingPolicy without_surrogates() const { return {search, rows, {}}; }
};

// The rule for surrogates, and what happens if none decides, apply to "surrogate" only.
inline MissingPolicy missing_policy(const std::string& name,
                                    const SurrogateRule& surrogates = {5, true, false},
                                    UnknownRows undecided = UnknownRows::branch) {
  using Unknown = SearchControl::Unknown;
  // The search excludes rows with a missing value; they go to the heaviest branch.
  if (name == "majority") return {};
  // The search excludes them; they leave the tree at the split, and prediction ends there.
  if (name == "drop") return {Unknown::ignored, UnknownRows::stop, {}};
  // Missing values are replaced by the most frequent value of the node's rows (the lower weighted
  // median if numeric), in the search and at the split.
  if (name == "mode") return {Unknown::filled, UnknownRows::branch, {}};
  // A split in two sends them to the side that gains more.
  if (name == "learned") return {Unknown::learned, UnknownRows::branch, {}};
  // They are an additional category of CHAID, which may be merged with others.
  if (name == "category") return {Unknown::category, UnknownRows::branch, {}};
  // C4.5's (Quinlan 1993, chapter 3): a gain is multiplied by the share of the rows with a value;
  // the others are one more group in the split information, and go down every branch in parts.
  if (name == "fractional") return {Unknown::grouped, UnknownRows::share, {}};
  // CART's (Breiman et al. 1984, section 5.3), as in rpart: a gain is multiplied by the share of
  // the rows with a value; other rows follow the best surrogate with a value.
  if (name == "surrogate") return {Unknown::scaled, undecided, surrogates};
  throw std::invalid_argument("no missing-value policy is called '" + name + "'");
}

}  // namespace tectree

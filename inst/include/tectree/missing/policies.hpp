// Room missing/: the policies for rows without a value.
//
// What happens to rows that have no value in a column: how its search counts them, and where they
// go at a split, in growth and in prediction.
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
  UnknownRows rows = UnknownRows::branch;  // what becomes of those that no surrogate sends anywhere
  SurrogateRule surrogates;

  bool looks_for_surrogates() const { return surrogates.most > 0; }

  // The branch of those rows, where they go to one: that where the search counted them, or the
  // heaviest, the first among equals.
  int branch(const Winner& winner) const {
    if (winner.filled != no_branch) return winner.filled;
    const std::vector<double>& weight = winner.branch_weight;
    return static_cast<int>(heaviest(weight.data(), weight.size()));
  }

  // Where no row lacks a value surrogates send no row anywhere, and can be found for the nodes that
  // are left when the tree has been pruned.
  MissingPolicy without_surrogates() const { return {search, rows, {}}; }
};

// The rule for surrogates, and what is left for a row that none decides, are of "surrogate" alone.
inline MissingPolicy missing_policy(const std::string& name,
                                    const SurrogateRule& surrogates = {5, true, false},
                                    UnknownRows undecided = UnknownRows::branch) {
  using Unknown = SearchControl::Unknown;
  // The search leaves rows without a value out; they go to the heaviest branch.
  if (name == "majority") return {};
  // The search leaves them out; they leave the tree at the split, and prediction ends there.
  if (name == "drop") return {Unknown::ignored, UnknownRows::stop, {}};
  // Missing values are filled in with the most frequent value of the node's rows (the lower
  // weighted median where numeric), in the search and at the split.
  if (name == "mode") return {Unknown::filled, UnknownRows::branch, {}};
  // A split in two sends them to the side that gains more.
  if (name == "learned") return {Unknown::learned, UnknownRows::branch, {}};
  // They are one more category of CHAID's, which may be merged with others.
  if (name == "category") return {Unknown::category, UnknownRows::branch, {}};
  // C4.5's (Quinlan 1993, chapter 3): a gain counts by the share of the rows with a value, those
  // without are one more group in the split information, and go down every branch in parts.
  if (name == "fractional") return {Unknown::grouped, UnknownRows::share, {}};
  // CART's (Breiman et al. 1984, section 5.3), as rpart has it: a gain counts by the share of the
  // rows with a value; a row without goes where the best surrogate that has one sends it.
  if (name == "surrogate") return {Unknown::scaled, undecided, surrogates};
  throw std::invalid_argument("no missing-value policy is called '" + name + "'");
}

}  // namespace tectree

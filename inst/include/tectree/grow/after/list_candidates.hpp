// All candidates of one node, for the user to see: what each column offers, which are eligible, and
// which wins.
#pragma once

#include <utility>
#include <vector>

#include "../searches.hpp"

namespace tectree {

// Why a candidate may not split the node.
enum class Barred { not_barred, one_value, min_bucket, min_gain };

struct Candidate {
  Split split;
  double cut = 0.0, gain = 0.0, score = 0.0;
  double deduction = 0.0;  // what the rules of C4.5 took off the gain
  int n_branches = 0;      // that hold rows
  Barred barred = Barred::not_barred;
  bool eligible = false, exact = true, chosen = false;
  bool tied = false;  // it scores as the chosen one, which comes first

  bool admissible() const { return barred == Barred::not_barred; }
};

// Those of the sorted search of the problem's rows: one a column, its representing split; with
// `all` every candidate of every column. See find_candidates.hpp.
TECTREE_SEARCH std::vector<Candidate> list_candidates(const Problem& problem, bool all, Team& team);

}  // namespace tectree

#ifndef TECTREE_SEARCHES_APART
#include "find_candidates.hpp"
#endif

// A candidate to split a node.
#pragma once

#include "../../tree/records.hpp"

namespace tectree {

// Why a candidate cannot split the node.
enum class Barred { not_barred, one_value, min_bucket, min_gain, alpha_split };

struct Candidate {
  Split split;
  double cut = 0.0, gain = 0.0, score = 0.0;
  double deduction = 0.0;  // already subtracted from the gain
  int n_branches = 0;      // branches with rows
  Barred barred = Barred::not_barred;
  bool eligible = false, exact = true, chosen = false;
  bool tied = false;       // ties with the chosen one, which comes first
  int filled = no_branch;  // see Winner
  Test test;               // of a search by p values

  bool admissible() const { return barred == Barred::not_barred; }
};

}  // namespace tectree

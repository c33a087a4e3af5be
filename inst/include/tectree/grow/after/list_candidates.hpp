// The candidates of one node laid open, for people: what each attribute offers, who is eligible,
// who wins.
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

// Those of the sorted search of the problem's rows; see find_candidates.hpp.
template <class Setup>
std::vector<Candidate> find_candidates(const Problem& problem, Setup setup, bool all, Team& team);

// One candidate an attribute, its representing split; with `all` every candidate of every
// attribute.
inline std::vector<Candidate> list_candidates(const Problem& problem, bool all, Team& team) {
  return with_setup(problem, team, [&](auto setup) {
    return find_candidates(problem, std::move(setup), all, team);
  });
}

}  // namespace tectree

#ifndef TECTREE_SEARCHES_APART
#include "find_candidates.hpp"
#endif

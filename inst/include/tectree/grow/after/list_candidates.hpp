// All candidates of one node, for the user to see: what each column offers, which are eligible, and
// which wins.
#pragma once

#include <vector>

#include "../searches.hpp"
#include "candidate.hpp"

namespace tectree {

// Those of the sorted search of the problem's rows: one per column, its representing split; with
// `all` every candidate of every column. See find_candidates.hpp.
TECTREE_SEARCH std::vector<Candidate> list_candidates(const Problem& problem, bool all, Team& team);

}  // namespace tectree

#ifndef TECTREE_SEARCHES_APART
#include "find_candidates.hpp"
#endif

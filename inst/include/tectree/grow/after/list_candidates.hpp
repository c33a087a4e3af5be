// All candidates of one node, for the user: what each column offers, which are eligible, and which
// one wins.
#pragma once

#include <vector>

#include "../searches.hpp"
#include "candidate.hpp"

namespace tectree {

// The candidates of the sorted search of the problem's rows: one per column, the split that
// represents it; with `all` every candidate of every column. See find_candidates.hpp.
TECTREE_SEARCH std::vector<Candidate> list_candidates(const Problem& problem, bool all, Team& team);

}  // namespace tectree

#ifndef TECTREE_SEARCHES_APART
#include "find_candidates.hpp"
#endif

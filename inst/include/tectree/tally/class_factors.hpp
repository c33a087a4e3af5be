// How much more or less than its case weight a row counts, by its class.
//
// Priors make the classes of a sample as common as the user says: with the factor
// prior_s / (share of s in the sample) the weighted shares at the root are the priors, and the
// weights sum to the case weights. Losses may alter the priors of the search (Breiman et al. 1984,
// section 4.4): then it has factors of its own. Factors belong to the sample: a part of it, such as
// the rows of a fold, keeps them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tectree {

struct ClassFactors {
  // By class; empty: 1. `prior` goes into what is said of a node, `split` into the search.
  std::vector<double> prior, split;

  bool plain() const {
    const auto is_one = [](double f) { return std::fabs(f - 1.0) <= 1e-12; };
    return std::all_of(prior.begin(), prior.end(), is_one) &&
           std::all_of(split.begin(), split.end(), is_one);
  }
  double prior_of(std::size_t s) const { return prior.empty() ? 1.0 : prior[s]; }
  double split_of(std::size_t s) const { return split.empty() ? 1.0 : split[s]; }
};

}  // namespace tectree

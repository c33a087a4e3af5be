// How much more or less than its case weight a row counts, by its class.
//
// Priors make the classes of a sample as common as the user says: with the factor
// prior_s / (share of s in the sample) the weighted shares at the root are the priors, and the
// weights sum to the case weights. Losses may alter the priors of the search (Breiman et al. 1984,
// section 4.4): then it has factors of its own.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tectree {

struct ClassFactors {
  // By class; empty: 1. `prior` goes into what is said of a node, `split` into the search.
  std::vector<double> prior, split;
  bool held = false;  // a part of the sample is to keep the class shares of the whole

  bool plain() const {
    const auto is_one = [](double f) { return std::fabs(f - 1.0) <= 1e-12; };
    return std::all_of(prior.begin(), prior.end(), is_one) &&
           std::all_of(split.begin(), split.end(), is_one);
  }
  double prior_of(std::size_t s) const { return prior.empty() ? 1.0 : prior[s]; }
  double split_of(std::size_t s) const { return split.empty() ? 1.0 : split[s]; }
};

namespace detail {

// A class that the part lacks keeps its factor, for rows outside of it.
inline std::vector<double> held_factors(const std::vector<double>& factor,
                                        const std::vector<double>& whole,
                                        const std::vector<double>& part) {
  std::vector<double> out(whole.size(), 1.0);
  double wanted = 0.0, total = 0.0;
  for (std::size_t s = 0; s < whole.size(); ++s) {
    if (!factor.empty()) out[s] = factor[s];
    if (!(part[s] > 1e-12 * whole[s])) continue;
    wanted += out[s] * whole[s];
    total += part[s];
  }
  for (std::size_t s = 0; s < whole.size(); ++s) {
    if (part[s] > 1e-12 * whole[s]) out[s] *= whole[s] / part[s] * (total / wanted);
  }
  return out;
}

}  // namespace detail

// The factors with which a part of a sample has the class shares that the whole has with
// `factors`; `whole` and `part` are case weights by class. Classes that the part lacks leave their
// share to the others.
inline ClassFactors hold_shares(const ClassFactors& factors, const std::vector<double>& whole,
                                const std::vector<double>& part) {
  return {detail::held_factors(factors.prior, whole, part),
          detail::held_factors(factors.split, whole, part), factors.held};
}

}  // namespace tectree

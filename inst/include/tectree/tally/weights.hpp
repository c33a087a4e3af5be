// Weights of rows. There are two types: whole numbers look phi up in a table, fractions take it
// from a curve or from the kernel.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel.hpp"
#include "phi_curve.hpp"

namespace tectree {

// Factors of the case weights, by class.
//
// With the factor prior_s / (share of s in the sample) the weighted shares of the classes at the
// root are the user's priors, and the weights sum to the case weights. Losses may alter the priors
// of the search (Breiman et al. 1984, section 4.4), which then has its own factors. Factors belong
// to the sample: a part of it, such as the rows of a fold, keeps them.
struct ClassFactors {
  // By class; empty: 1. `prior` is for the facts of a node, `split` for the search.
  std::vector<double> prior, split;

  bool plain() const {
    const auto is_one = [](double f) { return std::fabs(f - 1.0) <= 1e-12; };
    return std::all_of(prior.begin(), prior.end(), is_one) &&
           std::all_of(split.begin(), split.end(), is_one);
  }
  double prior_of(std::size_t s) const { return prior.empty() ? 1.0 : prior[s]; }
  double split_of(std::size_t s) const { return split.empty() ? 1.0 : split[s]; }
};

// rest(a, w) is a - w. If sized(), min_bucket bounds sums of size(row), not the counts. A weight in
// a score is the count, of any class.
struct WholeWeight {
  using Count = std::uint32_t;
  using Mass = Count;
  static constexpr bool whole = true;
  const KernelTable* table = nullptr;
  const double* weight = nullptr;  // by row; null: every row counts 1

  bool unit() const { return weight == nullptr; }
  static constexpr bool sized() { return false; }
  static Mass mass(std::size_t, Count c) { return c; }
  double phi(Count c) const { return table->phi[c]; }
  double alpha(Count c) const { return table->alpha[c]; }
  Count of(std::size_t row) const { return weight ? static_cast<Count>(weight[row]) : 1; }
  double size(std::size_t) const { return 0.0; }
  Count rest(Count a, Count w) const { return a - w; }
  // Calls use(of) where of(row) is the weight of a row; whether all are 1 is not tested for every
  // row.
  template <class Use>
  void each_row(Use use) const {
    if (unit()) return use([](std::size_t) { return Count{1}; });
    use([w = weight](std::size_t row) { return static_cast<Count>(w[row]); });
  }
};

struct RealWeight {
  using Count = double;
  using Mass = Count;
  static constexpr bool whole = false;
  const Kernel* kernel = nullptr;
  const PhiCurve* curve = nullptr;  // null: phi and alpha are the kernel's
  const double* weight = nullptr;   // by row
  // Half the smallest weight of a row: a remainder below that is rounding, not a row.
  double half_least = 0.0;
  bool has_sizes = false;         // different from the weights
  const double* sizes = nullptr;  // by row, if has_sizes; null: all 1

  static constexpr bool unit() { return false; }
  bool sized() const { return has_sizes; }
  static Mass mass(std::size_t, Count c) { return c; }
  double phi(double c) const { return curve ? curve->phi(c) : kernel->phi(c); }
  double alpha(double c) const { return curve ? curve->alpha(c) : kernel->alpha(c); }
  double of(std::size_t row) const { return weight[row]; }
  double size(std::size_t row) const { return sizes ? sizes[row] : 1.0; }
  double rest(double a, double w) const { return a - w < half_least ? 0.0 : a - w; }
  template <class Use>
  void each_row(Use use) const {
    use([w = weight](std::size_t row) { return w[row]; });
  }
};

// Weights are compared with a bound such that sums like ten times 0.1 reach 1.
inline bool reaches(double weight, double bound) {
  return weight >= bound - 1e-9 * (bound > 1 ? bound : 1.0);
}

// The smallest count that reaches `bound`.
template <class W>
typename W::Count least_count(double bound) {
  const double slack = 1e-9 * (bound > 1 ? bound : 1.0);
  if constexpr (W::whole) {
    const double least = std::ceil(bound - slack);
    return least < 4294967295.0 ? static_cast<std::uint32_t>(std::fmax(least, 0.0)) : 4294967295u;
  } else {
    return bound - slack;
  }
}

// The place of the largest weight, the first on ties.
inline std::size_t heaviest(const double* weight, std::size_t n) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < n; ++i) {
    if (weight[i] > weight[best] * (1 + 1e-12)) best = i;
  }
  return best;
}

// The unit of weights, a power of two, in which a sum of at most `total` has 61 bits.
inline double fine_unit(double total) {
  return std::ldexp(1.0, std::ilogb(total) + 1 - 61);
}
// Whether the error of the lightest row in this unit is less than 2^-34 of its weight.
inline bool has_fine_unit(double least, double total) {
  return least / fine_unit(total) >= 0x1p33;
}

// Adds the classes of the rows row_at(0), ..., row_at(n - 1) to `total`, by class. Counts of up to
// four classes share one register, so a row need not wait for the memory of the count before.
template <class RowAt, class Total>
void count_units(RowAt row_at, std::size_t n, const std::uint16_t* label, Total* total,
                 std::size_t k) {
  if (k > 4) {
    for (std::size_t i = 0; i < n; ++i) ++total[label[row_at(i)]];
    return;
  }
  constexpr std::size_t most = 0xFFFF;  // fits in 16 bits
  for (std::size_t i = 0; i < n;) {
    std::uint64_t counts = 0;
    for (const std::size_t end = std::min(n, i + most); i < end; ++i)
      counts += std::uint64_t{1} << (16 * label[row_at(i)]);
    for (std::size_t s = 0; s < k; ++s) total[s] += static_cast<Total>((counts >> (16 * s)) & most);
  }
}

}  // namespace tectree

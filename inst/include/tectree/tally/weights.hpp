// How much a row counts. Four types, because the inner loop differs: rows that count 1, whole
// numbers (both look phi up in a table), fractions (phi is interpolated), and fractions beside
// which the rows have sizes of their own.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernel.hpp"
#include "phi_curve.hpp"

namespace tectree {

struct TableLookup {
  const KernelTable* table;
  double phi(std::uint32_t c) const { return table->phi[c]; }
  double alpha(std::uint32_t c) const { return table->alpha[c]; }
};

// rest(a, w) is a - w.
struct UnitWeight : TableLookup {
  using Count = std::uint32_t;
  static constexpr bool whole = true, sized = false;
  Count of(std::size_t) const { return 1; }
  Count rest(Count a, Count w) const { return a - w; }
};

struct WholeWeight : TableLookup {
  using Count = std::uint32_t;
  static constexpr bool whole = true, sized = false;
  const double* weight;  // by row
  Count of(std::size_t row) const { return static_cast<Count>(weight[row]); }
  Count rest(Count a, Count w) const { return a - w; }
};

struct RealWeight {
  using Count = double;
  static constexpr bool whole = false, sized = false;
  const Kernel* kernel;
  const PhiCurve* curve;  // null where the kernel is asked
  const double* weight;
  double half_least;  // of a row; a class with less than this left has no row left, only rounding
  double phi(double c) const { return curve ? curve->phi(c) : kernel->phi(c); }
  double alpha(double c) const { return curve ? curve->alpha(c) : kernel->alpha(c); }
  double of(std::size_t row) const { return weight[row]; }
  double rest(double a, double w) const { return a - w < half_least ? 0.0 : a - w; }
};

// Where classes count differently: `weight` is the case weight times the factor of the row's class,
// the size that min_bucket bounds the case weight alone.
struct ClassWeight : RealWeight {
  static constexpr bool sized = true;
  const double* case_weight;  // null: all 1
  double size(std::size_t row) const { return case_weight ? case_weight[row] : 1.0; }
};

// The least count that reaches `bound`.
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

}  // namespace tectree

// The classes of a column on coarse codes: a cut's measure from its counts, and a bound on every
// cut inside a bin.
//
// Let c be the class counts left of a cut inside a bin: between those left of the bin, lo, and lo
// plus the bin's own b. The loss of a cut is concave in every count alone (linear weights and q >
// 0: n S_q is concave; weights to the power q and 0 < q <= 2: its second derivatives are q (n^(q-2)
// - c^(q-2)) <= 0), so over the box lo..lo+b it is least at a corner. A ratio gain / T is at most
// the bound of the gain over the least T, at an end of the box. Only bins whose bound reaches the
// best edge are sorted and scanned.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "class_scan.hpp"
#include "coarse_cuts.hpp"

namespace tectree {

class CoarseScan : public CoarseCuts {
 public:
  // What a cut inside the bin [lo, lo + b) may reach, its upper edge included where `closed`; any
  // number from `enough` on where it is more.
  template <Form form>
  double bound(double enough, bool closed, const std::uint32_t* lo, const std::uint32_t* b,
               const std::vector<std::uint32_t>& total, std::uint32_t n, const KernelTable& table,
               const CutValue& value, std::uint32_t least) {
    std::uint32_t n_lo = 0, in_bin = 0;
    for (std::size_t s = 0; s < total.size(); ++s) {
      n_lo += lo[s];
      in_bin += b[s];
    }
    const std::uint32_t last = n_lo + in_bin - (closed ? 0 : 1);
    if (n_lo + 1 > last || last < least || n - n_lo - 1 < least) return -HUGE_VAL;
    double t = 1.0;
    if constexpr (form == Form::ratio) {
      const double t_lo = spread(std::max(n_lo, 1u), n, table, value),
                   t_hi = spread(std::min(n_lo + in_bin, n - 1), n, table, value);
      t = std::min(t_lo, t_hi);
    }
    constexpr Form gain_form = form == Form::power ? Form::power : Form::linear;
    const std::size_t corners = make_corners(lo, b, n_lo, total, table);
    double most = -HUGE_VAL;
    for (std::size_t i = 0; i < corners && most < enough; ++i) {
      const Corner& c = corner_[i];
      const auto gain =
          value.estimate<gain_form>(table.phi[c.n_l], table.alpha[c.n_l], c.b_l,
                                    table.phi[n - c.n_l], table.alpha[n - c.n_l], c.b_r);
      most = std::max(most, gain.high / t);
    }
    return most;
  }

  template <Form form>
  static CutValue::Estimate estimate(const std::uint32_t* left,
                                     const std::vector<std::uint32_t>& total, std::uint32_t n_l,
                                     std::uint32_t n, const KernelTable& table,
                                     const CutValue& value) {
    double b_l = 0.0, b_r = 0.0;
    for (std::size_t s = 0; s < total.size(); ++s) {
      b_l += table.phi[left[s]];
      b_r += table.phi[total[s] - left[s]];
    }
    return value.estimate<form>(table.phi[n_l], table.alpha[n_l], b_l, table.phi[n - n_l],
                                table.alpha[n - n_l], b_r);
  }

  std::vector<double> bins;  // bounds of the bins not looked into, where asked for

 private:
  struct Corner {
    double b_l, b_r;  // the kernel's sums of both sides
    std::uint32_t n_l;
  };

  // The corners of the box, class by class: each made so far leaves the class's rows of the bin,
  // its twin takes them. Nothing is taken off a sum, which for large q would lose all its digits.
  // The corners' number.
  std::size_t make_corners(const std::uint32_t* lo, const std::uint32_t* b, std::uint32_t n_lo,
                           const std::vector<std::uint32_t>& total, const KernelTable& table) {
    const double* phi = table.phi.data();
    corner_.resize(std::size_t{1} << total.size());
    corner_[0] = {0.0, 0.0, n_lo};
    std::size_t made = 1;
    for (std::size_t s = 0; s < total.size(); ++s) {
      const std::uint32_t left = lo[s] + b[s];
      if (b[s] > 0) {
        for (std::size_t i = 0; i < made; ++i) {
          const Corner& c = corner_[i];
          corner_[made + i] = {c.b_l + phi[left], c.b_r + phi[total[s] - left], c.n_l + b[s]};
        }
      }
      for (std::size_t i = 0; i < made; ++i) {
        corner_[i].b_l += phi[lo[s]];
        corner_[i].b_r += phi[total[s] - lo[s]];
      }
      if (b[s] > 0) made *= 2;
    }
    return made;
  }

  // S_q of the two sides' sizes.
  static double spread(std::uint32_t n_l, std::uint32_t n, const KernelTable& table,
                       const CutValue& value) {
    return (table.phi[n] - table.phi[n_l] - table.phi[n - n_l]) / value.power_n;
  }

  std::vector<Corner> corner_;
};

}  // namespace tectree

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
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../scan/class_scan.hpp"
#include "bin_cuts.hpp"

namespace tectree {

class ClassBounds : public BinCuts {
 public:
  static constexpr int most_classes = 6;  // the corners of a bin's counts are 2 to this power

  // What a cut inside the bin [lo, lo + b) may reach, its upper edge included where `closed`; any
  // number from `enough` on where it is more.
  double bound(Form form, double enough, bool closed, const std::uint32_t* lo,
               const std::uint32_t* b, const std::vector<std::uint32_t>& total, std::uint32_t n,
               const KernelTable& table, const CutValue& value, std::uint32_t least) {
    std::uint32_t n_lo = 0, in_bin = 0;
    for (std::size_t s = 0; s < total.size(); ++s) {
      n_lo += lo[s];
      in_bin += b[s];
    }
    const std::uint32_t last = n_lo + in_bin - (closed ? 0 : 1);
    if (n_lo + 1 > last || last < least || n - n_lo - 1 < least) return -HUGE_VAL;
    double t = 1.0;
    if (form == Form::ratio) {
      const double t_lo = spread(std::max(n_lo, 1u), n, table, value),
                   t_hi = spread(std::min(n_lo + in_bin, n - 1), n, table, value);
      t = std::min(t_lo, t_hi);
    }
    return best_corner(form == Form::power, enough * t, lo, b, n_lo, total, n, table, value) / t;
  }

  static CutValue::Estimate estimate(Form form, const std::uint32_t* left,
                                     const std::vector<std::uint32_t>& total, std::uint32_t n_l,
                                     std::uint32_t n, const KernelTable& table,
                                     const CutValue& value) {
    double b_l = 0.0, b_r = 0.0;
    for (std::size_t s = 0; s < total.size(); ++s) {
      b_l += table.phi[left[s]];
      b_r += table.phi[total[s] - left[s]];
    }
    return with_form(form, [&](auto f) {
      return value.estimate<decltype(f)::value>(table.phi[n_l], table.alpha[n_l], b_l,
                                                table.phi[n - n_l], table.alpha[n - n_l], b_r);
    });
  }

 private:
  struct Corner {
    double b_l, b_r;  // the kernel's sums of both sides
    std::uint32_t n_l;
  };

  // The most that a corner of the box gains; any number from `enough` on where it is more.
  double best_corner(bool power_form, double enough, const std::uint32_t* lo,
                     const std::uint32_t* b, std::uint32_t n_lo,
                     const std::vector<std::uint32_t>& total, std::uint32_t n,
                     const KernelTable& table, const CutValue& value) {
    const double *phi = table.phi.data(), *alpha = table.alpha.data();
    const double most_loss = (value.s + value.slack - enough) * value.per_gain;
    const std::size_t corners = make_corners(lo, b, n_lo, total, phi);
    double loss = HUGE_VAL;
    for (std::size_t i = 0; i < corners && loss > most_loss; ++i) {
      const Corner& c = corner_[i];
      const std::uint32_t n_r = n - c.n_l;
      const double l = phi[c.n_l] - c.b_l, r = phi[n_r] - c.b_r;
      loss = std::min(loss, power_form ? l + r : alpha[c.n_l] * l + alpha[n_r] * r);
    }
    return value.s - loss * value.inverse + value.slack;
  }

  // The corners of the box, class by class: each made so far leaves the class's rows of the bin,
  // its twin takes them. Nothing is taken off a sum, which for large q would lose all its digits.
  // The corners' number.
  std::size_t make_corners(const std::uint32_t* lo, const std::uint32_t* b, std::uint32_t n_lo,
                           const std::vector<std::uint32_t>& total, const double* phi) {
    corner_[0] = {0.0, 0.0, n_lo};
    std::size_t made = 1;
    for (std::size_t s = 0; s < total.size(); ++s) {
      const std::uint32_t before = lo[s], left = before + b[s];
      if (b[s] > 0) {
        const double in_l = phi[left], in_r = phi[total[s] - left];
        for (std::size_t i = 0; i < made; ++i) {
          const Corner& c = corner_[i];
          corner_[made + i] = {c.b_l + in_l, c.b_r + in_r, c.n_l + b[s]};
        }
      }
      const double in_l = phi[before], in_r = phi[total[s] - before];
      for (std::size_t i = 0; i < made; ++i) {
        corner_[i].b_l += in_l;
        corner_[i].b_r += in_r;
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

  std::array<Corner, std::size_t{1} << most_classes> corner_;
};

}  // namespace tectree

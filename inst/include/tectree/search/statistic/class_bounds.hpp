// The classes of a column on bins: a cut's measure from its counts, and a bound on every cut inside
// a bin.
//
// Let c be the class counts left of a cut inside a bin: between those left of the bin, lo, and lo
// plus the bin's own b. The loss of a cut falls where rows are taken away from either side: phi is
// convex for q > 0, so phi(n) - sum phi(c_s) rises in every c_s, and so does its product with
// n^(1-q). So no cut inside loses less than lo and what lies right of the bin do by themselves.
//
// Where the loss is concave in every count (linear weights: n S_q is concave; weights to the power
// q and q <= 2: its second derivatives are q (n^(q-2) - c^(q-2)) <= 0) the box lo..lo+b has its
// least loss at a corner. So the rows of the bin's few largest classes are dealt to either side in
// every way, and only those of the others are taken away. A ratio gain / T is at most the bound of
// the gain over the least T, at an end of the box.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "../histogram/bin_cuts.hpp"
#include "class_cells.hpp"

namespace tectree {

template <class W>
class ClassBounds : public BinCuts {
 public:
  using View = ClassView<W>;
  using Count = typename View::Count;
  using Mass = typename View::Scale::Mass;

  std::vector<Count> left;  // of a cursor (see class_cursor.hpp), so that a look asks for no memory

  // What a cut inside the bin [lo, lo + b) may reach, its upper edge included where `closed`; any
  // number from `enough` on where it is more.
  double bound(const View& view, double enough, bool closed, const Count* lo, const Count* b) {
    Count n_lo = 0, in_bin = 0;
    for (std::size_t s = 0; s < view.k(); ++s) {
      n_lo += lo[s];
      in_bin += b[s];
    }
    const Count last = n_lo + in_bin - (closed ? 0 : 1);
    if (n_lo + 1 > last || last < view.least || view.n - n_lo - 1 < view.least) return -HUGE_VAL;
    double t = 1.0;
    if (view.form == Form::ratio)
      t = std::min(spread(view, std::max<Count>(n_lo, 1)),
                   spread(view, std::min<Count>(n_lo + in_bin, view.n - 1)));
    return most_gain(view, enough * t, lo, b) / t;
  }

  static CutValue::Estimate estimate(const View& view, const Count* on_left) {
    const auto& scale = view.scale;
    double b_l = 0.0, b_r = 0.0;
    Mass m_l = 0;
    for (std::size_t s = 0; s < view.k(); ++s) {
      const Mass l = scale.mass(s, on_left[s]);
      b_l += scale.phi(l);
      b_r += scale.phi(scale.mass(s, view.total[s] - on_left[s]));
      m_l += l;
    }
    const Mass m_r = view.mass - m_l;
    return with_form(view.form, [&](auto f) {
      return view.cut_value.template estimate<decltype(f)::value>(
          scale.phi(m_l), scale.alpha(m_l), b_l, scale.phi(m_r), scale.alpha(m_r), b_r);
    });
  }

 private:
  static constexpr int most_dealt = 6;  // classes: the corners are 2 to this power

  struct Corner {
    double b_l, b_r;  // the kernel's sums of both sides
    Mass m_l, m_r;
  };

  // The most that a cut in the box gains; any number from `enough` on where it is more.
  double most_gain(const View& view, double enough, const Count* lo, const Count* b) {
    const auto& scale = view.scale;
    const CutValue& value = view.cut_value;
    const double most_loss = (value.s + value.slack - enough) * value.per_gain;
    const std::size_t corners = make_corners(view, lo, b);
    double loss = HUGE_VAL;
    for (std::size_t i = 0; i < corners && loss > most_loss; ++i) {
      const Corner& c = corner_[i];
      const double l = scale.phi(c.m_l) - c.b_l, r = scale.phi(c.m_r) - c.b_r;
      loss = std::min(
          loss, view.form == Form::power ? l + r : scale.alpha(c.m_l) * l + scale.alpha(c.m_r) * r);
    }
    return value.s - loss * value.inverse + value.slack;
  }

  // The corners of the box, class by class: each made so far leaves the class's rows of the bin,
  // its twin takes them. Nothing is taken off a sum, which for large q would lose all its digits.
  // The corners' number.
  std::size_t make_corners(const View& view, const Count* lo, const Count* b) {
    const auto& scale = view.scale;
    const Count least = view.concave ? least_dealt(view.k(), b) : ~Count{0};
    corner_[0] = {0.0, 0.0, 0, 0};
    std::size_t made = 1;
    for (std::size_t s = 0; s < view.k(); ++s) {
      const Count before = lo[s], behind = view.total[s] - before - b[s];
      const Mass m_lo = scale.mass(s, before), m_hi = scale.mass(s, behind);
      const double on_left = scale.phi(m_lo), on_right = scale.phi(m_hi);
      if (b[s] == 0 || b[s] < least || made == corner_.size()) {
        for (std::size_t i = 0; i < made; ++i) add(corner_[i], on_left, on_right, m_lo, m_hi);
        continue;
      }
      const Mass m_left = scale.mass(s, before + b[s]), m_right = scale.mass(s, behind + b[s]);
      const double all_left = scale.phi(m_left), all_right = scale.phi(m_right);
      for (std::size_t i = 0; i < made; ++i) {
        corner_[made + i] = corner_[i];
        add(corner_[made + i], all_left, on_right, m_left, m_hi);
        add(corner_[i], on_left, all_right, m_lo, m_right);
      }
      made *= 2;
    }
    return made;
  }

  static void add(Corner& c, double b_l, double b_r, Mass m_l, Mass m_r) {
    c.b_l += b_l;
    c.b_r += b_r;
    c.m_l += m_l;
    c.m_r += m_r;
  }

  // The least count of a class whose rows are dealt.
  static Count least_dealt(std::size_t k, const Count* b) {
    if (k <= most_dealt) return 1;
    std::array<Count, most_dealt> largest{};
    for (std::size_t s = 0; s < k; ++s) {
      Count here = b[s];
      for (Count& c : largest) {
        if (here > c) std::swap(here, c);
      }
    }
    return std::max<Count>(largest.back(), 1);
  }

  // S_q of the two sides' sizes.
  static double spread(const View& view, Count n_l) {
    const auto& scale = view.scale;
    // A ratio is valued for whole weights alone.
    const Mass l = static_cast<Mass>(n_l), r = static_cast<Mass>(view.n - n_l);
    return (scale.phi(view.mass) - scale.phi(l) - scale.phi(r)) / view.cut_value.power_n;
  }

  std::array<Corner, std::size_t{1} << most_dealt> corner_;
};

}  // namespace tectree

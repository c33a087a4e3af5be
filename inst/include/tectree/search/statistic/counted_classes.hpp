// One column of a node whose classes are counted by code, and a cut that moves up it.
//
// The kernel's sums of both sides move with the cut, class by class; the right one is recomputed
// when it has lost a factor of 8 (see scan/class_scan.hpp).
//
// Let c be the class counts left of a cut inside a bin: between those left of the bin, lo, and lo
// plus the bin's own b. The loss of a cut decreases if rows are removed from either side: phi is
// convex for q > 0, so phi(n) - sum phi(c_s) increases in every c_s, and so does its product with
// n^(1-q). So no cut inside loses less than the sum of the losses of lo and of the rows right of
// the bin.
//
// If the loss is concave in every count (linear weights: n S_q is concave; weights to the power q
// and q <= 2: its second derivatives are q (n^(q-2) - c^(q-2)) <= 0), its minimum over the box
// lo..lo+b is at a corner. So the rows of the bin's first few classes are put on either side in
// every way, and only those of the others are removed. A ratio gain / T is at most the bound of the
// gain over the smallest T, at an end of the box.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../histogram/bin_cuts.hpp"
#include "../histogram/histogram_rows.hpp"
#include "class_counts.hpp"

namespace tectree {

// A counted column, see ../histogram/counted.hpp.
template <class W>
class CountedClasses : public BinView {
 public:
  static constexpr bool may_have_bins = true;
  using Scale = ClassScale<W>;
  using Count = typename Scale::Count;
  using Mass = typename Scale::Mass;
  using Cells = ClassCells<Count>;
  using What = typename Cells::What;

  // A class on the left of the cut, and the kernel of its weight on both sides.
  struct Side {
    Count left;
    double phi_left, phi_right;
  };
  struct Corner {
    double b_l, b_r;  // the kernel's sums of both sides
    Mass m_l, m_r;
  };
  struct Scratch {
    std::vector<Count> total;
    std::vector<Side> side;
    std::array<Corner, 64> corner;
  };

  // `cells`: by code; scratch.total: the cell of the rows with a value, whose size is `n` and
  // weight `mass`.
  CountedClasses(const BinView& view, const NodeClasses<W>& of, const Count* cells, Count n,
                 Mass mass, const CutValue& value, Scratch& scratch, BinCuts& cuts)
      : BinView(view),
        of_(of),
        scale_(of.scale),
        cells_(cells),
        n_(n),
        mass_(mass),
        value_(value),
        scratch_(scratch),
        cuts_(cuts) {
    scratch.side.resize(k());
    start();
  }

  std::size_t k() const { return of_.bins->k; }
  Count total(std::size_t s) const { return scratch_.total[s]; }
  Count n() const { return n_; }
  Mass mass() const { return mass_; }
  Count least() const { return of_.least; }
  const Scale& scale() const { return scale_; }
  const CutValue& cut_value() const { return value_; }
  bool may_cut() const { return n_ >= 2; }
  double weight() const { return scale_.size(of_.bins->weight_in(scratch_.total.data())); }
  bool has_sizes() const { return of_.bins->has_sizes(); }
  double size_of(Count n) const { return has_sizes() ? static_cast<double>(n) : scale_.size(n); }

  std::size_t width() const { return of_.bins->width; }
  What what(std::uint32_t row) const {
    return {of_.label[row], of_.bins->size_of(row), of_.bins->of(row)};
  }
  const Count* in_bin(int b) const { return cells_ + static_cast<std::size_t>(b) * width(); }
  Count count_of(const Count* cell) const { return of_.bins->size_in(cell); }
  bool is_empty(int b) const { return count_of(in_bin(b)) == 0; }

  void start() {
    n_l_ = w_l_ = 0;
    m_l_ = 0;
    for (Side& side : scratch_.side) side.left = 0;
    sum_up();
  }
  // Moves rows to the left without the kernel's sums, which sum_up() then computes.
  void skip(const Count* cell) {
    for (std::size_t s = 0; s < k(); ++s) {
      scratch_.side[s].left += cell[s];
      w_l_ += cell[s];
      m_l_ += scale_.mass(s, cell[s]);
    }
    n_l_ += count_of(cell);
  }
  void sum_up() {
    b_l_ = 0.0;
    for (std::size_t s = 0; s < k(); ++s) {
      Side& side = scratch_.side[s];
      b_l_ += side.phi_left = scale_.phi(scale_.mass(s, side.left));
      side.phi_right = scale_.phi(scale_.mass(s, total(s) - side.left));
    }
    sum_right();
  }
  // Moves rows to the left; whether there are any.
  bool pass(const Count* cell) {
    for (std::size_t s = 0; s < k(); ++s) {
      if (cell[s] != 0) move(s, cell[s]);
    }
    const Count n = count_of(cell);
    n_l_ += n;
    return n != 0;
  }
  void pass_row(const What& what) {
    move(what.label, what.weight);
    n_l_ += has_sizes() ? what.size : what.weight;
  }
  Count left(std::size_t s) const { return scratch_.side[s].left; }

  BinPlace place(int bin, double most) const {
    double in = 0.0;
    for (std::size_t s = 0; s < k(); ++s) in += scale_.mass(s, in_bin(bin)[s]);
    return {bin, static_cast<double>(m_l_), in, most};
  }
  bool admissible() const { return n_l_ >= of_.least && n_l_ < n_ && n_ - n_l_ >= of_.least; }
  void offer(int bin, bool at_edge, double below, double above) {
    if (std::fabs(b_r_) < afresh_below_) sum_right();
    const Mass m_r = mass_ - m_l_;
    const auto found = with_form(of_.form, [&](auto f) {
      return value_.template estimate<decltype(f)::value>(
          scale_.phi(m_l_), scale_.alpha(m_l_), b_l_, scale_.phi(m_r), scale_.alpha(m_r), b_r_);
    });
    if (cuts_.wants(found.high)) {
      cuts_.offer(found.low, {scale_.size(w_l_), static_cast<double>(m_l_), found.high, bin,
                              at_edge, below, above});
    }
  }
  double low() const { return cuts_.low; }

  // An upper bound of the cuts inside the bin after the cut, or inside a part of one.
  double bound(const Count* b, bool closed, double enough) {
    const Count in_bin = count_of(b), end = n_l_ + in_bin + (closed ? 1 : 0);
    if (n_l_ + 1 >= end || end <= of_.least || n_ - n_l_ <= of_.least) return -HUGE_VAL;
    double t = 1.0;
    if (of_.form == Form::ratio) {
      t = std::min(spread(std::max<Count>(n_l_, 1)),
                   spread(std::min<Count>(n_l_ + in_bin, n_ - 1)));
    }
    return most_gain(b, enough * t) / t;
  }

 private:
  void move(std::size_t s, Count by) {
    Side& side = scratch_.side[s];
    side.left += by;
    const double phi_left = scale_.phi(scale_.mass(s, side.left)),
                 phi_right = scale_.phi(scale_.mass(s, total(s) - side.left));
    b_l_ += phi_left - side.phi_left;
    b_r_ += phi_right - side.phi_right;
    side.phi_left = phi_left;
    side.phi_right = phi_right;
    w_l_ += by;
    m_l_ += scale_.mass(s, by);
  }
  void sum_right() {
    b_r_ = 0.0;
    for (const Side& side : scratch_.side) b_r_ += side.phi_right;
    afresh_below_ = std::fabs(b_r_) / 8;
  }

  // The maximum gain of a cut in the box; any number from `enough` on if it is larger.
  double most_gain(const Count* b, double enough) {
    const double most_loss = (value_.s + value_.slack - enough) * value_.per_gain;
    const std::size_t corners = make_corners(b);
    double loss = HUGE_VAL;
    for (std::size_t i = 0; i < corners && loss > most_loss; ++i) {
      const Corner& c = scratch_.corner[i];
      const double l = scale_.phi(c.m_l) - c.b_l, r = scale_.phi(c.m_r) - c.b_r;
      loss = std::min(loss, of_.form == Form::power
                                ? l + r
                                : scale_.alpha(c.m_l) * l + scale_.alpha(c.m_r) * r);
    }
    return value_.s - loss * value_.inverse + value_.slack;
  }

  // The corners of the box, class by class: for each corner so far, the class's rows of the bin
  // stay, and in its twin they are moved. The other classes contribute the same at every corner.
  // Nothing is subtracted from a sum, which would lose all digits for large q. Returns the number
  // of corners.
  std::size_t make_corners(const Count* b) {
    auto& corner = scratch_.corner;
    corner[0] = {0.0, 0.0, 0, 0};
    Corner others{0.0, 0.0, 0, 0};
    std::size_t made = 1;
    for (std::size_t s = 0; s < k(); ++s) {
      const Side& side = scratch_.side[s];
      const Count behind = total(s) - side.left - b[s];
      const Mass m_lo = scale_.mass(s, side.left), m_hi = scale_.mass(s, behind);
      const double on_right = b[s] == 0 ? side.phi_right : scale_.phi(m_hi);
      if (!of_.concave || b[s] == 0 || made == corner.size()) {
        add(others, side.phi_left, on_right, m_lo, m_hi);
        continue;
      }
      const Mass m_left = scale_.mass(s, side.left + b[s]), m_right = scale_.mass(s, behind + b[s]);
      const double all_left = scale_.phi(m_left);
      for (std::size_t i = 0; i < made; ++i) {
        corner[made + i] = corner[i];
        add(corner[made + i], all_left, on_right, m_left, m_hi);
        add(corner[i], side.phi_left, side.phi_right, m_lo, m_right);
      }
      made *= 2;
    }
    for (std::size_t i = 0; i < made; ++i)
      add(corner[i], others.b_l, others.b_r, others.m_l, others.m_r);
    return made;
  }
  static void add(Corner& c, double b_l, double b_r, Mass m_l, Mass m_r) {
    c.b_l += b_l;
    c.b_r += b_r;
    c.m_l += m_l;
    c.m_r += m_r;
  }

  // S_q of the two sides' sizes.
  double spread(Count n_l) const {
    // A ratio is only valued for whole weights.
    const Mass l = static_cast<Mass>(n_l), r = static_cast<Mass>(n_ - n_l);
    return (value_.phi_n - scale_.phi(l) - scale_.phi(r)) / value_.power_n;
  }

  const NodeClasses<W> of_;
  const Scale& scale_;
  const Count* cells_;
  Count n_, n_l_;  // the sizes of all rows and of those on the left
  Count w_l_;      // the weight of the latter
  Mass mass_, m_l_;
  CutValue value_;
  Scratch& scratch_;
  BinCuts& cuts_;
  double b_l_, b_r_, afresh_below_;
};

}  // namespace tectree

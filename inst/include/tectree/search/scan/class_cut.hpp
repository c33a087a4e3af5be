// Room search/scan/: the cuts of one column, O(1) each.
//
// A cut between rows with classes, for any q, any number of classes and any weights. It moves by
// rows or by cells (the counts of some rows by class) from the right to the left.
//
// B_L = sum_s phi(left_s), B_R likewise; moving one row of class s from right to left adds
// phi(left_s + 1) - phi(left_s) to B_L and subtracts phi(right_s) - phi(right_s - 1) from B_R.
//
// Drift. B_L only grows, so its relative error stays near machine precision. B_R shrinks: it is
// recomputed whenever it has lost a factor of 8, so it is never small compared with the rounding of
// the subtracted terms. The intervals offered cover the remaining drift; cuts that may win are
// scored again from their counts.
//
// A bound on all cuts inside a cell. Let c be the class counts left of such a cut: between those
// left of the cell, lo, and lo plus the cell's own b. The loss of a cut decreases if rows are
// removed from either side: phi is convex for q > 0, so phi(n) - sum phi(c_s) increases in every
// c_s, and so does its product with n^(1-q). So no cut inside loses less than the sum of the losses
// of lo and of the rows right of the cell.
//
// If the loss is concave in every count (linear weights: n S_q is concave; weights to the power q
// and q <= 2: its second derivatives are q (n^(q-2) - c^(q-2)) <= 0), its minimum over the box
// lo..lo+b is at a corner. So the rows of the cell's first few classes are put on either side in
// every way, and only those of the others are removed.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../../tally/kernel.hpp"
#include "../../tally/sums.hpp"
#include "cut_value.hpp"

namespace tectree {

// One class on both sides of a cut: counts, and phi of their weights if it is not summed in steps.
template <class Count>
struct BothSides {
  Count left, right;
  double phi_left, phi_right;
};

// The Scale of counts has types Count, and Mass of their weights in a score; mass(s, count) of
// class s; phi(mass), alpha(mass); rest(all, part) of counts. `unit`: every row counts 1, and a
// table contains the steps of phi.
template <class Scale, bool unit = false>
class ClassCut {
 public:
  using Count = typename Scale::Count;
  using Mass = typename Scale::Mass;
  using Side = BothSides<Count>;

  // Left of all rows, of which `total` are the counts by class. `phi_decreases` (q <= 0): then sums
  // are recomputed at every cut.
  ClassCut(const Scale& scale, const Count* total, std::size_t k, std::vector<Side>& sides,
           bool phi_decreases = false)
      : scale_(scale), k_(k), phi_decreases_(phi_decreases) {
    if constexpr (unit) step_ = scale.table->step.data();
    if (sides.size() < k_) sides.resize(k_);
    side_ = sides.data();
    for (std::size_t s = 0; s < k_; ++s) {
      const Mass mass = scale_.mass(s, total[s]);
      side_[s] = {Count{}, total[s], 0.0, scale_.phi(mass)};
      n_r += mass;
    }
    sum_afresh();
  }

  TECTREE_ALWAYS inline void move(std::size_t s, Count by) {
    Side& c = side_[s];
    if constexpr (unit) {
      b_l += step_[c.left++];
      b_r -= step_[--c.right];
      ++n_l;
      --n_r;
    } else {
      c.left += by;
      c.right = scale_.rest(c.right, by);
      const double phi_left = scale_.phi(scale_.mass(s, c.left)),
                   phi_right = scale_.phi(scale_.mass(s, c.right));
      b_l += phi_left - c.phi_left;
      b_r += phi_right - c.phi_right;
      c.phi_left = phi_left;
      c.phi_right = phi_right;
      const Mass mass = scale_.mass(s, by);
      n_l += mass;
      n_r -= mass;
    }
  }
  void move(const Count* cell) {
    for (std::size_t s = 0; s < k_; ++s) {
      if (cell[s] != 0) move(s, cell[s]);
    }
  }
  // Moves a cell without the sums, which sum_up() then computes.
  void skip(const Count* cell) {
    for (std::size_t s = 0; s < k_; ++s) {
      side_[s].left += cell[s];
      side_[s].right = scale_.rest(side_[s].right, cell[s]);
      const Mass mass = scale_.mass(s, cell[s]);
      n_l += mass;
      n_r -= mass;
    }
  }
  // Puts the cut left of all rows again.
  void restart() {
    n_l = n_r = Mass{};
    for (std::size_t s = 0; s < k_; ++s) {
      side_[s].right += side_[s].left;
      side_[s].left = Count{};
      n_r += scale_.mass(s, side_[s].right);
    }
    sum_up();
  }
  void sum_up() {
    b_l = 0.0;
    for (std::size_t s = 0; s < k_; ++s) {
      Side& c = side_[s];
      b_l += c.phi_left = scale_.phi(scale_.mass(s, c.left));
      c.phi_right = scale_.phi(scale_.mass(s, c.right));
    }
    sum_afresh();
  }
  // Before the sums are read.
  TECTREE_ALWAYS inline void settle() {
    if (std::fabs(b_r) < afresh_below_ || phi_decreases_) sum_afresh();
  }

  // The gain up to a shift and a scale that all cuts of a node share; see CutValue::bar().
  template <Form form>
  double proxy() const {
    return -lost(form, n_l, b_l, n_r, b_r);
  }
  template <Form form>
  CutValue::Estimate estimate(const CutValue& value) const {
    return value.estimate<form>(scale_.phi(n_l), scale_.alpha(n_l), b_l, scale_.phi(n_r),
                                scale_.alpha(n_r), b_r);
  }
  template <Form form>
  double measure(const CutValue& value) const {
    return value.measure<form>(scale_.phi(n_l), scale_.alpha(n_l), b_l, scale_.phi(n_r),
                               scale_.alpha(n_r), b_r);
  }

  // The maximum gain of a cut inside the cell that is next on the right; any number from `enough`
  // on if it is larger. `concave`: the loss, in every count.
  double most_inside(const Count* cell, const CutValue& value, Form form, bool concave,
                     double enough) const {
    const double most_loss = (value.s + value.slack - enough) * value.per_gain;
    Corners corner;
    const std::size_t corners = make_corners(cell, concave, corner);
    double loss = HUGE_VAL;
    for (std::size_t i = 0; i < corners && loss > most_loss; ++i) {
      const Corner& c = corner[i];
      loss = std::min(loss, lost(form, c.n_l, c.b_l, c.n_r, c.b_r));
    }
    return value.s - loss * value.inverse + value.slack;
  }

  Count left(std::size_t s) const { return side_[s].left; }
  Count right(std::size_t s) const { return side_[s].right; }

  Mass n_l{}, n_r{};  // the weights of the sides

 private:
  struct Corner {
    double b_l, b_r;
    Mass n_l, n_r;
  };
  using Corners = std::array<Corner, 64>;

  double lost(Form form, Mass l, double sum_l, Mass r, double sum_r) const {
    const double lost_l = scale_.phi(l) - sum_l, lost_r = scale_.phi(r) - sum_r;
    return form == Form::power ? lost_l + lost_r
                               : scale_.alpha(l) * lost_l + scale_.alpha(r) * lost_r;
  }

  TECTREE_ALWAYS inline void sum_afresh() {
    const Pair sums = sums_of(scale_, side_, k_);
    if (phi_decreases_) b_l = sums[0];
    b_r = sums[1];
    afresh_below_ = std::fabs(b_r) / 8;
  }
  // A call that does not see the cut, so that the cut's members stay in registers.
  TECTREE_APART static Pair sums_of(const Scale scale, const Side* side, std::size_t k) {
    Pair sums{0.0, 0.0};
    for (std::size_t s = 0; s < k; ++s) {
      if constexpr (unit) {
        sums += Pair{scale.phi(side[s].left), scale.phi(side[s].right)};
      } else {
        sums += Pair{side[s].phi_left, side[s].phi_right};
      }
    }
    return sums;
  }

  // The corners of the box, class by class: for each corner so far, the class's rows of the cell
  // stay, and in its twin they are moved. The other classes contribute the same at every corner.
  // Nothing is subtracted from a sum, which would lose all digits for large q. Returns the number
  // of corners.
  std::size_t make_corners(const Count* b, bool concave, Corners& corner) const {
    corner[0] = {0.0, 0.0, Mass{}, Mass{}};
    Corner others = corner[0];
    std::size_t made = 1;
    for (std::size_t s = 0; s < k_; ++s) {
      const Side& side = side_[s];
      const Count behind = scale_.rest(side.right, b[s]);
      const Mass lo = scale_.mass(s, side.left), hi = scale_.mass(s, behind);
      const double on_right = b[s] == 0 ? side.phi_right : scale_.phi(hi);
      if (!concave || b[s] == 0 || made == corner.size()) {
        add(others, side.phi_left, on_right, lo, hi);
        continue;
      }
      const Mass left = scale_.mass(s, side.left + b[s]), right = scale_.mass(s, side.right);
      const double all_left = scale_.phi(left);
      for (std::size_t i = 0; i < made; ++i) {
        corner[made + i] = corner[i];
        add(corner[made + i], all_left, on_right, left, hi);
        add(corner[i], side.phi_left, side.phi_right, lo, right);
      }
      made *= 2;
    }
    for (std::size_t i = 0; i < made; ++i)
      add(corner[i], others.b_l, others.b_r, others.n_l, others.n_r);
    return made;
  }
  static void add(Corner& c, double b_l, double b_r, Mass n_l, Mass n_r) {
    c.b_l += b_l;
    c.b_r += b_r;
    c.n_l += n_l;
    c.n_r += n_r;
  }

  const Scale scale_;
  const std::size_t k_;
  const bool phi_decreases_;
  Side* side_;
  const double* step_ = nullptr;  // of phi, for rows that count 1
  double b_l = 0.0, b_r = 0.0, afresh_below_ = 0.0;
};

// The Scale of counts that are stored as doubles: phi comes from a table if they are whole.
struct CountKernel {
  using Count = double;
  using Mass = double;
  const Kernel* kernel = nullptr;
  const KernelTable* table = nullptr;
  double half_least = 0.5;  // of a row's weight

  static double mass(std::size_t, double c) { return c; }
  double phi(double c) const {
    return table ? table->phi[static_cast<std::size_t>(c)] : kernel->phi(c);
  }
  double alpha(double c) const {
    return table ? table->alpha[static_cast<std::size_t>(c)] : kernel->alpha(c);
  }
  // total - part; 0 if that is only rounding.
  double rest(double total, double part) const {
    const double r = total - part;
    return r < half_least ? 0.0 : r;
  }
};

}  // namespace tectree

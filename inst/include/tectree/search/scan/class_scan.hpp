// Room search/scan/: all cuts of one column for classes, O(1) each.
//
// The inner loop of a classification tree: all cuts of one sorted column, O(1) each for any q, any
// number of classes and any weights.
//
// B_L = sum_s phi(left_s), B_R likewise; moving one row of class s from right to left adds
// phi(left_s + 1) - phi(left_s) to B_L and subtracts phi(right_s) - phi(right_s - 1) from B_R.
// Invariant: entries [0, i) are on the left, [i, known) on the right.
//
// Drift. B_L only grows, so its relative error stays near machine precision. B_R shrinks: it is
// recomputed whenever it has lost a factor of 8, so it is never small compared with the rounding of
// the subtracted terms. The intervals offered cover the remaining drift; cuts that may win are
// scored again from their counts.
#pragma once

#include <cmath>
#include <vector>

#include "../../data/arena.hpp"
#include "../../tally/sums.hpp"
#include "../../tally/weights.hpp"
#include "../choose/column_result.hpp"
#include "cut_value.hpp"

namespace tectree {

// One class on both sides of a moving cut: counts, and their phi if it is not summed in steps.
template <class Count>
struct BothSides {
  Count left, right;
  double phi_left, phi_right;
};

// The moving cut: class counts and the kernel's sums on both sides. `unit`: every row counts 1, and
// a table contains the steps of phi.
template <class W, bool unit = false>
class MovingCut {
 public:
  using Count = typename W::Count;
  using Side = BothSides<Count>;

  // `phi_decreases` (q <= 0): then sums are recomputed at every cut.
  MovingCut(const W& w, const std::vector<Count>& total, std::vector<Side>& sides,
            bool phi_decreases)
      : w_(w), k_(total.size()), phi_decreases_(phi_decreases) {
    if constexpr (unit) step_ = w.table->step.data();
    if (sides.size() < k_) sides.resize(k_);
    side_ = sides.data();
    for (std::size_t s = 0; s < k_; ++s) {
      side_[s] = {Count{}, total[s], 0.0, w_.phi(total[s])};
      n_r += total[s];
    }
    sum_afresh();
  }

  TECTREE_ALWAYS inline void move(std::size_t s, std::size_t row) {
    Side& c = side_[s];
    if constexpr (unit) {
      b_l += step_[c.left++];
      b_r -= step_[--c.right];
      ++n_l;
      --n_r;
    } else {
      const Count weight = w_.of(row);
      c.left += weight;
      c.right = w_.rest(c.right, weight);
      const double phi_left = w_.phi(c.left), phi_right = w_.phi(c.right);
      b_l += phi_left - c.phi_left;
      b_r += phi_right - c.phi_right;
      c.phi_left = phi_left;
      c.phi_right = phi_right;
      n_l += weight;
      n_r -= weight;
    }
  }
  // Before the sums are read.
  TECTREE_ALWAYS inline void settle() {
    if (std::fabs(b_r) < afresh_below_ || phi_decreases_) sum_afresh();
  }

  // The gain up to a shift and a scale that all cuts of a node share; see CutValue::bar().
  template <Form form>
  double proxy() const {
    const double l = b_l - w_.phi(n_l), r = b_r - w_.phi(n_r);
    return form == Form::power ? l + r : w_.alpha(n_l) * l + w_.alpha(n_r) * r;
  }
  template <Form form>
  CutValue::Estimate estimate(const CutValue& value) const {
    return value.estimate<form>(w_.phi(n_l), w_.alpha(n_l), b_l, w_.phi(n_r), w_.alpha(n_r), b_r);
  }
  template <Form form>
  double measure(const CutValue& value) const {
    return value.measure<form>(w_.phi(n_l), w_.alpha(n_l), b_l, w_.phi(n_r), w_.alpha(n_r), b_r);
  }

  Count n_l{}, n_r{};

 private:
  TECTREE_ALWAYS inline void sum_afresh() {
    const Pair sums = sums_of(w_, side_, k_);
    if (phi_decreases_) b_l = sums[0];
    b_r = sums[1];
    afresh_below_ = std::fabs(b_r) / 8;
  }
  // A call that does not see the cut, so that the cut's members stay in registers.
  TECTREE_APART static Pair sums_of(const W w, const Side* side, std::size_t k) {
    Pair sums{0.0, 0.0};
    for (std::size_t s = 0; s < k; ++s) {
      sums += unit ? Pair{w.phi(side[s].left), w.phi(side[s].right)}
                   : Pair{side[s].phi_left, side[s].phi_right};
    }
    return sums;
  }

  const W w_;
  const std::size_t k_;
  const bool phi_decreases_;
  Side* side_;
  const double* step_ = nullptr;  // of phi, for rows that count 1
  double b_l = 0.0, b_r = 0.0, afresh_below_ = 0.0;
};

// The sizes of both sides of a moving cut, which min_bucket bounds: the cut's counts or, if rows
// have their own sizes, sums of these.
template <class W>
class SideSizes {
 public:
  // `all`: of all rows; read only if rows have their own sizes.
  SideSizes(const W& w, double all) : w_(w), right_(all) {}

  void move(std::size_t row) {
    if (!w_.sized()) return;
    const double size = w_.size(row);
    left_ += size;
    right_ -= size;
  }
  template <class Cut>
  auto left(const Cut& cut) const {
    if constexpr (W::whole) {
      return cut.n_l;
    } else {
      return w_.sized() ? left_ : cut.n_l;
    }
  }
  template <class Cut>
  auto right(const Cut& cut) const {
    if constexpr (W::whole) {
      return cut.n_r;
    } else {
      return w_.sized() ? right_ : cut.n_r;
    }
  }

 private:
  W w_;
  double left_ = 0.0, right_;
};

// A sorted column as its cuts are scanned, of which the first `known` entries have a value.
template <class Index, class W>
struct ClassColumn {
  const Entry<Index>* entries;
  std::uint32_t known;
  const std::uint16_t* label;  // by row
  W weights;
  const std::vector<typename W::Count>& total;  // by class
  typename W::Count least;                      // on a side
  double size;         // of all rows; read only if rows have their own sizes
  bool phi_decreases;  // see MovingCut
};

// use(at, cut), in order, with the first `at` entries on the left, wherever both sides are large
// enough; the values on both sides of the cut may be equal.
template <class Index, class W, bool unit, class Use>
void each_place(const ClassColumn<Index, W>& column, MovingCut<W, unit> cut, Use use) {
  SideSizes<W> sizes(column.weights, column.size);
  for (std::uint32_t at = 1; at < column.known; ++at) {
    const Index row = column.entries[at - 1].row;
    cut.move(column.label[row], row);
    sizes.move(row);
    if (sizes.left(cut) < column.least) continue;
    if (sizes.right(cut) < column.least) break;
    cut.settle();
    use(at, cut);
  }
}
template <class Index, class W, class Use>
void each_place(const ClassColumn<Index, W>& column,
                std::vector<BothSides<typename W::Count>>& sides, Use use) {
  if constexpr (W::whole) {
    if (column.weights.unit()) {
      return each_place(
          column, MovingCut<W, true>(column.weights, column.total, sides, column.phi_decreases),
          use);
    }
  }
  each_place(column, MovingCut<W>(column.weights, column.total, sides, column.phi_decreases), use);
}

// Offers every admissible cut that may be the best and reach the floor. Proxies rule out most of
// them; whether the values on both sides differ is checked for few.
template <Form form, class Index, class W>
void scan_cuts(const ClassColumn<Index, W>& column, const CutValue& value, double floor,
               std::vector<BothSides<typename W::Count>>& sides, Contenders& out) {
  const Entry<Index>* e = column.entries;
  double bar = value.bar(floor);
  each_place(column, sides, [&](std::uint32_t at, const auto& cut) TECTREE_ALWAYS {
    if (form != Form::ratio && cut.template proxy<form>() < bar) return;
    if (e[at - 1].rank == e[at].rank) return;
    const CutValue::Estimate found = cut.template estimate<form>(value);
    if (found.high < floor) return;
    out.offer(at, found.low, found.high);
    floor = std::fmax(floor, out.floor());
    bar = value.bar(floor);
  });
}

}  // namespace tectree

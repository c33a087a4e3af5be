// The inner loop of a classification tree: all cuts of one sorted column, O(1) each whatever q and
// however many classes.
//
// Glossary. B_L = sum_s phi(left_s), B_R likewise; moving one row of class s from right to left
// adds phi(left_s + 1) - phi(left_s) to B_L and takes phi(right_s) - phi(right_s - 1) from B_R.
// Invariant: entries [0, i) are on the left, [i, known) on the right.
//
// Drift. B_L only grows, its relative error stays near machine precision. B_R shrinks: it is summed
// afresh whenever it has lost a factor of 8, so what is left of it never drowns in what was taken
// away. The values offered are intervals wide enough for what drift remains; winners are scored
// again from their counts.
#pragma once

#include <cmath>
#include <vector>

#include "../criterion/contract.hpp"
#include "../data/arena.hpp"
#include "../tally/weights.hpp"
#include "slot.hpp"
#include "unknown.hpp"

namespace tectree {

// The cut measure over the kernel's sums, in units of S_q, for the known rows of one node.
struct CutValue {
  double s = 0.0;        // S_q(D)
  double inverse = 0.0;  // 1/n, or 1/n^q, of the scaled n
  double power_n = 0.0;  // n^q
  double phi_n = 0.0;    // with rows without a value as one more group: of all less theirs
  double drift = 0.0;    // bound on the error of a gain
  double slack = 0.0;    // the same, ties included
  double least = 0.0;    // the gain a candidate of a ratio needs

  CutValue() = default;
  CutValue(const Criterion& criterion, double s_q, double n, std::size_t steps, bool whole,
           double min_gain, const UnknownWeight& unknown = {}) {
    const Kernel& kernel = criterion.kernel();
    s = s_q;
    power_n = kernel.power(n);
    phi_n = kernel.phi(n);
    const bool power_form = criterion.form() == Form::power;
    inverse = power_form ? 1.0 / power_n : 1.0 / (n * kernel.scale());
    const double size =
        std::fmax(std::fabs(phi_n) * (power_form ? 1.0 : kernel.alpha(n)) * inverse, std::fabs(s));
    drift = 2.2e-16 * (64.0 + 32.0 * std::sqrt(static_cast<double>(steps))) * size *
            (whole ? 1.0 : 1.0 + std::fabs(kernel.q()));
    slack = drift + 1.2e-10 * std::fabs(s);
    least = min_gain / criterion.unit();
    if (unknown.share == 1.0) return;
    slack = slack * unknown.share + 2e-13 * std::fabs(s);
    s *= unknown.share;
    inverse *= unknown.share;
    if (unknown.weight > 0.0 && criterion.form() == Form::ratio) {
      power_n = kernel.power(n + unknown.weight);
      phi_n = kernel.phi(n + unknown.weight) - kernel.phi(unknown.weight);
    }
  }

  // The interval that holds a candidate's cut measure. A ratio without a chance of a gain is minus
  // infinity; one whose gain may be too small may win, but must not shut out others: its low end
  // is.
  struct Estimate {
    double low, high;
  };
  template <Form form>
  Estimate estimate(double phi_l, double alpha_l, double b_l, double phi_r, double alpha_r,
                    double b_r) const {
    if constexpr (form == Form::power) {
      const double gain = s - ((phi_l - b_l) + (phi_r - b_r)) * inverse;
      return {gain - slack, gain + slack};
    } else {
      const double gain = s - (alpha_l * (phi_l - b_l) + alpha_r * (phi_r - b_r)) * inverse;
      const double low = gain - slack, high = gain + slack;
      if constexpr (form == Form::linear) return {low, high};
      const double t = power_n / (phi_n - phi_l - phi_r);
      return {low > least ? low * t : -HUGE_VAL, high > least ? high * t : -HUGE_VAL};
    }
  }

  template <Form form>
  void offer(Contenders& out, std::uint32_t at, double phi_l, double alpha_l, double b_l,
             double phi_r, double alpha_r, double b_r) const {
    const Estimate e = estimate<form>(phi_l, alpha_l, b_l, phi_r, alpha_r, b_r);
    out.offer(at, e.low, e.high);
  }
};

// The counts of one class on both sides of a moving cut.
template <class Count>
struct BothSides {
  Count left, right;
};

// The moving cut: class counts and the kernel's sums on both sides.
template <class W>
class MovingCut {
 public:
  using Count = typename W::Count;

  MovingCut(const W& w, const std::vector<Count>& total, std::vector<BothSides<Count>>& sides,
            bool always_afresh)
      : w_(w), k_(total.size()), always_afresh_(always_afresh) {
    if (sides.size() < k_) sides.resize(k_);
    side_ = sides.data();
    for (std::size_t s = 0; s < k_; ++s) {
      side_[s] = {Count{}, total[s]};
      n_r += total[s];
    }
    sum_right();
  }

  void move(std::size_t s, Count weight) {
    BothSides<Count>& c = side_[s];
    const Count l = c.left, r = c.right;
    c.left = l + weight;
    c.right = w_.rest(r, weight);
    b_l += w_.step(l, c.left);
    b_r -= w_.step(c.right, r);
    n_l += weight;
    n_r -= weight;
  }

  // Before the sums are read.
  void settle() {
    if (std::fabs(b_r) < afresh_below_ || always_afresh_) sum_afresh();
  }

  Count n_l{}, n_r{};
  double b_l = 0.0, b_r = 0.0;

 private:
  void sum_afresh() {
    sum_right();
    if (!always_afresh_) return;
    b_l = 0.0;
    for (std::size_t s = 0; s < k_; ++s) b_l += w_.phi(side_[s].left);
  }
  void sum_right() {
    b_r = 0.0;
    for (std::size_t s = 0; s < k_; ++s) b_r += w_.phi(side_[s].right);
    afresh_below_ = std::fabs(b_r) / 8;
  }

  const W w_;
  const std::size_t k_;
  const bool always_afresh_;
  BothSides<Count>* side_;
  double afresh_below_ = 0.0;
};

// The sizes of both sides of a moving cut, which min_bucket bounds: what the cut has counted, but
// sums of case weights where classes count differently.
template <class W>
class CutSizes {
 public:
  // `known`: the size of all rows, looked at where it is not their count.
  CutSizes(const W& w, double known) : w_(w), right_(known) {}

  void move(std::size_t row) {
    if constexpr (W::sized) {
      const double size = w_.size(row);
      left_ += size;
      right_ -= size;
    }
  }
  auto left(const MovingCut<W>& cut) const {
    if constexpr (W::sized) {
      return left_;
    } else {
      return cut.n_l;
    }
  }
  auto right(const MovingCut<W>& cut) const {
    if constexpr (W::sized) {
      return right_;
    } else {
      return cut.n_r;
    }
  }

 private:
  const W w_;
  double left_ = 0.0, right_;
};

// Offers every admissible cut of the entries [e, e + known), `at` = how many of them lie left of
// it.
template <Form form, class W, class Index>
void scan_cuts(const Entry<Index>* e, std::uint32_t known, const std::uint16_t* label, const W w,
               const CutValue& value, typename W::Count least, MovingCut<W> cut, Contenders& out,
               double known_size = 0.0) {
  CutSizes<W> sizes(w, known_size);
  std::uint32_t i = 0;
  while (i < known) {
    const Index rank = e[i].rank;
    do {
      cut.move(label[e[i].row], w.of(e[i].row));
      sizes.move(e[i].row);
      ++i;
    } while (i < known && e[i].rank == rank);
    if (sizes.left(cut) < least) continue;
    if (i == known || sizes.right(cut) < least) break;
    cut.settle();
    const auto found = value.estimate<form>(w.phi(cut.n_l), w.alpha(cut.n_l), cut.b_l,
                                            w.phi(cut.n_r), w.alpha(cut.n_r), cut.b_r);
    if (found.high < out.floor()) continue;
    out.offer(i, found.low, found.high);
  }
}

// The moving cut where every row counts 1: the left counts alone, the right ones are what is left
// of the total.
class UnitCut {
 public:
  struct Scratch {
    std::vector<std::uint32_t> left;
    std::vector<const double*> back;  // back[s][-l] is phi(r) - phi(r - 1) for r = total_s - l
  };

  UnitCut(const KernelTable& table, const std::vector<std::uint32_t>& total, Scratch& scratch)
      : table_(table), total_(total), step_(table.step.data()) {
    scratch.left.assign(total.size(), 0);
    scratch.back.resize(total.size());
    for (std::size_t s = 0; s < total.size(); ++s) {
      scratch.back[s] = step_ + total[s] - 1;
      b_r += table.phi[total[s]];
    }
    left_ = scratch.left.data();
    back_ = scratch.back.data();
    afresh_below_ = std::fabs(b_r) / 8;
  }

  void move(std::size_t s) {
    const std::uint32_t l = left_[s]++;
    b_l += step_[l];
    b_r -= back_[s][-static_cast<std::ptrdiff_t>(l)];
  }

  bool worn() const { return std::fabs(b_r) < afresh_below_; }
  void sum_afresh() {
    b_l = b_r = 0.0;
    for (std::size_t s = 0; s < total_.size(); ++s) {
      b_l += table_.phi[left_[s]];
      b_r += table_.phi[total_[s] - left_[s]];
    }
    afresh_below_ = std::fabs(b_r) / 8;
  }

  double b_l = 0.0, b_r = 0.0;

 private:
  const KernelTable& table_;
  const std::vector<std::uint32_t>& total_;
  const double* const step_;
  std::uint32_t* left_;
  const double** back_;
  double afresh_below_;
};

// When the sums are made afresh: where phi falls with q <= 0 at every cut; above q = 2, where a sum
// can lose most of its digits within a few rows, at every cut that needs it; between, once a block
// is often enough.
enum class Afresh { always, each_cut, each_block };

inline Afresh when_afresh(double q) {
  return q <= 0.0 ? Afresh::always : q > 2.0 ? Afresh::each_cut : Afresh::each_block;
}

// The scan where every row counts 1: the number of rows on the left is the place of the cut, so the
// values of a block of cuts are computed together from consecutive cells of the tables, and only a
// block that holds a contender is looked at cut by cut. Half of a fit's time is spent here.
template <Form form, class Index, class Label>
void scan_unit_cuts(const Entry<Index>* e, std::uint32_t known, const Label* label,
                    const KernelTable& table, const CutValue& value, std::uint32_t least,
                    Afresh afresh, UnitCut cut, Contenders& out) {
  constexpr std::uint32_t block = 32;
  double b_l[block], b_r[block], high[block], low[block], tied[block];
  std::uint32_t of_class[block];
  const double *phi = table.phi.data(), *alpha = table.alpha.data();
  if (least < 1) least = 1;
  if (least > known / 2) return;
  std::uint32_t i = 0;
  for (; i + 1 < least; ++i) cut.move(label[e[i].row]);
  const std::uint32_t last = known - least;  // rows left of the last cut
  while (i < last) {
    const std::uint32_t first = i, n = last - i < block ? last - i : block;
    // Looked up together: rows stand anywhere in memory, and the loads must not wait for the
    // counting.
    const Entry<Index>* here = e + first;
    for (int j = 0; j < static_cast<int>(n); ++j) {
      of_class[j] = label[here[j].row];
      tied[j] = here[j].rank == here[j + 1].rank ? -HUGE_VAL : 0.0;
    }
    if (afresh == Afresh::always || cut.worn()) cut.sum_afresh();
    for (int j = 0; j < static_cast<int>(n); ++j) {
      cut.move(of_class[j]);
      if (afresh != Afresh::each_block && (afresh == Afresh::always || cut.worn()))
        cut.sum_afresh();
      b_l[j] = cut.b_l;
      b_r[j] = cut.b_r;
    }
    i += n;
    // Signed steps from fixed places: the compiler then reads consecutive cells at once.
    const double *phi_l = phi + first + 1, *phi_r = phi + (known - first - 1);
    const double *alpha_l = alpha + first + 1, *alpha_r = alpha + (known - first - 1);
    double best_high = -HUGE_VAL, best_low = -HUGE_VAL;
#ifdef _OPENMP
#pragma omp simd reduction(max : best_high, best_low)
#endif
    for (int j = 0; j < static_cast<int>(n); ++j) {
      const auto found =
          value.estimate<form>(phi_l[j], alpha_l[j], b_l[j], phi_r[-j], alpha_r[-j], b_r[j]);
      high[j] = found.high + tied[j];
      low[j] = found.low + tied[j];
      best_high = best_high > high[j] ? best_high : high[j];
      best_low = best_low > low[j] ? best_low : low[j];
    }
    // Most blocks hold no contender, most others one: the block's own best is the bar for its cuts.
    const double floor = best_low > out.floor() ? best_low : out.floor();
    if (best_high < floor || best_high == -HUGE_VAL) continue;
    for (std::uint32_t j = 0; j < n; ++j) {
      if (high[j] >= floor) out.offer(first + j + 1, low[j], high[j]);
    }
  }
}

}  // namespace tectree

// Room search/scan/: all cuts of one column for classes, O(1) each.
//
// The inner loop of a classification tree: all cuts of one sorted column, O(1) each whatever q and
// however many classes. Rows that count 1 have a quicker one, unit_scan.hpp.
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
#include <type_traits>
#include <vector>

#include "../../criterion/contract.hpp"
#include "../../data/arena.hpp"
#include "../../tally/weights.hpp"
#include "../choose/column_result.hpp"
#include "../missing/unknown.hpp"

namespace tectree {

// use(form), a std::integral_constant.
template <class Use>
auto with_form(Form form, Use use) {
  if (form == Form::power) return use(std::integral_constant<Form, Form::power>());
  if (form == Form::ratio) return use(std::integral_constant<Form, Form::ratio>());
  return use(std::integral_constant<Form, Form::linear>());
}

// The cut measure over the kernel's sums, in units of S_q, for the known rows of one node.
struct CutValue {
  double s = 0.0;         // S_q(D)
  double inverse = 0.0;   // 1/n, or 1/n^q, of the scaled n
  double per_gain = 0.0;  // 1/inverse
  double power_n = 0.0;   // n^q
  double phi_n = 0.0;     // with rows without a value as one more group: of all less theirs
  double drift = 0.0;     // bound on the error of a gain
  double slack = 0.0;     // the same, ties included
  double blurred = 0.0;   // what interpolation adds to it
  double least = 0.0;     // the gain a candidate of a ratio needs to be made
  double offered = 0.0;   // to be told of

  CutValue() = default;
  // `all`: ratios are offered whatever they gain, as all columns count in a mean.
  CutValue(const Criterion& criterion, double s_q, double n, std::size_t steps, bool whole,
           double min_gain, const UnknownWeight& unknown = {}, bool all = false) {
    const Kernel& kernel = criterion.kernel();
    s = s_q;
    power_n = kernel.power(n);
    phi_n = kernel.phi(n);
    const bool power_form = criterion.form() == Form::power;
    inverse = power_form ? 1.0 / power_n : 1.0 / (n * kernel.scale());
    per_gain = 1.0 / inverse;
    const double size =
        std::fmax(std::fabs(phi_n) * (power_form ? 1.0 : kernel.alpha(n)) * inverse, std::fabs(s));
    // Above q = 2 a side loses more of its sum between two times that it is made afresh.
    const double loss = kernel.q() > 2.0 ? 4.0 : 1.0;
    drift = 2.2e-16 * (64.0 + 32.0 * std::sqrt(static_cast<double>(steps))) * size * loss *
            (whole ? 1.0 : 1.0 + std::fabs(kernel.q()));
    slack = drift + 1.2e-10 * std::fabs(s);
    least = min_gain / criterion.unit();
    offered = all ? -HUGE_VAL : least;
    if (unknown.share == 1.0) return;
    slack = slack * unknown.share + 2e-13 * std::fabs(s);
    s *= unknown.share;
    inverse *= unknown.share;
    per_gain /= unknown.share;
    if (unknown.weight > 0.0 && criterion.form() == Form::ratio) {
      power_n = kernel.power(n + unknown.weight);
      phi_n = kernel.phi(n + unknown.weight) - kernel.phi(unknown.weight);
    }
  }

  // A gain is off by so much more, in units of S_q, as phi is interpolated.
  void blur(double error) {
    blurred = error;
    slack += error;
  }

  // The interval that holds a candidate's cut measure. A ratio without a chance to gain what it is
  // told of for is minus infinity; one whose gain may be too small may win, but must not shut out
  // others: its low end
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
      return {low > least ? low * t : -HUGE_VAL, high > offered ? high * t : -HUGE_VAL};
    }
  }

  // The same of rows that count 1, from the cut's proxy: s + inverse x it is the measure of
  // a form without a ratio, and a ratio's proxy is its high end.
  template <Form form>
  Estimate of_proxy(double proxy, double phi_l, double phi_r) const {
    if constexpr (form == Form::ratio) {
      const double t = power_n / (phi_n - phi_l - phi_r), low = proxy / t - 2 * slack;
      return {low > least ? low * t : -HUGE_VAL, proxy};
    } else {
      const double gain = s + proxy * inverse;
      return {gain - slack, gain + slack};
    }
  }

  // The entropy of the sizes of a cut's sides, and how far off it may be.
  Estimate split_entropy(double phi_l, double phi_r) const {
    const double entropy = (phi_n - phi_l - phi_r) / power_n,
                 error = 1e-15 * std::fabs(phi_n) / power_n;
    return {std::fmax(entropy - error, 0.0), entropy + error};
  }

  // The least base + alpha_l b_l + alpha_r b_r, without the terms that every cut shares, of a cut
  // whose interval may reach `floor`.
  double bar(double floor) const { return (floor - s - slack - drift) * per_gain; }

  template <Form form>
  void offer(Contenders& out, std::uint32_t at, double phi_l, double alpha_l, double b_l,
             double phi_r, double alpha_r, double b_r) const {
    const Estimate e = estimate<form>(phi_l, alpha_l, b_l, phi_r, alpha_r, b_r);
    out.offer(at, e.low, e.high);
  }
};

// One class on both sides of a moving cut: counts, and their phi.
template <class Count>
struct BothSides {
  Count left, right;
  double phi_left, phi_right;
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
      side_[s] = {Count{}, total[s], 0.0, w_.phi(total[s])};
      n_r += total[s];
    }
    sum_right();
  }

  void move(std::size_t s, Count weight) {
    BothSides<Count>& c = side_[s];
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
    for (std::size_t s = 0; s < k_; ++s) b_l += side_[s].phi_left;
  }
  void sum_right() {
    b_r = 0.0;
    for (std::size_t s = 0; s < k_; ++s) b_r += side_[s].phi_right;
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
    if (w_.sized()) move_size(w_.size(row));
  }
  void move_size(double size) {
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

}  // namespace tectree

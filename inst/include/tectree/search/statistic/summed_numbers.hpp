// One column of a node whose numbers are summed by code, for least squares, and a cut that moves up
// it.
//
// With the numbers centred anywhere and S their sum, a cut with n_l of n rows and the sum s_l on
// its left gains t^2 / (n_l n_r) in mean squared error, where t = s_l - S n_l / n. As a sum of s^2
// / n over both sides, up to a constant, the gain is convex in (n_l, s_l).
//
// Let a bin (or a part of one) have m rows with sum b, whose squares about their mean sum to v. Any
// j of them have a sum within sqrt(v j (m - j) / m) of their share j b / m, by Cauchy and Schwarz.
// So the cuts inside lie in a parallelogram, and none gains more than the best of its corners.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../tally/sums.hpp"
#include "../choose/column_result.hpp"
#include "../histogram/histogram_rows.hpp"

namespace tectree {

class SumCells {
 public:
  using What = std::int64_t;

  void start(std::size_t cells, std::size_t coarseness) {
    coarseness_ = static_cast<int>(coarseness);
    sums_.assign(cells, WholeSums());
  }
  void add(std::size_t cell, What x) { sums_[cell].add(x, coarseness_); }
  const WholeSums* of(std::size_t cell) const { return sums_.data() + cell; }

 private:
  int coarseness_ = 0;
  std::vector<WholeSums> sums_;
};

// A counted column, see ../histogram/counted.hpp.
class SummedNumbers : public BinView {
 public:
  static constexpr bool may_have_bins = true;
  using Cells = SumCells;

  // `number`: by row, in units of the scale; `sums`: by code; `total`: of the rows with a value;
  // `least`: rows per side; `slack`: maximum difference of gains that tie.
  SummedNumbers(const BinView& view, const std::int64_t* number, const WholeSums* sums,
                const WholeSums& total, const WholeScale& scale, std::uint32_t least, double slack,
                Contenders& cuts)
      : BinView(view),
        number_(number),
        sums_(sums),
        total_(total.n()),
        least_(least),
        coarseness_(scale.coarseness()),
        slack_(slack),
        n_(total.n()),
        mean_(static_cast<double>(total.sum) / n_),
        per_gain_(scale.unit() * scale.unit()),
        per_square_(scale.coarse_square()),
        cuts_(cuts) {}

  bool may_cut() const { return total_ >= 2; }
  double weight() const { return n_; }
  std::size_t width() const { return static_cast<std::size_t>(coarseness_); }
  Cells::What what(std::uint32_t row) const { return number_[row]; }
  const WholeSums* in_bin(int b) const { return sums_ + b; }
  bool is_empty(int b) const { return sums_[b].n() == 0; }

  void start() { s_l_ = n_l_ = 0; }
  void skip(const WholeSums* cell) { pass(cell); }
  void sum_up() {}
  bool pass(const WholeSums* cell) {
    s_l_ += cell->sum;
    n_l_ += cell->n();
    return cell->n() > 0;
  }
  void pass_row(Cells::What x) {
    s_l_ += x;
    ++n_l_;
  }

  BinPlace place(int bin, double most) const {
    return {bin, static_cast<double>(n_l_), static_cast<double>(in_bin(bin)->n()), most};
  }
  bool admissible() const { return n_l_ >= least_ && n_l_ < total_ && total_ - n_l_ >= least_; }
  void offer(int bin, double below = std::nan(""), double above = std::nan("")) {
    const Gain gain = gain_of(n_l_, static_cast<double>(s_l_));
    const double size = n_l_;
    cuts_.offer(gain.least - slack_, {n_l_, gain.most + slack_, bin, below, above, size, size});
  }

  double bound(const WholeSums* cell, bool closed, double) const {
    const std::int64_t n_l = n_l_, least = least_;
    const std::int64_t first = std::max<std::int64_t>(1, least - n_l),
                       last = std::min<std::int64_t>(cell->n() - (closed ? 0 : 1),
                                                     total_ - least - n_l);
    if (first > last) return -HUGE_VAL;
    // t is linear along the middle of the parallelogram, and the product of both sides' rows has
    // its minimum at an end of it.
    const auto from = static_cast<double>(first), to = static_cast<double>(last),
               n_from = static_cast<double>(n_l + first), n_to = static_cast<double>(n_l + last),
               s = static_cast<double>(s_l_), sum = static_cast<double>(cell->sum),
               mean = sum / cell->n();
    const double t = std::max(std::fabs(s + mean * from - n_from * mean_),
                              std::fabs(s + mean * to - n_to * mean_)) +
                     stray(*cell, mean, from, to) + off(n_ / 2, std::fabs(s) + std::fabs(sum));
    const double rows = std::min(n_from * (n_ - n_from), n_to * (n_ - n_to));
    return t * t * per_gain_ * (1 + 1e-12) / rows + slack_;
  }
  double floor() const { return cuts_.floor(); }

 private:
  struct Gain {
    double least, most;
  };

  Gain gain_of(double n_l, double s_l) const {
    const double t = std::fabs(s_l - n_l * mean_), may_be_off = off(n_l, std::fabs(s_l)),
                 least = std::max(t - may_be_off, 0.0), most = t + may_be_off,
                 per = per_gain_ / (n_l * (n_ - n_l));
    return {least * least * per, most * most * per};
  }

  // The maximum error of t: 1.1 units for every number, and the rounding of sums.
  double off(double n_l, double size_of_sums) const {
    return 2.2 * n_l * (n_ - n_l) / n_ + 1e-15 * (size_of_sums + n_ * std::fabs(mean_));
  }

  // The maximum distance of the sum of `from` to `to` of the cell's rows, with mean `mean`, from
  // its share of theirs.
  double stray(const WholeSums& cell, double mean, double from, double to) const {
    const double m = cell.n(), squares = cell.squares_at_most() * per_square_,
                 of_mean = mean * static_cast<double>(cell.sum),
                 about_mean = std::max(squares * (1 + 1e-12) - of_mean * (1 - 1e-12), 0.0),
                 j = std::min(std::max(m / 2, from), to);
    return std::sqrt(about_mean * j * (1 - j / m));
  }

  const std::int64_t* number_;
  const WholeSums* sums_;
  std::uint32_t total_, least_;
  int coarseness_;
  double slack_, n_, mean_, per_gain_, per_square_;
  Contenders& cuts_;
  std::int64_t s_l_ = 0;
  std::uint32_t n_l_ = 0;
};

}  // namespace tectree

// A cursor (see look_inside.hpp) over the numbers of a column on bins, for least squares.
//
// With the numbers centred anywhere and S their sum, a cut with n_l of n rows and the sum s_l on
// its left gains t^2 / (n_l n_r) in mean squared error, where t = s_l - S n_l / n. As a sum of
// s^2 / n over both sides, but for a constant, the gain is convex in (n_l, s_l).
//
// Let a bin (or a part of one) hold m rows of sum b, whose squares about their mean sum to v. Any j
// of them have a sum within sqrt(v j (m - j) / m) of their share j b / m, by Cauchy and Schwarz. So
// the cuts inside lie in a parallelogram, and none gains more than the best of its corners.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../tally/sums.hpp"
#include "../histogram/bin_cuts.hpp"
#include "../histogram/look_inside.hpp"

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

struct NumberView : BinView {
  const std::int64_t* number;  // by row, in units of the scale
  const WholeSums* sums;       // by code
  WholeSums total;             // of the rows with a value
  WholeScale scale;
  std::uint32_t least;  // rows a side
  double slack;         // how far gains may be apart that tie

  bool is_empty(int b) const { return sums[b].n() == 0; }
};

class NumberCursor {
 public:
  using Cells = SumCells;

  NumberCursor(const NumberView& view, BinCuts& cuts)
      : view_(view),
        cuts_(cuts),
        n_(view.total.n()),
        mean_(static_cast<double>(view.total.sum) / n_),
        per_gain_(view.scale.unit() * view.scale.unit()),
        per_square_(view.scale.coarse_square()) {}

  std::size_t width() const { return static_cast<std::size_t>(view_.scale.coarseness()); }
  Cells::What what(std::uint32_t row) const { return view_.number[row]; }
  const WholeSums* in_bin(int b) const { return view_.sums + b; }
  static bool is_empty(const WholeSums* cell) { return cell->n() == 0; }

  void start() { s_l_ = n_l_ = 0; }
  void pass(const WholeSums* cell) {
    s_l_ += cell->sum;
    n_l_ += cell->n();
  }
  void pass_row(Cells::What x) {
    s_l_ += x;
    ++n_l_;
  }

  BinPlace place(int bin, double most) const {
    return {bin, static_cast<double>(n_l_), static_cast<double>(in_bin(bin)->n()), most};
  }
  bool admissible() const {
    const std::uint32_t n = view_.total.n();
    return n_l_ >= view_.least && n_l_ < n && n - n_l_ >= view_.least;
  }
  void offer(int bin, bool at_edge, double below, double above) {
    const Gain gain = gain_of(n_l_, static_cast<double>(s_l_));
    if (cuts_.wants(gain.most + view_.slack))
      cuts_.offer(gain.least - view_.slack, {static_cast<double>(n_l_), gain.most + view_.slack,
                                             bin, at_edge, below, above, 0});
  }

  double bound(const WholeSums* cell, bool closed, double) const {
    const std::int64_t n_l = n_l_, least = view_.least;
    const std::int64_t first = std::max<std::int64_t>(1, least - n_l),
                       last = std::min<std::int64_t>(cell->n() - (closed ? 0 : 1),
                                                     view_.total.n() - least - n_l);
    if (first > last) return -HUGE_VAL;
    // t is linear along the middle of the parallelogram, and the product of both sides' rows least
    // at an end of it.
    const auto from = static_cast<double>(first), to = static_cast<double>(last),
               n_from = static_cast<double>(n_l + first), n_to = static_cast<double>(n_l + last),
               s = static_cast<double>(s_l_), sum = static_cast<double>(cell->sum),
               mean = sum / cell->n();
    const double t = std::max(std::fabs(s + mean * from - n_from * mean_),
                              std::fabs(s + mean * to - n_to * mean_)) +
                     stray(*cell, mean, from, to) + off(n_ / 2, std::fabs(s) + std::fabs(sum));
    const double rows = std::min(n_from * (n_ - n_from), n_to * (n_ - n_to));
    return t * t * per_gain_ * (1 + 1e-12) / rows + view_.slack;
  }
  double low() const { return cuts_.low; }

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

  // By how much t is off at most: every number may be by 1.1 units, and sums are rounded.
  double off(double n_l, double size_of_sums) const {
    return 2.2 * n_l * (n_ - n_l) / n_ + 1e-15 * (size_of_sums + n_ * std::fabs(mean_));
  }

  // How far the sum of `from` to `to` of the cell's rows, of mean `mean`, may be from its share of
  // theirs.
  double stray(const WholeSums& cell, double mean, double from, double to) const {
    const double m = cell.n(), squares = cell.squares_at_most() * per_square_,
                 of_mean = mean * static_cast<double>(cell.sum),
                 about_mean = std::max(squares * (1 + 1e-12) - of_mean * (1 - 1e-12), 0.0),
                 j = std::min(std::max(m / 2, from), to);
    return std::sqrt(about_mean * j * (1 - j / m));
  }

  const NumberView& view_;
  BinCuts& cuts_;
  double n_, mean_, per_gain_, per_square_;
  std::int64_t s_l_ = 0;
  std::uint32_t n_l_ = 0;
};

}  // namespace tectree

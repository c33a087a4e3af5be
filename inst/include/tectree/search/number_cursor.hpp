// A cursor (see closer_look.hpp) over the numbers of a coarse column, for least squares.
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

#include "../tally/whole_sums.hpp"
#include "closer_look.hpp"
#include "coarse_cuts.hpp"

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

struct NumberView : CoarseView {
  const std::int64_t* number;  // by row, in units of the scale
  const WholeSums* sums;       // by code
  WholeSums total;             // of the rows with a value
  WholeScale scale;
  std::uint32_t least;  // rows a side
  double slack;         // how far gains may be apart that tie
};

class NumberCursor {
 public:
  using Cells = SumCells;

  NumberCursor(const NumberView& view, CoarseCuts& cuts)
      : view_(view),
        cuts_(cuts),
        n_(view.total.n),
        sum_(static_cast<double>(view.total.sum)),
        per_gain_(view.scale.unit() * view.scale.unit()) {}

  std::size_t width() const { return static_cast<std::size_t>(view_.scale.coarseness()); }
  Cells::What what(std::uint32_t row) const { return view_.number[row]; }
  const WholeSums* in_bin(int b) const { return view_.sums + b; }
  static std::uint32_t rows(const WholeSums* cell) { return cell->n; }

  void start() { s_l_ = n_l_ = 0; }
  void pass(const WholeSums* cell) {
    s_l_ += cell->sum;
    n_l_ += cell->n;
  }
  void pass_row(Cells::What x) {
    s_l_ += x;
    ++n_l_;
  }

  bool admissible() const {
    return n_l_ >= view_.least && n_l_ < view_.total.n && view_.total.n - n_l_ >= view_.least;
  }
  void offer(int bin, bool at_edge, double below, double above) {
    const Gain gain = gain_of(n_l_, static_cast<double>(s_l_));
    if (cuts_.wants(gain.most + view_.slack))
      cuts_.offer(gain.least - view_.slack,
                  {n_l_, gain.most + view_.slack, bin, at_edge, below, above, {}});
  }

  bool may_reach(const WholeSums* cell, bool closed, double enough) const {
    const std::int64_t n_l = n_l_, least = view_.least;
    const std::int64_t first = std::max<std::int64_t>(1, least - n_l),
                       last = std::min<std::int64_t>(cell->n - (closed ? 0 : 1),
                                                     view_.total.n - least - n_l);
    if (first > last) return false;
    const double m = cell->n, sum = static_cast<double>(cell->sum),
                 apart = stray(*cell, static_cast<double>(first), static_cast<double>(last));
    for (const std::int64_t rows : {first, last}) {
      const auto j = static_cast<double>(rows);
      const double s = static_cast<double>(s_l_) + sum * (j / m), n = static_cast<double>(n_l) + j;
      const double most = std::max(gain_of(n, s + apart).most, gain_of(n, s - apart).most);
      if (most * (1 + 1e-12) + view_.slack >= enough) return true;
    }
    return false;
  }
  double low() const { return cuts_.low; }

 private:
  struct Gain {
    double least, most;
  };

  // What a cut gains: every number may be off by 1.1 units, and sums are rounded.
  Gain gain_of(double n_l, double s_l) const {
    const double n_r = n_ - n_l, share = n_l / n_, t = std::fabs(s_l - sum_ * share),
                 off = 2.2 * n_l * n_r / n_ + 1e-15 * (std::fabs(s_l) + std::fabs(sum_) * share);
    const double least = std::max(t - off, 0.0), most = t + off, per = per_gain_ / (n_l * n_r);
    return {least * least * per, most * most * per};
  }

  // How far the sum of `first` to `last` of the cell's rows may be from its share of theirs.
  double stray(const WholeSums& cell, double first, double last) const {
    const double m = cell.n, sum = static_cast<double>(cell.sum),
                 squares = cell.squares_at_most(view_.scale.coarseness()),
                 about_mean = std::max(squares * (1 + 1e-12) - sum * sum / m * (1 - 1e-12), 0.0),
                 j = std::min(std::max(m / 2, first), last);
    return std::sqrt(about_mean * j * (m - j) / m);
  }

  const NumberView& view_;
  CoarseCuts& cuts_;
  double n_, sum_, per_gain_;
  std::int64_t s_l_ = 0;
  std::uint32_t n_l_ = 0;
};

}  // namespace tectree

// Columns of a node whose numbers are summed by code, and their cuts, for least squares.
//
// With the numbers centred anywhere and S their sum, a cut with n_l of n rows and the sum s_l on
// its left gains t^2 / (n_l n_r) in mean squared error, where t = s_l - S n_l / n. As a sum of s^2
// / n over both sides, up to a constant, the gain is convex in (n_l, s_l).
//
// Let a cell have m rows with sum b, whose squares about their mean sum to v. Any j of them have a
// sum within sqrt(v j (m - j) / m) of their share j b / m, by Cauchy and Schwarz. So the cuts
// inside lie in a parallelogram, and none gains more than the best of its corners.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../tally/sums.hpp"
#include "../../tally/weights.hpp"
#include "../choose/column_result.hpp"
#include "../sorted/rows.hpp"

namespace tectree {

class SumCut {
 public:
  // Of all rows; numbers are in units whose square is `per_gain`, and each may be off by half of
  // `off_per_row`.
  SumCut(double n, double sum, double per_gain = 1.0, double off_per_row = 0.0)
      : n_(n), mean_(sum / n), per_gain_(per_gain), off_per_row_(off_per_row) {}

  struct Gain {
    double least, most;
  };
  Gain gain(double n_l, double s_l) const {
    const double t = std::fabs(s_l - n_l * mean_), may_be_off = off(n_l, std::fabs(s_l)),
                 least = std::max(t - may_be_off, 0.0), most = t + may_be_off,
                 per = per_gain_ / (n_l * (n_ - n_l));
    return {least * least * per, most * most * per};
  }

  // The rows of a cell; `squares`: an upper bound of the sum of their squares.
  struct Cell {
    double n, sum, squares;
  };
  // The maximum gain of a cut with these rows and `from` to `to` of the cell's on its left. t is
  // linear along the middle of the parallelogram, and the product of both sides' rows has its
  // minimum at an end of it.
  double most_inside(double n_l, double s_l, const Cell& cell, double from, double to) const {
    const double n_from = n_l + from, n_to = n_l + to, mean = cell.sum / cell.n;
    const double t = std::max(std::fabs(s_l + mean * from - n_from * mean_),
                              std::fabs(s_l + mean * to - n_to * mean_)) +
                     stray(cell, mean, from, to) +
                     off(n_ / 2, std::fabs(s_l) + std::fabs(cell.sum));
    const double rows = std::min(n_from * (n_ - n_from), n_to * (n_ - n_to));
    return t * t * per_gain_ * (1 + 1e-12) / rows;
  }

 private:
  // The maximum error of t, also by the rounding of sums.
  double off(double n_l, double size_of_sums) const {
    return off_per_row_ * n_l * (n_ - n_l) / n_ + 1e-15 * (size_of_sums + n_ * std::fabs(mean_));
  }

  // The maximum distance of the sum of `from` to `to` of the cell's rows from its share of theirs.
  static double stray(const Cell& cell, double mean, double from, double to) {
    const double of_mean = mean * cell.sum,
                 about_mean = std::max(cell.squares * (1 + 1e-12) - of_mean * (1 - 1e-12), 0.0),
                 j = std::min(std::max(cell.n / 2, from), to);
    return std::sqrt(about_mean * j * (1 - j / cell.n));
  }

  double n_, mean_, per_gain_, off_per_row_;
};

// A column whose numbers are summed by code, and a cut that moves up it (see
// ../histogram/look_inside.hpp). `Sums` are those of a code.
template <class Sums>
class SummedColumn : public BinView {
 public:
  static constexpr bool may_have_bins = false;

  // `sums`: by code; `total`: of the rows with a value; `slack`: maximum difference of gains that
  // tie.
  SummedColumn(const BinView& view, const Sums* sums, const Sums& total, const SumCut& cut,
               double min_bucket, double slack, Contenders& cuts)
      : BinView(view),
        sums_(sums),
        total_(total),
        n_(rows_of(total)),
        least_(least_count<RealWeight>(min_bucket)),
        slack_(slack),
        cut_(cut),
        cuts_(cuts) {}

  bool may_cut() const { return n_ >= 2; }
  double weight() const { return n_; }
  const Sums& total() const { return total_; }
  const Sums* in_bin(int code) const { return sums_ + code; }
  bool is_empty(int code) const { return rows_of(sums_[code]) == 0; }

  bool pass(const Sums* cell) {
    s_l_ += cell->sum;
    n_l_ += rows_of(*cell);
    return rows_of(*cell) > 0;
  }
  bool admissible() const {
    const double n_r = n_ - n_l_;
    return n_l_ > 0 && n_r > 0 && n_l_ >= least_ && n_r >= least_;
  }
  void offer(int code, double below = std::nan(""), double above = std::nan("")) {
    const SumCut::Gain gain = cut_.gain(n_l_, static_cast<double>(s_l_));
    cuts_.offer(gain.least - slack_, {0, gain.most + slack_, code, below, above, n_l_, n_l_});
  }

 protected:
  const Sums* sums_;
  Sums total_;
  double n_, least_, slack_;
  SumCut cut_;
  Contenders& cuts_;
  decltype(Sums::sum) s_l_ = 0;
  double n_l_ = 0.0;
};

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

class SummedNumbers : public SummedColumn<WholeSums> {
 public:
  static constexpr bool may_have_bins = true;
  using Cells = SumCells;

  // `number`: by row, in units of the scale, each off by less than 1.1 of them.
  SummedNumbers(const BinView& view, const std::int64_t* number, const WholeSums* sums,
                const WholeSums& total, const WholeScale& scale, double min_bucket, double slack,
                Contenders& cuts)
      : SummedColumn(
            view, sums, total,
            SumCut(total.n(), static_cast<double>(total.sum), scale.unit() * scale.unit(), 2.2),
            min_bucket, slack, cuts),
        number_(number),
        coarseness_(scale.coarseness()),
        per_square_(scale.coarse_square()) {}

  std::size_t width() const { return static_cast<std::size_t>(coarseness_); }
  Cells::What what(std::uint32_t row) const { return number_[row]; }

  void start() {
    s_l_ = 0;
    n_l_ = 0.0;
  }
  void skip(const WholeSums* cell) { pass(cell); }
  void sum_up() {}
  void pass_row(Cells::What x) {
    s_l_ += x;
    ++n_l_;
  }

  BinPlace place(int bin, double most) const { return {bin, n_l_, rows_of(*in_bin(bin)), most}; }
  double bound(const WholeSums* cell, bool closed, double) const {
    const double m = rows_of(*cell), least = std::max(std::ceil(least_), 1.0),
                 from = std::max(1.0, least - n_l_),
                 to = std::min(closed ? m : m - 1, n_ - least - n_l_);
    if (from > to) return -HUGE_VAL;
    return cut_.most_inside(
               n_l_, static_cast<double>(s_l_),
               {m, static_cast<double>(cell->sum), cell->squares_at_most() * per_square_}, from,
               to) +
           slack_;
  }
  double floor() const { return cuts_.floor(); }

 private:
  const std::int64_t* number_;
  int coarseness_;
  double per_square_;
};

}  // namespace tectree

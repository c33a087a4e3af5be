// All cuts of one sorted column by their sums, O(1) a row. Where rows count 1 the number of rows on
// the left is the place of the cut, so dividing by it is multiplying by an entry of a table.
//
// A cut's proxy is the parts of its two sides; its gain is share (proxy - the part of all) / n.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../../criterion/deviation.hpp"
#include "../../data/arena.hpp"
#include "../../tally/weights.hpp"
#include "gain_proxies.hpp"

namespace tectree {

// The sorted rows of a column that have a value.
template <class Index>
struct MeanColumn {
  const Entry<Index>* entries;
  const double* y;        // by row
  const double* weight;   // by row; null: all count 1
  const double* inverse;  // inverse[i] = 1 / i, where all count 1
  std::uint32_t n;
  double mean;        // of the node's numbers
  double share;       // of the node's weight that has a value: gains count that much
  double slack;       // how far a gain may be off, ties included; infinite where none is known
  double min_bucket;  // of a side
  double floor;       // only cuts that may gain as much are asked for
};

template <class Criterion>
class MeanScan {
 public:
  // Offers every admissible cut that may be the best and reach the floor.
  template <class Index>
  void offer_cuts(const MeanColumn<Index>& column, Contenders& out) {
    if (column.weight) return offer_weighted(column, out);
    const std::uint32_t n = column.n,
                        least = std::max(least_count<WholeWeight>(column.min_bucket), 1u);
    if (least > n / 2) return;
    const Entry<Index>* e = column.entries;
    const double *y = column.y, *inverse = column.inverse, *inverse_r = inverse + n;
    const double rows = n, mean = column.mean;
    offer_between(
        column, least, n - least, rows, [&](std::uint32_t i) { return y[e[i].row] - mean; },
        [&](std::uint32_t l) {
          return RowCount{static_cast<double>(l), inverse[l]};
        },
        [&](std::uint32_t l) {
          return RowCount{rows - l, inverse_r[-static_cast<std::ptrdiff_t>(l)]};
        },
        out);
  }

 private:
  template <class Index>
  void offer_weighted(const MeanColumn<Index>& column, Contenders& out) {
    below_.resize(std::size_t{column.n} + 1);
    off_.resize(column.n);
    double all = below_[0] = 0.0;
    for (std::uint32_t i = 0; i < column.n; ++i) {
      const Index row = column.entries[i].row;
      off_[i] = column.weight[row] * (column.y[row] - column.mean);
      below_[i + 1] = all += column.weight[row];
    }
    const auto left = [&](std::uint32_t l) { return below_[l]; };
    const auto right = [&](std::uint32_t l) { return all - below_[l]; };
    const auto light = [&](double side) {
      return !(side > 0.0 && reaches(side, column.min_bucket));
    };
    std::uint32_t least = 1, end = column.n - 1;
    while (least <= end && light(left(least))) ++least;
    while (least <= end && light(right(end))) --end;
    if (least > end) return;
    offer_between(
        column, least, end, all, [&](std::uint32_t i) { return off_[i]; }, left, right, out);
  }

  // Those with [least, end] rows on the left; off(i) is what an entry adds to the sum of its side,
  // left(l) and right(l) are what the sides weigh. The numbers are added up in the column's order,
  // so that what is left on the right of a cut is what follows it.
  template <class Index, class Off, class Left, class Right>
  void offer_between(const MeanColumn<Index>& column, std::uint32_t least, std::uint32_t end,
                     double all, Off off, Left left, Right right, Contenders& out) {
    if (!std::isfinite(column.slack)) {
      for (std::uint32_t l = least; l <= end; ++l) {
        if (column.entries[l].rank != column.entries[l - 1].rank) out.offer(l, -HUGE_VAL, HUGE_VAL);
      }
      return;
    }
    const double mean = column.mean;
    double sum = 0.0, sum_left = 0.0;
    for (std::uint32_t i = 0; i < column.n; ++i) sum += off(i);
    for (std::uint32_t i = 0; i + 1 < least; ++i) sum_left += off(i);
    proxies_.make(least, end, [&](std::uint32_t from, std::uint32_t to, double* proxies) {
      double most = -HUGE_VAL, s_l = sum_left;
      for (std::uint32_t l = from; l < to; ++l) {
        s_l += off(l - 1);
        const double here =
            Criterion::part(s_l, left(l), mean) + Criterion::part(sum - s_l, right(l), mean);
        proxies[l] = here;
        most = here > most ? here : most;
      }
      sum_left = s_l;
      return most;
    });
    GainProxies{proxies_, Criterion::part(sum, all, mean), all / column.share, column.slack}.offer(
        column.entries, column.floor, out);
  }

  std::vector<double> below_, off_;  // of weighted rows: the weight of the first ones; see off()
  CutProxies proxies_;
};

}  // namespace tectree

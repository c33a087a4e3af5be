// All cuts of one sorted column of numbers, O(1) per row, each by a proxy: its gain up to a shift
// and a scale that all cuts share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "../../criterion/deviation.hpp"
#include "../../data/arena.hpp"
#include "../../tally/medians.hpp"
#include "../../tally/weights.hpp"
#include "../choose/column_result.hpp"

namespace tectree {

// A sorted column's rows in a node, of which the first `known` have a value.
template <class Index>
struct NumberColumn {
  const Entry<Index>* entries;
  std::uint32_t known, rows;
  double share;       // of the node's weight with a value: gains are multiplied by it
  double slack;       // maximum error of a gain, including ties; infinite if unknown
  double min_bucket;  // size of a side
  double floor;       // only cuts that may gain so much are offered

  bool tied(std::uint32_t l) const { return entries[l - 1].rank == entries[l].rank; }
  // Rows on a side, if each has weight and size 1.
  std::uint32_t least_rows() const { return std::max(least_count<WholeWeight>(min_bucket), 1u); }
};

// The cuts with these numbers of rows on the left; none: those whose weights reach min_bucket.
struct CutRange {
  std::uint32_t least = 0, end = 0;

  bool is_given() const { return least > 0; }
};

// Offers the cuts between different values, among those with [least, end] rows on the left, that
// may be the best of the column and gain as much as its floor. proxy_of(l, sum) is called in order;
// `sum` is a variable for it, declared here so that it stays in a register. `base`: the proxy of
// zero gain; `per_gain`: the proxy per unit of gain. Whether values differ is checked for few.
template <class Index, class ProxyOf>
void offer_numbers(const NumberColumn<Index>& column, std::uint32_t least, std::uint32_t end,
                   double base, double per_gain, double sum, ProxyOf proxy_of, Contenders& out) {
  const double slack = column.slack;
  // The smallest proxy of a cut that may gain so much. Denormal gains are rounded by more than
  // their slack.
  const auto bar = [&](double gained) {
    return (gained - slack - std::numeric_limits<double>::denorm_min()) * per_gain + base;
  };
  // Half of the slack covers the rounding of bar() and of the gain.
  double enough = bar(column.floor - slack / 2);
  for (std::uint32_t l = least; l <= end; ++l) {
    const double proxy = proxy_of(l, sum);
    if (!(proxy >= enough) || column.tied(l)) continue;
    const double gain = (proxy - base) / per_gain;
    out.offer(l, gain - slack, gain + slack);
    // With tiny gains the slack may be 0: the best cut always stays.
    if (gain - slack >= column.floor)
      enough = std::max(enough, std::min(bar(gain - 1.5 * slack), proxy));
  }
}

// The numbers of an arena's rows for sums about a mean.
struct SummedRows {
  const double* y;        // by row
  const double* weight;   // by row; null: all are 1
  const double* inverse;  // inverse[i] = 1 / i, if all weights are 1
  double mean;            // of the node's numbers
};

// By the sums of both sides. If rows count 1, the weight on the left is the position of the cut,
// and dividing by it is multiplying by an entry of a table. A cut's proxy is the sum of its sides'
// parts (see criterion/deviation.hpp); its gain is share (proxy - the part of all) / n.
template <class Criterion>
class MeanScan {
 public:
  // Offers every admissible cut of the known rows that may be the best and reach the floor.
  template <class Index>
  static void offer_cuts(const NumberColumn<Index>& column, const SummedRows& rows,
                         const CutRange& range, Contenders& out) {
    if (rows.weight) return offer_weighted(column, rows, range, out);
    const std::uint32_t known = column.known, least = column.least_rows();
    if (least > known / 2) return;
    const Entry<Index>* e = column.entries;
    const double *y = rows.y, *inverse = rows.inverse, *inverse_r = inverse + known;
    const double n = known, mean = rows.mean;
    offer_between(
        column, mean, least, known - least, n, [&](std::uint32_t i) { return y[e[i].row] - mean; },
        [&](std::uint32_t l) {
          return RowCount{static_cast<double>(l), inverse[l]};
        },
        [&](std::uint32_t l) {
          return RowCount{n - l, inverse_r[-static_cast<std::ptrdiff_t>(l)]};
        },
        out);
  }

 private:
  template <class Index>
  static void offer_weighted(NumberColumn<Index> column, const SummedRows& rows, CutRange range,
                             Contenders& out) {
    const auto weight = [&](std::uint32_t i) { return rows.weight[column.entries[i].row]; };
    double all = 0.0, n_l = 0.0;
    for (std::uint32_t i = 0; i < column.known; ++i) all += weight(i);
    if (range.is_given()) {
      column.min_bucket = 0.0;
    } else {
      range = {1, column.known - 1};
    }
    for (std::uint32_t i = 0; i + 1 < range.least; ++i) n_l += weight(i);
    offer_between(
        column, rows.mean, range.least, range.end, all,
        [&](std::uint32_t i) { return weight(i) * (rows.y[column.entries[i].row] - rows.mean); },
        [&](std::uint32_t l) { return n_l += weight(l - 1); },
        [&](std::uint32_t) { return all - n_l; }, out);
  }

  // Those with [least, end] rows on the left, and min_bucket on both sides; off(i) is what an entry
  // adds to the sum of its side; left(l) and right(l), called in turn and in order, are the weights
  // of the sides. The numbers are added up in the column's order, so the sum on the right of a cut,
  // the total minus the left, is that of the entries after it.
  template <class Index, class Off, class Left, class Right>
  static void offer_between(const NumberColumn<Index>& column, double mean, std::uint32_t least,
                            std::uint32_t end, double all, Off off, Left left, Right right,
                            Contenders& out) {
    const auto fits = [&](const auto& side) {  // always true for rows that count 1
      if constexpr (std::is_same_v<decltype(side), const RowCount&>) return true;
      return side > 0.0 && reaches(side, column.min_bucket);
    };
    if (!std::isfinite(column.slack)) {
      for (std::uint32_t l = least; l <= end; ++l) {
        if (fits(left(l)) && fits(right(l)) && !column.tied(l)) out.offer(l, -HUGE_VAL, HUGE_VAL);
      }
      return;
    }
    double sum = 0.0, sum_left = 0.0;
    for (std::uint32_t i = 0; i < column.known; ++i) sum += off(i);
    for (std::uint32_t i = 0; i + 1 < least; ++i) sum_left += off(i);
    const auto proxy = [&](std::uint32_t l, double& s_l) {
      s_l += off(l - 1);
      const auto n_l = left(l), n_r = right(l);
      if (!fits(n_l) || !fits(n_r)) return std::nan("");
      return Criterion::part(s_l, n_l, mean) + Criterion::part(sum - s_l, n_r, mean);
    };
    offer_numbers(column, least, end, Criterion::part(sum, all, mean), all / column.share, sum_left,
                  proxy, out);
  }
};

// The rows of a node by their numbers.
template <class Index>
struct RankedRows {
  const Index* place;    // by row: its position among the node's numbers
  const double* sorted;  // the node's numbers around their median, ascending
  double deviation;      // the sum of all
};

// By least absolute deviations, if every row counts 1. A cut's proxy is minus the deviations of its
// two sides; its gain is share (proxy + the deviation of all) / n.
template <class Index>
class MedianScan {
 public:
  // Offers every admissible cut of the known rows that may be the best and reach the floor.
  void offer_cuts(const NumberColumn<Index>& column, const RankedRows<Index>& rows,
                  Contenders& out) {
    const std::uint32_t least = column.least_rows();
    if (least > column.known / 2) return;
    const double of_all = value_cuts(column, rows, least);
    offer_numbers(
        column, least, column.known - least, -of_all, column.known / column.share, 0.0,
        [&](std::uint32_t l, double&) { return -(left_[l] + right_[l]); }, out);
  }

 private:
  // left_[l] and right_[l]: the deviation of the first l rows and of the rows after them, at least
  // `least` each. Each side begins with all rows and loses those of the other. Returns the
  // deviation of all.
  double value_cuts(const NumberColumn<Index>& column, const RankedRows<Index>& rows,
                    std::uint32_t least) {
    const auto place_of = [&](std::uint32_t i) { return rows.place[column.entries[i].row]; };
    MedianChain<Index> left(rows.sorted, column.rows, rows.deviation, left_links_);
    for (std::uint32_t i = column.known; i < column.rows; ++i) left.leave_out(place_of(i));
    if (column.known < column.rows) left.settle();
    MedianChain<Index> right = left.copy(right_links_);
    const double of_all = left.absolute_deviation();
    left_.resize(column.known);
    right_.resize(column.known);
    for (std::uint32_t l = column.known, r = 0; l > least; --l, ++r) {
      left_[l - 1] = left.remove(place_of(l - 1));
      right_[r + 1] = right.remove(place_of(r));
    }
    return of_all;
  }

  typename MedianChain<Index>::Links left_links_, right_links_;
  std::vector<double> left_, right_;  // deviations of the sides of each cut
};

}  // namespace tectree

// Proxies that are gains but for a shift and a scale.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "../../criterion/deviation.hpp"
#include "../../data/arena.hpp"
#include "../../tally/medians.hpp"
#include "../../tally/weights.hpp"
#include "../choose/column_result.hpp"
#include "../scan/cut_proxies.hpp"

namespace tectree {

struct GainProxies {
  const CutProxies& proxies;
  double base;      // the proxy of no gain
  double per_gain;  // how much higher the proxy of a gain of 1 is
  double slack;     // how far a gain may be off, ties included

  double gain(std::uint32_t l) const { return (proxies.of(l) - base) / per_gain; }

  // The least proxy of a cut that gains as much. Below what a double holds gains are rounded by
  // more than their slack.
  double bar(double least) const {
    return (least - slack - std::numeric_limits<double>::denorm_min()) * per_gain + base;
  }

  // Offers the cuts between different values that may be the best of the column and gain as much as
  // the floor.
  template <class Index>
  void offer(const Entry<Index>* entries, double floor, Contenders& out) const {
    const auto tied = [&](std::uint32_t l) { return entries[l - 1].rank == entries[l].rank; };
    // Half of the slack is room for what bar() and gain() round.
    double enough = bar(floor - slack / 2);
    if (!(proxies.most() >= enough)) return;
    const std::uint32_t best = proxies.best(tied);
    // Where gains are next to nothing there may be no slack: the best stays in any case.
    if (best > 0 && gain(best) - slack >= floor)
      enough = std::min(bar(gain(best) - 1.5 * slack), proxies.of(best));
    proxies.each(enough, tied, [&](std::uint32_t l) {
      const double value = gain(l);
      out.offer(l, value - slack, value + slack);
    });
  }
};

// All cuts of one sorted column by their sums, O(1) a row. Where rows count 1 the number of rows on
// the left is the place of the cut, so dividing by it is multiplying by an entry of a table.
//
// A cut's proxy is the parts of its two sides; its gain is share (proxy - the part of all) / n.
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

// All cuts of one sorted column by least absolute deviations, where every row counts 1: O(1) a row.
//
// A cut's proxy is what its two sides deviate by, taken negative; its gain is share (proxy + what
// all deviate by) / n.
// The sorted rows of a column: n, of which the first `known` have a value.
template <class Index>
struct MedianColumn {
  const Entry<Index>* entries;
  const Index* place;    // by row: its place among the node's numbers
  const double* sorted;  // the node's numbers around their median, ascending
  std::uint32_t n, known;
  double deviation;     // the sum of all n
  double share;         // of the node's weight that has a value: gains count that much
  double slack;         // how far a gain may be off, ties included
  std::uint32_t least;  // rows a side
  double floor;         // only cuts that may gain as much are asked for

  std::size_t place_of(std::uint32_t i) const { return place[entries[i].row]; }
};

template <class Index>
class MedianScan {
 public:
  // Offers every admissible cut that may be the best and reach the floor.
  void offer_cuts(const MedianColumn<Index>& column, Contenders& out) {
    const std::uint32_t least = std::max(column.least, 1u);
    if (least > column.known / 2) return;
    // Links of 16 bits fit the cache where those of 32 do not.
    const double of_all = column.n <= most_narrow ? value_cuts(column, least, narrow_)
                                                  : value_cuts(column, least, wide_);
    proxies_.make(least, column.known - least,
                  [&](std::uint32_t from, std::uint32_t to, double* proxies) {
                    double most = -HUGE_VAL;
                    for (std::uint32_t l = from; l < to; ++l) {
                      const double here = -(left_[l] + right_[l]);
                      proxies[l] = here;
                      most = here > most ? here : most;
                    }
                    return most;
                  });
    GainProxies{proxies_, -of_all, column.known / column.share, column.slack}.offer(
        column.entries, column.floor, out);
  }

 private:
  static constexpr std::uint32_t most_narrow = 65535;

  // Of the chains of both sides.
  template <class Small>
  struct Room {
    typename MedianChain<Small>::Links left, right;
  };

  // left_[l] and right_[l]: of the l first rows and of the rows after them, at least `least` each.
  // Each side begins with all rows and loses those of the other. Returns the sum of all.
  template <class Small>
  double value_cuts(const MedianColumn<Index>& column, std::uint32_t least, Room<Small>& room) {
    MedianChain<Small> left(column.sorted, column.n, column.deviation, room.left);
    for (std::uint32_t i = column.known; i < column.n; ++i) left.leave_out(column.place_of(i));
    if (column.known < column.n) left.settle();
    MedianChain<Small> right = left.copy(room.right);
    const double of_all = left.absolute_deviation();
    left_.resize(column.known);
    right_.resize(column.known);
    std::uint32_t l = column.known, r = 0;  // the rows on the left of either side's cut
    const auto move_one = [&] {
      left_[l - 1] = left.remove(column.place_of(l - 1));
      right_[r + 1] = right.remove(column.place_of(r));
      --l;
      ++r;
    };
    if (column.known % 2 == 0) move_one();
    for (; l >= least + 2; l -= 2, r += 2) {
      left_[l - 2] = left.remove_two(column.place_of(l - 1), column.place_of(l - 2), left_[l - 1]);
      right_[r + 2] = right.remove_two(column.place_of(r), column.place_of(r + 1), right_[r + 1]);
    }
    if (l > least) move_one();
    return of_all;
  }

  Room<std::uint16_t> narrow_;
  Room<std::uint32_t> wide_;
  std::vector<double> left_, right_;  // what the sides of each cut deviate by
  CutProxies proxies_;
};

}  // namespace tectree

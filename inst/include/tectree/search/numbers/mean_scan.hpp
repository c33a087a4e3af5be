// All cuts of one sorted column by their sums, where every row counts 1: the number of rows on the
// left is the place of the cut, so dividing by it is multiplying by an entry of a table.
//
// A cut's proxy is the parts of its two sides; its gain is share (proxy - the part of all) / n.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../../criterion/deviation.hpp"
#include "../../data/arena.hpp"
#include "gain_proxies.hpp"

namespace tectree {

// The sorted rows of a column that have a value.
template <class Index>
struct MeanColumn {
  const Entry<Index>* entries;
  const double* y;        // by row
  const double* inverse;  // inverse[i] = 1 / i
  std::uint32_t n;
  double mean;          // of the node's numbers
  double share;         // of the node's weight that has a value: gains count that much
  double slack;         // how far a gain may be off, ties included
  std::uint32_t least;  // rows a side
  double floor;         // only cuts that may gain as much are asked for
};

template <class Criterion>
class MeanScan {
 public:
  // Offers every admissible cut that may be the best and reach the floor.
  template <class Index>
  void offer_cuts(const MeanColumn<Index>& column, Contenders& out) {
    const std::uint32_t least = std::max(column.least, 1u);
    if (least > column.n / 2) return;
    const double sum = value_cuts(column, least, column.n - least);
    const double n = column.n, of_all = Criterion::part(sum, n, column.mean);
    GainProxies{proxies_, of_all, n / column.share, column.slack}.offer(column.entries,
                                                                        column.floor, out);
  }

 private:
  // The sum of all numbers less the mean. They are added up in the column's order, so that what is
  // left on the right of a cut is what follows it.
  template <class Index>
  double value_cuts(const MeanColumn<Index>& column, std::uint32_t least, std::uint32_t end) {
    const Entry<Index>* e = column.entries;
    const double *y = column.y, *inverse_l = column.inverse, *inverse_r = inverse_l + column.n;
    const double mean = column.mean, n = column.n;
    double sum = 0.0;
    for (std::uint32_t i = 0; i < column.n; ++i) sum += y[e[i].row] - mean;
    double left = 0.0;
    for (std::uint32_t i = 0; i + 1 < least; ++i) left += y[e[i].row] - mean;
    proxies_.make(least, end, [&](std::uint32_t from, std::uint32_t to, double* proxies) {
      double most = -HUGE_VAL, s_l = left;
      for (std::uint32_t l = from; l < to; ++l) {
        s_l += y[e[l - 1].row] - mean;
        const double s_r = sum - s_l;
        const RowCount n_l{static_cast<double>(l), inverse_l[l]},
            n_r{n - n_l.n, inverse_r[-static_cast<std::ptrdiff_t>(l)]};
        const double here = Criterion::part(s_l, n_l, mean) + Criterion::part(s_r, n_r, mean);
        proxies[l] = here;
        most = here > most ? here : most;
      }
      left = s_l;
      return most;
    });
    return sum;
  }

  CutProxies proxies_;
};

}  // namespace tectree

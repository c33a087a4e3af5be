// All cuts of one sorted column by least absolute deviations, where every row counts 1: O(1) a row.
//
// A cut's proxy is what its two sides deviate by, taken negative; its gain is share (proxy + what
// all deviate by) / n.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../../data/arena.hpp"
#include "../../tally/median_chain.hpp"
#include "gain_proxies.hpp"

namespace tectree {

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

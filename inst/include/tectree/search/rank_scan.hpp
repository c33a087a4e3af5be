// All cuts of one sorted column by least absolute deviations, where every row counts 1: O(1) a row.
#pragma once

#include <cstdint>
#include <vector>

#include "../data/arena.hpp"
#include "../tally/median_chain.hpp"
#include "slot.hpp"

namespace tectree {

template <class Index>
class RankScan {
 public:
  // Offers the cuts of the entries e[0, known) of a node's e[0, n), at least `least` rows a side.
  // `place` tells a row's place among the node's numbers, which are `sorted`. Values are the sum of
  // deviations that a cut saves, over `known`, times `share`.
  void offer(const Entry<Index>* e, std::size_t known, const Index* place,
             const std::vector<double>& sorted, std::size_t least, double share, double slack,
             Contenders& out) {
    left_.start(sorted);
    for (std::size_t i = sorted.size(); i-- > known;) left_.remove(place[e[i].row]);
    right_ = left_;
    const double total = left_.absolute_deviation();
    cost_.resize(known);
    if (least < 1) least = 1;
    // cost_[i]: of the i first rows. The other side, from the rows after them, is written beside.
    rest_.resize(known);
    for (std::size_t i = 1; i < known; ++i) {
      left_.remove(place[e[known - i].row]);
      right_.remove(place[e[i - 1].row]);
      cost_[known - i] = left_.absolute_deviation();
      rest_[i] = right_.absolute_deviation();
    }
    const double n = static_cast<double>(known);
    for (std::size_t i = least; i + least <= known; ++i) {
      if (e[i - 1].rank == e[i].rank) continue;
      const double value = share * (total - cost_[i] - rest_[i]) / n;
      out.offer(static_cast<std::uint32_t>(i), value - slack, value + slack);
    }
  }

 private:
  MedianChain<Index> left_, right_;
  std::vector<double> cost_, rest_;
};

}  // namespace tectree

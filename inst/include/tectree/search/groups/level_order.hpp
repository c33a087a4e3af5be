// Orders of a nominal column's levels along which cutting finds the best grouping, or a good one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "groups.hpp"

namespace tectree {

constexpr std::size_t all_groupings_limit = 12;

// The groups by `key` ascending, ties by level. Keys that differ by rounding alone are ties.
inline std::vector<std::uint32_t> order_by(const std::vector<double>& key) {
  std::vector<std::uint32_t> order(key.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return key[a] < key[b]; });
  double largest = 0.0;
  for (double x : key) largest = std::max(largest, std::fabs(x));
  for (std::size_t begin = 0, end; begin < order.size(); begin = end) {
    end = begin + 1;
    while (end < order.size() && key[order[end]] - key[order[end - 1]] <= 1e-12 * largest) ++end;
    std::sort(order.begin() + begin, order.begin() + end);
  }
  return order;
}

inline std::vector<int> classes_present(const Groups& groups) {
  std::vector<int> present;
  for (int s = 0; s < groups.stride; ++s) {
    if (groups.total[s] > 0.0) present.push_back(s);
  }
  return present;
}

// By the share of one class: with two classes and a concave entropy the best grouping is a prefix
// of this order.
inline std::vector<std::uint32_t> order_by_share(const Groups& groups, int of_class) {
  std::vector<double> share(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g)
    share[g] = groups.of(g)[of_class] / groups.weight[g];
  return order_by(share);
}

// By the projection of each level's class shares on their first principal component, levels
// weighted by their rows (Coppersmith, Hong & Hosking 1999): a heuristic for more than two classes.
// Defined in component_order.hpp, which alone includes Armadillo.
template <class Groups>
std::vector<std::uint32_t> order_by_component(const Groups& groups,
                                              const std::vector<int>& present);

}  // namespace tectree

#ifndef TECTREE_SEARCHES_APART
#include "component_order.hpp"
#endif

// The number of divisions of a column that CHAID considers: the multiplier of Bonferroni's
// adjustment.
#pragma once

#include <cstddef>
#include <vector>

#include "../../criterion/tail.hpp"

namespace tectree::chaid {

// Which groups of a column may be merged: any two; neighbours; or neighbours and, with any, the
// rows with a missing value, which are the last category.
enum class Order { none, full, floating };

inline double log_choose(double n, double r) {
  if (r < 0.0 || r > n) return -HUGE_VAL;
  return log_gamma(n + 1) - log_gamma(r + 1) - log_gamma(n - r + 1);
}

// The number of ways to put n things into r groups (Stirling's, of the second kind).
inline double log_partitions(std::size_t n, std::size_t r) {
  std::vector<double> ways(r + 1, -HUGE_VAL);
  ways[0] = 0.0;
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t j = std::min(i, r); j > 0; --j)
      ways[j] = log_add(std::log(static_cast<double>(j)) + ways[j], ways[j - 1]);
    ways[0] = -HUGE_VAL;
  }
  return ways[r];
}

// Of n categories into r groups (Kass 1980). Rows with a missing value are one of the categories.
inline double log_divisions(Order order, std::size_t n, std::size_t r) {
  const auto from = static_cast<double>(n), to = static_cast<double>(r);
  if (order == Order::none) return log_partitions(n, r);
  if (order == Order::full) return log_choose(from - 1, to - 1);
  return log_add(log_choose(from - 2, to - 2), std::log(to) + log_choose(from - 2, to - 1));
}

// Exhaustive merging: the pairs compared until two groups are left (Biggs et al. 1991).
inline double log_pairs(Order order, std::size_t n) {
  const auto from = static_cast<double>(n);
  return order == Order::none ? std::log(from * (from * from - 1) / 6)
                              : std::log(from * (from - 1) / 2);
}

}  // namespace tectree::chaid

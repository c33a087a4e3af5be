// How CHAID bins numbers into ordered groups of about equal counts: once, for the whole sample.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "../../data/arena.hpp"
#include "../../split/split.hpp"
#include "../door/search_control.hpp"

namespace tectree::chaid {

// By column: the bounds between its groups, ascending; empty if it is not binned.
using Bounds = std::vector<std::vector<double>>;

// For ordered values with their weights. A value's rank is the mean rank of its rows; group k of m
// contains the ranks r with floor(r m / (n + 1)) = k, so a group may be empty and equal values stay
// together.
inline std::vector<double> equal_counts(const std::vector<std::pair<double, double>>& in_order,
                                        int m) {
  double n = 0.0, below = 0.0, last_value = 0.0;
  for (const auto& [value, weight] : in_order) n += weight;
  std::vector<double> out;
  double last_group = -1.0;
  for (const auto& [value, weight] : in_order) {
    const double rank = below + (weight + 1.0) / 2;
    const double group = std::floor(rank * m / (n + 1.0) * (1 + 1e-14));
    if (last_group >= 0.0 && group > last_group) out.push_back(between(last_value, value));
    last_group = group;
    last_value = value;
    below += weight;
  }
  return out;
}

// The distinct values of a column, ascending, with their weights.
inline std::vector<std::pair<double, double>> weighed_values(const Column& column,
                                                             const Sample& sample) {
  std::vector<std::pair<double, double>> all;
  all.reserve(sample.size);
  each_value(column, sample, [&](std::size_t i, double x) {
    if (!std::isnan(x)) all.emplace_back(x, sample.weight(i));
    return true;
  });
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t n = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (n > 0 && all[n - 1].first == all[i].first) {
      all[n - 1].second += all[i].second;
    } else {
      all[n++] = all[i];
    }
  }
  all.resize(n);
  return all;
}

inline std::shared_ptr<const Bounds> bounds_of(const Frame& frame, const Sample& sample,
                                               const SearchControl& control, Team& team) {
  auto out = std::make_shared<Bounds>(frame.columns.size());
  if (!control.by_chaid()) return out;
  team.each_if(Team::worth(sample.size * frame.columns.size()), frame.columns.size(),
               [&](std::size_t c, Team&) {
                 const Column& column = frame.columns[c];
                 if (!column.present() || column.kind != Kind::numeric) return;
                 (*out)[c] = equal_counts(weighed_values(column, sample), control.intervals);
               });
  return out;
}

}  // namespace tectree::chaid

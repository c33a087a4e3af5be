// A few rows of a coarsely coded column in the order of their values: dealt out by code, then
// sorted within codes.
#pragma once

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "coarse.hpp"

namespace tectree {

namespace detail {

// Entries dealt out by code: sorts each bin by its numbers and ranks them.
inline void sort_bins(const Column& values, int codes, const Sample& sample,
                      const std::vector<std::uint32_t>& rows, const std::uint32_t* start,
                      ArenaColumn<std::uint16_t>& out) {
  std::vector<std::pair<double, std::uint16_t>> items;
  std::uint16_t rank = 0;
  for (int b = 0; b < codes; ++b) {
    items.clear();
    for (std::uint32_t i = start[b]; i < start[b + 1]; ++i) {
      const std::uint16_t row = out.entries[i].row;
      items.emplace_back(values.value(sample.row(rows[row])), row);
    }
    std::sort(items.begin(), items.end());
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i == 0 ? start[b] > 0 : items[i].first != items[i - 1].first) ++rank;
      out.entries[start[b] + i] = {rank, items[i].second};
    }
  }
}

// A factor of more levels than there are codes.
inline void sort_levels(const Column& values, const Sample& sample,
                        const std::vector<std::uint32_t>& rows, ArenaColumn<std::uint16_t>& out) {
  std::vector<std::pair<int, std::uint16_t>> items;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int level = values.whole[sample.row(rows[i])];
    items.emplace_back(level == missing_code ? INT_MAX : level, static_cast<std::uint16_t>(i));
  }
  std::sort(items.begin(), items.end());
  out.has_missing = !items.empty() && items.back().first == INT_MAX;
  std::uint16_t rank = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool missing = items[i].first == INT_MAX;
    if (i > 0 && !missing && items[i].first != items[i - 1].first) ++rank;
    out.entries[i] = {missing ? missing_rank<std::uint16_t> : rank, items[i].second};
  }
}

}  // namespace detail

// The entries of some rows in the order of their values.
inline void sort_rows(const Column& values, const CoarseColumn& column, const Sample& sample,
                      const std::vector<std::uint32_t>& rows, ArenaColumn<std::uint16_t>& out) {
  out.entries.resize(rows.size());
  if (!column.coded) return detail::sort_levels(values, sample, rows, out);
  std::array<std::uint32_t, 258> start{};
  const std::uint8_t* code = column.binned.code.data();
  for (std::uint32_t row : rows) ++start[code[row] + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  out.has_missing = start[column.codes] < rows.size();
  std::array<std::uint32_t, 258> to = start;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint8_t of = code[rows[i]];
    const std::uint16_t rank = of == column.codes ? missing_rank<std::uint16_t> : of;
    out.entries[to[of]++] = {rank, static_cast<std::uint16_t>(i)};
  }
  if (!column.exact) detail::sort_bins(values, column.codes, sample, rows, start.data(), out);
}

}  // namespace tectree

// A few rows of a coarsely coded column in the order of their values: a radix sort by the position
// inside the bin, then by bin. Values, which may be anywhere in memory, are read only for rows with
// the same bin and position.
#pragma once

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "coded_column.hpp"

namespace tectree {

// Working space of sort_rows(), one per thread.
struct RowSorting {
  // A row and its value, in the place of an entry.
  struct Valued {
    double value;
    std::uint16_t row, at;
  };
  std::vector<std::uint16_t> places;          // code and position in the bin, 8 bits each
  std::vector<std::uint32_t> keys, by_place;  // the same and the number of the row, 16 bits
  std::vector<std::uint16_t> shared;          // entries with the same place as the one before
  std::vector<Valued> valued;
};

namespace detail {

// The first entry of every code, from the number of entries of each.
using Starts = std::array<std::uint32_t, 257>;
inline void sum_up(Starts& counts) {
  std::partial_sum(counts.begin(), counts.end(), counts.begin());
}

// If every code is one value: codes are ranks.
inline void deal_by_code(const CodedColumn& column, const std::vector<std::uint32_t>& rows,
                         RowSorting& space, ArenaColumn<std::uint16_t>& out) {
  const std::uint8_t* code = column.binned.code.data();
  const std::size_t n = rows.size();
  Starts start{};
  space.places.resize(n);
  for (std::size_t i = 0; i < n; ++i) ++start[(space.places[i] = code[rows[i]]) + 1];
  sum_up(start);
  out.has_missing = start[column.missing()] < n;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint16_t rank = space.places[i];
    out.entries[start[rank]++] = {rank == column.missing() ? missing_rank<std::uint16_t> : rank,
                                  static_cast<std::uint16_t>(i)};
  }
}

// Sorts keys by place, and rows with the same place by number; returns how many have a value.
inline std::size_t deal_out(const CodedColumn& column, const std::vector<std::uint32_t>& rows,
                            RowSorting& space) {
  const std::uint8_t *code = column.binned.code.data(), *within = column.within.data();
  const std::size_t n = rows.size();
  space.places.resize(n);
  space.by_place.resize(n);
  space.keys.resize(n);
  Starts inside{}, start{};
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t of = code[rows[i]], in = within[rows[i]];
    space.places[i] = static_cast<std::uint16_t>(of << 8 | in);
    ++start[of + 1];
    ++inside[in + 1];
  }
  sum_up(start);
  sum_up(inside);
  const std::size_t known = start[column.codes];
  for (std::uint32_t i = 0; i < n; ++i) {
    space.by_place[inside[space.places[i] & 255]++] =
        static_cast<std::uint32_t>(space.places[i]) << 16 | i;
  }
  for (std::uint32_t by_place : space.by_place) space.keys[start[by_place >> 24]++] = by_place;
  return known;
}

// Sorts entries that share a place by their values, and gives equal ones the same rank.
inline void settle_shared(RowSorting& space, std::vector<Entry<std::uint16_t>>& out) {
  std::vector<RowSorting::Valued>& all = space.valued;
  for (std::size_t begin = 0, end; begin < all.size(); begin = end) {
    end = begin + 1;
    const std::uint16_t first = all[begin].at;
    while (end < all.size() && space.keys[all[end].at] >> 16 == space.keys[first] >> 16) ++end;
    std::sort(all.begin() + begin, all.begin() + end, [](const auto& a, const auto& b) {
      return a.value != b.value ? a.value < b.value : a.row < b.row;
    });
    for (std::size_t i = begin; i < end; ++i) {
      const auto at = static_cast<std::uint16_t>(first + (i - begin));
      const bool tied = i > begin && all[i].value == all[i - 1].value;
      const std::uint32_t rank = tied ? out[at - 1].rank : at;
      out[at] = {rank, all[i].row};
    }
  }
}

// Entries from sorted keys, each with its own rank unless values are equal. The values of keys that
// share a place are read in one go.
inline void rank_rows(const Column& values, const Sample& sample,
                      const std::vector<std::uint32_t>& rows, std::size_t known, RowSorting& space,
                      std::vector<Entry<std::uint16_t>>& out) {
  const std::uint32_t* keys = space.keys.data();
  space.shared.resize(known);
  std::size_t n = 0;
  for (std::size_t i = 0; i < known; ++i) {
    out[i] = {static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(keys[i])};
    space.shared[n] = static_cast<std::uint16_t>(i);
    n += i > 0 && keys[i] >> 16 == keys[i - 1] >> 16;
  }
  space.valued.clear();
  const auto add = [&](std::uint16_t at) {
    const std::uint16_t row = out[at].row;
    space.valued.push_back({values.value(sample.row(rows[row])), row, at});
  };
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint16_t at = space.shared[i];
    if (space.valued.empty() || space.valued.back().at != at - 1)
      add(static_cast<std::uint16_t>(at - 1));
    add(at);
  }
  settle_shared(space, out);
}

// A factor with more levels than codes.
inline void sort_levels(const Column& values, const Sample& sample,
                        const std::vector<std::uint32_t>& rows, ArenaColumn<std::uint16_t>& out) {
  std::vector<std::pair<int, std::uint16_t>> items;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int level = values.level(sample.row(rows[i]));
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

// The levels of some rows.
inline void list_levels(const CodedColumn& column, const std::vector<std::uint32_t>& rows,
                        ArenaColumn<std::uint16_t>& out) {
  const std::uint8_t missing = column.missing();
  out.levels = missing;
  out.level.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out.level[i] = column.binned.code[rows[i]];
    out.has_missing |= out.level[i] == missing;
  }
}

// The entries of some rows in the order of their values.
inline void sort_rows(const Column& values, const CodedColumn& column, const Sample& sample,
                      const std::vector<std::uint32_t>& rows, RowSorting& space,
                      ArenaColumn<std::uint16_t>& out) {
  out.entries.resize(rows.size());
  if (!column.coded) return detail::sort_levels(values, sample, rows, out);
  if (column.exact) return detail::deal_by_code(column, rows, space, out);
  const std::size_t known = detail::deal_out(column, rows, space);
  out.has_missing = known < rows.size();
  for (std::size_t i = known; i < rows.size(); ++i)
    out.entries[i] = {missing_rank<std::uint16_t>, static_cast<std::uint16_t>(space.keys[i])};
  detail::rank_rows(values, sample, rows, known, space, out.entries);
}

}  // namespace tectree

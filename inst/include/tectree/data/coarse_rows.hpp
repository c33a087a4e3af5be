// A few rows of a coarsely coded column in the order of their values: dealt out by bin, put in
// order by how far inside the bin they lie; only where two lie in the same place their values are
// looked at, which stand anywhere in memory.
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

// Working space of sort_rows(), for one thread.
struct RowSorting {
  std::vector<std::uint16_t> places;  // code and place in the bin, 8 bits each
  std::vector<std::uint32_t> keys;    // the same and the number of the row, 16 bits
  std::vector<std::pair<double, std::uint16_t>> run;
};

namespace detail {

// Puts a few different numbers in order without a branch that could not be predicted: each goes to
// the place that the number of smaller ones tells.
constexpr std::size_t few_keys = 24;
inline void sort_few(std::uint32_t* x, std::size_t n) {
  std::uint32_t sorted[few_keys], place[few_keys];
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t here = x[i];
    std::uint32_t before = 0;
    for (std::size_t j = 0; j < i; ++j) {
      const bool smaller = x[j] < here;
      before += smaller;
      place[j] += !smaller;
    }
    place[i] = before;
  }
  for (std::size_t i = 0; i < n; ++i) sorted[place[i]] = x[i];
  std::copy_n(sorted, n, x);
}

inline void sort_keys(std::uint32_t* x, std::size_t n) {
  if (n < 2) return;
  if (n <= few_keys) return sort_few(x, n);
  std::sort(x, x + n);
}

// Entries from keys in order; rows that share a place are put in order by their values.
inline void rank_rows(const Column& values, const Sample& sample,
                      const std::vector<std::uint32_t>& rows, std::size_t known, RowSorting& space,
                      std::vector<Entry<std::uint16_t>>& out) {
  const std::uint32_t* keys = space.keys.data();
  std::uint16_t rank = 0;
  for (std::size_t begin = 0, end; begin < known; begin = end) {
    end = begin + 1;
    while (end < known && keys[end] >> 16 == keys[begin] >> 16) ++end;
    if (begin > 0) ++rank;
    if (end == begin + 1) {
      out[begin] = {rank, static_cast<std::uint16_t>(keys[begin])};
      continue;
    }
    space.run.clear();
    for (std::size_t i = begin; i < end; ++i) {
      const auto row = static_cast<std::uint16_t>(keys[i]);
      space.run.emplace_back(values.value(sample.row(rows[row])), row);
    }
    std::sort(space.run.begin(), space.run.end());
    for (std::size_t i = 0; i < space.run.size(); ++i) {
      if (i > 0 && space.run[i].first != space.run[i - 1].first) ++rank;
      out[begin + i] = {rank, space.run[i].second};
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
                      const std::vector<std::uint32_t>& rows, RowSorting& space,
                      ArenaColumn<std::uint16_t>& out) {
  out.entries.resize(rows.size());
  if (!column.coded) return detail::sort_levels(values, sample, rows, out);
  std::array<std::uint32_t, 258> start{};
  const std::uint8_t *code = column.binned.code.data(), *within = column.within.data();
  space.places.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t of = code[rows[i]];
    space.places[i] = static_cast<std::uint16_t>(of << 8 | (column.exact ? 0 : within[rows[i]]));
    ++start[of + 1];
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  const std::size_t known = start[column.codes];
  out.has_missing = known < rows.size();
  std::array<std::uint32_t, 258> to = start;
  space.keys.resize(rows.size());
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t place = space.places[i];
    space.keys[to[place >> 8]++] = place << 16 | i;
  }
  for (std::size_t i = known; i < rows.size(); ++i)
    out.entries[i] = {missing_rank<std::uint16_t>, static_cast<std::uint16_t>(space.keys[i])};
  if (column.exact) {
    for (std::size_t i = 0; i < known; ++i) {
      const std::uint32_t key = space.keys[i];
      out.entries[i] = {static_cast<std::uint16_t>(key >> 24), static_cast<std::uint16_t>(key)};
    }
    return;
  }
  for (int b = 0; b < column.codes; ++b)
    detail::sort_keys(space.keys.data() + start[b], start[b + 1] - start[b]);
  detail::rank_rows(values, sample, rows, known, space, out.entries);
}

}  // namespace tectree

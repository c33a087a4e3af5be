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

// Puts a few numbers in order without a branch that could not be predicted: each goes to the place
// that the number of those before it tells. Equal ones stay as they were.
class FewInOrder {
 public:
  static constexpr std::uint32_t most = 24;

  // place(i) of the i-th of `n` numbers, which are read in order.
  FewInOrder(const double* x, std::uint32_t n) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const double here = x[i];
      std::uint32_t before = 0;
      for (std::uint32_t j = 0; j < i; ++j) {
        const bool stays = x[j] <= here;
        before += stays;
        place_[j] += !stays;
      }
      place_[i] = before;
    }
  }
  std::uint32_t place(std::uint32_t i) const { return place_[i]; }

 private:
  std::uint32_t place_[most];
};

}  // namespace detail

// Working space of sort_rows(), for one thread.
struct RowSorting {
  std::vector<double> value;
  std::vector<std::pair<double, std::uint16_t>> items;
};

namespace detail {

// Sorts entries of one bin, the numbers of which stand in `value`, by these.
inline void sort_bin(Entry<std::uint16_t>* e, std::uint32_t n, double* value,
                     std::vector<std::pair<double, std::uint16_t>>& items) {
  items.resize(n);
  if (n <= FewInOrder::most) {
    const FewInOrder order(value, n);
    for (std::uint32_t i = 0; i < n; ++i) items[order.place(i)] = {value[i], e[i].row};
  } else {
    for (std::uint32_t i = 0; i < n; ++i) items[i] = {value[i], e[i].row};
    std::sort(items.begin(), items.end());
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    value[i] = items[i].first;
    e[i].row = items[i].second;
  }
}

// Entries dealt out by code: sorts each bin by its numbers and ranks them. The numbers, which stand
// anywhere in memory, are asked for together.
inline void sort_bins(const Column& values, int codes, const Sample& sample,
                      const std::vector<std::uint32_t>& rows, const std::uint32_t* start,
                      RowSorting& space, ArenaColumn<std::uint16_t>& out) {
  const std::uint32_t n = start[codes];
  Entry<std::uint16_t>* e = out.entries.data();
  space.value.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) space.value[i] = values.value(sample.row(rows[e[i].row]));
  for (int b = 0; b < codes; ++b) {
    const std::uint32_t size = start[b + 1] - start[b];
    if (size > 1) sort_bin(e + start[b], size, space.value.data() + start[b], space.items);
  }
  std::uint16_t rank = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (i > 0 && space.value[i] != space.value[i - 1]) ++rank;
    e[i].rank = rank;
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
  if (!column.exact)
    detail::sort_bins(values, column.codes, sample, rows, start.data(), space, out);
}

}  // namespace tectree

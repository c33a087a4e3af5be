// Room data/: views of the columns, and the rows of each node sorted by every column.
//
// The rows of a tree or subtree: every column is sorted once, and its (rank, row) entries are kept
// such that each node owns one contiguous range of every column and finds its rows there already
// sorted.
//
// Dividing a node is a stable partition of its ranges: with rows a..h, column x sorted as  c a f |
// h b e, and {a, b, c} going left, the range becomes  c a b | f h e : both halves are still sorted
// by x.
//
// Index has 32 bits for the whole sample, and 16 for a subtree with few rows, whose arena then fits
// the cache.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "../base/team.hpp"
#include "frame.hpp"
#include "order.hpp"

namespace tectree {

template <class Index>
struct Entry {
  Index rank, row;
};

// A search may store a tag of the row, such as its class, in the bits that few rows do not need.
template <>
struct Entry<std::uint16_t> {
  static constexpr int bits = 14, tag_bits = 32 - 2 * bits;  // of a rank or a row; of a tag
  static constexpr std::size_t most_rows = 1 << bits, tags = 1 << tag_bits;

  Entry() = default;
  Entry(std::size_t at_rank, std::size_t of_row)
      : rank(at_rank & (most_rows - 1)), tag(0), row(of_row & (most_rows - 1)) {}

  std::uint32_t rank : bits, tag : tag_bits, row : bits;
};

// Rank of rows with a missing value. On 16 bits the last of the maximum number of rows may have
// this rank, but not if one of them has no value.
template <class Index>
inline constexpr Index missing_rank = std::numeric_limits<Index>::max();
template <>
inline constexpr std::uint16_t missing_rank<std::uint16_t> = Entry<std::uint16_t>::most_rows - 1;

// End of the entries with the first one's value.
template <class Index>
const Entry<Index>* end_of_run(const Entry<Index>* first, const Entry<Index>* last) {
  const Index rank = first->rank;
  while (first < last && first->rank == rank) ++first;
  return first;
}

template <class Index>
struct ArenaColumn {
  std::vector<Entry<Index>> entries;  // rows with a missing value come last
  bool has_missing = false;
  // Instead of entries, for levels that are only grouped, which needs no order: by row, the number
  // of the level from 0, or `levels` if it is missing.
  std::vector<std::uint8_t> level;
  std::size_t levels = 0;

  // How many of the entries in [begin, end) have a value.
  std::size_t known(std::size_t begin, std::size_t end) const {
    if (!has_missing || begin == end || entries[end - 1].rank != missing_rank<Index>)
      return end - begin;
    const auto first = entries.begin() + begin, last = entries.begin() + end;
    return std::partition_point(
               first, last, [](const Entry<Index>& e) { return e.rank != missing_rank<Index>; }) -
           first;
  }
};

class Ranks;

template <class Index>
struct Arena {
  std::size_t n = 0;
  std::vector<ArenaColumn<Index>> columns;
  std::vector<Index> rows;             // the rows of each node, in increasing order
  std::vector<std::uint32_t> origin;   // position in the sample by row; empty: identical
  std::vector<std::uint32_t> present;  // columns that have entries here
  // For columns that are only sorted (or their levels listed) in nodes that draw them, see
  // ranks.hpp: the ranks of the values, and the place of each row there. Null if all are sorted.
  std::shared_ptr<const Ranks> ranks;
  std::vector<std::uint32_t> place;

  Arena() = default;
  Arena(std::size_t n, std::size_t n_columns, std::vector<std::uint32_t> present)
      : n(n), columns(n_columns), rows(n), present(std::move(present)) {
    std::iota(rows.begin(), rows.end(), Index{0});
  }

  std::size_t position(std::size_t row) const { return origin.empty() ? row : origin[row]; }
};

namespace detail {

template <class Index>
void sort_column(const Column& column, const Sample& sample, ArenaColumn<Index>& out) {
  // Zeros, which are frequent in many columns, need no sort: their place is known.
  std::vector<Keyed> items(sample.size), spare;
  std::vector<std::uint32_t> zeros(sample.size);
  std::vector<Index> missing;
  std::size_t others = 0, n_zeros = 0, below = 0;
  each_value(column, sample, [&](std::size_t i, double x) {
    items[others] = keyed(x, i);
    zeros[n_zeros] = static_cast<std::uint32_t>(i);
    others += x < 0 || x > 0;
    n_zeros += x == 0;
    below += x < 0;
    if (std::isnan(x)) missing.push_back(static_cast<Index>(i));
    return true;
  });
  items.resize(others);
  out.entries.resize(sample.size);
  Entry<Index>* to = out.entries.data();
  Index rank = 0;
  const auto put = [&](std::uint32_t position, bool is_new) {
    rank = static_cast<Index>(rank + (is_new && to > out.entries.data()));
    *to++ = {rank, static_cast<Index>(position)};
  };
  const auto put_zeros = [&] {
    for (std::size_t i = 0; i < n_zeros; ++i) put(zeros[i], i == 0);
  };
  std::size_t sorted = 0;
  in_order(
      items, spare, [&](std::uint32_t position) { return column.value(sample.row(position)); },
      [&](std::uint32_t position, bool is_new) {
        if (sorted++ == below) put_zeros();
        put(position, is_new);
      });
  if (sorted == below) put_zeros();
  for (Index row : missing) *to++ = {missing_rank<Index>, row};
  out.has_missing = !missing.empty();
}

template <class Index>
void list_levels(const Column& column, const Sample& sample, ArenaColumn<Index>& out) {
  out.levels = static_cast<std::size_t>(column.n_levels);
  out.level.resize(sample.size);
  for (std::size_t i = 0; i < sample.size; ++i) {
    const int level = column.level(sample.row(i));
    out.has_missing = out.has_missing || level == missing_code;
    out.level[i] = static_cast<std::uint8_t>(level == missing_code ? column.n_levels : level - 1);
  }
}

}  // namespace detail

// The arena of the whole sample, with every column sorted unless unsorted(c): its levels, at most
// 255, need no order.
template <class Index, class Unsorted>
Arena<Index> make_arena(const Frame& frame, const Sample& sample, Team& team, Unsorted unsorted) {
  std::vector<std::uint32_t> all(frame.columns.size());
  std::iota(all.begin(), all.end(), 0u);
  Arena<Index> arena(sample.size, frame.columns.size(), std::move(all));
  const bool shared = Team::worth(sample.size * frame.columns.size());
  team.each_if(shared, frame.columns.size(), [&](std::size_t c, Team&) {
    if (unsorted(c)) return detail::list_levels(frame.columns[c], sample, arena.columns[c]);
    detail::sort_column(frame.columns[c], sample, arena.columns[c]);
  });
  return arena;
}
template <class Index>
Arena<Index> make_arena(const Frame& frame, const Sample& sample, Team& team) {
  return make_arena<Index>(frame, sample, team, [](std::size_t) { return false; });
}

}  // namespace tectree

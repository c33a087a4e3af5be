// The rank of each row's value in every column of a sample. Made once: trees that search only some
// drawn columns of a node sort its rows by these ranks when columns are drawn.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "arena.hpp"

namespace tectree {

struct ColumnRanks {
  // By position in the sample: 0, 1, ... in the order of the values, and `values` for missing ones.
  // The rank of a level is its code minus 1.
  std::vector<std::uint32_t> rank;
  std::uint32_t values = 0;
  bool has_missing = false;
};

// Of a sample, for all or some of its rows.
class Ranks {
 public:
  explicit Ranks(std::vector<ColumnRanks> columns)
      : columns_(std::make_shared<const std::vector<ColumnRanks>>(std::move(columns))) {}
  // The same for the rows at some positions of the sample.
  Ranks(const Ranks& all, std::vector<std::uint32_t> positions)
      : columns_(all.columns_), positions_(std::move(positions)) {}

  const std::vector<ColumnRanks>& columns() const { return *columns_; }
  // Where the row at a position has its ranks.
  std::uint32_t place(std::uint32_t position) const {
    return positions_.empty() ? position : positions_[position];
  }

 private:
  std::shared_ptr<const std::vector<ColumnRanks>> columns_;
  std::vector<std::uint32_t> positions_;
};

// The maximum number of distinct values for sorting by counting.
constexpr std::size_t most_dealt = 4096;

inline ColumnRanks make_ranks(const Column& column, const Sample& sample) {
  ColumnRanks out;
  out.rank.resize(sample.size);
  if (column.kind != Kind::numeric) {
    out.values = static_cast<std::uint32_t>(column.n_levels);
    for (std::size_t i = 0; i < sample.size; ++i) {
      const int code = column.level(sample.row(i));
      out.has_missing = out.has_missing || code == missing_code;
      out.rank[i] = code == missing_code ? out.values : static_cast<std::uint32_t>(code - 1);
    }
    return out;
  }
  ArenaColumn<std::uint32_t> sorted;
  detail::sort_column(column, sample, sorted);
  out.has_missing = sorted.has_missing;
  const std::size_t known = sorted.known(0, sample.size);
  out.values = known > 0 ? sorted.entries[known - 1].rank + 1 : 0;
  for (std::size_t i = 0; i < sample.size; ++i)
    out.rank[sorted.entries[i].row] = i < known ? sorted.entries[i].rank : out.values;
  return out;
}

inline Ranks make_ranks(const Frame& frame, const Sample& sample, Team& team) {
  std::vector<ColumnRanks> out(frame.columns.size());
  team.each_if(Team::worth(sample.size * out.size()), out.size(),
               [&](std::size_t c, Team&) { out[c] = make_ranks(frame.columns[c], sample); });
  return Ranks(std::move(out));
}

// Turns the columns of an arena, whose `place` is set, into columns that are sorted when drawn.
template <class Index>
void sort_when_drawn(const std::shared_ptr<const Ranks>& ranks, Arena<Index>& arena) {
  for (std::uint32_t c : arena.present)
    arena.columns[c].has_missing = ranks->columns()[c].has_missing;
  arena.ranks = ranks;
}
// The same for levels that are only grouped: they are listed when drawn, not sorted.
template <class Index>
void list_when_drawn(std::uint32_t c, Arena<Index>& arena) {
  arena.columns[c].levels = arena.ranks->columns()[c].values;
  arena.columns[c].level.resize(arena.n);
}

// Sorts the rows of a node by one column. Working space of one thread.
template <class Index>
class RowSorter {
 public:
  // Entries of n rows, missing values last, in increasing row order for equal ranks. `place`: of
  // each row in the ranks.
  void sort(const ColumnRanks& column, const std::uint32_t* place, const Index* rows, std::size_t n,
            Entry<Index>* out) {
    const std::size_t cells = std::size_t{column.values} + 1;
    if (n > very_few && cells <= 2 * n && cells <= most_dealt) {
      deal(column.rank.data(), place, rows, n, cells, out);
    } else if (sizeof(Index) == 2 && cells <= std::size_t{1} << (32 - Entry<std::uint16_t>::bits)) {
      sort_keys<std::uint32_t, Entry<std::uint16_t>::bits>(column, place, rows, n, out);
    } else {
      sort_keys<std::uint64_t, 32>(column, place, rows, n, out);
    }
  }
  // The levels of n rows.
  static void list(const ColumnRanks& column, const std::uint32_t* place, const Index* rows,
                   std::size_t n, std::uint8_t* level) {
    for (std::size_t i = 0; i < n; ++i)
      level[rows[i]] = static_cast<std::uint8_t>(column.rank[place[rows[i]]]);
  }

 private:
  static constexpr std::size_t very_few = 8, few = 20;

  // By counting, if values are few.
  void deal(const std::uint32_t* rank, const std::uint32_t* place, const Index* rows, std::size_t n,
            std::size_t cells, Entry<Index>* out) {
    start_.assign(cells + 1, 0);
    dense_.resize(cells);
    of_row_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      of_row_[i] = rank[place[rows[i]]];
      ++start_[of_row_[i] + 1];
    }
    Index next = 0;
    for (std::size_t v = 0; v < cells; ++v) {
      dense_[v] = v + 1 < cells ? next : missing_rank<Index>;
      next = static_cast<Index>(next + (start_[v + 1] > 0));
      start_[v + 1] += start_[v];
    }
    for (std::size_t i = 0; i < n; ++i) out[start_[of_row_[i]]++] = {dense_[of_row_[i]], rows[i]};
  }

  // By keys of a rank and, in the lower bits, a row.
  template <class Key, int row_bits>
  void sort_keys(const ColumnRanks& column, const std::uint32_t* place, const Index* rows,
                 std::size_t n, Entry<Index>* out) {
    auto& [keys, spare] = std::get<Keys<Key>>(keys_);
    if (n > keys.size()) {
      keys.resize(n);
      spare.resize(n);
    }
    Key* key = keys.data();
    const std::uint32_t* rank = column.rank.data();
    Key least = std::numeric_limits<Key>::max(), most = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Key k = static_cast<Key>(rank[place[rows[i]]]) << row_bits | rows[i];
      key[i] = k;
      least = std::min(least, k);
      most = std::max(most, k);
    }
    if (n > few) key = by_high_bits(key, spare.data(), n, least, most);
    insert(key, n);
    constexpr Key row_of = (Key{1} << row_bits) - 1;
    // Renumbers the ranks, since an arena with few rows has few bits for them.
    Key number = 0, last = key[0] >> row_bits;
    for (std::size_t i = 0; i < n; ++i) {
      const Key r = key[i] >> row_bits;
      number += r != last;
      last = r;
      out[i] = {r == column.values ? missing_rank<Index> : static_cast<Index>(number),
                static_cast<Index>(key[i] & row_of)};
    }
  }
  // Sorts keys up to neighbours: into buckets of equal width, about as many as keys, and again
  // within a bucket with many keys.
  template <class Key>
  Key* by_high_bits(Key* key, Key* spare, std::size_t n, Key least, Key most) {
    int shift = 0;
    while ((most - least) >> shift >= 2 * n) ++shift;
    const std::size_t buckets = static_cast<std::size_t>((most - least) >> shift) + 1;
    start_.assign(buckets + 1, 0);
    for (std::size_t i = 0; i < n; ++i) ++start_[((key[i] - least) >> shift) + 1];
    std::uint32_t largest = 0;
    for (std::size_t b = 1; b <= buckets; ++b) {
      largest = std::max(largest, start_[b]);
      start_[b] += start_[b - 1];
    }
    for (std::size_t i = 0; i < n; ++i) spare[start_[(key[i] - least) >> shift]++] = key[i];
    if (largest > few) {
      std::size_t begin = 0;
      for (std::size_t b = 0; b < buckets; begin = start_[b++]) {
        Key *first = spare + begin, *last = spare + start_[b];
        if (start_[b] - begin > few && !std::is_sorted(first, last)) std::sort(first, last);
      }
    }
    return spare;
  }
  template <class Key>
  static void insert(Key* keys, std::size_t n) {
    for (std::size_t i = 1; i < n; ++i) {
      const Key key = keys[i];
      std::size_t j = i;
      for (; j > 0 && keys[j - 1] > key; --j) keys[j] = keys[j - 1];
      keys[j] = key;
    }
  }

  template <class Key>
  struct Keys {
    std::vector<Key> keys, spare;
  };
  std::tuple<Keys<std::uint32_t>, Keys<std::uint64_t>> keys_;
  std::vector<std::uint32_t> start_;   // of each rank or bucket
  std::vector<std::uint32_t> of_row_;  // ranks, in the order of rows
  std::vector<Index> dense_;           // the number of each rank within the node
};

}  // namespace tectree

// Where the rows of a (sub)tree live: every column sorted once, its (rank, row) entries kept so
// that each node owns one contiguous range of every column and finds its rows there already in
// order.
//
// Dividing a node is a stable partition of its ranges: with rows a..h, column x sorted as  c a f |
// h b e, and {a, b, c} going left, the range becomes  c a b | f h e : both halves are still sorted
// by x.
//
// A column with few distinct values is kept as one byte a row instead (Binned): counting its values
// in a node needs no order, and nothing of it moves when a node is divided.
//
// Index is 32 bits for the whole sample, 16 for a subtree of few rows, whose arena then fits the
// cache.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "../base/team.hpp"
#include "frame.hpp"
#include "order.hpp"

namespace tectree {

template <class Index>
struct Entry {
  Index rank, row;
};

template <class Index>
constexpr Index missing_rank = std::numeric_limits<Index>::max();

struct Binned {
  static constexpr std::size_t most = 255;
  std::vector<std::uint8_t> code;  // by row; codes as the values order, the missing one last
  std::vector<double> values;      // of each code
  std::uint8_t missing() const { return static_cast<std::uint8_t>(values.size()); }
};

template <class Index>
struct ArenaColumn {
  std::vector<Entry<Index>> entries;  // rows without a value stand last
  Binned binned;
  bool has_missing = false;

  bool is_binned() const { return entries.empty() && !binned.code.empty(); }

  // How many of the entries in [begin, end) have a value.
  std::size_t known(std::size_t begin, std::size_t end) const {
    if (!has_missing) return end - begin;
    const auto first = entries.begin() + begin, last = entries.begin() + end;
    return std::partition_point(
               first, last, [](const Entry<Index>& e) { return e.rank != missing_rank<Index>; }) -
           first;
  }
};

template <class Index>
struct Arena {
  std::size_t n = 0;
  std::vector<ArenaColumn<Index>> columns;
  std::vector<Index> rows;             // each node's rows, in increasing order within the node
  std::vector<std::uint32_t> origin;   // position in the sample by row; empty: the same
  std::vector<std::uint32_t> present;  // columns that have entries here

  std::size_t position(std::size_t row) const { return origin.empty() ? row : origin[row]; }
};

namespace detail {

// The distinct values of a numeric column while they are few: an open-addressing table of at most
// `most`.
class FewValues {
 public:
  // The value's number in order of appearance; none once there are too many.
  std::optional<std::uint8_t> number(std::uint64_t key) {
    std::size_t at = (key * 0x9E3779B97F4A7C15ull) >> 54;
    while (slot_[at] >= 0) {
      if (keys_[slot_[at]] == key) return static_cast<std::uint8_t>(slot_[at]);
      at = (at + 1) & 1023;
    }
    if (keys_.size() == Binned::most) return std::nullopt;
    slot_[at] = static_cast<std::int16_t>(keys_.size());
    keys_.push_back(key);
    return static_cast<std::uint8_t>(slot_[at]);
  }
  const std::vector<std::uint64_t>& keys() const { return keys_; }
  FewValues() : slot_(1024, -1) {}

 private:
  std::vector<std::int16_t> slot_;
  std::vector<std::uint64_t> keys_;
};

inline double key_value(std::uint64_t key) {
  const std::uint64_t bits = key ^ ((key >> 63) ? std::uint64_t{1} << 63 : ~std::uint64_t{0});
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

inline bool bin_numbers(const Column& column, const Sample& sample, Binned& out,
                        bool& has_missing) {
  FewValues few;
  out.code.resize(sample.size);
  std::vector<std::uint32_t> missing;
  for (std::size_t i = 0; i < sample.size; ++i) {
    const double x = column.value(sample.row(i));
    if (std::isnan(x)) {
      missing.push_back(static_cast<std::uint32_t>(i));
      continue;
    }
    const auto number = few.number(order_key(x));
    if (!number) return false;
    out.code[i] = *number;
  }
  const auto& keys = few.keys();
  std::vector<std::uint8_t> by_value(keys.size()), rank(keys.size());
  std::iota(by_value.begin(), by_value.end(), std::uint8_t{0});
  std::sort(by_value.begin(), by_value.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  for (std::size_t r = 0; r < keys.size(); ++r) {
    rank[by_value[r]] = static_cast<std::uint8_t>(r);
    out.values.push_back(key_value(keys[by_value[r]]));
  }
  for (auto& c : out.code) c = keys.empty() ? 0 : rank[c];
  for (auto i : missing) out.code[i] = out.missing();
  has_missing = !missing.empty();
  return true;
}

inline void bin_levels(const Column& column, const Sample& sample, Binned& out, bool& has_missing) {
  out.code.resize(sample.size);
  for (int l = 1; l <= column.n_levels; ++l) out.values.push_back(l);
  for (std::size_t i = 0; i < sample.size; ++i) {
    const int code = column.whole[sample.row(i)];
    if (code == missing_code) has_missing = true;
    out.code[i] = code == missing_code ? out.missing() : static_cast<std::uint8_t>(code - 1);
  }
}

template <class Index>
void sort_column(const Column& column, const Sample& sample, ArenaColumn<Index>& out) {
  std::vector<Keyed> items, spare;
  std::vector<Index> missing;
  items.reserve(sample.size);
  for (std::size_t i = 0; i < sample.size; ++i) {
    const double x = column.value(sample.row(i));
    if (std::isnan(x)) {
      missing.push_back(static_cast<Index>(i));
    } else {
      items.push_back(keyed(x, i));
    }
  }
  out.entries.reserve(sample.size);
  Index rank = 0;
  in_order(
      items, spare, [&](std::uint32_t position) { return column.value(sample.row(position)); },
      [&](std::uint32_t position, bool is_new) {
        if (is_new && !out.entries.empty()) ++rank;
        out.entries.push_back({rank, static_cast<Index>(position)});
      });
  for (Index row : missing) out.entries.push_back({missing_rank<Index>, row});
  out.has_missing = !missing.empty();
}

}  // namespace detail

// The arena of the whole sample. `bins` allows narrow columns to be binned.
template <class Index>
Arena<Index> make_arena(const Frame& frame, const Sample& sample, bool bins, Team& team) {
  Arena<Index> arena;
  arena.n = sample.size;
  arena.columns.resize(frame.columns.size());
  arena.rows.resize(sample.size);
  std::iota(arena.rows.begin(), arena.rows.end(), Index{0});
  arena.present.resize(frame.columns.size());
  std::iota(arena.present.begin(), arena.present.end(), std::uint32_t{0});
  team.each(frame.columns.size(), [&](std::size_t c, Team&) {
    const Column& column = frame.columns[c];
    ArenaColumn<Index>& out = arena.columns[c];
    if (bins && column.kind != Kind::numeric && column.n_levels <= static_cast<int>(Binned::most)) {
      detail::bin_levels(column, sample, out.binned, out.has_missing);
    } else if (!(bins && column.kind == Kind::numeric &&
                 detail::bin_numbers(column, sample, out.binned, out.has_missing))) {
      out.binned = Binned();
      out.has_missing = false;
      detail::sort_column(column, sample, out);
    }
  });
  return arena;
}

// The codes of some rows, which all have a value; false where one has none.
template <class Row>
bool take_codes(const Binned& from, const Row* rows, std::size_t n, Binned& out) {
  out.code.resize(n);
  bool missing = false;
  for (std::size_t i = 0; i < n; ++i) {
    out.code[i] = from.code[rows[i]];
    missing |= out.code[i] == from.missing();
  }
  if (missing) {
    out.code.clear();
  } else {
    out.values = from.values;
  }
  return !missing;
}

// The arena of the rows [begin, end) of another, on 16 bits. `local` is scratch by row of `from`;
// nodes that do not share rows may use it at the same time. as_codes(column): whether a binned one
// may stay so if all its rows have a value.
template <class Index, class AsCodes>
Arena<std::uint16_t> shrink_arena(const Arena<Index>& from, std::size_t begin, std::size_t end,
                                  const std::vector<std::uint32_t>& columns,
                                  std::vector<std::uint16_t>& local, AsCodes as_codes) {
  using Small = std::uint16_t;
  Arena<Small> arena;
  arena.n = end - begin;
  arena.columns.resize(from.columns.size());
  arena.present = columns;
  arena.rows.resize(arena.n);
  std::iota(arena.rows.begin(), arena.rows.end(), Small{0});
  arena.origin.resize(arena.n);
  for (std::size_t i = 0; i < arena.n; ++i) {
    const Index row = from.rows[begin + i];
    local[row] = static_cast<Small>(i);
    arena.origin[i] = static_cast<std::uint32_t>(from.position(row));
  }
  std::vector<std::uint32_t> start;
  for (std::uint32_t c : columns) {
    const ArenaColumn<Index>& source = from.columns[c];
    ArenaColumn<Small>& out = arena.columns[c];
    if (source.is_binned() && as_codes(c) &&
        take_codes(source.binned, from.rows.data() + begin, arena.n, out.binned))
      continue;
    out.entries.resize(arena.n);
    if (source.is_binned()) {
      const std::size_t codes = source.binned.values.size() + 1;
      start.assign(codes + 1, 0);
      for (std::size_t i = begin; i < end; ++i) ++start[source.binned.code[from.rows[i]] + 1];
      std::partial_sum(start.begin(), start.end(), start.begin());
      out.has_missing = start[codes] > start[codes - 1];
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint8_t code = source.binned.code[from.rows[i]];
        const Small rank = code == source.binned.missing() ? missing_rank<Small> : Small{code};
        out.entries[start[code]++] = {rank, static_cast<Small>(i - begin)};
      }
      continue;
    }
    const std::size_t known = source.known(begin, end);
    out.has_missing = known < arena.n;
    Small rank = 0;
    for (std::size_t i = 0; i < arena.n; ++i) {
      const Entry<Index>& e = source.entries[begin + i];
      if (i > 0 && i < known && e.rank != source.entries[begin + i - 1].rank) ++rank;
      out.entries[i] = {i < known ? rank : missing_rank<Small>, local[e.row]};
    }
  }
  return arena;
}

}  // namespace tectree

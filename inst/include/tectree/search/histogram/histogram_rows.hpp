// The rows of one histogram search and the codes of its columns, shared by forks; the layout of
// their counts, and a counted column of a node.
//
// A column is counted by code: quantile bins for many values, one code per value for few. The
// statistic knows what is counted. Columns that it does not count, such as those with more levels
// than codes or with missing values that count, are searched by value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "../../data/arena.hpp"
#include "../../data/codes/sort_by_codes.hpp"
#include "../../data/ranks.hpp"
#include "../../data/take.hpp"
#include "../door/node_search.hpp"

namespace tectree {

// The maximum number of rows of a node that continues in its own arena: if growth continues to the
// end; if it ends few levels below, so that few nodes repay the sorting; if a penalty ends it.
struct PassOnAt {
  std::size_t to_the_end, few_levels, penalty;
};

// The same if every column has one code per value: sorting fewer rows by their codes is as fast as
// visiting all cells.
inline std::size_t rows_to_count(const Codes& codes) {
  constexpr std::size_t few_rows = 512, rows_per_code = 24;
  std::size_t cells = 0;
  for (const CodedColumn& column : codes) cells += static_cast<std::size_t>(column.codes);
  return std::max(few_rows, rows_per_code * cells / codes.size());
}

// The layout of a node's counts: column by column, one cell per code, in the codes' order, and the
// last for missing values.
class CellLayout {
 public:
  // counts(c): whether a column that has codes is counted.
  template <class Counts>
  CellLayout(const Codes& codes, Counts counts) {
    for (std::uint32_t c = 0; c < codes.size(); ++c) {
      const bool counted = codes[c].coded && counts(c);
      first_.push_back(size() + (counted ? static_cast<std::size_t>(codes[c].codes) + 1 : 0));
    }
  }

  std::size_t size() const { return first_.back(); }
  bool counts(std::uint32_t c) const { return end(c) > first(c); }
  std::size_t first(std::uint32_t c) const { return first_[c]; }
  std::size_t end(std::uint32_t c) const { return first_[c + 1]; }

 private:
  std::vector<std::size_t> first_{0};
};

struct HistogramRows {
  using Entry = tectree::Entry<std::uint32_t>;

  std::shared_ptr<const Codes> codes;
  Arena<std::uint32_t> arena;  // the rows, and the columns that are searched by value
  Sample sample;               // of the arena's rows
  CellLayout cells;

  // `rows`: the positions that take part, increasing; counts(c): whether a column that has codes is
  // counted.
  template <class Counts>
  HistogramRows(std::shared_ptr<const Codes> coded, std::vector<std::uint32_t> rows,
                std::size_t n_rows, const Sample& all, Counts counts)
      : codes(std::move(coded)), sample(all), cells(*codes, counts) {
    arena.n = n_rows;
    arena.rows = std::move(rows);
    arena.columns.resize(codes->size());
    std::vector<std::uint32_t> place;
    for (std::size_t c = 0; c < codes->size(); ++c) {
      const CodedColumn& column = (*codes)[c];
      if (column.order.entries.empty()) {
        arena.columns[c].has_missing = column.by_value;
        continue;
      }
      if (place.empty()) {
        place.assign(n_rows, not_taken);
        for (std::uint32_t row : arena.rows) place[row] = row;
      }
      take_entries(column.order, 0, n_rows, arena.rows.size(), place, arena.columns[c]);
    }
  }

  // Only some rows of a node, side by side; if all, its counts remain valid.
  HistogramRows(const HistogramRows& all, const Range& node, std::vector<std::uint32_t> some_rows,
                Team& team)
      : sample(all.sample), cells(all.cells), positions_(std::move(some_rows)) {
    auto some = std::make_shared<Codes>(all.codes->size());
    team.each(node.columns->size(), [&](std::size_t i, Team&) {
      const std::uint32_t c = (*node.columns)[i];
      (*some)[c] = take_rows((*all.codes)[c], positions_);
    });
    codes = std::move(some);
    for (std::uint32_t row : positions_)
      frame_rows_.push_back(static_cast<int>(all.sample.row(row)) + 1);
    sample.size = positions_.size();
    sample.rows = frame_rows_.data();
    arena.n = positions_.size();
    arena.rows.resize(arena.n);
    std::iota(arena.rows.begin(), arena.rows.end(), 0u);
    for (std::uint32_t row : positions_)
      arena.origin.push_back(static_cast<std::uint32_t>(all.arena.position(row)));
    arena.columns.resize(codes->size());
    std::vector<std::uint32_t> place;
    for (std::uint32_t c : *node.columns) {
      const ArenaColumn<std::uint32_t>& from = all.arena.columns[c];
      arena.columns[c].has_missing = from.has_missing;
      if (from.entries.empty()) continue;
      if (place.empty()) place = places_of(positions_, all.arena.n);
      take_entries(from, node.begin, node.end, arena.n, place, arena.columns[c]);
    }
  }

  const std::uint32_t* of(const Range& node) const { return arena.rows.data() + node.begin; }
  std::vector<std::uint32_t> list(const Range& node) const {
    return {of(node), of(node) + node.size()};
  }

  // Only these rows, with every column sorted, now or, by its ranks, when it is drawn, unless
  // unsorted(c): its levels need no order.
  template <class Unsorted>
  Arena<std::uint16_t> small_arena(const std::vector<std::uint32_t>& rows,
                                   const std::vector<std::uint32_t>& columns, const Frame& frame,
                                   const std::shared_ptr<const Ranks>& ranks,
                                   Unsorted unsorted) const {
    Arena<std::uint16_t> small;
    small.n = rows.size();
    small.columns.resize(codes->size());
    small.present = columns;
    small.rows.resize(small.n);
    std::iota(small.rows.begin(), small.rows.end(), std::uint16_t{0});
    for (std::uint32_t row : rows)
      small.origin.push_back(static_cast<std::uint32_t>(arena.position(row)));
    if (ranks) {
      for (std::uint32_t position : small.origin) small.place.push_back(ranks->place(position));
      sort_when_drawn(ranks, small);
      for (std::uint32_t c : small.present) {
        if (unsorted(c)) list_when_drawn(c, small);
      }
      return small;
    }
    RowSorting space;
    for (std::uint32_t c : small.present) {
      if ((*codes)[c].coded && unsorted(c)) {
        list_levels((*codes)[c], rows, small.columns[c]);
      } else {
        sort_rows(frame.columns[c], (*codes)[c], sample, rows, space, small.columns[c]);
      }
    }
    return small;
  }

  // Likewise, on 32 bits and with every column sorted.
  Arena<std::uint32_t> sorted_arena(const Range& node, const Frame& frame, Team& team) const {
    Arena<std::uint32_t> out(node.size(), codes->size(), *node.columns);
    const std::vector<std::uint32_t> rows = list(node);
    std::vector<int> frame_rows;
    for (std::uint32_t row : rows) {
      out.origin.push_back(static_cast<std::uint32_t>(arena.position(row)));
      frame_rows.push_back(static_cast<int>(sample.row(row)) + 1);
    }
    Sample own = sample;
    own.size = node.size();
    own.rows = frame_rows.data();
    team.each(out.present.size(), [&](std::size_t i, Team&) {
      const std::uint32_t c = out.present[i];
      detail::sort_column(frame.columns[c], own, out.columns[c]);
    });
    return out;
  }

 private:
  // Where copied rows come from: their numbers there, and their rows in the frame as in a sample.
  std::vector<std::uint32_t> positions_;
  std::vector<int> frame_rows_;
};

// A counted column of a node.
struct BinView {
  const Column& column;
  const CodedColumn& coded;
  // The node's rows; none if only counts are known, and every code is one value.
  const Sample* sample = nullptr;
  const std::uint32_t* rows = nullptr;
  std::size_t n_rows = 0;

  std::uint8_t code(std::size_t i) const { return coded.binned.code[rows[i]]; }
  double value(std::size_t i) const { return value_of(rows[i]); }
  double value_of(std::uint32_t row) const { return column.value(sample->row(row)); }
  // Prefetches a value.
  void fetch(std::uint32_t row) const { column.fetch(sample->row(row)); }
};

}  // namespace tectree

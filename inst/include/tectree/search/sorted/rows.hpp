// The rows of a search, its sorted columns, and the codes of the others; the layout of their
// counts, and a counted column of a node.
//
// A column is counted by code: quantile bins for many values, one code per value for few. The
// statistic knows what is counted. Columns that it does not count, such as those with more levels
// than codes or with missing values that count, are searched by value.
#pragma once

#include <algorithm>
#include <cassert>
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

// The rows of a search, shared by its forks.
template <class Index>
struct Rows {
  Arena<Index> arena;                  // the rows, and the columns that are sorted
  std::shared_ptr<const Codes> codes;  // of the others, by row of the arena; null if there are none

  bool is_sorted(std::size_t c) const { return !arena.columns[c].entries.empty(); }
  bool any_sorted() const {
    return std::any_of(arena.present.begin(), arena.present.end(),
                       [&](std::uint32_t c) { return is_sorted(c); });
  }
  const Index* of(const Range& node) const { return arena.rows.data() + node.begin; }
  std::vector<Index> list(const Range& node) const { return {of(node), of(node) + node.size()}; }

  // Some rows of a node in an arena of 16 bits, with every column sorted, now or, by its ranks,
  // when it is drawn, unless unsorted(c): its levels need no order. `place`: by row, its number
  // among them; needed only if a column is sorted here. `sample`: of this arena's rows.
  template <class Place, class Unsorted>
  Arena<std::uint16_t> small_arena(const Range& node, const std::vector<Index>& some,
                                   const std::vector<Place>& place, const Frame& frame,
                                   const Sample& sample, const std::shared_ptr<const Ranks>& ranks,
                                   Unsorted unsorted) const {
    auto out = own_arena<std::uint16_t>(arena, some, *node.columns, ranks);
    RowSorting space;
    for (std::uint32_t c : out.present) {
      if (ranks) {
        if (unsorted(c)) list_when_drawn(c, out);
      } else if (is_sorted(c)) {
        take_entries(arena.columns[c], node.begin, node.end, out.n, place, out.columns[c]);
      } else if ((*codes)[c].coded && unsorted(c)) {
        list_levels((*codes)[c], some, out.columns[c]);
      } else {
        sort_rows(frame.columns[c], (*codes)[c], sample, some, space, out.columns[c]);
      }
    }
    return out;
  }
};

// The same, where columns are counted by code.
struct CodedRows : Rows<std::uint32_t> {
  Sample sample;  // of the arena's rows
  CellLayout cells;

  // `rows`: the positions that take part, increasing; counts(c): whether a column that has codes is
  // counted.
  template <class Counts>
  CodedRows(std::shared_ptr<const Codes> coded, std::vector<std::uint32_t> rows, std::size_t n_rows,
            const Sample& all, Counts counts)
      : sample(all), cells(*coded, counts) {
    std::vector<std::uint32_t> columns(coded->size());
    std::iota(columns.begin(), columns.end(), 0u);
    arena = Arena<std::uint32_t>(n_rows, columns.size(), columns);
    arena.rows = std::move(rows);
    std::vector<std::uint32_t> place;
    for (std::uint32_t c : columns) {
      const CodedColumn& column = (*coded)[c];
      arena.columns[c].has_missing = column.by_value;
      if (column.order.entries.empty()) continue;
      if (place.empty()) {
        place.assign(n_rows, not_taken);
        for (std::uint32_t row : arena.rows) place[row] = row;
      }
      take_entries(column.order, 0, n_rows, arena.rows.size(), place, arena.columns[c]);
    }
    codes = std::move(coded);
  }

  // Only some rows of a node, side by side; if all, its counts remain valid.
  CodedRows(const CodedRows& all, const Range& node, const std::vector<std::uint32_t>& some,
            Team& team)
      : sample(all.sample), cells(all.cells) {
    arena = own_arena<std::uint32_t>(all.arena, some, *node.columns);
    auto taken = std::make_shared<Codes>(all.codes->size());
    team.each(arena.present.size(), [&](std::size_t i, Team&) {
      const std::uint32_t c = arena.present[i];
      (*taken)[c] = take_rows((*all.codes)[c], some);
    });
    codes = std::move(taken);
    for (std::uint32_t row : some) frame_rows_.push_back(static_cast<int>(all.sample.row(row)) + 1);
    sample.size = some.size();
    sample.rows = frame_rows_.data();
    std::vector<std::uint32_t> place;
    for (std::uint32_t c : arena.present) {
      arena.columns[c].has_missing = all.arena.columns[c].has_missing;
      if (!all.is_sorted(c)) continue;
      if (place.empty()) place = places_of(some, all.arena.n);
      take_entries(all.arena.columns[c], node.begin, node.end, arena.n, place, arena.columns[c]);
    }
  }
  CodedRows(const CodedRows&) = delete;  // its sample points into it

 private:
  std::vector<int> frame_rows_;  // of copied rows, as in a sample
};

// Once rows have been divided into parts in place: the weights of each node's rows, in the order
// of these.
template <class Index>
struct RowParts {
  std::vector<double> weight, spare;
  std::vector<std::uint8_t> side;  // by row: to which the latest division into parts sent it
  bool latest = false;             // the latest division was into parts
  Range entered;                   // the node whose weights the rows have

  // Whether the rows do not have the weights of the node yet.
  bool enter(const Range& node) {
    if (weight.empty() || (entered.begin == node.begin && entered.end == node.end)) return false;
    // Rows that parts have replaced cannot come back: see NodeSearch::divide_rows_in_parts().
    assert(node.end <= end_);
    entered = node;
    return true;
  }
  // Puts the rows, with the spare weights, in the place of the node's and what follows.
  void replace(const Range& node, const std::vector<Index>& rows, std::vector<Index>& all) {
    end_ = node.begin + rows.size();
    if (all.size() < end_) all.resize(end_);
    if (weight.size() < end_) weight.resize(end_);
    std::copy(rows.begin(), rows.end(), all.begin() + node.begin);
    std::copy(spare.begin(), spare.end(), weight.begin() + node.begin);
    latest = true;
    entered = Range();
  }
  // After a division that keeps each row whole.
  template <class WeightAt>
  void reorder(const Range& node, WeightAt weight_at) {
    latest = false;
    entered = Range();
    if (weight.empty()) return;
    end_ = node.end;
    for (std::size_t i = node.begin; i < node.end; ++i) weight[i] = weight_at(i);
  }

 private:
  std::size_t end_ = 0;  // of the rows of the latest node that was divided: the last on the stack
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

// What every search over coarsely coded columns does with its rows: it keeps each node's in a range
// of one list, divides them by their codes, and hands a node of few to an arena of sorted columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "../../data/codes/sort_by_codes.hpp"
#include "../choose/column_choice.hpp"
#include "../sorted/divide_node.hpp"

namespace tectree {

// The rows of a node that is passed on to an arena of its own: where growth goes on to the end;
// where it ends few levels below, so that few nodes pay for their sorting; where a price ends it.
struct PassOn {
  std::size_t to_the_end, few_levels, price;
};

class HistogramBase : public NodeSearch {
 public:
  Range root() const override {
    auto all = std::make_shared<std::vector<std::uint32_t>>(coded_.size());
    std::iota(all->begin(), all->end(), 0u);
    return {0, rows_.size(), std::move(all), nullptr};
  }

  void divide_rows(const Range& node, const Split& split, const MissingRoute& missing_route,
                   std::vector<Range>& children) override {
    divide_marked_rows(
        rows_, node, frame_, split, missing_route, branch_, spare_rows_,
        [&](std::uint32_t row) { return sample_.row(row); },
        [&](auto put) { mark_branches(node, split, put); }, children);
  }

  // A part of the rows in an order of its own. swap() puts it in the place of the rows that the
  // search and its like work on; copy() takes the rows of a node.
  struct RowOrder {
    std::vector<std::uint32_t> rows;
  };
  void swap(RowOrder& row_order) { rows_.swap(row_order.rows); }
  void copy(const Range& node, RowOrder& row_order) const {
    row_order.rows.assign(rows_.begin() + node.begin, rows_.begin() + node.end);
  }

 protected:
  // `rows`: the positions that take part, shared by forks. Nodes of at most `small` are passed on.
  HistogramBase(const Frame& frame, const Sample& sample, const std::vector<CodedColumn>& coded,
                std::vector<std::uint32_t>& rows, RowBranches branch, std::size_t small)
      : frame_(frame),
        sample_(sample),
        coded_(coded),
        rows_(rows),
        branch_(std::move(branch)),
        small_(small) {}

  // The node's rows alone, every column sorted, or left on codes where each is one value and
  // as_codes(column).
  template <class AsCodes>
  Arena<std::uint16_t> small_arena(const Range& node, AsCodes as_codes) const {
    Arena<std::uint16_t> arena;
    arena.n = node.size();
    arena.columns.resize(coded_.size());
    arena.present = *node.columns;
    arena.rows.resize(arena.n);
    std::iota(arena.rows.begin(), arena.rows.end(), std::uint16_t{0});
    arena.origin.assign(rows_.begin() + node.begin, rows_.begin() + node.end);
    RowSorting space;
    for (std::uint32_t c : arena.present) {
      const CodedColumn& column = coded_[c];
      ArenaColumn<std::uint16_t>& out = arena.columns[c];
      if (column.coded && column.exact && as_codes(c)) {
        out.has_missing = take_codes(column.binned, arena.origin.data(), arena.n, out.binned);
      } else {
        sort_rows(frame_.columns[c], column, sample_, arena.origin, space, out);
      }
    }
    return arena;
  }

  // Gives the children that will be searched on codes what is known of them: the smaller is
  // counted, the larger is the rest. count(child); rest(what the other child was found to hold).
  template <class Count, class Rest>
  void hand_down(const Range& node, std::vector<Range>& children, const std::vector<char>& searched,
                 Count count, Rest rest) const {
    if (!node.counts || children.size() != 2) return;
    const std::size_t large = children[1].size() > children[0].size() ? 1 : 0, less = 1 - large;
    const auto wants = [&](std::size_t j) { return searched[j] && children[j].size() > small_; };
    if (!wants(large)) return;
    const auto part = count(children[less]);
    children[large].counts = rest(*part);
    if (wants(less)) children[less].counts = part;
  }

  // The column of the best cut, once the edges of all have been looked at.
  template <class Columns, class Node>
  static std::optional<std::size_t> choose_by_cut(Columns& columns, ColumnChoice& choice,
                                                  const Node& node, double impurity, Team& team) {
    const std::vector<std::uint32_t>& all = *node.range.columns;
    const std::vector<ColumnResult>& results = columns.results();
    double floor = -HUGE_VAL;
    for (std::uint32_t c : all) {
      if (results[c].competes()) floor = std::max(floor, results[c].low);
    }
    team.each(all.size(), [&](std::size_t i, Team& inner) {
      if (results[all[i]].open) columns.look_closely(node, all[i], floor, inner.worker());
    });
    return choice.by_cut(all, impurity, [&](const std::vector<std::uint32_t>& winners) {
      for (std::uint32_t c : winners) columns.resolve(node, c, 0);
    });
  }

  const Frame& frame_;
  const Sample& sample_;
  const std::vector<CodedColumn>& coded_;
  std::vector<std::uint32_t>& rows_;
  RowBranches branch_;
  std::size_t small_;

 private:
  template <class Put>
  void mark_branches(const Range& node, const Split& split, Put put) const {
    const CodedColumn& column = coded_[split.column];
    const Column& values = frame_.columns[split.column];
    const bool in_order = split.kind == SplitKind::threshold || split.kind == SplitKind::level;
    if (!in_order || !column.coded) {
      mark_by_value(
          split.view(), values, rows_, node, [&](std::uint32_t row) { return sample_.row(row); },
          put);
    } else if (column.exact) {
      mark_by_code(column.binned, rows_, node, split.breaks[0], put);
    } else {
      const auto value = [&](std::uint32_t row) { return values.value(sample_.row(row)); };
      mark_by_bin(column, rows_, node, split.breaks[0], value, put);
    }
  }

  std::vector<std::uint32_t> spare_rows_;
};

}  // namespace tectree

// What searches do alike once a column is chosen: divide the rows.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "../../base/stream.hpp"
#include "../../data/codes/coded_column.hpp"
#include "../../data/divide.hpp"
#include "../door/range.hpp"

namespace tectree {

// Puts rows into branches; those that have none go where unknown(row) says, or to `leaving`.
template <class Unknown>
struct PutRows {
  Unknown unknown;
  int leaving;
  RowBranches& branches;

  template <class Index>
  void operator()(Index row, int branch) const {
    if (branch == no_branch) branch = unknown(row);
    branches.set(row, branch == no_branch ? leaving : branch);
  }
  // The rows of entries.
  template <class Index>
  void operator()(const Entry<Index>* first, const Entry<Index>* last, int branch) const {
    if (branch != no_branch)
      return branches.set(first, last, branch, [](const Entry<Index>& e) { return e.row; });
    for (; first < last; ++first) (*this)(static_cast<Index>(first->row), no_branch);
  }
  // A node's rows, which go left or right.
  template <class Index, class BranchOf>
  void in_two(const std::vector<Index>& rows, const Range& node, BranchOf branch_of) const {
    branches.part(rows.data() + node.begin, rows.data() + node.end, branch_of,
                  [&](Index row) { (*this)(row, no_branch); });
  }
};

// Orders the node's rows by branch. mark(put) gives every row its branch, no_branch
// where it has no value, by one of the ways of PutRows; frame_row(row) is where its values stand.
template <class Index, class FrameRow, class Mark>
void divide_marked_rows(std::vector<Index>& rows, const Node& node, const Frame& frame,
                        const Split& split, const MissingRoute& missing_route, RowBranches& branch,
                        std::vector<Index>& spare, FrameRow frame_row, Mark mark,
                        std::vector<Node>& children) {
  // Rows that leave the tree here come last, in no child's range.
  branch.prepare(split.branches + (missing_route.branch == no_branch));
  const auto unknown = [&](Index row) { return missing_route.of(frame, frame_row(row)); };
  mark(PutRows<decltype(unknown)>{unknown, split.branches, branch});
  branch.finish();
  branch.divide(rows.data() + node.key, node.n_rows, spare, [](Index row) { return row; });
  children.clear();
  for (int j = 0; j < split.branches; ++j) {
    const std::size_t begin = branch.starts()[j], end = branch.starts()[j + 1];
    children.push_back({end - begin, node.key + begin, node.columns, nullptr,
                        Stream::part(node.stream, static_cast<std::size_t>(j))});
  }
}

// Each row by its value.
template <class Index, class FrameRow, class Put>
void mark_by_value(const SplitView& split, const Column& column, const std::vector<Index>& rows,
                   const Range& node, FrameRow frame_row, Put put) {
  for (std::size_t i = node.begin; i < node.end; ++i)
    put(rows[i], route(split, column, frame_row(rows[i])));
}

// By a byte a row, its code: the number of its value, value_of(code), among n.
template <class Index, class ValueOf, class Put>
void mark_by_byte(const SplitView& split, const std::uint8_t* code, std::size_t n, ValueOf value_of,
                  const std::vector<Index>& rows, const Range& node, Put put) {
  std::array<int, Binned::most + 1> branch;
  for (std::size_t i = 0; i < n; ++i) branch[i] = route_value(split, value_of(i));
  branch[n] = no_branch;
  const auto branch_of = [&](Index row) { return branch[code[row]]; };
  if (split.branches == 2) return put.in_two(rows, node, branch_of);
  for (std::size_t i = node.begin; i < node.end; ++i) put(rows[i], branch_of(rows[i]));
}

// By codes that are one value each.
template <class Index, class Put>
void mark_by_code(const SplitView& split, const Binned& binned, const std::vector<Index>& rows,
                  const Range& node, Put put) {
  const auto value_of = [&](std::size_t i) { return binned.values[i]; };
  mark_by_byte(split, binned.code.data(), binned.values.size(), value_of, rows, node, put);
}

// By the levels of a column that is not sorted.
template <class Index, class Put>
void mark_by_level(const SplitView& split, const ArenaColumn<Index>& column,
                   const std::vector<Index>& rows, const Range& node, Put put) {
  const auto value_of = [](std::size_t i) { return static_cast<double>(i + 1); };
  mark_by_byte(split, column.level.data(), column.levels, value_of, rows, node, put);
}

// For one threshold, by the bins of values: few rows' values are looked at.
template <class Value, class Put>
void mark_by_bin(const CodedColumn& column, const std::vector<std::uint32_t>& rows,
                 const Range& node, double threshold, Value value, Put put) {
  const BinEdges::Place place = column.edges.place(threshold);
  put.in_two(rows, node, [&](std::uint32_t row) {
    if (column.binned.code[row] == column.missing()) return no_branch;
    return static_cast<int>(column.above(row, threshold, place, [&] { return value(row); }));
  });
}

// For one threshold, the branches of a node's rows without their values, which stand anywhere in
// memory: from the order of the column's entries. value(row) is asked of few.
template <class Index, class Value, class Put>
void mark_by_order(const ArenaColumn<Index>& column, const Range& node, double threshold,
                   Value value, Put put) {
  const Entry<Index>*first = column.entries.data() + node.begin,
        *known = first + column.known(node.begin, node.end),
        *last = column.entries.data() + node.end;
  const Entry<Index>* above = std::partition_point(
      first, known, [&](const Entry<Index>& e) { return value(e.row) <= threshold; });
  put(first, above, 0);
  put(above, known, 1);
  put(known, last, no_branch);
}

// The same for any split, each run of rows with one value at once; value(row) is asked of one each.
template <class Index, class Value, class Put>
void mark_by_runs(const SplitView& split, const ArenaColumn<Index>& column, const Range& node,
                  Value value, Put put) {
  const Entry<Index>*first = column.entries.data() + node.begin,
        *known = first + column.known(node.begin, node.end),
        *last = column.entries.data() + node.end;
  while (first < known) {
    const Entry<Index>* end = end_of_run(first, known);
    put(first, end, route_value(split, value(first->row)));
    first = end;
  }
  put(known, last, no_branch);
}

}  // namespace tectree

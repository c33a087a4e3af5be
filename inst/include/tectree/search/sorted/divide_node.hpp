// How every search divides a node's rows once it has a split.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "../../base/stream.hpp"
#include "../../data/codes/coded_column.hpp"
#include "../../data/divide.hpp"
#include "../door/node_search.hpp"
#include "../missing/unknown.hpp"

namespace tectree {

// Assigns rows to branches; rows without a branch go to unknown(row) or, if that is none, to
// `leaving`.
template <class Unknown>
struct AssignRows {
  Unknown unknown;
  int leaving;
  RowBranches& branches;

  template <class Index>
  void operator()(Index row, int branch) const {
    if (branch == no_branch) branch = unknown(row);
    branches.set(row, branch == no_branch ? leaving : branch);
  }
  // The rows of entries, all to one branch.
  template <class Index>
  void operator()(const Entry<Index>* first, const Entry<Index>* last, int branch) const {
    if (branch != no_branch)
      return branches.set(first, last, branch, [](const Entry<Index>& e) { return e.row; });
    for (; first < last; ++first) (*this)(static_cast<Index>(first->row), no_branch);
  }
  // A node's rows, to the left or the right.
  template <class Index, class BranchOf>
  void in_two(const std::vector<Index>& rows, const Range& node, BranchOf branch_of) const {
    branches.part(rows.data() + node.begin, rows.data() + node.end, branch_of,
                  [&](Index row) { (*this)(row, no_branch); });
  }
};

// Orders the node's rows by branch. mark(assign) assigns every row to its branch, or to no_branch
// if its value is missing, through AssignRows; frame_row(row) is the row's number in the frame.
template <class Index, class FrameRow, class Mark>
void divide_marked_rows(std::vector<Index>& rows, const Node& node, const Frame& frame,
                        const Split& split, const MissingRoute& missing_route, RowBranches& branch,
                        std::vector<Index>& spare, FrameRow frame_row, Mark mark,
                        std::vector<Node>& children) {
  // Rows that leave the tree here come last, in no child's range.
  branch.prepare(split.branches + (missing_route.branch == no_branch));
  const auto unknown = [&](Index row) { return missing_route.of(frame, frame_row(row)); };
  mark(AssignRows<decltype(unknown)>{unknown, split.branches, branch});
  branch.finish();
  branch.divide(rows.data() + node.key, node.n_rows, spare, [](Index row) { return row; });
  children.clear();
  for (int j = 0; j < split.branches; ++j) {
    const std::size_t begin = branch.starts()[j], end = branch.starts()[j + 1];
    children.push_back({end - begin, node.key + begin, node.columns, nullptr,
                        Stream::part(node.stream, static_cast<std::size_t>(j))});
  }
}

// The shares of the branches in the node's rows; mark(assign) as above. case_weight(row) and
// node_weight(row) as of a Stat.
template <class Index, class CaseWeight, class NodeWeight, class Mark>
RowShares<Index> share_marked_rows(const std::vector<Index>& rows, const Range& node, int branches,
                                   RowBranches& branch, CaseWeight case_weight,
                                   NodeWeight node_weight, Mark mark) {
  branch.prepare(branches + 1);
  const auto unknown = [](Index) { return no_branch; };
  mark(AssignRows<decltype(unknown)>{unknown, branches, branch});
  RowShares<Index> shares(node, branches);
  for (std::size_t i = node.begin; i < node.end; ++i) {
    const int to = branch.of(rows[i]);
    shares.add(rows[i], to == branches ? no_branch : to, case_weight(rows[i]),
               node_weight(rows[i]));
  }
  return shares;
}

// Makes the entries of a sorted column follow the latest division; none if it is not sorted.
template <class Index>
void divide_entries(std::vector<Entry<Index>>& entries, const Range& node, RowBranches& branch,
                    std::vector<Entry<Index>>& spare) {
  if (entries.empty()) return;
  branch.divide(entries.data() + node.begin, node.size(), spare,
                [](const Entry<Index>& e) -> Index { return e.row; });
}

// Each row by its value.
template <class Index, class FrameRow, class Assign>
void mark_by_value(const SplitView& split, const Column& column, const std::vector<Index>& rows,
                   const Range& node, FrameRow frame_row, Assign assign) {
  for (std::size_t i = node.begin; i < node.end; ++i)
    assign(rows[i], route(split, column, frame_row(rows[i])));
}

// By one byte per row, its code: one of n values, value_of(code), or n if it is missing.
template <class Index, class ValueOf, class Assign>
void mark_by_byte(const SplitView& split, const std::uint8_t* code, std::size_t n, ValueOf value_of,
                  const std::vector<Index>& rows, const Range& node, Assign assign) {
  std::array<int, Binned::most + 1> branch;
  for (std::size_t i = 0; i < n; ++i) branch[i] = route_value(split, value_of(i));
  branch[n] = no_branch;
  const auto branch_of = [&](Index row) { return branch[code[row]]; };
  if (split.branches == 2) return assign.in_two(rows, node, branch_of);
  for (std::size_t i = node.begin; i < node.end; ++i) assign(rows[i], branch_of(rows[i]));
}

// By codes that represent one value each.
template <class Index, class Assign>
void mark_by_code(const SplitView& split, const Binned& binned, const std::vector<Index>& rows,
                  const Range& node, Assign assign) {
  const auto value_of = [&](std::size_t i) { return binned.values[i]; };
  mark_by_byte(split, binned.code.data(), binned.values.size(), value_of, rows, node, assign);
}

// By the levels of a column that is not sorted.
template <class Index, class Assign>
void mark_by_level(const SplitView& split, const ArenaColumn<Index>& column,
                   const std::vector<Index>& rows, const Range& node, Assign assign) {
  const auto value_of = [](std::size_t i) { return static_cast<double>(i + 1); };
  mark_by_byte(split, column.level.data(), column.levels, value_of, rows, node, assign);
}

// For one threshold, by the bins of values: value(row) is called for few rows.
template <class Index, class Value, class Assign>
void mark_by_bin(const CodedColumn& column, const std::vector<Index>& rows, const Range& node,
                 double threshold, Value value, Assign assign) {
  const BinEdges::Place place = column.edges.place(threshold);
  assign.in_two(rows, node, [&](Index row) {
    if (column.binned.code[row] == column.missing()) return no_branch;
    return static_cast<int>(column.above(row, threshold, place, [&] { return value(row); }));
  });
}

// For one threshold, by the order of the column's entries: value(row), which may be anywhere in
// memory, is called for few rows, and for two if `guess` rows are up to the threshold.
template <class Index, class Value, class Assign>
void mark_by_order(const ArenaColumn<Index>& column, const Range& node, double threshold,
                   std::size_t guess, Value value, Assign assign) {
  const Entry<Index>*first = column.entries.data() + node.begin,
        *known = first + column.known(node.begin, node.end),
        *last = column.entries.data() + node.end;
  const auto up_to = [&](const Entry<Index>& e) { return value(e.row) <= threshold; };
  const bool inside = guess > 0 && guess < static_cast<std::size_t>(known - first);
  const Entry<Index>* above = inside && up_to(first[guess - 1]) && !up_to(first[guess])
                                  ? first + guess
                                  : std::partition_point(first, known, up_to);
  assign(first, above, 0);
  assign(above, known, 1);
  assign(known, last, no_branch);
}

// The same for any split: value(row) is called once for each run of rows with the same value.
template <class Index, class Value, class Assign>
void mark_by_runs(const SplitView& split, const ArenaColumn<Index>& column, const Range& node,
                  Value value, Assign assign) {
  const Entry<Index>*first = column.entries.data() + node.begin,
        *known = first + column.known(node.begin, node.end),
        *last = column.entries.data() + node.end;
  while (first < known) {
    const Entry<Index>* end = end_of_run(first, known);
    assign(first, end, route_value(split, value(first->row)));
    first = end;
  }
  assign(known, last, no_branch);
}

}  // namespace tectree

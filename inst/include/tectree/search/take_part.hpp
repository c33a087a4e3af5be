// What every search does alike once a column is chosen: drop what is constant, divide the rows.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "../data/divide.hpp"
#include "slot.hpp"

namespace tectree {

// A column that is constant here is so below: a subtree need not carry it. Worth a new list only
// now and then.
inline void drop_constant(const std::vector<Slot>& slots, Range& node) {
  std::size_t constant = 0;
  for (std::uint32_t c : *node.columns) constant += slots[c].constant;
  if (constant * 8 <= node.columns->size()) return;
  auto kept = std::make_shared<std::vector<std::uint32_t>>();
  kept->reserve(node.columns->size() - constant);
  for (std::uint32_t c : *node.columns) {
    if (!slots[c].constant) kept->push_back(c);
  }
  node.columns = std::move(kept);
}

// Orders rows[node.begin, node.end) by branch; frame_row(row) is where the row's values stand.
template <class Index, class FrameRow>
void divide_rows_by(std::vector<Index>& rows, const Range& node, const Frame& frame,
                    const Split& split, const Detour& detour, RowBranches& branch,
                    std::vector<Index>& spare, FrameRow frame_row, std::vector<Range>& children) {
  const SplitView view = split.view();
  const Column& column = frame.columns[split.column];
  // Rows that leave the tree here come last, in no child's range.
  const int leaving = split.branches;
  branch.prepare(split.branches + (detour.branch == no_branch));
  for (std::size_t i = node.begin; i < node.end; ++i) {
    int b = route(view, column, frame_row(rows[i]));
    if (b == no_branch) b = detour.of(frame, frame_row(rows[i]));
    branch.set(rows[i], b == no_branch ? leaving : b);
  }
  branch.finish();
  branch.divide(rows.data() + node.begin, node.size(), spare, [](Index row) { return row; });
  children.clear();
  for (int j = 0; j < split.branches; ++j) {
    children.push_back({node.begin + branch.starts()[j], node.begin + branch.starts()[j + 1],
                        node.columns, nullptr});
  }
}

}  // namespace tectree

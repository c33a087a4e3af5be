// What every search does alike once its columns have their winners: choose among them, drop what is
// constant, divide the rows.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "../data/divide.hpp"
#include "choose.hpp"
#include "slot.hpp"

namespace tectree {

class ColumnChoice {
 public:
  std::optional<std::size_t> choose(const std::vector<Slot>& slots,
                                    const std::vector<std::uint32_t>& columns, Eligible eligible,
                                    double impurity) {
    cuts_.clear();
    scores_.clear();
    winners_.clear();
    for (std::uint32_t c : columns) {
      if (slots[c].found) cuts_.push_back(slots[c].winner.cut);
    }
    if (cuts_.empty()) return std::nullopt;
    bound_ = eligibility_bound(cuts_, eligible);
    for (std::uint32_t c : columns) {
      if (!slots[c].found || slots[c].winner.cut < bound_) continue;
      scores_.push_back(slots[c].winner.score);
      winners_.push_back(c);
    }
    return winners_[first_best(scores_, impurity)];
  }
  // The least cut measure with which an attribute competed.
  double bound() const { return bound_; }

 private:
  std::vector<double> cuts_, scores_;
  std::vector<std::uint32_t> winners_;
  double bound_ = -HUGE_VAL;
};

// A task may bring its own rule of choice, a type `Choice`, and make it by choice().
template <class Task, class = void>
struct ChoiceOf {
  using type = ColumnChoice;
  static type make(const Task&) { return {}; }
};
template <class Task>
struct ChoiceOf<Task, std::void_t<typename Task::Choice>> {
  using type = typename Task::Choice;
  static type make(const Task& task) { return task.choice(); }
};

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

// The search over presorted columns: exact for every criterion, kind of split and weight. What
// differs between classes, squares and absolute deviations is the Task; ranges, threads and the
// choice of the column are here.
//
// A Task has: Scratch (working space of one thread); describe(arena, node) -> NodeFacts;
// begin(arena, node); column(arena, node, c, scratch, slot, team), which leaves in the slot a
// winner or contenders (open); resolve(arena, node, c, scratch, slot), which scores the contenders;
// eligible(), lazy(); shrink(arena); and, where the winning column is not simply the best, a type
// Choice and choice().
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../data/arena.hpp"
#include "../data/divide.hpp"
#include "choose.hpp"
#include "door.hpp"
#include "slot.hpp"
#include "take_part.hpp"

namespace tectree {

template <class Index, class Task>
class PresortedSearch : public NodeSearch {
 public:
  PresortedSearch(const Frame& frame, const Sample& sample, Arena<Index> arena, Task task,
                  int threads)
      : frame_(frame),
        sample_(sample),
        shared_(std::make_shared<Arena<Index>>(std::move(arena))),
        arena_(*shared_),
        task_(std::move(task)),
        slots_(frame.columns.size()),
        scratch_(threads),
        spare_(threads),
        branch_(arena_.n),
        local_(std::make_shared<std::vector<std::uint16_t>>(sizeof(Index) > 2 ? arena_.n : 0)) {}

  std::unique_ptr<NodeSearch> fork() const override {
    return std::unique_ptr<NodeSearch>(new PresortedSearch(*this, ForkTag()));
  }

  Range root() const override {
    return {0, arena_.n, std::make_shared<const std::vector<std::uint32_t>>(arena_.present),
            nullptr};
  }

  NodeFacts describe(const Range& node, double* share) override {
    return task_.describe(arena_, node, share);
  }

  const Winner* best(Range& node, Team& team) override {
    if (!search(node, team)) return nullptr;
    const std::optional<std::size_t> chosen =
        choice_.choose(slots_, *node.columns, task_.eligible(), task_.impurity());
    drop_constant(slots_, node);
    return chosen ? &slots_[*chosen].winner : nullptr;
  }

  // Every column's own winner, for people to look at; `chosen` is the column that wins.
  std::vector<Slot> survey(Range& node, Team& team, std::optional<std::size_t>& chosen,
                           double& bound) {
    chosen.reset();
    if (search(node, team)) {
      for (std::uint32_t c : *node.columns) {
        if (slots_[c].open) task_.resolve(arena_, node, c, scratch_[0], slots_[c]);
      }
      chosen = choice_.choose(slots_, *node.columns, task_.eligible(), task_.impurity());
      bound = choice_.bound();
    }
    return slots_;
  }

  void divide_rows(const Range& node, const Split& split, int missing,
                   std::vector<Range>& children) override {
    divide_rows_by(
        arena_.rows, node, frame_.columns[split.column], split, missing, branch_, spare_rows_,
        [&](Index row) { return sample_.row(arena_.position(row)); }, children);
    // What the task itself keeps in order goes with the rows: the children are described before
    // their columns follow.
    task_.divide([&](std::vector<Entry<Index>>& entries) { divide(entries, node, spare_[0]); });
  }

  void divide_columns(const Range& node, std::vector<Range>&, const std::vector<char>&,
                      Team& team) override {
    team.each_if(worth_sharing(node), node.columns->size(), [&](std::size_t i, Team& inner) {
      ArenaColumn<Index>& column = arena_.columns[(*node.columns)[i]];
      if (!column.is_binned()) divide(column.entries, node, spare_[inner.worker()]);
    });
  }

  std::unique_ptr<NodeSearch> shrink(const Range& node) override {
    if constexpr (sizeof(Index) <= 2) {
      return nullptr;
    } else {
      auto small = shrink_arena(arena_, node.begin, node.end, *node.columns, *local_);
      auto task = task_.shrink(arena_, small, node, *local_);
      using SmallSearch = PresortedSearch<std::uint16_t, decltype(task)>;
      return std::make_unique<SmallSearch>(frame_, sample_, std::move(small), std::move(task), 1);
    }
  }

  Arena<Index>& arena() { return arena_; }
  Task& task() { return task_; }

 private:
  void divide(std::vector<Entry<Index>>& entries, const Range& node,
              std::vector<Entry<Index>>& spare) const {
    branch_.divide(entries.data() + node.begin, node.size(), spare,
                   [](const Entry<Index>& e) { return e.row; });
  }

  // Waking threads costs as much as looking at some thousands of cells.
  static bool worth_sharing(const Range& node) {
    return node.size() * node.columns->size() > 20000;
  }

  // Every column's own best; false where nothing can be chosen.
  bool search(const Range& node, Team& team) {
    task_.begin(arena_, node);
    const auto& columns = *node.columns;
    team.each_if(worth_sharing(node), columns.size(), [&](std::size_t i, Team& inner) {
      Slot& slot = slots_[columns[i]];
      slot.reset();
      task_.column(arena_, node, columns[i], scratch_[inner.worker()], slot, inner);
    });
    // Where the score is the cut measure only the columns whose interval reaches the best can win.
    double floor = -HUGE_VAL;
    if (task_.lazy()) {
      for (std::uint32_t c : columns) {
        if (slots_[c].open || slots_[c].found) floor = std::max(floor, slots_[c].low);
      }
    }
    bool any = false;
    for (std::uint32_t c : columns) {
      Slot& slot = slots_[c];
      if (slot.open && slot.high >= floor) task_.resolve(arena_, node, c, scratch_[0], slot);
      any = any || slot.found;
    }
    return any;
  }

  struct ForkTag {};
  PresortedSearch(const PresortedSearch& from, ForkTag)
      : frame_(from.frame_),
        sample_(from.sample_),
        shared_(from.shared_),
        arena_(*shared_),
        task_(from.task_),
        slots_(from.slots_.size()),
        scratch_(1),
        spare_(1),
        branch_(from.branch_),
        local_(from.local_) {}

  const Frame& frame_;
  const Sample& sample_;
  std::shared_ptr<Arena<Index>> shared_;
  Arena<Index>& arena_;
  Task task_;
  std::vector<Slot> slots_;
  std::vector<typename Task::Scratch> scratch_;
  std::vector<std::vector<Entry<Index>>> spare_;
  std::vector<Index> spare_rows_;
  RowBranches branch_;
  std::shared_ptr<std::vector<std::uint16_t>> local_;  // scratch of shrink(), by row
  typename ChoiceOf<Task>::type choice_ = ChoiceOf<Task>::make(task_);
};

}  // namespace tectree

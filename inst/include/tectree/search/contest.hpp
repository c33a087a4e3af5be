// The contest of a node's columns: each is searched by the task, and one of them wins. Slots and
// working space are kept from node to node.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "../data/arena.hpp"
#include "column_choice.hpp"
#include "door.hpp"
#include "slot.hpp"

namespace tectree {

template <class Index, class Task>
class Contest {
 public:
  using Columns = std::vector<std::uint32_t>;
  using Chosen = std::optional<std::size_t>;

  Contest(const Task& task, std::size_t n_columns, int threads)
      : slots_(n_columns), scratch_(threads), choice_(ChoiceOf<Task>::make(task, slots_)) {}

  // `choice_` looks at the slots.
  Contest(const Contest&) = delete;
  Contest& operator=(const Contest&) = delete;

  int threads() const { return static_cast<int>(scratch_.size()); }
  std::vector<Slot>& slots() { return slots_; }

  // The column that wins. `shared`: by all threads of the team; `complete`: every row has a value
  // in every column.
  Chosen winner(Task& task, const Arena<Index>& arena, const Range& node, bool shared,
                bool complete, Team& team) {
    const bool one_wins = !ChoiceOf<Task>::own;
    search(task, arena, node, shared, one_wins && task.lazy(), one_wins && complete, team);
    const Columns& columns = *node.columns;
    if constexpr (!ChoiceOf<Task>::own) {
      if (task.lazy()) return choice_.by_cut(columns, task.impurity(), scorer(task, arena, node));
      if (task.foresees()) return choose_by_spans(task, arena, node);
    }
    return choice_.among_all(columns, task.impurity(), scorer(task, arena, node));
  }

  // The same with every column scored; `bound`: the least cut measure that competes.
  Chosen survey(Task& task, const Arena<Index>& arena, const Range& node, bool shared, Team& team,
                double& bound) {
    search(task, arena, node, shared, false, false, team);
    const Chosen chosen =
        choice_.among_all(*node.columns, task.impurity(), scorer(task, arena, node));
    bound = choice_.bound();
    return chosen;
  }

 private:
  // Every column's contenders, or its winner. `by_cut`: of those whose best cut may win;
  // `may_stop`: up to one that no other can beat.
  void search(Task& task, const Arena<Index>& arena, const Range& node, bool shared, bool by_cut,
              bool may_stop, Team& team) {
    task.begin(arena, node);
    // Each thread knows what its own columns reach.
    floors_.assign(scratch_.size(), -HUGE_VAL);
    const Columns& columns = *node.columns;
    const bool alone = !shared || team.size() == 1;
    const bool glanced = by_cut && alone && glance(task, arena, node, may_stop);
    bool over = false;
    team.each_if(shared, columns.size(), [&](std::size_t i, Team& inner) {
      Slot& slot = slots_[columns[i]];
      double& floor = floors_[inner.worker()];
      if (glanced && slot.high < floor) return;
      slot.reset();
      if (over) return;
      slot.floor = floor;
      task.column(arena, node, columns[i], scratch_[inner.worker()], slot, inner);
      if (by_cut && (slot.open || slot.found)) floor = std::max(floor, slot.low);
      if (may_stop && alone && task.unbeatable(slot)) over = true;
    });
  }

  // Looks where the columns' best cuts lie, so that few have to be searched; by one worker.
  bool glance(Task& task, const Arena<Index>& arena, const Range& node, bool may_stop) {
    if constexpr (Task::may_glance) {
      if (!task.glance(arena, node, may_stop, scratch_[0], slots_)) return false;
      for (std::uint32_t c : *node.columns) floors_[0] = std::max(floors_[0], slots_[c].low);
      return true;
    }
    return false;
  }

  auto scorer(Task& task, const Arena<Index>& arena, const Range& node) {
    return [this, &task, &arena, &node](const Columns& columns, double = 0.0) {
      for (std::uint32_t c : columns) {
        task.resolve(arena, node, c, scratch_[0], slots_[c]);
        slots_[c].exactly();
      }
    };
  }

  Chosen choose_by_spans(Task& task, const Arena<Index>& arena, const Range& node) {
    const Columns& columns = *node.columns;
    unforeseen_.clear();
    for (std::uint32_t c : columns) {
      Slot& slot = slots_[c];
      slot.score = Span();
      if (slot.open && !task.foresee_cut(node, slot)) unforeseen_.push_back(c);
      if (slot.found) slot.exactly();
    }
    const auto score = scorer(task, arena, node);
    score(unforeseen_);
    const double least = choice_.bound_span(columns).low;
    for (std::uint32_t c : columns) {
      if (slots_[c].open && slots_[c].cut.high >= least) task.foresee_score(slots_[c]);
    }
    return choice_.by_spans(columns, task.impurity(), columns.size(), score);
  }

  std::vector<Slot> slots_;
  std::vector<typename Task::Scratch> scratch_;  // by worker
  std::vector<double> floors_;                   // by worker: what a column must reach to matter
  Columns unforeseen_;
  typename ChoiceOf<Task>::type choice_;
};

}  // namespace tectree

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
    const Chosen chosen = choose(task, arena, node, shared, complete, team);
    if (chosen) finish(task, arena, node, *chosen);
    return chosen;
  }

  // The same with every column scored; `bound`: the least cut measure that competes.
  Chosen survey(Task& task, const Arena<Index>& arena, const Range& node, bool shared, Team& team,
                double& bound) {
    search(task, arena, node, shared, Rivals::all, false, team);
    const Chosen chosen =
        choice_.among_all(*node.columns, task.impurity(), scorer(task, arena, node));
    for (std::uint32_t c : *node.columns) finish(task, arena, node, c);
    bound = choice_.bound();
    return chosen;
  }

 private:
  Chosen choose(Task& task, const Arena<Index>& arena, const Range& node, bool shared,
                bool complete, Team& team) {
    constexpr bool one_wins = !ChoiceOf<Task>::own;
    const Columns& columns = *node.columns;
    const auto score = scorer(task, arena, node);
    if constexpr (one_wins) {
      if (task.lazy()) {
        search(task, arena, node, shared, Rivals::of_cuts, complete, team);
        return choice_.by_cut(columns, task.impurity(), score);
      }
      if (task.foresees()) {
        search(task, arena, node, shared, Rivals::of_spans, complete, team);
        foresee_cuts(task, node, columns, score);
        return choice_.by_spans(columns, task.impurity(), columns.size(), score,
                                [&](std::uint32_t c) {
                                  if (slots_[c].open) task.foresee_score(slots_[c]);
                                });
      }
    }
    search(task, arena, node, shared, Rivals::all, one_wins && complete, team);
    return choice_.among_all(columns, task.impurity(), score);
  }

  void finish(Task& task, const Arena<Index>& arena, const Range& node, std::size_t c) {
    Slot& slot = slots_[c];
    if (slot.found && slot.place > 0)
      task.finish(arena, node, static_cast<std::uint32_t>(c), scratch_[0], slot);
  }

  // What the columns are searched for: everything; the one of the best cut; spans, which a glance
  // may tell as well.
  enum class Rivals { all, of_cuts, of_spans };

  // Every column's contenders, or its winner, unless a glance has told enough. `may_stop`: up to
  // one that no other can beat.
  void search(Task& task, const Arena<Index>& arena, const Range& node, bool shared, Rivals rivals,
              bool may_stop, Team& team) {
    task.begin(arena, node);
    // Each thread knows what its own columns reach.
    floors_.assign(scratch_.size(), -HUGE_VAL);
    const Columns& columns = *node.columns;
    const bool alone = !shared || team.size() == 1, by_cut = rivals == Rivals::of_cuts;
    const bool glanced = rivals != Rivals::all && alone && glance(task, arena, node, may_stop);
    if (glanced && by_cut) {
      for (std::uint32_t c : columns) floors_[0] = std::max(floors_[0], slots_[c].low);
    }
    bool over = false;
    team.each_if(shared, columns.size(), [&](std::size_t i, Team& inner) {
      Slot& slot = slots_[columns[i]];
      double& floor = floors_[inner.worker()];
      if (glanced && told(slot, floor) && !(may_stop && task.unbeatable(slot))) return;
      slot.reset();
      if (over) return;
      slot.floor = floor;
      task.column(arena, node, columns[i], scratch_[inner.worker()], slot, inner);
      if (by_cut && slot.competes()) floor = std::max(floor, slot.low);
      if (may_stop && alone && task.unbeatable(slot)) over = true;
    });
  }

  // Whether a glance has told all that there is to know, or that is asked for.
  static bool told(const Slot& slot, double floor) {
    return slot.place > 0 || slot.high < floor || slot.high == -HUGE_VAL;
  }

  // Looks where the columns' best cuts lie, so that few have to be searched; by one worker.
  bool glance(Task& task, const Arena<Index>& arena, const Range& node, bool may_stop) {
    if constexpr (Task::may_glance) {
      return task.glance(arena, node, may_stop, scratch_[0], slots_);
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

  // The spans of all columns' cuts.
  template <class Score>
  void foresee_cuts(Task& task, const Range& node, const Columns& columns, Score score) {
    unforeseen_.clear();
    for (std::uint32_t c : columns) {
      Slot& slot = slots_[c];
      slot.score = Span();
      if (slot.found) slot.exactly();
      if (slot.open && slot.place == 0 && !task.foresee_cut(node, slot)) unforeseen_.push_back(c);
    }
    score(unforeseen_);
  }

  std::vector<Slot> slots_;
  std::vector<typename Task::Scratch> scratch_;  // by worker
  std::vector<double> floors_;                   // by worker: what a column must reach to matter
  Columns unforeseen_;
  typename ChoiceOf<Task>::type choice_;
};

}  // namespace tectree

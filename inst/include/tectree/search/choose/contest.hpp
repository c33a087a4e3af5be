// The contest of a node's columns: each is searched by the task, and one of them wins. Results and
// working space are kept from node to node.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "../../data/arena.hpp"
#include "../door/range.hpp"
#include "column_choice.hpp"
#include "column_result.hpp"

namespace tectree {

template <class Index, class Task>
class Contest {
 public:
  using Columns = std::vector<std::uint32_t>;
  using Chosen = std::optional<std::size_t>;

  Contest(const Task& task, std::size_t n_columns, int threads)
      : results_(n_columns), scratch_(threads), choice_(results_, task.eligible()) {}

  // `choice_` looks at the results.
  Contest(const Contest&) = delete;
  Contest& operator=(const Contest&) = delete;

  int threads() const { return static_cast<int>(scratch_.size()); }
  std::vector<ColumnResult>& results() { return results_; }

  // The column that wins. `shared`: by all threads of the team; `complete`: every row has a value
  // in every column.
  Chosen winner(Task& task, const Arena<Index>& arena, const Range& node, bool shared,
                bool complete, Team& team) {
    const Chosen chosen = choose(task, arena, node, shared, complete, team);
    if (chosen) finish(task, arena, node, *chosen);
    return chosen;
  }

  // The same with every column finished.
  Chosen list_candidates(Task& task, const Arena<Index>& arena, const Range& node, bool shared,
                         Team& team, double& bound) {
    search(task, arena, node, shared, Rivals::all, false, team);
    const Chosen chosen = among_all(task, arena, node, bound);
    for (std::uint32_t c : *node.columns) finish(task, arena, node, c);
    return chosen;
  }

 private:
  Chosen choose(Task& task, const Arena<Index>& arena, const Range& node, bool shared,
                bool complete, Team& team) {
    const Columns& columns = *node.columns;
    const auto score = scorer(task, arena, node);
    if constexpr (!Task::own_choice) {
      if (task.lazy()) {
        search(task, arena, node, shared, Rivals::of_cuts, complete, team);
        return choice_.by_cut(columns, task.impurity(), score);
      }
      if (task.has_spans()) {
        search(task, arena, node, shared, Rivals::of_spans, complete, team);
        spans_of_cuts(task, node, columns, score);
        return choice_.by_spans(columns, task.impurity(), columns.size(), score,
                                [&](std::uint32_t c) {
                                  if (results_[c].open) task.span_of_score(results_[c]);
                                });
      }
    }
    search(task, arena, node, shared, Rivals::all, !Task::own_choice && complete, team);
    double bound;
    return among_all(task, arena, node, bound);
  }

  // With every column scored; `bound`: the least cut measure that competes.
  Chosen among_all(Task& task, const Arena<Index>& arena, const Range& node, double& bound) {
    if constexpr (Task::own_choice) return task.choose(results_, *node.columns, bound);
    const Chosen chosen =
        choice_.among_all(*node.columns, task.impurity(), scorer(task, arena, node));
    bound = choice_.bound();
    return chosen;
  }

  void finish(Task& task, const Arena<Index>& arena, const Range& node, std::size_t c) {
    ColumnResult& result = results_[c];
    if (result.found && result.found_at > 0)
      task.finish(arena, node, static_cast<std::uint32_t>(c), scratch_[0], result);
  }

  // What the columns are searched for: everything; the one of the best cut; spans, which a preview
  // may tell as well.
  enum class Rivals { all, of_cuts, of_spans };

  // Every column's contenders, or its winner, unless a preview has told enough. `may_stop`: up to
  // one that no other can beat.
  void search(Task& task, const Arena<Index>& arena, const Range& node, bool shared, Rivals rivals,
              bool may_stop, Team& team) {
    task.begin(arena, node);
    // Each thread knows what its own columns reach.
    floors_.assign(scratch_.size(), -HUGE_VAL);
    const Columns& columns = *node.columns;
    const bool alone = !shared || team.size() == 1, by_cut = rivals == Rivals::of_cuts;
    const bool previewed = rivals != Rivals::all && alone && preview(task, arena, node, may_stop);
    if (previewed && by_cut) {
      for (std::uint32_t c : columns) floors_[0] = std::max(floors_[0], results_[c].low);
    }
    bool over = false;
    team.each_if(shared, columns.size(), [&](std::size_t i, Team& inner) {
      ColumnResult& result = results_[columns[i]];
      double& floor = floors_[inner.worker()];
      if (previewed && told(result, floor) && !(may_stop && task.unbeatable(result))) return;
      result.reset();
      if (over) return;
      result.floor = floor;
      task.column(arena, node, columns[i], scratch_[inner.worker()], result, inner);
      if (by_cut && result.competes()) floor = std::max(floor, result.low);
      if (may_stop && alone && task.unbeatable(result)) over = true;
    });
  }

  // Whether a preview has told all that there is to know, or that is asked for.
  static bool told(const ColumnResult& result, double floor) {
    return result.told_at > 0 || result.high < floor || result.high == -HUGE_VAL;
  }

  // Looks where the columns' best cuts lie, so that few have to be searched; by one worker.
  bool preview(Task& task, const Arena<Index>& arena, const Range& node, bool may_stop) {
    if constexpr (Task::may_preview) {
      return task.preview(arena, node, may_stop, scratch_[0], results_);
    }
    return false;
  }

  auto scorer(Task& task, const Arena<Index>& arena, const Range& node) {
    return [this, &task, &arena, &node](const Columns& columns, double = 0.0) {
      for (std::uint32_t c : columns) {
        task.resolve(arena, node, c, scratch_[0], results_[c]);
        results_[c].exactly();
      }
    };
  }

  // The spans of all columns' cuts.
  template <class Score>
  void spans_of_cuts(Task& task, const Range& node, const Columns& columns, Score score) {
    without_span_.clear();
    for (std::uint32_t c : columns) {
      ColumnResult& result = results_[c];
      result.score = Span();
      if (result.found) result.exactly();
      if (result.open && result.told_at == 0 && !task.span_of_cut(node, result))
        without_span_.push_back(c);
    }
    score(without_span_);
  }

  std::vector<ColumnResult> results_;
  std::vector<typename Task::Scratch> scratch_;  // by worker
  std::vector<double> floors_;                   // by worker: what a column must reach to matter
  Columns without_span_;
  ColumnChoice choice_;
};

}  // namespace tectree

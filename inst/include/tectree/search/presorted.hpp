// The search over presorted columns: exact for every criterion, kind of split and weight. What
// differs between classes, squares and absolute deviations is the Task; ranges, threads and the
// choice of the column are here.
//
// A Task has: Scratch (working space of one thread); describe(arena, node) -> NodeFacts;
// begin(arena, node); column(arena, node, c, scratch, slot, team), which leaves in the slot
// a winner or contenders (open); resolve(arena, node, c, scratch, slot), which scores the
// contenders; eligible(); lazy(), whether the best cut measure wins; foresees(), whether
// foresee(node, slot) can tell the spans of an open slot, or the slot must be scored;
// shrink(arena); and, where the winning column is not simply the best, a type Choice and choice().
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../data/arena.hpp"
#include "../data/divide.hpp"
#include "../data/take.hpp"
#include "column_choice.hpp"
#include "door.hpp"
#include "slot.hpp"
#include "surrogate.hpp"
#include "take_part.hpp"

namespace tectree {

// Shared-out rows of at most this many get 16 bits.
constexpr std::size_t most_small = 4096;

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
        side_groups_(threads),
        branch_(arena_.n),
        local_(std::make_shared<std::vector<std::uint16_t>>(sizeof(Index) > 2 ? arena_.n : 0)),
        choice_(ChoiceOf<Task>::make(task_, slots_)) {
    for (std::uint32_t c : arena_.present) complete_ = complete_ && !arena_.columns[c].has_missing;
  }

  std::unique_ptr<NodeSearch> fork() const override {
    return std::unique_ptr<NodeSearch>(new PresortedSearch(*this, ForkTag()));
  }

  const auto& problem() const { return task_.problem(); }
  // The search by another criterion of the same rows, wherever they are moved.
  template <class Problem>
  std::unique_ptr<PresortedSearch> by(std::shared_ptr<const Problem> problem) const {
    return std::unique_ptr<PresortedSearch>(
        new PresortedSearch(*this, task_.by(std::move(problem)), threads()));
  }

  // A part of the rows in an order of its own. swap() puts it in the place of the rows that the
  // search and its like work on; copy() takes the rows of a node.
  struct Page {
    std::vector<Index> rows;
    std::vector<std::vector<Entry<Index>>> entries;
  };
  void swap(Page& page) {
    arena_.rows.swap(page.rows);
    page.entries.resize(arena_.columns.size());
    for (std::uint32_t c : arena_.present) arena_.columns[c].entries.swap(page.entries[c]);
  }
  void copy(const Range& node, Page& page) const {
    page.rows.assign(arena_.rows.begin() + node.begin, arena_.rows.begin() + node.end);
    page.entries.resize(arena_.columns.size());
    for (std::uint32_t c : *node.columns) {
      const std::vector<Entry<Index>>& from = arena_.columns[c].entries;
      if (arena_.columns[c].is_binned()) continue;
      page.entries[c].assign(from.begin() + node.begin, from.begin() + node.end);
    }
  }

  Range root() const override {
    return {0, arena_.n, std::make_shared<const std::vector<std::uint32_t>>(arena_.present),
            nullptr};
  }

  NodeFacts describe(const Range& node, double* share) override {
    return task_.describe(arena_, node, share);
  }

  const Winner* best(Range& node, Team& team) override {
    search(node, team, false);
    const std::optional<std::size_t> chosen = choose(node);
    drop_constant(slots_, node);
    if (!chosen) return nullptr;
    Winner& winner = slots_[*chosen].winner;
    if (task_.control().unknown == SearchControl::Unknown::filled)
      winner.filled = filled_branch(node, winner.split);
    return &winner;
  }

  std::vector<Surrogate> find_surrogates(const Range& node, const Split& split,
                                         const SurrogateRule& rule, Team& team) override {
    double known[2] = {0.0, 0.0};
    find_sides(node, split, known);
    const std::vector<std::uint32_t>& columns = *node.columns;
    std::vector<std::optional<Surrogate>> of_column(columns.size());
    team.each_if(worth_sharing(node), columns.size(), [&](std::size_t i, Team& inner) {
      const auto c = static_cast<int>(columns[i]);
      if (c == split.column) return;
      const Column& column = frame_.columns[c];
      const bool by_level = !divided_by_value(task_.control(), column.kind);
      of_column[i] = best_surrogate(
          arena_, c, column, sample_, node, by_level, side_,
          [&](Index row) { return task_.weight_of(row); }, known, rule,
          side_groups_[inner.worker()]);
    });
    std::vector<Surrogate> found;
    for (std::optional<Surrogate>& s : of_column) {
      if (s) found.push_back(std::move(*s));
    }
    keep_best_surrogates(found, rule.most);
    return found;
  }

  std::vector<std::unique_ptr<NodeSearch>> share_out(const Range& node, const Winner& winner,
                                                     Team& team) override {
    if (!arena_.columns[winner.split.column].has_missing) return {};
    const SplitView view = winner.split.view();
    const Column& column = frame_.columns[winner.split.column];
    std::vector<int> branch;
    branch.reserve(node.size());
    bool complete = true;
    double known = 0.0;
    for (std::size_t i = node.begin; i < node.end; ++i) {
      branch.push_back(route(view, column, frame_row(arena_.rows[i])));
      complete = complete && branch.back() != no_branch;
    }
    std::vector<std::unique_ptr<NodeSearch>> out;
    if (complete) return out;
    out.resize(winner.split.branches);
    std::vector<double> weight(winner.split.branches, 0.0);
    for (std::size_t i = 0; i < branch.size(); ++i) {
      if (branch[i] == no_branch) continue;
      const double w = task_.mass_of(arena_.rows[node.begin + i]);
      weight[branch[i]] += w;
      known += w;
    }
    for (std::size_t j = 0; j < out.size(); ++j) {
      if (!(weight[j] > 0.0)) continue;
      Taken<Index> taken(node.begin, node.end, arena_.n);
      taken.expect(node.size());
      for (std::size_t i = 0; i < branch.size(); ++i) {
        const Index row = arena_.rows[node.begin + i];
        const double w = task_.weight_of(row);
        // A part so small that a double cannot hold it is none.
        const double part = branch[i] == no_branch ? w * (weight[j] / known) : w;
        if ((branch[i] == no_branch || branch[i] == static_cast<int>(j)) && part > 0.0)
          taken.add(row, part);
      }
      out[j] = search_of(taken, *node.columns, team, worth_sharing(node));
    }
    return out;
  }

  // Every column's own winner, for people to look at; `chosen` is the column that wins.
  std::vector<Slot> survey(Range& node, Team& team, std::optional<std::size_t>& chosen,
                           double& bound) {
    search(node, team, true);
    chosen = choice_.among_all(*node.columns, task_.impurity(), scorer(node));
    bound = choice_.bound();
    return slots_;
  }

  void divide_rows(const Range& node, const Split& split, const Detour& detour,
                   std::vector<Range>& children) override {
    divide_marked_rows(
        arena_.rows, node, frame_, split, detour, branch_, spare_rows_,
        [&](Index row) { return frame_row(row); },
        [&](auto put) { mark_branches(node, split, put); }, children);
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
      return shrunk(node);
    }
  }

  auto shrunk(const Range& node) {
    if constexpr (sizeof(Index) <= 2) {
      return std::unique_ptr<PresortedSearch>();
    } else {
      auto small = shrink_arena(arena_, node.begin, node.end, *node.columns, *local_,
                                [&](std::uint32_t c) { return task_.scans_codes(c); });
      auto task = task_.shrink(arena_, small, node, *local_);
      using SmallSearch = PresortedSearch<std::uint16_t, decltype(task)>;
      return std::make_unique<SmallSearch>(frame_, sample_, std::move(small), std::move(task),
                                           threads());
    }
  }

  Arena<Index>& arena() { return arena_; }
  Task& task() { return task_; }

 private:
  int threads() const { return static_cast<int>(scratch_.size()); }
  std::size_t frame_row(Index row) const { return sample_.row(arena_.position(row)); }

  template <class Put>
  void mark_branches(const Range& node, const Split& split, Put put) const {
    const Column& column = frame_.columns[split.column];
    const bool in_order = split.kind == SplitKind::threshold || split.kind == SplitKind::level;
    if (in_order) {
      const auto value = [&](Index row) { return column.value(frame_row(row)); };
      return mark_by_order(arena_.columns[split.column], arena_.rows, node, split.breaks[0], value,
                           put);
    }
    mark_by_value(
        split.view(), column, arena_.rows, node, [&](Index row) { return frame_row(row); }, put);
  }

  // Of rows without a value at the split, by the value that stands in for theirs.
  int filled_branch(const Range& node, const Split& split) const {
    const double value =
        value_to_fill(arena_, split.column, frame_.columns[split.column], sample_, node.begin,
                      node.end, [&](Index row) { return task_.weight_of(row); });
    const bool number = split.kind == SplitKind::threshold || split.kind == SplitKind::intervals;
    return number ? route_number(split.view(), value)
                  : route_code(split.view(), static_cast<int>(value));
  }

  // The side of the split that each row of the node is on, and the weight of each side.
  void find_sides(const Range& node, const Split& split, double* known) {
    side_.resize(arena_.n);
    const SplitView view = split.view();
    for (std::size_t i = node.begin; i < node.end; ++i) {
      const Index row = arena_.rows[i];
      const int branch = route(view, frame_.columns[split.column], frame_row(row));
      side_[row] = branch == no_branch ? no_side : static_cast<std::uint8_t>(branch);
      if (branch != no_branch) known[branch] += task_.weight_of(row);
    }
  }

  std::unique_ptr<NodeSearch> search_of(const Taken<Index>& taken,
                                        const std::vector<std::uint32_t>& columns, Team& team,
                                        bool shared) const {
    const auto make = [&](auto index) -> std::unique_ptr<NodeSearch> {
      using Small = decltype(index);
      auto task = task_.template take<Small>(taken);
      return std::make_unique<PresortedSearch<Small, decltype(task)>>(
          frame_, sample_, take_rows<Small>(arena_, taken, columns, team, shared), std::move(task),
          threads());
    };
    if constexpr (sizeof(Index) > 2) {
      if (taken.rows.size() > most_small) return make(Index{});
    }
    return make(std::uint16_t{});
  }

  void divide(std::vector<Entry<Index>>& entries, const Range& node,
              std::vector<Entry<Index>>& spare) const {
    branch_.divide(entries.data() + node.begin, node.size(), spare,
                   [](const Entry<Index>& e) { return e.row; });
  }

  // Waking threads costs as much as looking at some thousands of cells.
  static bool worth_sharing(const Range& node) {
    return node.size() * node.columns->size() > 20000;
  }

  // Every column's contenders, or its winner; unless `every` one is asked for, of those that may
  // win, up to one that no other can beat.
  void search(const Range& node, Team& team, bool every) {
    task_.begin(arena_, node);
    const bool one_wins = !every && !ChoiceOf<Task>::own;
    const bool may_stop = complete_ && one_wins, by_cut = one_wins && task_.lazy();
    // Each thread knows what its own columns reach.
    floors_.assign(scratch_.size(), -HUGE_VAL);
    const auto& columns = *node.columns;
    const bool share = worth_sharing(node);
    bool over = false;
    team.each_if(share, columns.size(), [&](std::size_t i, Team& inner) {
      Slot& slot = slots_[columns[i]];
      slot.reset();
      if (over) return;
      double& floor = floors_[inner.worker()];
      slot.floor = floor;
      task_.column(arena_, node, columns[i], scratch_[inner.worker()], slot, inner);
      if (by_cut && (slot.open || slot.found)) floor = std::max(floor, slot.low);
      if (may_stop && !share && task_.unbeatable(slot)) over = true;
    });
  }

  auto scorer(const Range& node) {
    return [this, &node](const std::vector<std::uint32_t>& columns, double = 0.0) {
      for (std::uint32_t c : columns) {
        task_.resolve(arena_, node, c, scratch_[0], slots_[c]);
        slots_[c].exactly();
      }
    };
  }

  std::optional<std::size_t> choose(const Range& node) {
    const auto& columns = *node.columns;
    if constexpr (!ChoiceOf<Task>::own) {
      if (task_.lazy()) return choice_.by_cut(columns, task_.impurity(), scorer(node));
      if (task_.foresees()) return choose_by_spans(node);
    }
    return choice_.among_all(columns, task_.impurity(), scorer(node));
  }

  std::optional<std::size_t> choose_by_spans(const Range& node) {
    const auto& columns = *node.columns;
    unforeseen_.clear();
    for (std::uint32_t c : columns) {
      Slot& slot = slots_[c];
      if (slot.open && !task_.foresee(node, slot)) unforeseen_.push_back(c);
      if (slot.found) slot.exactly();
    }
    scorer(node)(unforeseen_);
    return choice_.by_spans(columns, task_.impurity(), columns.size(), scorer(node));
  }

  struct ForkTag {};
  PresortedSearch(const PresortedSearch& from, ForkTag)
      : PresortedSearch(from, Task(from.task_), 1) {}

  PresortedSearch(const PresortedSearch& from, Task task, int threads)
      : frame_(from.frame_),
        sample_(from.sample_),
        shared_(from.shared_),
        arena_(*shared_),
        task_(std::move(task)),
        slots_(from.slots_.size()),
        scratch_(threads),
        spare_(threads),
        side_groups_(threads),
        branch_(from.branch_),
        local_(from.local_),
        complete_(from.complete_),
        choice_(ChoiceOf<Task>::make(task_, slots_)) {}

  const Frame& frame_;
  const Sample& sample_;
  std::shared_ptr<Arena<Index>> shared_;
  Arena<Index>& arena_;
  Task task_;
  std::vector<Slot> slots_;
  std::vector<typename Task::Scratch> scratch_;
  std::vector<double> floors_;  // by worker: what a column must reach to matter
  std::vector<std::vector<Entry<Index>>> spare_;
  std::vector<Index> spare_rows_;
  std::vector<SideGroups> side_groups_;
  std::vector<std::uint8_t> side_;  // by row
  RowBranches branch_;
  std::shared_ptr<std::vector<std::uint16_t>> local_;  // scratch of shrink(), by row
  bool complete_ = true;                               // every row has a value in every column
  std::vector<std::uint32_t> unforeseen_;
  typename ChoiceOf<Task>::type choice_;
};

}  // namespace tectree

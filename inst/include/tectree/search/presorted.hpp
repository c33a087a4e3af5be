// The search over presorted columns: exact for every criterion, kind of split and weight. What
// differs between classes, squares and absolute deviations is the Task; ranges, threads and the
// choice of the column are here.
//
// A Task has: Scratch (working space of one thread); describe(arena, node) -> NodeFacts;
// begin(arena, node); column(arena, node, c, scratch, slot, team), which leaves in the slot
// a winner or contenders (open); resolve(arena, node, c, scratch, slot), which scores the
// contenders; eligible(); lazy(), whether the best cut measure wins; foresees(), whether spans of
// open slots may be told: foresee_cut(node, slot), false where the slot must be scored, and then
// foresee_score(slot);
// shrink(arena); and, where the winning column is not simply the best, a type Choice and choice().
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../data/arena.hpp"
#include "../data/divide.hpp"
#include "../data/take.hpp"
#include "contest.hpp"
#include "door.hpp"
#include "row_shares.hpp"
#include "surrogate_search.hpp"
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
        contest_(task_, frame.columns.size(), threads),
        spare_(threads),
        surrogates_(threads),
        branch_(arena_.n),
        local_(std::make_shared<std::vector<std::uint16_t>>(sizeof(Index) > 2 ? arena_.n : 0)) {
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
    const std::optional<std::size_t> chosen =
        contest_.winner(task_, arena_, node, worth_sharing(node), complete_, team);
    drop_constant(contest_.slots(), node);
    if (!chosen) return nullptr;
    Winner& winner = contest_.slots()[*chosen].winner;
    below_ = static_cast<std::size_t>(
        std::min(winner.branch_weight[0], static_cast<double>(node.size())));
    if (task_.control().unknown == SearchControl::Unknown::filled)
      winner.filled = filled_branch(node, winner.split);
    return &winner;
  }

  std::vector<Surrogate> find_surrogates(const Range& node, const Split& split,
                                         const SurrogateRule& rule, Team& team) override {
    surrogates_.start(arena_.n);
    each_branch(node, split,
                [&](Index row, int branch) { surrogates_.put(row, branch, task_.weight_of(row)); });
    return surrogates_.find(arena_, frame_, sample_, task_.control(), node, split.column, rule,
                            worth_sharing(node), team);
  }

  std::vector<std::unique_ptr<NodeSearch>> share_out(const Range& node, const Winner& winner,
                                                     Team& team) override {
    std::vector<std::unique_ptr<NodeSearch>> out;
    if (!arena_.columns[winner.split.column].has_missing) return out;
    RowShares<Index> shares(node, winner.split.branches);
    each_branch(node, winner.split, [&](Index row, int branch) {
      shares.put(row, branch, task_.weight_of(row), task_.mass_of(row));
    });
    if (shares.all_sent()) return out;
    out.resize(winner.split.branches);
    for (int j = 0; j < winner.split.branches; ++j) {
      if (shares.takes(j))
        out[j] = search_of(shares.of(j, arena_.n), *node.columns, team, worth_sharing(node));
    }
    return out;
  }

  // Every column's own winner, for people to look at; `chosen` is the column that wins.
  std::vector<Slot> survey(Range& node, Team& team, std::optional<std::size_t>& chosen,
                           double& bound) {
    chosen = contest_.survey(task_, arena_, node, worth_sharing(node), team, bound);
    return contest_.slots();
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

  void divide_columns(const Range& node, std::vector<Range>&, const std::vector<char>& searched,
                      Team& team) override {
    const int only = branch_.only(searched);
    team.each_if(worth_sharing(node), node.columns->size(), [&](std::size_t i, Team& inner) {
      ArenaColumn<Index>& column = arena_.columns[(*node.columns)[i]];
      if (column.is_binned()) return;
      if (only < 0) return divide(column.entries, node, spare_[inner.worker()]);
      branch_.keep(only, column.entries.data() + node.begin, node.size(), RowOf());
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
  int threads() const { return contest_.threads(); }
  std::size_t frame_row(Index row) const { return sample_.row(arena_.position(row)); }

  // visit(row, its branch by its value) for the node's rows.
  template <class Visit>
  void each_branch(const Range& node, const Split& split, Visit visit) const {
    const SplitView view = split.view();
    const Column& column = frame_.columns[split.column];
    for (std::size_t i = node.begin; i < node.end; ++i) {
      const Index row = arena_.rows[i];
      visit(row, route(view, column, frame_row(row)));
    }
  }

  template <class Put>
  void mark_branches(const Range& node, const Split& split, Put put) const {
    const Column& column = frame_.columns[split.column];
    const bool in_order = split.kind == SplitKind::threshold || split.kind == SplitKind::level;
    if (in_order) {
      const auto value = [&](Index row) { return column.value(frame_row(row)); };
      return mark_by_order(arena_.columns[split.column], arena_.rows, node, split.breaks[0], below_,
                           value, put);
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
    branch_.divide(entries.data() + node.begin, node.size(), spare, RowOf());
  }
  struct RowOf {
    Index operator()(const Entry<Index>& entry) const { return entry.row; }
  };

  // Waking threads costs as much as looking at some thousands of cells.
  static bool worth_sharing(const Range& node) {
    return node.size() * node.columns->size() > 20000;
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
        contest_(task_, frame_.columns.size(), threads),
        spare_(threads),
        surrogates_(threads),
        branch_(from.branch_),
        local_(from.local_),
        complete_(from.complete_) {}

  const Frame& frame_;
  const Sample& sample_;
  std::shared_ptr<Arena<Index>> shared_;
  Arena<Index>& arena_;
  Task task_;
  Contest<Index, Task> contest_;
  std::vector<std::vector<Entry<Index>>> spare_;
  std::vector<Index> spare_rows_;
  SurrogateSearch<Index> surrogates_;
  RowBranches branch_;
  std::shared_ptr<std::vector<std::uint16_t>> local_;  // scratch of shrink(), by row
  bool complete_ = true;                               // every row has a value in every column
  std::size_t below_ = 0;  // rows below the threshold found last, where they count 1
};

}  // namespace tectree

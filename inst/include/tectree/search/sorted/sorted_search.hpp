// Room search/sorted/: the search that takes every problem; columns are sorted once.
//
// The search over sorted columns: exact for every criterion, kind of split and weight. Ranges,
// threads and the choice of the column are here; one column is the Task's business.
//
// A Task is a SortedTask, or has what one has (see sorted_task.hpp): Scratch (working space of one
// thread); tag(arena), which may put what it knows of a row into its entries; describe(arena, node)
// -> NodeFacts; begin(arena, node); column(arena, node, c, scratch, result, team), which leaves in
// the result a winner or contenders (open); resolve(arena, node, c, scratch, result), which scores
// the contenders; finish(arena, node, c, scratch, result), which makes the split of a winner of
// which only the place is known; eligible(); lazy(), whether the best cut measure wins;
// has_spans(), whether spans of open results may be told: span_of_cut(node, result), false where
// the result must be scored, and then span_of_score(result); may_preview, whether preview(arena,
// node, may_stop, scratch, results) may tell where the columns' best cuts lie before any is
// searched, and the places and spans of some, which are open then; shrink() and take(); own_choice,
// whether the winning column is not simply the best, but the one of choose(results, columns,
// bound).
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../../data/arena.hpp"
#include "../../data/take.hpp"
#include "../choose/contest.hpp"
#include "sorted_base.hpp"

namespace tectree {

// Shared-out rows of at most this many get 16 bits.
constexpr std::size_t most_small = Entry<std::uint16_t>::most_rows;

// The search of an arena's rows. By a call, so that each need be compiled only once.
template <class Index, class Task>
std::unique_ptr<NodeSearch> make_sorted(const Frame& frame, const Sample& sample,
                                        Arena<Index> arena, Task task, int threads);

template <class Index, class Task>
class SortedSearch : public SortedBase<Index> {
  using Base = SortedBase<Index>;

 public:
  SortedSearch(const Frame& frame, const Sample& sample, Arena<Index> arena, Task task, int threads)
      : Base(frame, sample, task.control(), std::move(arena), threads),
        task_(std::move(task)),
        contest_(task_, frame.columns.size(), threads) {
    task_.tag(arena_);
  }

  std::unique_ptr<NodeSearch> fork() const override {
    return std::unique_ptr<NodeSearch>(new SortedSearch(*this, ForkTag()));
  }

  std::unique_ptr<NodeSearch> with_problem(
      const std::shared_ptr<const ClassProblem>& problem) const override {
    if constexpr (Task::shares_rows) {
      return std::unique_ptr<NodeSearch>(
          new SortedSearch(*this, task_.with_problem(problem), threads()));
    } else {
      return nullptr;
    }
  }

  NodeFacts describe(const Node& node, double* share) override {
    return task_.describe(arena_, range_of(node), share);
  }

  const Winner* best(Node& node, Team& team) override {
    Range range = range_of(node);
    return search_drawn(task_.control(), *node.columns, node.stream, [&](const auto& columns) {
      range.columns = &columns;
      return best_of(range, team);
    });
  }

  // Every column's own winner, for people to look at; `chosen` is the column that wins.
  std::vector<ColumnResult> list_candidates(const Range& node, Team& team,
                                            std::optional<std::size_t>& chosen, double& bound) {
    chosen = contest_.list_candidates(task_, arena_, node, this->worth_sharing(node), team, bound);
    return contest_.results();
  }

  void divide_rows(const Node& node, const Split& split, const MissingRoute& missing_route,
                   std::vector<Node>& children) override {
    Base::divide_rows(node, split, missing_route, children);
    // What the task itself keeps in order goes with the rows: the children are described before
    // their columns follow.
    const Range range = range_of(node);
    task_.divide([&](std::vector<Entry<Index>>& entries) { this->divide(entries, range, 0); });
  }

  std::unique_ptr<NodeSearch> shrink(const Node& handle) override {
    if constexpr (sizeof(Index) <= 2) {
      return nullptr;
    } else {
      const Range node = range_of(handle);
      auto small = shrink_arena(arena_, node.begin, node.end, *node.columns, *this->local_);
      auto task = task_.shrink(arena_, small, node, *this->local_);
      return make_sorted(frame_, sample_, std::move(small), std::move(task), threads());
    }
  }

  Task& task() { return task_; }

 private:
  // Among the node's columns.
  const Winner* best_of(const Range& node, Team& team) {
    const std::optional<std::size_t> chosen =
        contest_.winner(task_, arena_, node, this->worth_sharing(node), this->complete_, team);
    if (!chosen) return nullptr;
    Winner& winner = contest_.results()[*chosen].winner;
    this->fill_in(node, winner);
    return &winner;
  }

  using Base::arena_;
  using Base::frame_;
  using Base::sample_;

  int threads() const { return contest_.threads(); }
  double weight_of(Index row) const override { return task_.weight_of(row); }
  double mass_of(Index row) const override { return task_.mass_of(row); }

  std::unique_ptr<NodeSearch> search_of(const Taken<Index>& taken,
                                        const std::vector<std::uint32_t>& columns, Team& team,
                                        bool shared) const override {
    const auto make = [&](auto index) -> std::unique_ptr<NodeSearch> {
      using Small = decltype(index);
      auto task = task_.template take<Small>(taken);
      return make_sorted(frame_, sample_, take_rows<Small>(arena_, taken, columns, team, shared),
                         std::move(task), threads());
    };
    if constexpr (sizeof(Index) > 2) {
      if (taken.rows.size() > most_small) return make(Index{});
    }
    return make(std::uint16_t{});
  }

  struct ForkTag {};
  SortedSearch(const SortedSearch& from, ForkTag) : SortedSearch(from, Task(from.task_), 1) {}

  SortedSearch(const SortedSearch& from, Task task, int threads)
      : Base(from, task.control(), threads),
        task_(std::move(task)),
        contest_(task_, frame_.columns.size(), threads) {}

  Task task_;
  Contest<Index, Task> contest_;
};

template <class Index, class Task>
std::unique_ptr<NodeSearch> make_sorted(const Frame& frame, const Sample& sample,
                                        Arena<Index> arena, Task task, int threads) {
  return std::make_unique<SortedSearch<Index, Task>>(frame, sample, std::move(arena),
                                                     std::move(task), threads);
}

}  // namespace tectree

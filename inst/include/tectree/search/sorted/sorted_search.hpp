// Room search/sorted/: the search for every problem; columns are sorted once.
//
// The search over sorted columns: exact for every criterion, kind of split and weight. This file
// contains the contest of a node's columns; the Task (sorted_task.hpp) searches one column, and its
// Stat (stat.hpp) counts rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../choose/column_choice.hpp"
#include "row_search.hpp"
#include "sorted_task.hpp"

namespace tectree {

// At most so many rows of one branch, with their own weights, get an arena of 16 bits.
constexpr std::size_t most_small = Entry<std::uint16_t>::most_rows;

// The search of an arena's rows. A function, so that each search is compiled only once.
template <class Index, class Task>
std::unique_ptr<NodeSearch> make_sorted(const Frame& frame, const Sample& sample,
                                        Arena<Index> arena, Task task, int threads);

template <class Index, class Task>
class SortedSearch : public RowSearch<Index> {
  using Base = RowSearch<Index>;
  using Base::arena_;
  using Base::frame_;
  using Base::sample_;
  using Columns = std::vector<std::uint32_t>;
  using Chosen = std::optional<std::size_t>;
  static_assert(is_task<Index, Task>());

 public:
  SortedSearch(const Frame& frame, const Sample& sample, Arena<Index> arena, Task task, int threads)
      : Base(frame, sample, task.stat().control(),
             std::make_shared<Rows<Index>>(Rows<Index>{std::move(arena), nullptr}), threads),
        task_(std::move(task)),
        results_(frame.columns.size()),
        scratch_(threads),
        choice_(results_, task_.stat().eligible()) {
    task_.tag(arena_);
  }

  std::unique_ptr<NodeSearch> fork() const override {
    return std::unique_ptr<NodeSearch>(new SortedSearch(*this, Task(task_), 1));
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
  std::unique_ptr<NodeSearch> shrink(const Node& handle) override {
    if constexpr (sizeof(Index) <= 2) {
      return nullptr;
    } else {
      const Range node = range_of(handle);
      auto small =
          this->small_arena(node, sample_, arena_.ranks, [](std::uint32_t) { return false; });
      auto task = task_.shrink(arena_, small, node, this->places());
      return make_sorted(frame_, sample_, std::move(small), std::move(task), threads());
    }
  }

  NodeFacts describe(const Node& node, double* share) override {
    this->enter(range_of(node));
    return task_.stat().describe(arena_, range_of(node), share);
  }
  void divide_rows(const Node& node, const Split& split, const MissingRoute& missing_route,
                   std::vector<Node>& children) override {
    Base::divide_rows(node, split, missing_route, children);
    // Entries that the Stat owns follow at once: the children are described before their columns
    // are divided.
    const Range range = range_of(node);
    task_.stat().divide(
        [&](std::vector<Entry<Index>>& entries) { this->divide(entries, range, 0); });
  }

  const Winner* best(Node& node, Team& team) override {
    Range range = range_of(node);
    this->enter(range);
    const auto among = [&](const Columns& columns) {
      range.columns = &columns;
      if (arena_.ranks) sort_drawn(range, team);
      return winner(range, team);
    };
    return search_drawn(this->control_, *node.columns, node.stream, drawn_, among);
  }

  Tried promising(Node& handle, std::size_t most, Team& team) override {
    if constexpr (Task::own_choice) {
      return {};  // the rules choose: see grow/look_ahead.hpp
    } else {
      const Winner* best = this->best(handle, team);
      const Range node = range_of(handle);
      const auto offer = [&](std::uint32_t c, Team& inner, std::vector<Offer>& out) {
        task_.offer(arena_, node, c, scratch_[inner.worker()], results_[c], inner, out);
      };
      return this->promising_of(node, best, most, task_.stat(), this->worth_sharing(node), team,
                                offer);
    }
  }

  // The entries that the Stat owns go with the rows.
  Node copy(const Node& handle, std::unique_ptr<RowOrder>& order) override {
    Node copied = Base::copy(handle, order);
    const Range node = range_of(handle);
    task_.stat().divide([&](std::vector<Entry<Index>>& entries) {
      this->order_in(order).of_stat.assign(entries.begin() + node.begin,
                                           entries.begin() + node.end);
    });
    return copied;
  }
  void swap(std::unique_ptr<RowOrder>& order) override {
    Base::swap(order);
    task_.stat().divide(
        [&](std::vector<Entry<Index>>& entries) { entries.swap(this->order_in(order).of_stat); });
  }

  // Every column's best split; `chosen` is the winning column, `bound` the smallest eligible cut
  // measure.
  std::vector<ColumnResult> list_candidates(const Range& node, Team& team, Chosen& chosen,
                                            double& bound) {
    search(node, Rivals::all, false, team);
    chosen = choose_among_all(node, bound);
    for (std::uint32_t c : *node.columns) finish(node, c);
    return results_;
  }

  Task& task() { return task_; }

 private:
  // Puts the node's rows in the order of columns that are not sorted yet.
  void sort_drawn(const Range& node, Team& team) {
    const Index* rows = arena_.rows.data() + node.begin;
    sorter_.resize(scratch_.size());
    team.each_if(this->worth_sharing(node), node.columns->size(), [&](std::size_t i, Team& inner) {
      const std::uint32_t c = (*node.columns)[i];
      ArenaColumn<Index>& column = arena_.columns[c];
      const ColumnRanks& ranks = arena_.ranks->columns()[c];
      if (!column.level.empty()) {
        return RowSorter<Index>::list(ranks, arena_.place.data(), rows, node.size(),
                                      column.level.data());
      }
      if (column.entries.empty()) column.entries.resize(arena_.n);
      Entry<Index>* first = column.entries.data() + node.begin;
      sorter_[inner.worker()].sort(ranks, arena_.place.data(), rows, node.size(), first);
      task_.tag(first, first + node.size());
    });
  }

  // ---- the contest of a node's columns ----------------------------------------------------------

  const Winner* winner(const Range& node, Team& team) {
    const Chosen chosen = choose(node, team);
    if (!chosen) return nullptr;
    finish(node, static_cast<std::uint32_t>(*chosen));
    Winner& winner = results_[*chosen].winner;
    this->left_ = results_[*chosen].at;
    this->fill_in(node, winner);
    return &winner;
  }

  Chosen choose(const Range& node, Team& team) {
    auto& stat = task_.stat();
    const bool may_stop =
        !Task::own_choice && std::all_of(node.columns->begin(), node.columns->end(),
                                         [&](std::uint32_t c) { return is_complete(node, c); });
    if constexpr (!Task::own_choice) {
      const auto score = [&](const Columns& columns, double = 0.0) { resolve(node, columns); };
      if (stat.best_cut_wins()) {
        search(node, Rivals::by_cut, may_stop, team);
        return choice_.by_cut(*node.columns, stat.impurity(), score);
      }
      if (stat.has_spans()) {
        search(node, Rivals::by_spans, may_stop, team);
        find_cut_spans(node);
        return choice_.by_spans(*node.columns, stat.impurity(), node.columns->size(), score,
                                [&](std::uint32_t c) {
                                  if (results_[c].is_open()) stat.find_score_span(results_[c]);
                                });
      }
    }
    search(node, Rivals::all, may_stop, team);
    double bound;
    return choose_among_all(node, bound);
  }
  // With every column scored.
  Chosen choose_among_all(const Range& node, double& bound) {
    if constexpr (Task::own_choice) return task_.choose(results_, *node.columns, bound);
    const Chosen chosen =
        choice_.among_all(*node.columns, task_.stat().impurity(),
                          [&](const Columns& columns) { resolve(node, columns); });
    bound = choice_.bound();
    return chosen;
  }

  // Which columns matter: all; those that may have the best cut; those that may have the best score
  // by their spans.
  enum class Rivals { all, by_cut, by_spans };

  // Searches the columns about which a preview does not know enough. `may_stop`: after a column
  // that none can beat, no other is searched.
  void search(const Range& node, Rivals rivals, bool may_stop, Team& team) {
    auto& stat = task_.stat();
    stat.begin(arena_, node);
    const Columns& columns = *node.columns;
    const bool shared = this->worth_sharing(node), alone = !shared || team.size() == 1,
               by_cut = rivals == Rivals::by_cut;
    const bool has_preview = rivals != Rivals::all && alone && preview(node, may_stop);
    // What a column must reach to matter: the best so far, of each thread's columns.
    floors_.assign(scratch_.size(), -HUGE_VAL);
    if (has_preview && by_cut) {
      for (std::uint32_t c : columns) floors_[0] = std::max(floors_[0], results_[c].low);
    }
    bool over = false;
    team.each_if(shared, columns.size(), [&](std::size_t i, Team& inner) {
      ColumnResult& result = results_[columns[i]];
      double& floor = floors_[inner.worker()];
      if (has_preview && needs_no_search(result, floor) && !(may_stop && stat.unbeatable(result)))
        return;
      result.reset();
      if (over) return;
      result.floor = floor;
      task_.column(arena_, node, columns[i], scratch_[inner.worker()], result, inner);
      if (by_cut && result.may_split()) floor = std::max(floor, result.low);
      if (may_stop && alone && stat.unbeatable(result)) over = true;
    });
  }
  // Whether all of the node's rows surely have a value.
  bool is_complete(const Range& node, std::uint32_t c) const {
    const ArenaColumn<Index>& column = arena_.columns[c];
    return !column.has_missing ||
           (!column.entries.empty() && column_of(arena_, node, c).complete());
  }
  bool preview(const Range& node, bool may_stop) {
    if constexpr (Task::Stat::may_preview)
      return task_.stat().preview(arena_, node, may_stop, scratch_[0].stat, results_);
    return false;
  }
  // Whether a preview has found everything that matters about a column.
  static bool needs_no_search(const ColumnResult& result, double floor) {
    return result.state == ColumnResult::State::previewed || result.high < floor ||
           result.high == -HUGE_VAL;
  }

  void resolve(const Range& node, const Columns& columns) {
    for (std::uint32_t c : columns) {
      ColumnResult& result = results_[c];
      task_.resolve(arena_, node, c, scratch_[0], result);
      if (result.is_scored()) result.close_spans();
    }
  }
  // Columns without a span are scored.
  void find_cut_spans(const Range& node) {
    without_span_.clear();
    for (std::uint32_t c : *node.columns) {
      ColumnResult& result = results_[c];
      result.score = Span();
      if (result.is_scored()) result.close_spans();
      if (result.state == ColumnResult::State::open && !task_.stat().find_cut_span(node, result))
        without_span_.push_back(c);
    }
    resolve(node, without_span_);
  }

  void finish(const Range& node, std::uint32_t c) {
    if (results_[c].state == ColumnResult::State::scored)
      task_.finish(arena_, node, c, scratch_[0], results_[c]);
  }

  // ---- for RowSearch ----------------------------------------------------------------------------

  double case_weight(Index row) const override { return task_.stat().case_weight(row); }
  double node_weight(Index row) const override { return task_.stat().node_weight(row); }
  bool may_weigh() const override {
    if constexpr (Task::Stat::weighs_parts) return task_.stat().may_weigh();
    return false;
  }
  void weigh(const Index* rows, const double* weight, std::size_t n) override {
    if constexpr (Task::Stat::weighs_parts) task_.stat().weigh(rows, weight, n);
  }
  double part_unit() const override { return task_.stat().problem()->part_unit; }
  std::unique_ptr<NodeSearch> search_of(const Taken<Index>& taken, const Range& node, Team& team,
                                        bool shared) const override {
    const auto make = [&](auto index) -> std::unique_ptr<NodeSearch> {
      using Small = decltype(index);
      auto task = task_.template take<Small>(taken);
      return make_sorted(frame_, sample_,
                         take_rows<Small>(arena_, taken, *node.columns, team, shared),
                         std::move(task), threads());
    };
    if constexpr (sizeof(Index) > 2) {
      if (taken.rows.size() > most_small) return make(Index{});
    }
    return make(std::uint16_t{});
  }

  // The same rows.
  SortedSearch(const SortedSearch& from, Task task, int threads)
      : Base(from, task.stat().control(), threads),
        task_(std::move(task)),
        results_(from.results_.size()),
        scratch_(threads),
        choice_(results_, task_.stat().eligible()) {}

  int threads() const { return static_cast<int>(scratch_.size()); }

  // Results and working space are kept from node to node.
  Task task_;
  std::vector<ColumnResult> results_;
  std::vector<typename Task::Scratch> scratch_;  // by worker
  std::vector<RowSorter<Index>> sorter_;         // likewise
  std::vector<double> floors_;                   // likewise
  Columns without_span_;
  DrawnColumns drawn_;
  ColumnChoice choice_;
};

template <class Index, class Task>
std::unique_ptr<NodeSearch> make_sorted(const Frame& frame, const Sample& sample,
                                        Arena<Index> arena, Task task, int threads) {
  return std::make_unique<SortedSearch<Index, Task>>(frame, sample, std::move(arena),
                                                     std::move(task), threads);
}

}  // namespace tectree

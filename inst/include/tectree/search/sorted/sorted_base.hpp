// The row handling of every search over sorted columns, whatever its Task: each node's rows are a
// range of one list and of every column's entries; they are divided in that order, or in parts if
// some values are missing. Compiled once for each width of a row's number.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "../../data/arena.hpp"
#include "../../data/divide.hpp"
#include "../../data/take.hpp"
#include "../door/node_search.hpp"
#include "../missing/unknown.hpp"
#include "divide_node.hpp"
#include "surrogate_search.hpp"

namespace tectree {

template <class Index>
class SortedBase : public NodeSearch {
 public:
  void swap(std::unique_ptr<RowOrder>& order) override {
    SortedOrder& other = order_in(order);
    arena_.rows.swap(other.rows);
    for (std::uint32_t c : arena_.present) arena_.columns[c].entries.swap(other.entries[c]);
  }
  Node copy(const Node& handle, std::unique_ptr<RowOrder>& order) override {
    const Range node = range_of(handle);
    SortedOrder& out = order_in(order);
    out.rows.assign(arena_.rows.begin() + node.begin, arena_.rows.begin() + node.end);
    for (std::uint32_t c : *node.columns) {
      const std::vector<Entry<Index>>& from = arena_.columns[c].entries;
      if (!from.empty()) out.entries[c].assign(from.begin() + node.begin, from.begin() + node.end);
    }
    Node copied = handle;
    copied.key = 0;
    return copied;
  }

  Node root() const override {
    return {arena_.n, 0, std::make_shared<const std::vector<std::uint32_t>>(arena_.present),
            nullptr, 0};
  }

  bool each_row(const Node& handle, const NodeSearch::UseRow& use) const override {
    const Range node = range_of(handle);
    for (std::size_t i = node.begin; i < node.end; ++i)
      use(frame_row(arena_.rows[i]), case_weight(arena_.rows[i]));
    return true;
  }

  std::vector<Surrogate> find_surrogates(const Node& handle, const Split& split,
                                         const SurrogateRule& rule, Team& team) override {
    const Range node = range_of(handle);
    surrogates_.start();
    each_branch(node, split,
                [&](Index row, int branch) { surrogates_.add(row, branch, case_weight(row)); });
    return surrogates_.find(node, split.column, rule, worth_sharing(node), team);
  }

  std::vector<std::unique_ptr<NodeSearch>> divide_into_parts(const Node& handle,
                                                             const Winner& winner,
                                                             Team& team) override {
    const Range node = range_of(handle);
    std::vector<std::unique_ptr<NodeSearch>> out;
    if (!arena_.columns[winner.split.column].has_missing) return out;
    RowShares<Index> shares(node, winner.split.branches);
    each_branch(node, winner.split, [&](Index row, int branch) {
      shares.add(row, branch, case_weight(row), node_weight(row));
    });
    if (shares.all_have_values()) return out;
    out.resize(winner.split.branches);
    for (int j = 0; j < winner.split.branches; ++j) {
      if (shares.has_rows(j))
        out[j] = search_of(shares.of(j, arena_.n), *node.columns, team, worth_sharing(node));
    }
    return out;
  }

  void divide_rows(const Node& node, const Split& split, const MissingRoute& missing_route,
                   std::vector<Node>& children) override {
    divide_marked_rows(
        arena_.rows, node, frame_, split, missing_route, branch_, spare_rows_,
        [&](Index row) { return frame_row(row); },
        [&](auto assign) { mark_branches(range_of(node), split, assign); }, children);
  }

  void divide_columns(const Node& handle, std::vector<Node>&, const std::vector<char>&,
                      Team& team) override {
    if (arena_.ranks) return;
    const Range node = range_of(handle);
    team.each_if(worth_sharing(node), node.columns->size(), [&](std::size_t i, Team& inner) {
      divide(arena_.columns[(*node.columns)[i]].entries, node, inner.worker());
    });
  }

  Arena<Index>& arena() { return arena_; }

 protected:
  // `control`: of the problem, which the Task owns.
  SortedBase(const Frame& frame, const Sample& sample, const SearchControl& control,
             Arena<Index> arena, int threads)
      : frame_(frame),
        sample_(sample),
        control_(control),
        shared_(std::make_shared<Arena<Index>>(std::move(arena))),
        arena_(*shared_),
        local_(std::make_shared<std::vector<std::uint16_t>>(sizeof(Index) > 2 ? arena_.n : 0)),
        spare_(threads),
        surrogates_(arena_, frame_, sample_, control_, threads),
        branch_(arena_.n) {
    for (std::uint32_t c : arena_.present) complete_ = complete_ && !arena_.columns[c].has_missing;
  }

  // The same rows, with separate working space.
  SortedBase(const SortedBase& from, const SearchControl& control, int threads)
      : frame_(from.frame_),
        sample_(from.sample_),
        control_(control),
        shared_(from.shared_),
        arena_(*shared_),
        local_(from.local_),
        complete_(from.complete_),
        spare_(threads),
        surrogates_(arena_, frame_, sample_, control_, threads),
        branch_(from.branch_) {}

  struct SortedOrder : RowOrder {
    std::vector<Index> rows;
    std::vector<std::vector<Entry<Index>>> entries;
    std::vector<Entry<Index>> of_stat;  // entries that the Stat itself keeps in order
  };
  SortedOrder& order_in(std::unique_ptr<RowOrder>& order) const {
    if (!order) order = std::make_unique<SortedOrder>();
    auto& own = static_cast<SortedOrder&>(*order);
    own.entries.resize(arena_.columns.size());
    return own;
  }

  // See stat.hpp.
  virtual double case_weight(Index row) const = 0;
  virtual double node_weight(Index row) const = 0;
  // The search of some rows with their own weights.
  virtual std::unique_ptr<NodeSearch> search_of(const Taken<Index>& taken,
                                                const std::vector<std::uint32_t>& columns,
                                                Team& team, bool shared) const = 0;

  static bool worth_sharing(const Range& node) {
    return Team::worth(node.size() * node.columns->size());
  }

  void fill_in(const Range& node, Winner& winner) const {
    if (control_.unknown == SearchControl::Unknown::filled)
      winner.filled = filled_branch(node, winner.split);
  }

  void divide(std::vector<Entry<Index>>& entries, const Range& node, int worker) {
    divide_entries(entries, node, branch_, spare_[worker]);
  }

  const Frame& frame_;
  const Sample& sample_;
  const SearchControl& control_;
  std::shared_ptr<Arena<Index>> shared_;
  Arena<Index>& arena_;
  std::shared_ptr<std::vector<std::uint16_t>> local_;  // scratch of shrink(), by row
  bool complete_ = true;                               // no value is missing in any column
  std::size_t left_ = 0;  // rows left of the last cut found: where the next division is likely

 private:
  std::size_t frame_row(Index row) const { return sample_.row(arena_.position(row)); }

  // visit(row, branch by its value) for the node's rows.
  template <class Visit>
  void each_branch(const Range& node, const Split& split, Visit visit) const {
    const SplitView view = split.view();
    const Column& column = frame_.columns[split.column];
    for (std::size_t i = node.begin; i < node.end; ++i) {
      const Index row = arena_.rows[i];
      visit(row, route(view, column, frame_row(row)));
    }
  }

  template <class Assign>
  void mark_branches(const Range& node, const Split& split, Assign assign) const {
    const Column& column = frame_.columns[split.column];
    const ArenaColumn<Index>& sorted = arena_.columns[split.column];
    const auto value = [&](Index row) { return column.value(frame_row(row)); };
    if (split.kind == SplitKind::threshold || split.kind == SplitKind::level)
      return mark_by_order(sorted, node, split.breaks[0], left_, value, assign);
    if (!sorted.level.empty())
      return mark_by_level(split.view(), sorted, arena_.rows, node, assign);
    mark_by_runs(split.view(), sorted, node, value, assign);
  }

  // The branch of the value imputed for missing ones.
  int filled_branch(const Range& node, const Split& split) const {
    const Column& of = frame_.columns[split.column];
    const NodeColumn<Index> column = column_of(arena_, node, split.column);
    const std::size_t end = Filling<Index>().end(column, of.kind == Kind::numeric,
                                                 [&](Index row) { return case_weight(row); });
    return route_value(split.view(), of.value(frame_row(column.e[end - 1].row)));
  }

  std::vector<std::vector<Entry<Index>>> spare_;
  std::vector<Index> spare_rows_;
  SurrogateSearch<Index> surrogates_;
  RowBranches branch_;
};

}  // namespace tectree

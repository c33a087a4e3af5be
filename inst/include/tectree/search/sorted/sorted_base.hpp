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
    if (column_of(arena_, node, winner.split.column).complete()) return out;
    enter(node);
    const auto shares = share_rows(node, winner.split);
    out.resize(winner.split.branches);
    for (int j = 0; j < winner.split.branches; ++j) {
      if (shares.has_rows(j)) {
        out[j] = search_of(shares.of(j, arena_.n, part_unit()), *node.columns, team,
                           worth_sharing(node));
      }
    }
    return out;
  }

  // The branches' rows take the place of the node's and, since they are more, of what follows. Rows
  // keep their numbers, so each node lists the weights of its rows.
  bool divide_rows_in_parts(const Node& handle, const Winner& winner,
                            std::vector<Node>& children) override {
    const Range node = range_of(handle);
    if (winner.split.branches != 2 || !may_weigh() || arena_.ranks || shared_.use_count() > 1 ||
        column_of(arena_, node, winner.split.column).complete())
      return false;
    enter(node);
    const auto shares = share_rows(node, winner.split);
    if (!shares.has_rows(0) || !shares.has_rows(1)) return false;
    if (weight_.empty()) {
      for (Index row : arena_.rows) weight_.push_back(case_weight(row));
      side_.resize(arena_.n);
    }
    for (std::size_t i = node.begin; i < node.end; ++i) side_[arena_.rows[i]] = 0;
    spare_rows_.clear();
    spare_weight_.clear();
    children.clear();
    for (int j = 0; j < 2; ++j) {
      const std::size_t before = spare_rows_.size();
      shares.each(j, part_unit(), [&](Index row, double weight, double) {
        side_[row] = static_cast<std::uint8_t>(side_[row] | (1 << j));
        spare_rows_.push_back(row);
        spare_weight_.push_back(weight);
      });
      children.push_back({spare_rows_.size() - before, node.begin + before, handle.columns, nullptr,
                          Stream::part(handle.stream, static_cast<std::size_t>(j))});
    }
    const std::size_t end = node.begin + spare_rows_.size();
    if (arena_.rows.size() < end) arena_.rows.resize(end);
    if (weight_.size() < end) weight_.resize(end);
    std::copy(spare_rows_.begin(), spare_rows_.end(), arena_.rows.begin() + node.begin);
    std::copy(spare_weight_.begin(), spare_weight_.end(), weight_.begin() + node.begin);
    in_parts_ = true;
    entered_ = Range();
    return true;
  }

  void divide_rows(const Node& node, const Split& split, const MissingRoute& missing_route,
                   std::vector<Node>& children) override {
    const Range range = range_of(node);
    enter(range);
    in_parts_ = false;
    divide_marked_rows(
        arena_.rows, node, frame_, split, missing_route, branch_, spare_rows_,
        [&](Index row) { return frame_row(row); },
        [&](auto assign) { mark_branches(range, split, assign); }, children);
    entered_ = Range();
    if (weight_.empty()) return;
    for (std::size_t i = range.begin; i < range.end; ++i) weight_[i] = case_weight(arena_.rows[i]);
  }

  void divide_columns(const Node& handle, std::vector<Node>& children, const std::vector<char>&,
                      Team& team) override {
    if (arena_.ranks) return;
    const Range node = range_of(handle);
    team.each_if(worth_sharing(node), node.columns->size(), [&](std::size_t i, Team& inner) {
      std::vector<Entry<Index>>& entries = arena_.columns[(*node.columns)[i]].entries;
      if (!in_parts_) return divide(entries, node, inner.worker());
      if (entries.size() < arena_.rows.size()) entries.resize(arena_.rows.size());
      tectree::divide_in_parts(entries.data() + node.begin, node.size(), children[0].n_rows,
                               spare_[inner.worker()], side_.data(),
                               [](const Entry<Index>& e) -> Index { return e.row; });
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
        branch_(arena_.n) {}

  // The same rows, with separate working space.
  SortedBase(const SortedBase& from, const SearchControl& control, int threads)
      : frame_(from.frame_),
        sample_(from.sample_),
        control_(control),
        shared_(from.shared_),
        arena_(*shared_),
        local_(from.local_),
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
  virtual double part_unit() const = 0;
  virtual bool may_weigh() const = 0;
  virtual void weigh(const Index* rows, const double* weight, std::size_t n) = 0;
  // The search of some rows with their own weights.
  virtual std::unique_ptr<NodeSearch> search_of(const Taken<Index>& taken,
                                                const std::vector<std::uint32_t>& columns,
                                                Team& team, bool shared) const = 0;

  // Before the weights of a node's rows are read.
  void enter(const Range& node) {
    if (weight_.empty() || (entered_.begin == node.begin && entered_.end == node.end)) return;
    entered_ = node;
    weigh(arena_.rows.data() + node.begin, weight_.data() + node.begin, node.size());
  }

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

  RowShares<Index> share_rows(const Range& node, const Split& split) {
    return share_marked_rows(
        arena_.rows, node, split.branches, branch_, [&](Index row) { return case_weight(row); },
        [&](Index row) { return node_weight(row); },
        [&](auto assign) { mark_branches(node, split, assign); });
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
  // Once rows have been divided into parts in place: the weights of each node's rows, in the order
  // of these; the sides to which the rows of the latest division go.
  std::vector<double> weight_, spare_weight_;
  std::vector<std::uint8_t> side_;
  bool in_parts_ = false;
  Range entered_;  // the node whose weights the rows have
  SurrogateSearch<Index> surrogates_;
  RowBranches branch_;
};

}  // namespace tectree

// What the searches of rows in memory have in common: each node's rows are a range of one list, and
// of the entries of every column that is sorted. They are divided in that order, or in parts if
// some values are missing. Compiled once for each width of a row's number.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../../data/divide.hpp"
#include "../choose/promising.hpp"
#include "../door/node_search.hpp"
#include "../missing/unknown.hpp"
#include "divide_node.hpp"
#include "rows.hpp"
#include "surrogate_search.hpp"

namespace tectree {

template <class Index>
class RowSearch : public NodeSearch {
 public:
  void swap(std::unique_ptr<RowOrder>& order) override {
    OrderOfRows& other = order_in(order);
    arena_.rows.swap(other.rows);
    for (std::uint32_t c : arena_.present) arena_.columns[c].entries.swap(other.entries[c]);
  }
  Node copy(const Node& handle, std::unique_ptr<RowOrder>& order) override {
    const Range node = range_of(handle);
    OrderOfRows& out = order_in(order);
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
    return {arena_.rows.size(), 0,
            std::make_shared<const std::vector<std::uint32_t>>(arena_.present), nullptr, 0};
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
    const SplitView view = split.view();
    const Column& column = frame_.columns[split.column];
    surrogates_.start();
    for (std::size_t i = node.begin; i < node.end; ++i) {
      const Index row = arena_.rows[i];
      surrogates_.add(row, route(view, column, frame_row(row)), case_weight(row));
    }
    return surrogates_.find(node, split.column, rule, worth_sharing(node), team);
  }

  std::vector<std::unique_ptr<NodeSearch>> divide_into_parts(const Node& handle,
                                                             const Winner& winner,
                                                             Team& team) override {
    const Range node = range_of(handle);
    std::vector<std::unique_ptr<NodeSearch>> out;
    if (!any_unknown(node, winner.split.column)) return out;
    enter(node);
    const auto shares = share_rows(node, winner.split);
    out.resize(winner.split.branches);
    for (int j = 0; j < winner.split.branches; ++j) {
      if (shares.has_rows(j))
        out[j] = search_of(shares.of(j, arena_.n, part_unit()), node, team, worth_sharing(node));
    }
    return out;
  }

  // The branches' rows take the place of the node's and, since they are more, of what follows. Rows
  // keep their numbers, so each node lists the weights of its rows.
  bool divide_rows_in_parts(const Node& handle, const Winner& winner,
                            std::vector<Node>& children) override {
    const Range node = range_of(handle);
    if (winner.split.branches != 2 || !may_weigh() || arena_.ranks || shared_.use_count() > 1 ||
        !any_unknown(node, winner.split.column))
      return false;
    enter(node);
    const auto shares = share_rows(node, winner.split);
    if (!shares.has_rows(0) || !shares.has_rows(1)) return false;
    if (parts_.weight.empty()) {
      for (Index row : arena_.rows) parts_.weight.push_back(case_weight(row));
      parts_.side.resize(arena_.n);
    }
    for (std::size_t i = node.begin; i < node.end; ++i) parts_.side[arena_.rows[i]] = 0;
    spare_rows_.clear();
    parts_.spare.clear();
    children.clear();
    for (int j = 0; j < 2; ++j) {
      const std::size_t before = spare_rows_.size();
      shares.each(j, part_unit(), [&](Index row, double weight, double) {
        parts_.side[row] = static_cast<std::uint8_t>(parts_.side[row] | (1 << j));
        spare_rows_.push_back(row);
        parts_.spare.push_back(weight);
      });
      children.push_back({spare_rows_.size() - before, node.begin + before, handle.columns, nullptr,
                          Stream::part(handle.stream, static_cast<std::size_t>(j))});
    }
    parts_.replace(node, spare_rows_, arena_.rows);
    return true;
  }

  void divide_rows(const Node& node, const Split& split, const MissingRoute& missing_route,
                   std::vector<Node>& children) override {
    const Range range = range_of(node);
    enter(range);
    divide_marked_rows(
        arena_.rows, node, frame_, split, missing_route, branch_, spare_rows_,
        [&](Index row) { return frame_row(row); },
        [&](auto assign) { mark_branches(range, split, assign); }, children);
    parts_.reorder(range, [&](std::size_t i) { return case_weight(arena_.rows[i]); });
  }

  void divide_columns(const Node& handle, std::vector<Node>& children, const std::vector<char>&,
                      Team& team) override {
    if (arena_.ranks || !shared_->any_sorted()) return;
    const Range node = range_of(handle);
    team.each_if(worth_sharing(node), node.columns->size(), [&](std::size_t i, Team& inner) {
      std::vector<Entry<Index>>& entries = arena_.columns[(*node.columns)[i]].entries;
      if (!parts_.latest) return divide(entries, node, inner.worker());
      if (entries.size() < arena_.rows.size()) entries.resize(arena_.rows.size());
      tectree::divide_in_parts(entries.data() + node.begin, node.size(), children[0].n_rows,
                               spare_[inner.worker()], parts_.side.data(),
                               [](const Entry<Index>& e) -> Index { return e.row; });
    });
  }

  Arena<Index>& arena() { return arena_; }

 protected:
  // `control`: of the problem, which the search owns.
  RowSearch(const Frame& frame, const Sample& sample, const SearchControl& control,
            std::shared_ptr<Rows<Index>> rows, int threads)
      : frame_(frame),
        sample_(sample),
        control_(control),
        shared_(std::move(rows)),
        arena_(shared_->arena),
        place_(std::make_shared<std::vector<std::uint16_t>>(needs_places() ? arena_.n : 0)),
        spare_(threads),
        surrogates_(arena_, frame_, sample_, control_, threads),
        branch_(arena_.n) {}

  // The same rows, with separate working space.
  RowSearch(const RowSearch& from, const SearchControl& control, int threads)
      : frame_(from.frame_),
        sample_(from.sample_),
        control_(control),
        shared_(from.shared_),
        arena_(from.arena_),
        place_(from.place_),
        spare_(threads),
        surrogates_(arena_, frame_, sample_, control_, threads),
        branch_(from.branch_) {}

  struct OrderOfRows : RowOrder {
    std::vector<Index> rows;
    std::vector<std::vector<Entry<Index>>> entries;
    std::vector<Entry<Index>> of_stat;  // entries that the Stat itself keeps in order
  };
  OrderOfRows& order_in(std::unique_ptr<RowOrder>& order) const {
    if (!order) order = std::make_unique<OrderOfRows>();
    auto& own = static_cast<OrderOfRows&>(*order);
    own.entries.resize(arena_.columns.size());
    return own;
  }

  // See stat.hpp.
  virtual double case_weight(Index row) const = 0;
  virtual double node_weight(Index row) const = 0;
  virtual double part_unit() const = 0;
  virtual bool may_weigh() const { return false; }
  virtual void weigh(const Index*, const double*, std::size_t) {}
  // The search of some rows with their own weights.
  virtual std::unique_ptr<NodeSearch> search_of(const Taken<Index>& taken, const Range& node,
                                                Team& team, bool shared) const = 0;

  // Before the weights of a node's rows are read.
  void enter(const Range& node) {
    if (parts_.enter(node))
      weigh(arena_.rows.data() + node.begin, parts_.weight.data() + node.begin, node.size());
  }

  // Whether a row of the node has no value in a column.
  bool any_unknown(const Range& node, int c) const {
    if (shared_->is_sorted(c))
      return !column_of(arena_, node, static_cast<std::uint32_t>(c)).complete();
    const CodedColumn* codes = coded(c);
    if (codes && !codes->has_missing) return false;
    return std::any_of(arena_.rows.begin() + node.begin, arena_.rows.begin() + node.end,
                       [&](Index row) {
                         return codes ? codes->binned.code[row] == codes->missing()
                                      : std::isnan(frame_.columns[c].value(frame_row(row)));
                       });
  }

  static bool worth_sharing(const Range& node) {
    return Team::worth(node.size() * node.columns->size());
  }

  void fill_in(const Range& node, Winner& winner) const {
    if (control_.unknown == SearchControl::Unknown::filled)
      winner.filled = filled_branch(node, winner.split);
  }

  // See NodeSearch::promising(). `best`: the node's winner; offer(c, team, out): the splits of a
  // column that may be tried; complete(offer) makes the split of one that has only a bin.
  template <class Stat, class OfColumn>
  Tried promising_of(const Range& node, const Winner* best, std::size_t most, const Stat& stat,
                     bool shared, Team& team, OfColumn offer,
                     const std::function<void(Offer&)>& complete = {}) const {
    if (!stat.may_gain()) return {};
    std::optional<Winner> first;
    if (best) first = *best;  // offers take its place
    const std::vector<std::uint32_t>& columns = *node.columns;
    std::vector<std::vector<Offer>> offers(columns.size());
    team.each_if(shared, columns.size(),
                 [&](std::size_t i, Team& inner) { offer(columns[i], inner, offers[i]); });
    Promising all(std::move(offers), first ? &*first : nullptr, stat.impurity(), stat.eligible());
    Tried out = all.take(most, complete);
    for (std::size_t i = out.first_is_best; i < out.splits.size(); ++i)
      fill_in(node, out.splits[i]);
    return out;
  }

  void divide(std::vector<Entry<Index>>& entries, const Range& node, int worker) {
    divide_entries(entries, node, branch_, spare_[worker]);
  }

  // All rows of a node in an arena of 16 bits; see Rows.
  template <class Unsorted>
  Arena<std::uint16_t> small_arena(const Range& node, const Sample& sample,
                                   const std::shared_ptr<const Ranks>& ranks,
                                   Unsorted unsorted) const {
    const std::vector<Index> rows = shared_->list(node);
    for (std::size_t i = 0; !place_->empty() && i < rows.size(); ++i)
      (*place_)[rows[i]] = static_cast<std::uint16_t>(i);
    return shared_->small_arena(node, rows, *place_, frame_, sample, ranks, unsorted);
  }
  // By row of the arena, scratch of small_arena().
  const std::vector<std::uint16_t>& places() const { return *place_; }

  const Frame& frame_;
  const Sample& sample_;
  const SearchControl& control_;
  std::shared_ptr<Rows<Index>> shared_;
  Arena<Index>& arena_;
  std::size_t left_ = 0;  // rows left of the last cut found: where the next division is likely

 private:
  std::size_t frame_row(Index row) const { return sample_.row(arena_.position(row)); }
  bool needs_places() const {
    return sizeof(Index) > 2 && (!shared_->codes || shared_->any_sorted());
  }
  const CodedColumn* coded(int c) const {
    return shared_->codes && (*shared_->codes)[c].coded ? &(*shared_->codes)[c] : nullptr;
  }

  template <class Assign>
  void mark_branches(const Range& node, const Split& split, Assign assign) const {
    const Column& column = frame_.columns[split.column];
    const ArenaColumn<Index>& sorted = arena_.columns[split.column];
    const CodedColumn* codes = coded(split.column);
    const bool in_order = split.kind == SplitKind::threshold || split.kind == SplitKind::level;
    const auto value = [&](Index row) { return column.value(frame_row(row)); };
    if (!sorted.entries.empty() && in_order)
      return mark_by_order(sorted, node, split.breaks[0], left_, value, assign);
    if (!sorted.entries.empty()) return mark_by_runs(split.view(), sorted, node, value, assign);
    if (!sorted.level.empty())
      return mark_by_level(split.view(), sorted, arena_.rows, node, assign);
    if (codes && codes->exact)
      return mark_by_code(split.view(), codes->binned, arena_.rows, node, assign);
    if (codes && in_order)
      return mark_by_bin(*codes, arena_.rows, node, split.breaks[0], value, assign);
    mark_by_value(
        split.view(), column, arena_.rows, node, [&](Index row) { return frame_row(row); }, assign);
  }

  RowShares<Index> share_rows(const Range& node, const Split& split) {
    return share_marked_rows(
        arena_.rows, node, split.branches, branch_, [&](Index row) { return case_weight(row); },
        [&](Index row) { return node_weight(row); },
        [&](auto assign) { mark_branches(node, split, assign); });
  }

  // The branch of the value imputed for missing ones.
  int filled_branch(const Range& node, const Split& split) const {
    const Column& column = frame_.columns[split.column];
    const bool median = column.kind == Kind::numeric;
    const auto value = [&](Index row) { return column.value(frame_row(row)); };
    const auto weight_of = [&](Index row) { return case_weight(row); };
    const SplitView view = split.view();
    if (shared_->is_sorted(split.column)) {
      const auto sorted = column_of(arena_, node, static_cast<std::uint32_t>(split.column));
      const std::size_t end = Filling<Index>().end(sorted, median, weight_of);
      return route_value(view, value(sorted.e[end - 1].row));
    }
    // Every row has a value. A median is on the side that has half of the weight.
    std::vector<double> weight(median ? 2 : column.n_levels, 0.0);
    for (std::size_t i = node.begin; i < node.end; ++i) {
      const Index row = arena_.rows[i];
      const double x = value(row);
      weight[median ? route_value(view, x) : static_cast<int>(x) - 1] += weight_of(row);
    }
    const std::size_t at = place_to_fill(weight, median);
    return median ? static_cast<int>(at) : route_value(view, static_cast<double>(at + 1));
  }

  std::shared_ptr<std::vector<std::uint16_t>> place_;
  std::vector<std::vector<Entry<Index>>> spare_;
  std::vector<Index> spare_rows_;
  RowParts<Index> parts_;
  SurrogateSearch<Index> surrogates_;
  RowBranches branch_;
};

}  // namespace tectree

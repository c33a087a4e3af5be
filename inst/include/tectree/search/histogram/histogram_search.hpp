// Room search/histogram/: the search of large nodes; columns stand on bins.
//
// The search of large nodes: a column of many values stands on at most 255 bins, what a node's rows
// come to is counted by bin, and only bins in which the best cut may lie are looked into. Exact,
// and the same tree as the sorted search; it is the better one while a node is large, because
// counting reads a byte per row in order where sorted columns jump about in memory. Of the two
// children of a split only the smaller is counted, the larger is what is left of the parent.
//
// What is counted is the business of a statistic, Stat. It has: Problem, Task (of the sorted search
// over the same rows: it describes nodes, searches columns by value and goes on in small nodes);
// count(rows, task, node, team), recount(rows, task, node, parent's counts, team) and rest(rows,
// node, all, part), which make a node's counts; serves(counts, task, node), whether those that were
// handed down do; view(...), one column of a counted node; may_cut(view); Cursor (see
// look_inside.hpp) and Cuts, what is known of a column's cuts; score(view, task, cuts, scratch,
// best), which scores cuts exactly; size(view), what min_bucket bounds, of all its rows;
// pass_on(task); by_cut_alone, whether the best cut always wins, and Scores (see score_bounds.hpp)
// where not.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../choose/column_choice.hpp"
#include "../choose/column_draw.hpp"
#include "../sorted/divide_node.hpp"
#include "../sorted/sorted_search.hpp"
#include "histogram_columns.hpp"

namespace tectree {

template <class Stat>
class HistogramSearch : public NodeSearch {
 public:
  using Problem = typename Stat::Problem;
  using Task = typename Stat::Task;

  // `kept`: the positions that take part, increasing. Nodes of at most `small` are passed on to an
  // arena of their own.
  HistogramSearch(Task task, std::shared_ptr<const Codes> codes, std::vector<std::uint32_t> kept,
                  std::size_t small, int threads)
      : HistogramSearch(
            task,
            std::make_shared<HistogramRows>(
                std::move(codes), std::move(kept), task.problem()->sample->size,
                *task.problem()->sample,
                [&](std::uint32_t c) { return Stat::counts(*task.problem(), c); }),
            Stat(task, task.problem()->sample->size), RowBranches(task.problem()->sample->size),
            small, threads) {}

  std::unique_ptr<NodeSearch> fork() const override {
    return make(task_, rows_, stat_, branch_, small_, 1);
  }

  const std::shared_ptr<const Problem>& problem() const { return task_.problem(); }
  // The search by another criterion of the same rows, wherever they are moved.
  std::unique_ptr<HistogramSearch> by(std::shared_ptr<const Problem> problem) const {
    return make(task_.by(problem), rows_, stat_.by(*problem), branch_, small_, columns_.threads());
  }

  Range root() const override {
    auto all = std::make_shared<std::vector<std::uint32_t>>(rows_->codes->size());
    std::iota(all->begin(), all->end(), 0u);
    return {0, rows_->arena.rows.size(), std::move(all), nullptr};
  }

  NodeFacts describe(const Range& node, double* share) override {
    return task_.describe(rows_->arena, node, share);
  }

  const Winner* best(Range& node, Team& team) override {
    task_.begin(rows_->arena, node);
    if (!task_.varies()) return nullptr;
    if (!node.counts || !stat_.serves(node.counts.get(), task_, node))
      node.counts = stat_.count(*rows_, task_, node, team);
    return search_drawn(task_.control(), node,
                        [&](Range& columns) { return best_of(columns, team); });
  }

  void divide_rows(const Range& node, const Split& split, const MissingRoute& missing_route,
                   std::vector<Range>& children) override {
    divide_marked_rows(
        rows_->arena.rows, node, frame(), split, missing_route, branch_, spare_rows_,
        [&](std::uint32_t row) { return rows_->sample.row(row); },
        [&](auto put) { mark_branches(node, split, put); }, children);
  }

  // Gives the children that will be searched on bins what is known of them.
  void divide_columns(const Range& node, std::vector<Range>& children,
                      const std::vector<char>& searched, Team& team) override {
    if (!node.counts || children.size() != 2) return;
    const std::size_t large = children[1].size() > children[0].size() ? 1 : 0, less = 1 - large;
    const auto wants = [&](std::size_t j) { return searched[j] && children[j].size() > small_; };
    if (!wants(large)) return;
    const auto part = stat_.recount(*rows_, task_, children[less], node.counts.get(), team);
    children[large].counts = stat_.rest(*rows_, node, node.counts.get(), part.get());
    if (wants(less)) children[less].counts = part;
  }

  std::unique_ptr<NodeSearch> gather(Range& node, Team& team) override {
    constexpr std::size_t part = 8;  // of the rows, that has them wide apart
    if (node.size() <= small_ || node.size() > rows_->arena.n / part) return nullptr;
    auto own = std::make_shared<HistogramRows>(*rows_, node, team);
    auto search =
        make(task_.shrink(rows_->arena, own->arena, node, {}), own, Stat(stat_, node, *rows_),
             RowBranches(own->arena.n), small_, columns_.threads());
    node.end = own->arena.n;
    node.begin = 0;
    return search;
  }

  std::unique_ptr<NodeSearch> shrink(const Range& node) override { return shrunk(node); }

  auto shrunk(const Range& node) {
    auto arena = rows_->small_arena(node, frame());
    auto task = task_.shrink(rows_->arena, arena, node, {});
    return std::make_unique<SortedSearch<std::uint16_t, decltype(task)>>(
        frame(), *task_.problem()->sample, std::move(arena), std::move(task), columns_.threads());
  }

  // A part of the rows in an order of its own. swap() puts it in the place of the rows that the
  // search and its like work on; copy() takes the rows of a node.
  struct RowOrder {
    std::vector<std::uint32_t> rows;
  };
  void swap(RowOrder& order) { rows_->arena.rows.swap(order.rows); }
  void copy(const Range& node, RowOrder& order) const {
    order.rows.assign(rows_->of(node), rows_->of(node) + node.size());
  }

 private:
  HistogramSearch(Task task, std::shared_ptr<HistogramRows> rows, Stat stat, RowBranches branch,
                  std::size_t small, int threads)
      : rows_(std::move(rows)),
        task_(std::move(task)),
        stat_(std::move(stat)),
        branch_(std::move(branch)),
        small_(small),
        columns_(stat_, task_, *rows_, threads),
        choice_(columns_.results(), task_.eligible()) {}

  static std::unique_ptr<HistogramSearch> make(Task task, std::shared_ptr<HistogramRows> rows,
                                               Stat stat, RowBranches branch, std::size_t small,
                                               int threads) {
    return std::unique_ptr<HistogramSearch>(new HistogramSearch(
        std::move(task), std::move(rows), std::move(stat), std::move(branch), small, threads));
  }

  // Among the node's columns.
  const Winner* best_of(Range& node, Team& team) {
    const std::vector<std::uint32_t>& all = *node.columns;
    team.each(all.size(), [&](std::size_t i, Team& inner) {
      columns_.look(node, all[i], inner.worker(), inner);
    });
    const std::optional<std::size_t> chosen =
        task_.lazy() ? choose_by_cut(node, team) : choose_by_spans(node, team);
    const Winner* winner =
        chosen ? columns_.winner(node, static_cast<std::uint32_t>(*chosen)) : nullptr;
    drop_constant(columns_.results(), node);
    return winner;
  }

  const Frame& frame() const { return *task_.problem()->frame; }

  // The column of the best cut, once the edges of all have been looked at.
  std::optional<std::size_t> choose_by_cut(const Range& node, Team& team) {
    const std::vector<std::uint32_t>& all = *node.columns;
    const std::vector<ColumnResult>& results = columns_.results();
    double floor = -HUGE_VAL;
    for (std::uint32_t c : all) {
      if (results[c].competes()) floor = std::max(floor, results[c].low);
    }
    team.each(all.size(), [&](std::size_t i, Team& inner) {
      if (results[all[i]].open) columns_.look_closely(node, all[i], floor, inner.worker());
    });
    return choice_.by_cut(all, task_.impurity(), [&](const std::vector<std::uint32_t>& winners) {
      for (std::uint32_t c : winners) columns_.resolve(node, c, 0);
    });
  }

  std::optional<std::size_t> choose_by_spans(const Range& node, Team& team) {
    if constexpr (Stat::by_cut_alone) {
      return std::nullopt;
    } else {
      const std::vector<std::uint32_t>& all = *node.columns;
      team.each(all.size(), [&](std::size_t i, Team& inner) {
        columns_.find_span(node, all[i], inner.worker());
      });
      const auto score = [&](const std::vector<std::uint32_t>& columns, double reach) {
        team.each(columns.size(), [&](std::size_t i, Team& inner) {
          columns_.narrow(node, columns[i], reach, inner.worker());
        });
      };
      const auto span_of = [](std::uint32_t) {};  // every column has one
      return choice_.by_spans(all, task_.impurity(), static_cast<std::size_t>(team.size()), score,
                              span_of);
    }
  }

  template <class Put>
  void mark_branches(const Range& node, const Split& split, Put put) const {
    const CodedColumn& column = (*rows_->codes)[split.column];
    const Column& values = frame().columns[split.column];
    const std::vector<std::uint32_t>& rows = rows_->arena.rows;
    const bool in_order = split.kind == SplitKind::threshold || split.kind == SplitKind::level;
    const auto row_of = [&](std::uint32_t row) { return rows_->sample.row(row); };
    if (!in_order || !column.coded) {
      mark_by_value(split.view(), values, rows, node, row_of, put);
    } else if (column.exact) {
      mark_by_code(column.binned, rows, node, split.breaks[0], put);
    } else {
      const auto value = [&](std::uint32_t row) { return values.value(row_of(row)); };
      mark_by_bin(column, rows, node, split.breaks[0], value, put);
    }
  }

  std::shared_ptr<HistogramRows> rows_;  // shared by forks
  Task task_;
  Stat stat_;
  RowBranches branch_;
  std::size_t small_;
  HistogramColumns<Stat> columns_;
  ColumnChoice choice_;
  std::vector<std::uint32_t> spare_rows_;
};

}  // namespace tectree

// Rows in memory as the source of a histogram search.
//
// See source.hpp for the members of a Source. Here columns with many values are on bins, columns
// that the statistic does not count are searched by value, and nodes with few rows continue in
// sorted columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "../sorted/divide_node.hpp"
#include "../sorted/sorted_search.hpp"
#include "histogram_rows.hpp"

namespace tectree {

template <class StatOf>
class RowSource {
 public:
  using Stat = StatOf;
  using Task = typename Stat::Task;
  using Problem = typename Stat::Problem;

  // `kept`: the positions that take part, increasing.
  RowSource(Task task, std::shared_ptr<const Codes> codes, std::vector<std::uint32_t> kept)
      : RowSource(task,
                  std::make_shared<HistogramRows>(
                      codes, std::move(kept), task.stat().problem()->sample->size,
                      *task.stat().problem()->sample,
                      [&](std::uint32_t c) {
                        return !(*codes)[c].by_value && Stat::counts(*task.stat().problem(), c);
                      }),
                  Stat(task.stat(), task.stat().problem()->sample->size),
                  RowBranches(task.stat().problem()->sample->size)) {}

  // Some rows in their own order, and their entries in the columns that are sorted.
  struct Order : RowOrder {
    std::vector<std::uint32_t> rows;
    std::vector<std::vector<HistogramRows::Entry>> entries;
  };

  static constexpr bool in_memory = true;
  using ByValue = typename Task::Scratch;

  const Stat& stat() const { return stat_; }
  // The sorted search's Stat measures the node, although its rows are counted by code.
  const auto& node_stat() const { return task_.stat(); }
  const Codes& codes() const { return *rows_->codes; }
  const CellLayout& cells() const { return rows_->cells; }
  // The same rows with another criterion.
  RowSource with_problem(std::shared_ptr<const Problem> problem) const {
    return RowSource(task_.with_problem(problem), rows_, stat_.with_problem(*problem), branch_);
  }

  Node root() const { return {rows_->arena.rows.size(), 0, nullptr, nullptr, 0}; }
  NodeFacts describe(const Node& node, double* share) {
    return task_.stat().describe(rows_->arena, range_of(node), share);
  }
  void begin(const Node& node) { task_.stat().begin(rows_->arena, range_of(node)); }
  BinView view(const Node& node, std::uint32_t c) const {
    return {frame().columns[c], codes()[c], &rows_->sample, rows_->of(range_of(node)), node.n_rows};
  }
  std::shared_ptr<const void> count(const Node& node, const void* parent, Team& team) {
    return stat_.count(*rows_, task_.stat(), range_of(node), parent, team);
  }
  void divide(const Node& node, const Split& split, const MissingRoute& missing_route,
              std::vector<Node>& children) {
    divide_marked_rows(
        rows_->arena.rows, node, frame(), split, missing_route, branch_, spare_rows_,
        [&](std::uint32_t row) { return rows_->sample.row(row); },
        [&](auto put) { mark_branches(range_of(node), split, put); }, children);
  }

  // Makes the columns that are sorted follow the latest division.
  void divide_columns(const Node& handle, Team& team) {
    const Range node = range_of(handle);
    const auto sorted = [&](std::uint32_t c) { return is_sorted(static_cast<int>(c)); };
    if (std::none_of(node.columns->begin(), node.columns->end(), sorted)) return;
    spare_.resize(static_cast<std::size_t>(team.size()));
    team.each_if(Team::worth(node.size() * node.columns->size()), node.columns->size(),
                 [&](std::size_t i, Team& inner) {
                   divide_entries(rows_->arena.columns[(*node.columns)[i]].entries, node, branch_,
                                  spare_[static_cast<std::size_t>(inner.worker())]);
                 });
  }

  void each_row(const Node& handle, const NodeSearch::UseRow& use) const {
    const Range node = range_of(handle);
    for (std::size_t i = node.begin; i < node.end; ++i) {
      const std::uint32_t row = rows_->arena.rows[i];
      use(rows_->sample.row(row), task_.stat().case_weight(row));
    }
  }

  std::optional<RowSource> gather(const Node& handle, std::size_t pass_on_at, Team& team) const {
    const Range node = range_of(handle);
    constexpr std::size_t part = 8;  // nodes with a smaller part of the rows have them far apart
    if (node.size() <= pass_on_at || node.size() > rows_->arena.n / part) return std::nullopt;
    auto own = std::make_shared<HistogramRows>(*rows_, node, rows_->list(node), team);
    Task task = task_.shrink(rows_->arena, own->arena, node, {});
    return RowSource(task, own, Stat(stat_, node, *rows_, task.stat()), RowBranches(own->arena.n));
  }
  std::unique_ptr<NodeSearch> shrunk(const Node& handle, int threads) {
    const Range node = range_of(handle);
    auto arena = small_arena(rows_->list(node), *node.columns);
    auto task = task_.shrink(rows_->arena, arena, node, {});
    return make_sorted(frame(), *task_.stat().problem()->sample, std::move(arena), std::move(task),
                       threads);
  }

  // See NodeSearch::divide_into_parts(). make(source) is the search of a branch with more than
  // `pass_on_at` rows.
  template <class Make>
  std::vector<std::unique_ptr<NodeSearch>> divide_into_parts(const Node& handle,
                                                             const Winner& winner,
                                                             std::size_t pass_on_at, int threads,
                                                             Team& team, Make make) {
    const Range node = range_of(handle);
    const auto& stat = task_.stat();
    const int branches = winner.split.branches;
    const auto shares = share_marked_rows(
        rows_->arena.rows, node, branches, branch_,
        [&](std::uint32_t row) { return stat.case_weight(row); },
        [&](std::uint32_t row) { return stat.node_weight(row); },
        [&](auto put) { mark_branches(node, winner.split, put); });
    std::vector<std::unique_ptr<NodeSearch>> out(static_cast<std::size_t>(branches));
    for (int j = 0; j < branches; ++j) {
      if (!shares.has_rows(j)) continue;
      const auto taken = shares.of(j, rows_->arena.n, stat.problem()->part_unit);
      if (taken.rows.size() <= std::min(pass_on_at, most_small)) {
        auto task = task_.template take<std::uint16_t>(taken);
        out[j] = make_sorted(frame(), *stat.problem()->sample,
                             small_arena(taken.rows, *node.columns), std::move(task), threads);
        continue;
      }
      auto own = std::make_shared<HistogramRows>(*rows_, node, taken.rows, team);
      auto task = task_.template take<std::uint32_t>(taken);
      typename Stat::OfParts counts(task.stat(), own->arena.n, stat.problem()->part_unit);
      const std::size_t n = own->arena.n;
      out[j] = make(RowSource<typename Stat::OfParts>(std::move(task), std::move(own),
                                                      std::move(counts), RowBranches(n)));
    }
    return out;
  }

  // Columns that are not counted are searched by value, as in sorted columns.
  void search(const Node& node, std::uint32_t c, ByValue& scratch, ColumnResult& result,
              Team& team) {
    task_.column(rows_->arena, range_of(node), c, scratch, result, team);
  }
  void resolve(const Node& node, std::uint32_t c, ByValue& scratch, ColumnResult& result) {
    task_.resolve(rows_->arena, range_of(node), c, scratch, result);
  }
  void finish(const Node& node, std::uint32_t c, ByValue& scratch, ColumnResult& result) {
    task_.finish(rows_->arena, range_of(node), c, scratch, result);
  }
  void offer(const Node& node, std::uint32_t c, ByValue& scratch, ColumnResult& result, Team& team,
             std::vector<Offer>& out) {
    task_.offer(rows_->arena, range_of(node), c, scratch, result, team, out);
  }

  // The branch of the value imputed for missing ones.
  int filled_branch(const Node& handle, const Split& split) const {
    const Range node = range_of(handle);
    const Column& column = frame().columns[split.column];
    const bool median = column.kind == Kind::numeric;
    const auto value = [&](std::uint32_t row) { return column.value(rows_->sample.row(row)); };
    const auto weight_of = [&](std::uint32_t row) { return task_.stat().case_weight(row); };
    const SplitView view = split.view();
    if (is_sorted(split.column)) {
      const auto sorted = column_of(rows_->arena, node, static_cast<std::uint32_t>(split.column));
      const std::size_t end = Filling<std::uint32_t>().end(sorted, median, weight_of);
      return route_value(view, value(sorted.e[end - 1].row));
    }
    // Every row has a value. A median is on the side that has half of the weight.
    std::vector<double> weight(median ? 2 : column.n_levels, 0.0);
    for (std::size_t i = node.begin; i < node.end; ++i) {
      const std::uint32_t row = rows_->arena.rows[i];
      const double x = value(row);
      weight[median ? route_value(view, x) : static_cast<int>(x) - 1] += weight_of(row);
    }
    const std::size_t at = place_to_fill(weight, median);
    return median ? static_cast<int>(at) : route_value(view, static_cast<double>(at + 1));
  }

  // Whether a row of the node has no value in a column.
  bool any_unknown(const Node& handle, int c) const {
    const CodedColumn& coded = codes()[c];
    if (coded.coded && !coded.has_missing) return false;
    const Range node = range_of(handle);
    const Column& column = frame().columns[c];
    return std::any_of(rows_->of(node), rows_->of(node) + node.size(), [&](std::uint32_t row) {
      return coded.coded ? coded.binned.code[row] == coded.missing()
                         : std::isnan(column.value(rows_->sample.row(row)));
    });
  }
  // The sorted search of a node of any size.
  std::unique_ptr<NodeSearch> sorted(const Node& handle, Team& team, int threads) {
    if (handle.n_rows <= most_small) return shrunk(handle, threads);
    const Range node = range_of(handle);
    Arena<std::uint32_t> arena = rows_->sorted_arena(node, frame(), team);
    auto task = task_.shrink(rows_->arena, arena, node, {});
    return make_sorted(frame(), *task_.stat().problem()->sample, std::move(arena), std::move(task),
                       threads);
  }

  // swap() exchanges the rows that all copies of the source work on; copy() takes those of a node.
  void swap(Order& order) {
    rows_->arena.rows.swap(order.rows);
    order.entries.resize(rows_->arena.columns.size());
    for (std::size_t c = 0; c < order.entries.size(); ++c)
      rows_->arena.columns[c].entries.swap(order.entries[c]);
  }
  void copy(const Node& node, Order& order) const {
    const auto part = [&](const auto& all, auto& out) {
      out.clear();
      if (!all.empty()) out.assign(all.begin() + node.key, all.begin() + node.key + node.n_rows);
    };
    part(rows_->arena.rows, order.rows);
    order.entries.resize(rows_->arena.columns.size());
    for (std::size_t c = 0; c < order.entries.size(); ++c)
      part(rows_->arena.columns[c].entries, order.entries[c]);
  }

  RowSource(Task task, std::shared_ptr<HistogramRows> rows, Stat stat, RowBranches branch)
      : rows_(std::move(rows)),
        task_(std::move(task)),
        stat_(std::move(stat)),
        branch_(std::move(branch)) {}

 private:
  bool is_sorted(int c) const { return !rows_->arena.columns[c].entries.empty(); }
  const Frame& frame() const { return *task_.stat().problem()->frame; }

  Arena<std::uint16_t> small_arena(const std::vector<std::uint32_t>& rows,
                                   const std::vector<std::uint32_t>& columns) const {
    const auto& stat = task_.stat();
    return rows_->small_arena(rows, columns, frame(), stat.problem()->ranks, [&](std::uint32_t c) {
      if constexpr (Task::Stat::groups_by_level) {
        return needs_no_order(stat.control(), frame().columns[c], stat.classes());
      } else {
        return false;
      }
    });
  }

  template <class Put>
  void mark_branches(const Range& node, const Split& split, Put put) const {
    const CodedColumn& column = (*rows_->codes)[split.column];
    const Column& values = frame().columns[split.column];
    const std::vector<std::uint32_t>& rows = rows_->arena.rows;
    const bool in_order = split.kind == SplitKind::threshold || split.kind == SplitKind::level;
    const auto row_of = [&](std::uint32_t row) { return rows_->sample.row(row); };
    if (column.coded && column.exact) {
      mark_by_code(split.view(), column.binned, rows, node, put);
    } else if (!in_order || !column.coded) {
      mark_by_value(split.view(), values, rows, node, row_of, put);
    } else {
      const auto value = [&](std::uint32_t row) { return values.value(row_of(row)); };
      mark_by_bin(column, rows, node, split.breaks[0], value, put);
    }
  }

  std::shared_ptr<HistogramRows> rows_;  // shared by copies
  Task task_;
  Stat stat_;
  RowBranches branch_;
  std::vector<std::uint32_t> spare_rows_;
  std::vector<std::vector<HistogramRows::Entry>> spare_;  // by worker
};

}  // namespace tectree

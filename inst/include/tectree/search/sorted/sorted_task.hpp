// What the sorted search does with one column, whatever its rows are counted by: groups or sorted
// entries, values that stand in for missing ones, the exact scores of what may be the best, and the
// split.
//
// The Stat says how rows are counted. It is the base of its task, so that the task knows what it
// knows: problem(), with frame, sample and control; tag(), describe(), begin(), impurity(),
// varies(), eligible(), lazy(), has_spans() and what else a Task is asked about the node (see
// sorted_search.hpp). Of rows: Row, the type of their numbers; weight_of(row), mass_of(row);
// counts_rows(), whether each counts 1; unknown_weight(complete, known); shrunk() and taken(), the
// Stat of some rows in an arena of their own; divide(), if it keeps rows in an order of its own. Of
// a column: Scratch; scans(), whether it scans sorted entries: scan(column, scratch, result) then
// offers the cuts that may be the best and opens the result, score(column, cuts, scratch, result,
// best) measures these from their rows. Of groups of rows: put(tally, first, last), which adds rows
// to a tally of width() numbers and returns their size; sized(), whether groups weigh what their
// tallies sum to instead; groups_by_level, whether add_levels(rows, n, column, cells, tally, size)
// adds rows to the tallies and sizes of their levels; worth(column, groups, scratch, result), a
// Worth (see group_search.hpp) that is told the result's impurity.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../../data/codes/binned.hpp"
#include "../../data/take.hpp"
#include "../groups/group_search.hpp"
#include "../missing/unknown.hpp"

namespace tectree {

// Whether a column's levels are only grouped by class, which asks for no order, and so few that a
// small node too may clear a count for each of them and each class.
inline bool needs_no_order(const SearchControl& control, const Column& column,
                           std::size_t n_classes) {
  constexpr std::size_t most_counts = 2048;
  return !divided_by_value(control, column.kind) &&
         column.n_levels <= static_cast<int>(Binned::most) &&
         static_cast<std::size_t>(column.n_levels) * n_classes <= most_counts;
}

template <class Stat>
class SortedTask : public Stat {
 public:
  using Index = typename Stat::Row;
  // Kept from node to node, so that a small node asks for no memory.
  struct Scratch : Stat::Scratch {
    Groups groups;
    Filling<Index> filling;
    BestOf best;
    std::vector<std::uint32_t> cells;
  };

  static constexpr bool own_choice = false;
  using Stat::control;
  using Stat::Stat;
  explicit SortedTask(Stat stat) : Stat(std::move(stat)) {}

  // The same rows by another criterion, where the Stat `shares_rows`.
  template <class Problem>
  SortedTask with_problem(std::shared_ptr<const Problem> problem) const {
    SortedTask out(*this);
    out.look_at(std::move(problem));
    return out;
  }

  void column(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
              ColumnResult& result, Team& team) {
    if (!this->varies()) return;
    if (!this->scans() || !divides_plainly(control(), predictor(c).kind) || !sorted(arena, c)) {
      auto&& worth = worth_of(arena, node, c, scratch, result);
      return search_groups(worth, {predictor(c), c, node.stream}, team, result);
    }
    const NodeColumn<Index> column = node_column(arena, node, c, scratch);
    if (!column.constant()) this->scan(column, scratch, result);
  }

  // Scores a column's contenders, or the cut that a preview told, from their rows.
  void resolve(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
               ColumnResult& result) {
    const NodeColumn<Index> column = node_column(arena, node, c, scratch);
    if (result.told_at > 0) result.contenders.offer(result.told_at, result.low, result.high);
    BestOf& best = scratch.best;
    best.start(control().min_gain, result.impurity);
    this->score(column, result.contenders.settle(), scratch, result, best);
    result.open = false;
    result.told_at = 0;
    if (best.empty()) return;
    best.settle();
    keep_place(result, best.at(), best.measures(), best.enough());
  }

  // The split of a column of which the place of the best cut is known.
  void finish(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
              ColumnResult& result) {
    const std::size_t at = result.found_at;
    const NodeColumn<Index> column = node_column(arena, node, c, scratch);
    result.winner.split = cut_between(static_cast<int>(c), predictor(c).kind,
                                      value_of(arena, c, column.e[at - 1].row, scratch),
                                      value_of(arena, c, column.e[at].row, scratch));
    result.found_at = 0;
    if (!this->counts_rows()) return weigh_branches(column, at, result);
    result.winner.branch_weight.assign(
        {static_cast<double>(at), static_cast<double>(column.known - at)});
  }

  template <class To>
  auto shrink(const Arena<Index>& from, const Arena<To>& to, const Range& node,
              const std::vector<std::uint16_t>& local) const {
    return task_of(this->shrunk(from, to, node, local));
  }
  // The task of some rows with weights of their own.
  template <class Small>
  auto take(const Taken<Index>& some) const {
    return task_of(this->template taken<Small>(some));
  }

  // What dividing a column's groups in a node is worth.
  decltype(auto) worth_of(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                          Scratch& scratch, ColumnResult& result) {
    const NodeColumn<Index> column = groups_of(arena, node, c, scratch);
    return this->worth(column, scratch.groups, scratch, result);
  }

 protected:
  const Column& predictor(std::uint32_t c) const { return this->problem()->frame->columns[c]; }
  std::size_t sample_row(const Arena<Index>& arena, Index row) const {
    return this->problem()->sample->row(arena.position(row));
  }
  // A row's value, or the one that stands in where a node's column was filled.
  double value_of(const Arena<Index>& arena, std::uint32_t c, Index row,
                  const Scratch& scratch) const {
    const double x = predictor(c).value(sample_row(arena, row));
    return std::isnan(x) ? predictor(c).value(sample_row(arena, scratch.filling.row)) : x;
  }
  bool fills(const Arena<Index>& arena, std::uint32_t c) const {
    return control().unknown == SearchControl::Unknown::filled && arena.columns[c].has_missing;
  }
  static bool sorted(const Arena<Index>& arena, std::uint32_t c) {
    return !arena.columns[c].entries.empty();
  }

  // A sorted column as it is searched: where missing values are filled in, all rows have one.
  NodeColumn<Index> node_column(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                                Scratch& scratch) const {
    const NodeColumn<Index> column = column_of(arena, node, c);
    if (column.known == 0 || column.complete() || !fills(arena, c)) return column;
    return scratch.filling.fill(column, predictor(c).kind == Kind::numeric,
                                [&](Index row) { return this->weight_of(row); });
  }

  // Collects a column's groups in a node.
  NodeColumn<Index> groups_of(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                              Scratch& scratch) const {
    Groups& out = scratch.groups;
    NodeColumn<Index> column{nullptr, 0, node.size()};
    bool complete = true;
    const auto put = [&](double* tally, const Entry<Index>* first, const Entry<Index>* last) {
      return this->put(tally, first, last);
    };
    if (sorted(arena, c)) {
      column = node_column(arena, node, c, scratch);
      complete = column.complete();
      collect_runs(column.e, column.e + column.known, this->width(), out, put,
                   [&](Index row) { return value_of(arena, c, row, scratch); });
    } else {
      const ArenaColumn<Index>& listed = arena.columns[c];
      const std::size_t levels = listed.level.empty() ? predictor(c).n_levels : listed.levels;
      complete = collect_levels(levels, this->width(), out, [&](double* tally, double* weight) {
        add_levels(arena, node, c, scratch, tally, weight);
      });
    }
    if (this->sized()) out.weigh_by_counts();
    out.unknown = this->unknown_weight(complete, out.n);
    return column;
  }

  // From the list of the rows' levels where there is one, else by their values.
  void add_levels(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
                  double* tally, double* weight) const {
    const Index *row = arena.rows.data() + node.begin, *end = arena.rows.data() + node.end;
    const Column& column = predictor(c);
    if constexpr (Stat::groups_by_level) {
      const ArenaColumn<Index>& listed = arena.columns[c];
      if (!listed.level.empty())
        return Stat::add_levels(row, node.size(), listed, scratch.cells, tally, weight);
    }
    for (; row < end; ++row) {
      const int level = column.whole[sample_row(arena, *row)];
      const int at = level == missing_code ? column.n_levels : level - 1;
      const Entry<Index> e{0, *row};
      weight[at] += this->put(tally + static_cast<std::size_t>(at) * this->width(), &e, &e + 1);
    }
  }

  void weigh_branches(const NodeColumn<Index>& column, std::size_t at, ColumnResult& result) const {
    result.winner.branch_weight.assign(2, 0.0);
    for (std::size_t i = 0; i < column.known; ++i)
      result.winner.branch_weight[i >= at] += this->weight_of(column.e[i].row);
  }

 private:
  template <class Other>
  static SortedTask<Other> task_of(Other stat) {
    return SortedTask<Other>(std::move(stat));
  }
};

}  // namespace tectree

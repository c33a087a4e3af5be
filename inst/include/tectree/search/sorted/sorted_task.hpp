// What the sorted search does with one column, however its rows are counted: groups or sorted
// entries, imputed values, the exact scores of the cuts that may be the best, and the split. The
// Stat (stat.hpp) counts rows.
//
// A SortedTask is a Task of the sorted search. A Task has
//   Stat, Scratch                its Stat; working space of one thread
//   stat()                       which counts rows
//   tag(arena), tag(first, last) may store what it knows about rows in entries: called once, and
//                                for those of columns that are sorted when drawn
//   column(arena, node, c, scratch, result, team)
//                                searches a column: the result is open, scored, complete or none
//   resolve(arena, node, c, scratch, result)
//                                scores an open result
//   finish(arena, node, c, scratch, result)
//                                makes the split of a scored one
//   offer(arena, node, c, scratch, result, team, out)
//                                offers the splits that may be tried, unless own_choice
//   shrink(from, to, node, local), take<Index>(taken)
//                                the Task of a node's rows in their own arena; of some rows with
//                                their own weights
//   shares_rows                  whether with_problem(problem) is the Task of the same rows for
//                                another criterion
//   own_choice                   whether choose(results, columns, bound) finds the winner
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../../data/codes/binned.hpp"
#include "../../data/take.hpp"
#include "../groups/offer_divisions.hpp"
#include "../missing/unknown.hpp"
#include "stat.hpp"

namespace tectree {

// Whether a column's levels are only grouped by class, which needs no order, and are so few that
// even a small node may clear a count for each level and class. Imputed values and parts of rows
// need an order.
inline bool needs_no_order(const SearchControl& control, const Column& column,
                           std::size_t n_classes) {
  using Unknown = SearchControl::Unknown;
  constexpr std::size_t most_counts = 2048;
  return (control.unknown == Unknown::ignored || control.unknown == Unknown::learned) &&
         !divided_by_value(control, column.kind) &&
         column.n_levels <= static_cast<int>(Binned::most) &&
         static_cast<std::size_t>(column.n_levels) * n_classes <= most_counts;
}

template <class StatOf>
class SortedTask {
 public:
  using Stat = StatOf;
  using Index = typename Stat::Row;
  static_assert(is_stat<Stat>());
  // Kept from node to node, so a small node allocates no memory.
  struct Scratch {
    typename Stat::Scratch stat;
    Groups groups;
    Filling<Index> filling;
    BestOf best;
    ColumnResult on_left;  // with missing values on the left, see search_both_sides()
  };

  explicit SortedTask(Stat stat) : stat_(std::move(stat)) {}
  // For a Stat that is made from a problem and its rows.
  template <class Problem, class... Rows>
  explicit SortedTask(std::shared_ptr<Problem> problem, Rows&&... rows)
      : stat_(std::move(problem), std::forward<Rows>(rows)...) {}

  Stat& stat() { return stat_; }
  const Stat& stat() const { return stat_; }
  void tag(Arena<Index>& arena) const {
    for (std::uint32_t c : arena.present) {
      std::vector<Entry<Index>>& entries = arena.columns[c].entries;
      tag(entries.data(), entries.data() + entries.size());
    }
  }
  void tag(Entry<Index>* first, Entry<Index>* last) const { stat_.tag(first, last); }

  static constexpr bool shares_rows = Stat::shares_rows, own_choice = false;
  template <class Problem>
  SortedTask with_problem(std::shared_ptr<const Problem> problem) const {
    SortedTask out(*this);
    out.stat_.set_problem(std::move(problem));
    return out;
  }

  void column(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
              ColumnResult& result, Team& team) const {
    if (!stat_.may_gain()) return;
    if (learns_side(arena, node, c))
      return search_both_sides(arena, node, c, scratch, result, team);
    search(arena, node, c, no_branch, scratch, result, team);
  }

  // Scores the contenders, or the cut that a preview has found, from their rows.
  void resolve(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
               ColumnResult& result) const {
    assert(result.is_open());
    const NodeColumn<Index> column = node_column(arena, node, c, no_branch, scratch);
    if (result.state == ColumnResult::State::previewed)
      result.contenders.offer(result.at, result.low, result.high);
    score(column, scratch, result);
  }

  // The split of a column whose best cut is scored.
  void finish(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
              ColumnResult& result) const {
    const std::size_t at = result.at;
    const NodeColumn<Index> column = node_column(arena, node, c, result.winner.filled, scratch);
    result.complete(cut_between(static_cast<int>(c), predictor(c).kind,
                                value_of(arena, c, column.e[at - 1].row, scratch),
                                value_of(arena, c, column.e[at].row, scratch)));
    std::vector<double>& weight = result.winner.branch_weight;
    if (stat_.counts_rows()) {
      weight.assign({static_cast<double>(at), static_cast<double>(column.known - at)});
      return;
    }
    const auto weigh = [&](std::size_t i, std::size_t end) {
      double sum = 0.0;
      for (; i < end; ++i) sum += stat_.case_weight(column.e[i].row);
      return sum;
    };
    weight.assign({weigh(0, at), weigh(at, column.known)});
  }

  // The splits of a column that may be tried. One into several intervals is the best one, as found
  // by column(), resolve() and finish().
  void offer(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
             ColumnResult& result, Team& team, std::vector<Offer>& out) const {
    const GroupColumn of{predictor(c), c, node.stream};
    if (wants_intervals(control(), of.column.kind)) {
      result.reset();
      column(arena, node, c, scratch, result, team);
      const Winner& w = result.winner;
      if (result.state == ColumnResult::State::complete &&
          worth_trying({w.cut, w.gain, w.score}, control().min_gain, result.impurity))
        out.push_back({w, -1, false});
      return;
    }
    const auto offer_with = [&](int side) {
      auto&& worth = worth_of(arena, node, c, side, scratch, result);
      offer_divisions(worth, of, side, team, out);
    };
    if (!learns_side(arena, node, c)) return offer_with(no_branch);
    offer_with(0);
    offer_with(1);
  }

  template <class To>
  auto shrink(const Arena<Index>& from, const Arena<To>& to, const Range& node,
              const std::vector<std::uint16_t>& local) const {
    return task_of(stat_.shrunk(from, to, node, local));
  }
  template <class Small>
  auto take(const Taken<Index>& some) const {
    return task_of(stat_.template with_weights<Small>(some));
  }

  // The Worth of a column's groups in a node; `side` as in node_column().
  decltype(auto) worth_of(const Arena<Index>& arena, const Range& node, std::uint32_t c, int side,
                          Scratch& scratch, ColumnResult& result) const {
    const NodeColumn<Index> column = groups_of(arena, node, c, side, scratch);
    return stat_.worth(column, scratch.groups, scratch.stat, result);
  }

  // Whether the column is cut in two with missing values tried on both sides of the cut.
  bool learns_side(const Arena<Index>& arena, const Range& node, std::uint32_t c) const {
    const Kind kind = predictor(c).kind;
    if (control().unknown != SearchControl::Unknown::learned || !arena.columns[c].has_missing ||
        !divided_by_value(control(), kind) || wants_intervals(control(), kind))
      return false;
    const NodeColumn<Index> column = column_of(arena, node, c);
    return column.known > 0 && !column.complete();
  }

 protected:
  const SearchControl& control() const { return stat_.control(); }
  const Column& predictor(std::uint32_t c) const { return stat_.problem()->frame->columns[c]; }
  std::size_t sample_row(const Arena<Index>& arena, Index row) const {
    return stat_.problem()->sample->row(arena.position(row));
  }

  // A sorted column as it is searched: if missing values are imputed, all rows have one. `side`:
  // the branch of a cut where missing values are counted, with the lowest or the highest value; or
  // no_branch.
  NodeColumn<Index> node_column(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                                int side, Scratch& scratch) const {
    const NodeColumn<Index> column = column_of(arena, node, c);
    if (column.known == 0 || column.complete()) return column;
    if (side != no_branch) return scratch.filling.fill(column, column.end_of(side));
    if (control().unknown != SearchControl::Unknown::filled) return column;
    const std::size_t last = scratch.filling.end(column, predictor(c).kind == Kind::numeric,
                                                 [&](Index row) { return stat_.case_weight(row); });
    return scratch.filling.fill(column, last);
  }

  // A row's value, or the imputed one.
  double value_of(const Arena<Index>& arena, std::uint32_t c, Index row,
                  const Scratch& scratch) const {
    const double x = predictor(c).value(sample_row(arena, row));
    return std::isnan(x) ? predictor(c).value(sample_row(arena, scratch.filling.row)) : x;
  }

 private:
  // Missing values on the left, then on the right: the better one counts.
  void search_both_sides(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                         Scratch& scratch, ColumnResult& result, Team& team) const {
    ColumnResult& left = scratch.on_left;
    left.reset();
    left.floor = result.floor;
    search(arena, node, c, 0, scratch, left, team);
    search(arena, node, c, 1, scratch, result, team);
    if (left.is_scored() && !beats(result, left)) std::swap(left, result);
  }
  // Whether `right` is the better of two results of one column.
  static bool beats(const ColumnResult& right, const ColumnResult& left) {
    if (!right.is_scored() || right.enough != left.enough) return right.is_scored() && right.enough;
    return !ties_or_beats(left.winner.cut, right.winner.cut, left.impurity);
  }

  // Searches a column, and scores it at once if a side is tried; `side` as in node_column().
  void search(const Arena<Index>& arena, const Range& node, std::uint32_t c, int side,
              Scratch& scratch, ColumnResult& result, Team& team) const {
    if (!stat_.scans() || !divides_plainly(control(), predictor(c).kind) || !sorted(arena, c)) {
      auto&& worth = worth_of(arena, node, c, side, scratch, result);
      search_groups(worth, {predictor(c), c, node.stream}, team, result);
    } else {
      const NodeColumn<Index> column = node_column(arena, node, c, side, scratch);
      if (!column.constant()) stat_.scan(column, scratch.stat, result);
      if (side != no_branch && result.is_open()) score(column, scratch, result);
    }
    if (side != no_branch) result.winner.filled = side;
  }
  // Scores the contenders.
  void score(const NodeColumn<Index>& column, Scratch& scratch, ColumnResult& result) const {
    BestOf& best = scratch.best;
    best.start(control().min_gain, result.impurity);
    stat_.score(column, result.contenders.settle(), scratch.stat, best);
    result.state = ColumnResult::State::none;
    if (best.empty()) return;
    best.settle();
    result.keep_cut(best.at(), best.measures(), best.enough());
  }

  static bool sorted(const Arena<Index>& arena, std::uint32_t c) {
    return !arena.columns[c].entries.empty();
  }

  // Collects a column's groups in a node.
  NodeColumn<Index> groups_of(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                              int side, Scratch& scratch) const {
    Groups& out = scratch.groups;
    NodeColumn<Index> column{nullptr, 0, node.size()};
    bool complete = true;
    // Missing values are a group of their own.
    const bool with_unknown = control().unknown == SearchControl::Unknown::learned &&
                              groups_in_two(control(), predictor(c).kind);
    if (sorted(arena, c)) {
      column = node_column(arena, node, c, side, scratch);
      if (with_unknown) column.known = column.rows;
      complete = column.complete();
      collect_runs(
          column.e, column.e + column.known, stat_.width(), out,
          [&](double* tally, const Entry<Index>* first, const Entry<Index>* last) {
            return stat_.add_rows(tally, first, last);
          },
          [&](Index row) {
            return with_unknown ? predictor(c).value(sample_row(arena, row))
                                : value_of(arena, c, row, scratch);
          });
    } else {
      const ArenaColumn<Index>& listed = arena.columns[c];
      const std::size_t levels = listed.level.empty() ? predictor(c).n_levels : listed.levels;
      complete = collect_levels(levels, stat_.width(), with_unknown, out,
                                [&](double* tally, double* weight) {
                                  add_levels(arena, node, c, scratch, tally, weight);
                                });
    }
    if (stat_.by_class()) out.weigh_by_counts();
    if (stat_.has_sizes()) size_groups(arena, node, c, column, with_unknown, out);
    out.unknown = stat_.unknown_weight(complete, out.n);
    return column;
  }

  // The groups of sorted entries are their runs; otherwise each is a level.
  void size_groups(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                   const NodeColumn<Index>& column, bool with_unknown, Groups& out) const {
    std::vector<double> size(out.size(), 0.0);
    if (sorted(arena, c)) {
      const Entry<Index>*e = column.e, *last = column.e + column.known;
      for (std::size_t g = 0; e < last; ++g) {
        for (const Entry<Index>* end = end_of_run(e, last); e < end; ++e)
          size[g] += stat_.size(e->row);
      }
      return out.set_sizes(std::move(size));
    }
    const Column& predictor = this->predictor(c);
    std::vector<std::size_t> group_of(predictor.n_levels + 1, out.size());
    for (std::size_t g = 0; g < out.with_value(); ++g)
      group_of[static_cast<std::size_t>(out.value[g])] = g;
    if (with_unknown && out.has_unknown()) group_of[0] = out.size() - 1;
    for (std::size_t i = node.begin; i < node.end; ++i) {
      const Index row = arena.rows[i];
      const int level = predictor.level(sample_row(arena, row));
      const std::size_t g = group_of[level == missing_code ? 0 : level];
      if (g < size.size()) size[g] += stat_.size(row);
    }
    out.set_sizes(std::move(size));
  }

  // From the list of the rows' levels if there is one, otherwise by their values.
  void add_levels(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
                  double* tally, double* weight) const {
    const Index *row = arena.rows.data() + node.begin, *end = arena.rows.data() + node.end;
    const Column& column = predictor(c);
    if constexpr (Stat::groups_by_level) {
      const ArenaColumn<Index>& listed = arena.columns[c];
      if (!listed.level.empty())
        return stat_.add_levels(row, node.size(), listed, scratch.stat, tally, weight);
    }
    for (; row < end; ++row) {
      const int level = column.level(sample_row(arena, *row));
      const int at = level == missing_code ? column.n_levels : level - 1;
      const Entry<Index> e{0, *row};
      weight[at] +=
          stat_.add_rows(tally + static_cast<std::size_t>(at) * stat_.width(), &e, &e + 1);
    }
  }

  template <class Other>
  static SortedTask<Other> task_of(Other stat) {
    return SortedTask<Other>(std::move(stat));
  }

  Stat stat_;
};

// Whether Task is a Task for an arena of Index.
template <class Index, class Task>
constexpr bool is_task() {
  using Scratch = typename Task::Scratch;
  static_assert(is_stat<typename Task::Stat>());
  static_assert(meets<Task&>(TECTREE_CAN(task, static_cast<typename Task::Stat&>(task.stat()))),
                "a Task must have stat(), its Stat");
  static_assert(meets<Task&>(TECTREE_CAN(task, task.tag(some<Arena<Index>&>()))),
                "a Task must have tag(arena)");
  static_assert(
      meets<Task&>(TECTREE_CAN(task, task.tag(some<Entry<Index>*>(), some<Entry<Index>*>()))),
      "a Task must have tag(first, last), for entries");
  static_assert(
      meets<Task&>(TECTREE_CAN(
          task, task.column(some<const Arena<Index>&>(), some<const Range&>(), std::uint32_t{},
                            some<Scratch&>(), some<ColumnResult&>(), some<Team&>()))),
      "a Task must have column(arena, node, c, scratch, result, team), which searches a column");
  static_assert(
      meets<Task&>(TECTREE_CAN(
          task, task.resolve(some<const Arena<Index>&>(), some<const Range&>(), std::uint32_t{},
                             some<Scratch&>(), some<ColumnResult&>()))),
      "a Task must have resolve(arena, node, c, scratch, result), which scores an open column");
  static_assert(meets<Task&>(TECTREE_CAN(
                    task, task.finish(some<const Arena<Index>&>(), some<const Range&>(),
                                      std::uint32_t{}, some<Scratch&>(), some<ColumnResult&>()))),
                "a Task must have finish(arena, node, c, scratch, result), which makes the split");
  static_assert(
      meets<const Task&>(TECTREE_CAN(
          task, task.shrink(some<const Arena<Index>&>(), some<const Arena<std::uint16_t>&>(),
                            some<const Range&>(), some<const std::vector<std::uint16_t>&>()))),
      "a Task must have shrink(from, to, node, local), the Task of a node's rows alone");
  static_assert(meets<const Task&>(TECTREE_CAN(
                    task, task.template take<std::uint16_t>(some<const Taken<Index>&>()))),
                "a Task must have take<Index>(taken), the Task of some rows");
  static_assert(meets<Task&>(TECTREE_CAN(task, bool{task.shares_rows})),
                "a Task must have shares_rows, whether it has with_problem(problem)");
  static_assert(meets<Task&>(TECTREE_CAN(task, bool{task.own_choice})),
                "a Task must have own_choice, whether it has choose(results, columns, bound)");
  return true;
}

}  // namespace tectree

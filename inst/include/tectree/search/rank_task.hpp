// Regression by least absolute deviations as a Task of the presorted search.
//
// The response is one more sorted column: a node's numbers lie in ascending order in its range of
// `order_`. What the two sides of a cut cost is told by a RankScan where rows count 1, in O(1) a
// row, and by RankTallies of weighted rows and of groups, in O(log n); candidates that may win are
// scored again from the numbers themselves, in ascending order.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "../data/arena.hpp"
#include "../data/take.hpp"
#include "../tally/rank_tally.hpp"
#include "../tally/weights.hpp"
#include "intervals.hpp"
#include "level_order.hpp"
#include "number_problem.hpp"
#include "rank_scan.hpp"

namespace tectree {

template <class Index>
class RankTask {
 public:
  struct Scratch {
    Groups groups;              // values and weights only
    std::vector<int> group_of;  // by row; -1: no value
    RankTally tally;
    RankScan<Index> scan;
    std::vector<double> cost_left;
    std::vector<SortedTally> parts;
    std::vector<Entry<Index>> filled;
  };

  // `order`: the arena's rows by their number, ascending.
  RankTask(std::shared_ptr<const NumberProblem> problem, Numbers numbers,
           std::vector<Entry<Index>> order)
      : problem_(std::move(problem)),
        shared_(std::make_shared<Shared>(Shared{std::move(numbers), std::move(order), {}})),
        numbers_(shared_->numbers),
        order_(shared_->order),
        place_(shared_->place) {
    place_.resize(order_.size());
  }

  Eligible eligible() const { return effective(problem_->control.eligible, Eligible::all); }
  bool lazy() const { return eligible() == Eligible::all; }
  bool foresees() const { return false; }
  bool foresee(const Range&, Slot&) const { return false; }
  double impurity() const { return impurity_; }
  bool unbeatable(const Slot&) const { return false; }
  bool scans_codes(std::uint32_t) const { return false; }

  NodeFacts describe(const Arena<Index>&, const Range& node, double*) {
    SortedTally all;
    for (std::size_t i = node.begin; i < node.end; ++i)
      all.add(number(i), numbers_.w(order_[i].row));
    NodeFacts facts;
    facts.n = node.size();
    facts.weight = all.weight();
    facts.yval = all.median();
    facts.impurity = all.absolute_deviation() / all.weight();
    facts.pure = number(node.begin) == number(node.end - 1);
    return facts;
  }

  void begin(const Arena<Index>& arena, const Range& node, bool) {
    const NodeFacts facts = describe(arena, node, nullptr);
    impurity_ = facts.impurity;
    node_weight_ = facts.weight;
    centred_.clear();
    for (std::size_t i = node.begin; i < node.end; ++i) {
      place_[order_[i].row] = static_cast<Index>(i - node.begin);
      centred_.push_back(number(i) - facts.yval);
    }
  }

  void column(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
              Slot& slot, Team& team) {
    const ArenaColumn<Index>& entries = arena.columns[c];
    std::size_t known = entries.known(node.begin, node.end);
    const Entry<Index>* e = entries.entries.data() + node.begin;
    if (known < 2 || e[0].rank == e[known - 1].rank) {
      slot.constant = true;
      return;
    }
    slot.impurity = impurity_;
    const Column& column = problem_->frame->columns[c];
    const bool intervals = column.kind == Kind::numeric && problem_->control.intervals > 2;
    if (numbers_.weight.empty() && !intervals && !fills(arena, c) &&
        divided_by_value(problem_->control, column.kind)) {
      scratch.scan.offer(
          e, known, place_.data(), centred_, least_count<UnitWeight>(problem_->control.min_bucket),
          unknown_weight(node, known).share, slack(slot.impurity, known), slot.contenders);
      slot.open = !slot.contenders.empty();
      slot.low = slot.contenders.floor();
      slot.high = slot.contenders.high();
      return;
    }
    groups_of(arena, node, c, scratch);
    if (fills(arena, c)) {
      known = node.size();
      e = by_group(e, known, scratch);
    }
    if (intervals) {
      search_intervals(node, c, e, scratch, team, slot);
    } else {
      search_ways(node, c, column, e, known, scratch, team, slot);
    }
    slot.low = slot.high = slot.winner.cut;
  }

  // Scores the contenders of a column of rows that count 1.
  void resolve(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
               Slot& slot) {
    const Entry<Index>* e = arena.columns[c].entries.data() + node.begin;
    const std::size_t known = arena.columns[c].known(node.begin, node.end);
    scratch.group_of.resize(arena.n);
    scratch.groups.unknown = unknown_weight(node, known);
    for (std::size_t i = 0; i < node.size(); ++i) scratch.group_of[e[i].row] = i < known ? 1 : -1;
    BestOf best(problem_->control.min_gain, slot.impurity);
    std::size_t i = 0;
    for (const Contenders::Cut& cut : slot.contenders.settle()) {
      for (; i < cut.at; ++i) scratch.group_of[e[i].row] = 0;
      best.add(cut.at, measure(node, scratch, 2, [](int side) { return side; }));
    }
    slot.open = false;
    if (best.empty()) return;
    best.settle();
    const auto raw = [&](std::size_t entry) {
      return problem_->frame->columns[c].value(problem_->sample->row(arena.position(e[entry].row)));
    };
    keep_cut(slot, static_cast<int>(c), problem_->frame->columns[c].kind, raw(best.at() - 1),
             raw(best.at()), best.measures());
    slot.winner.branch_weight.assign(
        {static_cast<double>(best.at()), static_cast<double>(known - best.at())});
  }

  template <class Divide>
  void divide(Divide divide) {
    divide(order_);
  }

  template <class Small>
  auto shrink(const Arena<Index>& from, const Small& to, const Range& node,
              const std::vector<std::uint16_t>& local) const {
    std::vector<Entry<std::uint16_t>> order(to.n);
    for (std::size_t i = 0; i < to.n; ++i) order[i] = {0, local[order_[node.begin + i].row]};
    return RankTask<std::uint16_t>(problem_, numbers_.of_rows(from.rows, node.begin, to.n),
                                   std::move(order));
  }

  // The column's values with their weights, and the group of every row of the node.
  void groups_of(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                 Scratch& scratch) const {
    scratch.group_of.resize(arena.n);
    for (std::size_t i = node.begin; i < node.end; ++i) scratch.group_of[order_[i].row] = -1;
    Groups& groups = scratch.groups;
    const std::size_t filled = collect_groups(
        arena, c, problem_->frame->columns[c], *problem_->sample, node.begin, node.end, 0, groups,
        [&](double*, Index row) {
          scratch.group_of[row] = static_cast<int>(groups.size()) - 1;
          return numbers_.w(row);
        },
        fills(arena, c));
    groups.unknown =
        UnknownWeight(problem_->control.unknown, groups.complete, groups.n, node_weight_);
    if (filled == not_filled) return;
    const ArenaColumn<Index>& column = arena.columns[c];
    for (std::size_t i = node.begin + column.known(node.begin, node.end); i < node.end; ++i)
      scratch.group_of[column.entries[i].row] = static_cast<int>(filled);
  }

  const SearchControl& control() const { return problem_->control; }
  double weight_of(Index row) const { return numbers_.w(row); }
  double mass_of(Index row) const { return weight_of(row); }

  // The task of some rows with weights of their own.
  template <class Small>
  auto take(const Taken<Index>& taken) const {
    std::vector<Entry<Small>> order;
    for (std::size_t i = taken.node_begin; i < taken.node_end; ++i) {
      const std::uint32_t place = taken.place[order_[i].row];
      if (place != not_taken) order.push_back({0, static_cast<Small>(place)});
    }
    return RankTask<Small>(problem_, numbers_.with_weights(taken.rows, taken.weight),
                           std::move(order));
  }

  // Levels in the order of their medians, a heuristic, where there are too many to try all
  // groupings.
  Ways ways(const Range& node, Kind kind, Scratch& scratch) const {
    const std::size_t m = scratch.groups.size();
    if (divided_by_value(problem_->control, kind)) return {Way::prefixes, natural_order(m), true};
    if (problem_->control.nominal == SearchControl::Nominal::multiway)
      return {Way::multiway, {}, true};
    if (m <= all_groupings_limit) return {Way::groupings, {}, true};
    spread(node, scratch, m, [](int g) { return g; });
    std::vector<double> median(m);
    for (std::size_t g = 0; g < m; ++g) median[g] = scratch.parts[g].median();
    return {Way::prefixes, order_by(median), false};
  }

  // The measures of the partition that sends group g to branch_of(g).
  template <class BranchOf>
  Measures measure(const Range& node, Scratch& scratch, std::size_t branches,
                   BranchOf branch_of) const {
    spread(node, scratch, 1, [](int) { return 0; });
    const double total = scratch.parts[0].absolute_deviation(), n = scratch.parts[0].weight();
    spread(node, scratch, branches, branch_of);
    double rest = 0.0;
    for (std::size_t j = 0; j < branches; ++j) rest += scratch.parts[j].absolute_deviation();
    const double gain = scratch.groups.unknown.share * (total - rest) / n;
    return {gain, gain, gain};
  }

 private:
  // How far a running sum's gain may be off, ties included.
  static double slack(double impurity, std::size_t known) {
    return impurity * (1.2e-10 + 4e-16 * static_cast<double>(known));
  }

  // Of rows that count 1.
  UnknownWeight unknown_weight(const Range& node, std::size_t known) const {
    return {problem_->control.unknown, known == node.size(), static_cast<double>(known),
            node_weight_};
  }

  bool fills(const Arena<Index>& arena, std::uint32_t c) const {
    return problem_->control.unknown == SearchControl::Unknown::filled &&
           arena.columns[c].has_missing;
  }

  // The node's entries of a column in the order of their groups, those filled in among them.
  const Entry<Index>* by_group(const Entry<Index>* e, std::size_t n, Scratch& scratch) const {
    scratch.filled.assign(e, e + n);
    std::stable_sort(scratch.filled.begin(), scratch.filled.end(),
                     [&](const Entry<Index>& a, const Entry<Index>& b) {
                       return scratch.group_of[a.row] < scratch.group_of[b.row];
                     });
    return scratch.filled.data();
  }

  double number(std::size_t i) const { return numbers_.y[order_[i].row]; }

  // Deals the node's known numbers, ascending, to `n` sorted tallies.
  template <class To>
  void spread(const Range& node, Scratch& scratch, std::size_t n, To to) const {
    if (scratch.parts.size() < n) scratch.parts.resize(n);
    for (std::size_t j = 0; j < n; ++j) scratch.parts[j].clear();
    for (std::size_t i = node.begin; i < node.end; ++i) {
      const Index row = order_[i].row;
      const int g = scratch.group_of[row];
      if (g >= 0) scratch.parts[to(g)].add(centred_[i - node.begin], numbers_.w(row));
    }
  }

  void search_ways(const Range& node, std::uint32_t c, const Column& column, const Entry<Index>* e,
                   std::size_t known, Scratch& scratch, Team& team, Slot& slot) const {
    const SearchControl& control = problem_->control;
    const Groups& groups = scratch.groups;
    const Ways how = ways(node, column.kind, scratch);
    if (how.way == Way::multiway) {
      if (!enough_large_branches(groups, control.min_bucket)) return;
      const Measures m = measure(node, scratch, groups.size(), [](int g) { return g; });
      if (!enough_gain(m.gain, control.min_gain, slot.impurity)) return;
      return keep(slot, multiway_split(static_cast<int>(c), column.n_levels), groups, m, true);
    }
    BestOf best(control.min_gain, slot.impurity);
    const auto add = [&](std::uint32_t at) {
      const std::vector<char> left = members_of(how, groups, at);
      best.add(at, measure(node, scratch, 2, [&](int g) { return left[g] ? 0 : 1; }));
    };
    if (how.way == Way::groupings) {
      each_grouping(groups, [&](std::uint32_t mask, const double*, double weight) {
        team.check();
        if (reaches(weight, control.min_bucket) && reaches(groups.n - weight, control.min_bucket))
          add(mask);
      });
    } else {
      offer_prefixes(e, known, how, scratch, slot);
      for (const Contenders::Cut& cut : slot.contenders.settle()) add(cut.at);
    }
    if (best.empty()) return;
    best.settle();
    keep(slot,
         split_of(how, groups, static_cast<int>(c), column.kind,
                  divided_by_value(control, column.kind), best.at()),
         groups, best.measures(), how.exact);
  }

  // Grows the left side group by group, then the right side from the other end.
  void offer_prefixes(const Entry<Index>* e, std::size_t known, const Ways& how, Scratch& scratch,
                      Slot& slot) const {
    const Groups& groups = scratch.groups;
    const std::size_t m = groups.size();
    std::vector<std::size_t> first(m + 1, known);
    for (std::size_t i = known; i-- > 0;) first[scratch.group_of[e[i].row]] = i;
    const auto insert = [&](std::uint32_t g) {
      for (std::size_t i = first[g]; i < first[g + 1]; ++i)
        scratch.tally.insert(place_[e[i].row], numbers_.w(e[i].row));
    };
    scratch.cost_left.resize(m);
    scratch.tally.start(centred_);
    for (std::size_t c = 1; c <= m; ++c) {
      insert(how.order[c - 1]);
      scratch.cost_left[c - 1] = scratch.tally.absolute_deviation();
    }
    const double total = scratch.cost_left[m - 1], n = scratch.tally.weight();
    const double slack = this->slack(slot.impurity, known);
    const double min_bucket = problem_->control.min_bucket;
    scratch.tally.start(centred_);
    for (std::size_t c = m - 1; c > 0; --c) {
      insert(how.order[c]);
      const double right = scratch.tally.weight();
      if (!reaches(right, min_bucket)) continue;
      if (!reaches(n - right, min_bucket)) break;
      const double value = groups.unknown.share *
                           (total - scratch.cost_left[c - 1] - scratch.tally.absolute_deviation()) /
                           n;
      slot.contenders.offer(static_cast<std::uint32_t>(c), value - slack, value + slack);
    }
    slot.contenders.backwards();
  }

  struct IntervalCost {
    const RankTask& task;
    const Entry<Index>* e;
    Scratch& scratch;
    std::vector<std::size_t> first;
    std::size_t next = 0;

    void start(std::size_t group) {
      next = group;
      scratch.tally.start(task.centred_);
    }
    double extend() {
      for (std::size_t i = first[next]; i < first[next + 1]; ++i) {
        scratch.tally.insert(task.place_[e[i].row], task.numbers_.w(e[i].row));
      }
      ++next;
      const bool enough = reaches(scratch.tally.weight(), task.problem_->control.min_bucket);
      return enough ? scratch.tally.absolute_deviation() : no_interval;
    }
  };

  void search_intervals(const Range& node, std::uint32_t c, const Entry<Index>* e, Scratch& scratch,
                        Team& team, Slot& slot) const {
    const Groups& groups = scratch.groups;
    IntervalCost cost{*this, e, scratch, {}};
    cost.first.push_back(0);
    std::size_t i = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      while (i < node.size() && scratch.group_of[e[i].row] == static_cast<int>(g)) ++i;
      cost.first.push_back(i);
    }
    const double slack = 1e-13 * slot.impurity * groups.n;
    keep_best_intervals(
        problem_->control, groups, static_cast<int>(c),
        [&](int g) { return best_cuts(cost, groups.size(), g, slack, team); },
        [&](const std::vector<std::size_t>& cuts) {
          return measure(node, scratch, cuts.size() + 1, [&](int g) {
            return std::upper_bound(cuts.begin(), cuts.end(), static_cast<std::size_t>(g)) -
                   cuts.begin();
          });
        },
        slot);
  }

  std::shared_ptr<const NumberProblem> problem_;
  // Shared by forks, which work on nodes that share no row.
  struct Shared {
    Numbers numbers;
    std::vector<Entry<Index>> order;
    std::vector<Index> place;  // by row: its place among the node's numbers
  };
  std::shared_ptr<Shared> shared_;
  const Numbers& numbers_;
  std::vector<Entry<Index>>& order_;
  std::vector<Index>& place_;
  std::vector<double> centred_;  // the node's numbers around their median, ascending
  double impurity_ = 0.0, node_weight_ = 0.0;
};

}  // namespace tectree

// A column's groups divided for least absolute deviations: what a partition is worth is told by the
// numbers of each branch in ascending order; which of many may be the best, by MedianTallies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../../data/arena.hpp"
#include "../../tally/median_tally.hpp"
#include "../groups/intervals.hpp"
#include "../groups/level_order.hpp"
#include "number_problem.hpp"

namespace tectree {

// The numbers of a node.
template <class Index>
struct RankedNode {
  const Entry<Index>* order;           // its rows by their number, ascending
  const std::vector<double>& centred;  // their numbers around the median, in this order
  const Index* place;                  // by row: its place in this order
  const Numbers& numbers;

  double w(Index row) const { return numbers.w(row); }
};

// The groups of one column in one node, and working space kept from node to node. Whoever fills in
// `groups` and `group_of` tells the rows in their order before a search.
template <class Index>
class MedianGroups {
 public:
  Groups groups;              // values and weights only
  std::vector<int> group_of;  // by row; -1: no value

  // The rows that are in a group are e[0, known), group by group.
  void take_rows(const Entry<Index>* e, std::size_t known) {
    rows_ = e;
    first_.assign(groups.size() + 1, known);
    for (std::size_t i = known; i-- > 0;) first_[group_of[e[i].row]] = i;
  }

  // All of e[0, n) are, but those filled in stand elsewhere.
  void sort_rows(const Entry<Index>* e, std::size_t n) {
    sorted_.assign(e, e + n);
    std::stable_sort(sorted_.begin(), sorted_.end(),
                     [&](const Entry<Index>& a, const Entry<Index>& b) {
                       return group_of[a.row] < group_of[b.row];
                     });
    take_rows(sorted_.data(), n);
  }

  // Levels in the order of their medians, a heuristic, where there are too many to try all
  // groupings.
  GroupDivisions divisions(const RankedNode<Index>& node, const SearchControl& control, Kind kind) {
    const std::size_t m = groups.size();
    if (divided_by_value(control, kind)) return {DivisionKind::prefixes, natural_order(m), true};
    if (control.nominal == SearchControl::Nominal::multiway)
      return {DivisionKind::multiway, {}, true};
    if (m <= all_groupings_limit) return {DivisionKind::groupings, {}, true};
    spread(node, m, [](int g) { return g; });
    std::vector<double> median(m);
    for (std::size_t g = 0; g < m; ++g) median[g] = parts_[g].median();
    return {DivisionKind::prefixes, order_by(median), false};
  }

  // The measures of the partition that sends group g to branch_of(g).
  template <class BranchOf>
  Measures measure(const RankedNode<Index>& node, std::size_t branches, BranchOf branch_of) {
    spread(node, 1, [](int) { return 0; });
    const double total = parts_[0].absolute_deviation(), n = parts_[0].weight();
    spread(node, branches, branch_of);
    double rest = 0.0;
    for (std::size_t j = 0; j < branches; ++j) rest += parts_[j].absolute_deviation();
    const double gain = groups.unknown.share * (total - rest) / n;
    return {gain, gain, gain};
  }

  // Keeps the best way in the result, whose impurity is the node's.
  void search_divisions(const RankedNode<Index>& node, const SearchControl& control,
                        std::uint32_t c, const Column& column, Team& team, ColumnResult& result) {
    const GroupDivisions how = divisions(node, control, column.kind);
    if (how.kind == DivisionKind::multiway) return try_all_levels(node, control, c, column, result);
    BestOf best(control.min_gain, result.impurity);
    const auto add = [&](std::uint32_t at) {
      const std::vector<char> left = members_of(how, groups, at);
      best.add(at, measure(node, 2, [&](int g) { return left[g] ? 0 : 1; }));
    };
    if (how.kind == DivisionKind::groupings) {
      each_grouping(groups, [&](std::uint32_t mask, const double*, double weight) {
        team.check();
        if (reaches(weight, control.min_bucket) && reaches(groups.n - weight, control.min_bucket))
          add(mask);
      });
    } else {
      offer_prefixes(node, control.min_bucket, how.order, result);
      for (const Contenders::Cut& cut : result.contenders.settle()) add(cut.at);
    }
    keep_best(best, how, groups, static_cast<int>(c), column.kind, control, result);
  }

  // Keeps the best intervals in the result, whose impurity is the node's.
  void search_intervals(const RankedNode<Index>& node, const SearchControl& control,
                        std::uint32_t c, Team& team, ColumnResult& result) {
    IntervalCost cost{*this, node, control.min_bucket};
    const double slack = 1e-13 * result.impurity * groups.n;
    keep_best_intervals(
        control, groups, static_cast<int>(c),
        [&](int g) { return best_cuts(cost, groups.size(), g, slack, team); },
        [&](const std::vector<std::size_t>& cuts) {
          return measure(node, cuts.size() + 1, [&](int g) {
            return std::upper_bound(cuts.begin(), cuts.end(), static_cast<std::size_t>(g)) -
                   cuts.begin();
          });
        },
        result);
  }

 private:
  // Deals the node's known numbers, ascending, to `n` sorted tallies.
  template <class To>
  void spread(const RankedNode<Index>& node, std::size_t n, To to) {
    if (parts_.size() < n) parts_.resize(n);
    for (std::size_t j = 0; j < n; ++j) parts_[j].clear();
    for (std::size_t i = 0; i < node.centred.size(); ++i) {
      const Index row = node.order[i].row;
      const int g = group_of[row];
      if (g >= 0) node.numbers.add_to(parts_[to(g)], node.centred[i], row);
    }
  }

  // Adds a group's rows to the tally.
  void insert(const RankedNode<Index>& node, std::size_t group) {
    for (std::size_t i = first_[group]; i < first_[group + 1]; ++i)
      tally_.insert(node.place[rows_[i].row], node.w(rows_[i].row));
  }

  void try_all_levels(const RankedNode<Index>& node, const SearchControl& control, std::uint32_t c,
                      const Column& column, ColumnResult& result) {
    if (!enough_large_branches(groups, control.min_bucket)) return;
    const Measures m = measure(node, groups.size(), [](int g) { return g; });
    if (!m.finite()) return;
    keep(result, multiway_split(static_cast<int>(c), column.n_levels), groups, m, true,
         enough_gain(m, control.min_gain, result.impurity));
  }

  // Grows the left side group by group, then the right side from the other end.
  void offer_prefixes(const RankedNode<Index>& node, double min_bucket,
                      const std::vector<std::uint32_t>& order, ColumnResult& result) {
    const std::size_t m = groups.size();
    cost_left_.resize(m);
    tally_.start(node.centred);
    for (std::size_t c = 1; c <= m; ++c) {
      insert(node, order[c - 1]);
      cost_left_[c - 1] = tally_.absolute_deviation();
    }
    const double total = cost_left_[m - 1], n = tally_.weight();
    const double slack = slack_of_sums(result.impurity, first_[m]);
    tally_.start(node.centred);
    for (std::size_t c = m - 1; c > 0; --c) {
      insert(node, order[c]);
      const double right = tally_.weight();
      if (!reaches(right, min_bucket)) continue;
      if (!reaches(n - right, min_bucket)) break;
      const double value =
          groups.unknown.share * (total - cost_left_[c - 1] - tally_.absolute_deviation()) / n;
      result.contenders.offer(static_cast<std::uint32_t>(c), value - slack, value + slack);
    }
    result.contenders.backwards();
  }

  // As best_cuts() asks for it.
  struct IntervalCost {
    MedianGroups& of;
    const RankedNode<Index>& node;
    double min_bucket;
    std::size_t next = 0;

    void start(std::size_t group) {
      next = group;
      of.tally_.start(node.centred);
    }
    double extend() {
      of.insert(node, next++);
      return reaches(of.tally_.weight(), min_bucket) ? of.tally_.absolute_deviation() : no_interval;
    }
  };

  const Entry<Index>* rows_ = nullptr;  // group by group
  std::vector<std::size_t> first_;      // where each group's rows begin
  std::vector<Entry<Index>> sorted_;
  MedianTally tally_;
  std::vector<double> cost_left_;
  std::vector<SortedTally> parts_;
};

}  // namespace tectree

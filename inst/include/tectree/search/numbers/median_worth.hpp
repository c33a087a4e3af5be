// What dividing groups is worth under least absolute deviations; see group_search.hpp. A partition
// is measured by the numbers of each branch in ascending order; which of many may be the best is
// found by MedianTallies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../../data/arena.hpp"
#include "../../tally/median_tally.hpp"
#include "../groups/group_search.hpp"
#include "../groups/level_order.hpp"
#include "number_problem.hpp"

namespace tectree {

// The numbers of a node.
template <class Index>
struct RankedNode {
  const SearchControl* control = nullptr;
  const Numbers* numbers = nullptr;
  const Entry<Index>* order = nullptr;           // its rows by their number, ascending
  const std::vector<double>* centred = nullptr;  // their numbers around the median, in this order
  const Index* place = nullptr;                  // by row: its place in this order
  double impurity = 0.0;

  double w(Index row) const { return numbers->w(row); }
};

// The groups of one column in one node, and working space kept from node to node. Whoever fills in
// `node`, `of_column` and `group_of` tells the rows in their order before a search.
template <class Index>
class MedianWorth {
 public:
  RankedNode<Index> node;
  Groups of_column;           // values and weights only
  std::vector<int> group_of;  // by row; -1: no value

  // The rows that are in a group are e[0, known), group by group.
  void take_rows(const Entry<Index>* e, std::size_t known) {
    rows_ = e;
    first_.assign(of_column.size() + 1, known);
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

  const Groups& groups() const { return of_column; }
  const SearchControl& control() const { return *node.control; }
  double impurity() const { return node.impurity; }
  double unit() const { return 1.0; }

  // Levels in the order of their medians, a heuristic, where there are too many to try all
  // groupings.
  GroupDivisions groupings() {
    const std::size_t m = of_column.size();
    if (m <= all_groupings_limit) return {DivisionKind::groupings, {}, true};
    spread(m, [](int g) { return g; });
    std::vector<double> median(m);
    for (std::size_t g = 0; g < m; ++g) median[g] = parts_[g].median();
    return {DivisionKind::prefixes, order_by(median), false};
  }

  // The measures of the partition that sends group g to branch_of(g).
  template <class BranchOf>
  Measures measure(std::size_t branches, BranchOf branch_of) {
    spread(1, [](int) { return 0; });
    const double total = parts_[0].absolute_deviation(), n = parts_[0].weight();
    spread(branches, branch_of);
    double rest = 0.0;
    for (std::size_t j = 0; j < branches; ++j) rest += parts_[j].absolute_deviation();
    const double gain = of_column.unknown.share * (total - rest) / n;
    return {gain, gain, gain};
  }

  Measures in_two(const GroupDivisions& divisions, std::uint32_t at, const double*, double) {
    const std::vector<char> left = members_of(divisions, of_column, at);
    return measure(2, [&](int g) { return left[g] ? 0 : 1; });
  }
  Measures of_all() {
    return measure(of_column.size(), [](int g) { return g; });
  }
  Measures of_intervals(const std::vector<std::size_t>& cuts) {
    return measure(cuts.size() + 1, [&](int g) {
      return std::upper_bound(cuts.begin(), cuts.end(), static_cast<std::size_t>(g)) - cuts.begin();
    });
  }

  template <class Settle>
  void try_all(const GroupDivisions& divisions, Settle, Team& team, ColumnResult& result,
               BestOf& best) {
    const double min_bucket = control().min_bucket;
    if (divisions.kind == DivisionKind::groupings) {
      return each_grouping(of_column, [&](std::uint32_t mask, const double* left, double weight) {
        team.check();
        if (reaches(weight, min_bucket) && reaches(of_column.n - weight, min_bucket))
          best.add(mask, in_two(divisions, mask, left, weight));
      });
    }
    offer_prefixes(divisions.order, result);
    for (const Contenders::Cut& cut : result.contenders.settle())
      best.add(cut.at, in_two(divisions, cut.at, nullptr, 0.0));
  }

  std::vector<std::size_t> cuts(int g, Team& team) {
    IntervalCost cost{*this};
    return best_cuts(cost, of_column.size(), g, 1e-13 * impurity() * of_column.n, team);
  }

 private:
  // Deals the node's known numbers, ascending, to `n` sorted tallies.
  template <class To>
  void spread(std::size_t n, To to) {
    if (parts_.size() < n) parts_.resize(n);
    for (std::size_t j = 0; j < n; ++j) parts_[j].clear();
    for (std::size_t i = 0; i < node.centred->size(); ++i) {
      const Index row = node.order[i].row;
      const int g = group_of[row];
      if (g >= 0) node.numbers->add_to(parts_[to(g)], (*node.centred)[i], row);
    }
  }

  // Adds a group's rows to the tally.
  void insert(std::size_t group) {
    for (std::size_t i = first_[group]; i < first_[group + 1]; ++i)
      tally_.insert(node.place[rows_[i].row], node.w(rows_[i].row));
  }

  // Grows the left side group by group, then the right side from the other end.
  void offer_prefixes(const std::vector<std::uint32_t>& order, ColumnResult& result) {
    const double min_bucket = control().min_bucket;
    const std::size_t m = of_column.size();
    cost_left_.resize(m);
    tally_.start(*node.centred);
    for (std::size_t c = 1; c <= m; ++c) {
      insert(order[c - 1]);
      cost_left_[c - 1] = tally_.absolute_deviation();
    }
    const double total = cost_left_[m - 1], n = tally_.weight();
    const double slack = slack_of_sums(result.impurity, first_[m]);
    tally_.start(*node.centred);
    for (std::size_t c = m - 1; c > 0; --c) {
      insert(order[c]);
      const double right = tally_.weight();
      if (!reaches(right, min_bucket)) continue;
      if (!reaches(n - right, min_bucket)) break;
      const double value =
          of_column.unknown.share * (total - cost_left_[c - 1] - tally_.absolute_deviation()) / n;
      result.contenders.offer(static_cast<std::uint32_t>(c), value - slack, value + slack);
    }
    result.contenders.backwards();
  }

  // As best_cuts() asks for it.
  struct IntervalCost {
    MedianWorth& of;
    std::size_t next = 0;

    void start(std::size_t group) {
      next = group;
      of.tally_.start(*of.node.centred);
    }
    double extend() {
      of.insert(next++);
      return reaches(of.tally_.weight(), of.control().min_bucket) ? of.tally_.absolute_deviation()
                                                                  : no_interval;
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

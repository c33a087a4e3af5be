// The Worth (../groups/worth.hpp) of least absolute deviations. A partition is measured by the
// numbers of each branch in ascending order; MedianTallies find those that may be the best.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../../data/arena.hpp"
#include "../../tally/medians.hpp"
#include "../groups/group_search.hpp"
#include "../missing/unknown.hpp"
#include "number_problem.hpp"

namespace tectree {

// The numbers of a node.
template <class Index>
struct RankedNode {
  const SearchControl* control = nullptr;
  const Numbers* numbers = nullptr;
  const Entry<Index>* order = nullptr;        // its rows by their number, ascending
  const std::vector<Index>* place = nullptr;  // by row of the arena: its position in this order
  std::vector<double> centred;                // its numbers around the median, in this order
  double impurity = 0.0;
};

// use(at) for the cuts that may win, the lowest first. Cuts whose bounds differ only by rounding
// tie (see tie_slack()), so only the lowest of them may win: numbers with few digits have very
// many.
template <class Cuts, class Use>
void each_rival(const Cuts& cuts, double impurity, Use use) {
  double last = HUGE_VAL;
  for (const Contender& cut : cuts) {
    if (std::fabs(cut.high - last) <= 2e-14 * impurity) continue;
    use(cut.at);
    last = cut.high;
  }
}

// The groups of one column in one node, and working space kept from node to node.
template <class Index>
class MedianWorth {
 public:
  // `share`: of the node's weight with a value.
  void start(const RankedNode<Index>& node, const NodeColumn<Index>& column, double share) {
    node_ = &node;
    share_ = share;
    rows_ = column.e;
    group_of_.resize(node.place->size());
    for (std::size_t i = 0; i < column.rows; ++i)
      group_of_[rows_[i].row] = i < column.known ? 1 : no_group;
    moved_ = 0;
    n_ = -1.0;
  }
  // With the entries before `at` on the left; cuts must come in ascending order.
  Measures of_cut(std::size_t at) {
    for (; moved_ < at; ++moved_) group_of_[rows_[moved_].row] = 0;
    return measure(2, [](int side) { return side; });
  }
  // The groups are the runs of the column's entries.
  void group(const Groups& groups, const NodeColumn<Index>& column) {
    groups_ = &groups;
    first_.clear();
    for (std::size_t i = 0; i < column.known; ++i) {
      if (i == 0 || rows_[i].rank != rows_[i - 1].rank) first_.push_back(i);
      group_of_[rows_[i].row] = static_cast<int>(first_.size()) - 1;
    }
    first_.push_back(column.known);
  }

  const Groups& groups() const { return *groups_; }
  const SearchControl& control() const { return *node_->control; }
  double impurity() const { return node_->impurity; }
  double unit() const { return 1.0; }

  // With too many levels to try all groupings, in the order of their medians: a heuristic.
  GroupDivisions groupings() {
    const std::size_t m = groups_->size();
    if (m <= all_groupings_limit) return {DivisionKind::groupings, {}, true};
    spread(m, [](int g) { return g; });
    std::vector<double> median(m);
    for (std::size_t g = 0; g < m; ++g) median[g] = parts_[g].median();
    return {DivisionKind::prefixes, order_by(median), false};
  }

  Measures in_two(const GroupDivisions& divisions, std::uint32_t at, const LeftSide& = {}) {
    const std::vector<char> left = members_of(divisions, *groups_, at);
    return measure(2, [&](int g) { return left[g] ? 0 : 1; });
  }
  Measures of_intervals(const std::vector<std::size_t>& cuts) {
    return measure(cuts.size() + 1, [&](int g) {
      return std::upper_bound(cuts.begin(), cuts.end(), static_cast<std::size_t>(g)) - cuts.begin();
    });
  }

  // Of normal numbers whose medians differ little: twice that of the same share of the variance.
  double information(const GroupDivisions&, std::uint32_t, double gain) const {
    return gain / (share_ * impurity());
  }

  template <class Settle>
  void try_all(const GroupDivisions& divisions, Settle, Team& team, ColumnResult& result,
               BestOf& best) {
    if (divisions.kind == DivisionKind::groupings) {
      return each_grouping(*groups_, [&](std::uint32_t mask, const LeftSide& left) {
        team.check();
        if (fits(*groups_, left, control().min_bucket)) best.add(mask, in_two(divisions, mask));
      });
    }
    offer_prefixes(divisions.order, result);
    each_rival(result.contenders.settle(), result.impurity,
               [&](std::uint32_t at) { best.add(at, in_two(divisions, at)); });
  }

  std::vector<std::size_t> cuts(int g, Team& team) {
    IntervalCost cost{*this};
    return best_cuts(cost, groups_->size(), g, 1e-13 * impurity() * groups_->n, team);
  }

 private:
  static constexpr int no_group = -1;  // the row has a missing value

  // The measures of the partition that sends group g to branch_of(g).
  template <class BranchOf>
  Measures measure(std::size_t branches, BranchOf branch_of) {
    if (n_ < 0.0) {
      spread(1, [](int) { return 0; });
      total_ = parts_[0].absolute_deviation();
      n_ = parts_[0].weight();
    }
    spread(branches, branch_of);
    double rest = 0.0;
    for (std::size_t j = 0; j < branches; ++j) rest += parts_[j].absolute_deviation();
    const double gain = share_ * (total_ - rest) / n_;
    return {gain, gain, gain};
  }

  // Adds the node's known numbers, ascending, to `n` sorted tallies.
  template <class To>
  void spread(std::size_t n, To to) {
    if (parts_.size() < n) parts_.resize(n);
    for (std::size_t j = 0; j < n; ++j) parts_[j].clear();
    for (std::size_t i = 0; i < node_->centred.size(); ++i) {
      const Index row = node_->order[i].row;
      const int g = group_of_[row];
      if (g >= 0) parts_[to(g)].add(node_->centred[i], node_->numbers->w(row));
    }
  }

  // Adds a group's rows to the tally.
  void insert(std::size_t group) {
    for (std::size_t i = first_[group]; i < first_[group + 1]; ++i)
      tally_.insert((*node_->place)[rows_[i].row], node_->numbers->w(rows_[i].row));
  }

  // Grows the left side group by group, then the right side from the other end.
  void offer_prefixes(const std::vector<std::uint32_t>& order, ColumnResult& result) {
    const double min_bucket = control().min_bucket;
    const std::size_t m = groups_->size();
    cost_left_.resize(m);
    tally_.start(node_->centred);
    for (std::size_t c = 1; c <= m; ++c) {
      insert(order[c - 1]);
      cost_left_[c - 1] = tally_.absolute_deviation();
    }
    const double total = cost_left_[m - 1], n = tally_.weight();
    double size = 0.0;
    // The group of missing values is not a side of its own.
    const auto alone = [&](std::uint32_t g) { return g >= groups_->with_value(); };
    const double slack = slack_of_sums(result.impurity, first_[m]);
    tally_.start(node_->centred);
    for (std::size_t c = m - 1; c > 0; --c) {
      insert(order[c]);
      size += groups_->sizes()[order[c]];
      if (!reaches(size, min_bucket)) continue;
      if (!reaches(groups_->total_size - size, min_bucket)) break;
      if ((c == 1 && alone(order[0])) || (c == m - 1 && alone(order[c]))) continue;
      const double value = share_ * (total - cost_left_[c - 1] - tally_.absolute_deviation()) / n;
      result.contenders.offer(static_cast<std::uint32_t>(c), value - slack, value + slack);
    }
    result.contenders.reverse();
  }

  // A Cost of best_cuts().
  struct IntervalCost {
    MedianWorth& of;
    std::size_t next = 0;
    double size = 0.0;

    void start(std::size_t group) {
      next = group;
      size = 0.0;
      of.tally_.start(of.node_->centred);
    }
    double extend() {
      size += of.groups_->sizes()[next];
      of.insert(next++);
      return reaches(size, of.control().min_bucket) ? of.tally_.absolute_deviation() : no_interval;
    }
  };

  const RankedNode<Index>* node_ = nullptr;
  const Groups* groups_ = nullptr;  // values and weights only
  double share_ = 1.0;
  double total_ = 0.0, n_ = -1.0;       // of all groups, once a partition has been measured
  std::vector<int> group_of_;           // by row
  const Entry<Index>* rows_ = nullptr;  // group by group
  std::size_t moved_ = 0;               // of these, on the left of a cut
  std::vector<std::size_t> first_;      // where each group's rows begin
  MedianTally tally_;
  std::vector<double> cost_left_;
  std::vector<SortedTally> parts_;
};

}  // namespace tectree

// The Worth (worth.hpp) of classes. Divisions are ranked by the kernel's sums over their counts,
// and those that may be the best are scored by the criterion.
#pragma once

#include <cmath>
#include <vector>

#include "../scan/cut_value.hpp"
#include "class_groups.hpp"
#include "component_order.hpp"
#include "group_search.hpp"

namespace tectree {

class ClassWorth {
 public:
  ClassWorth(const ClassContext& context, const Groups& groups)
      : context_(context), groups_(groups) {}
  // Set before a search: it measures the divisions before they are scored.
  void rank_by(const CutValue& value) { value_ = value; }

  const Groups& groups() const { return groups_; }
  const SearchControl& control() const { return *context_.control; }
  double unit() const { return context_.criterion->unit(); }
  double impurity() const {
    return context_.criterion->impurity(groups_.total.data(), groups_.stride, groups_.n);
  }

  GroupDivisions groupings() const {
    const std::vector<int> present = classes_present(groups_);
    const Criterion& criterion = *context_.criterion;
    if (present.size() <= 2 && criterion.linear() && criterion.concave()) {
      return {DivisionKind::prefixes, order_by_share(groups_, present.empty() ? 0 : present.back()),
              true, true};
    }
    if (groups_.size() <= all_groupings_limit) return {DivisionKind::groupings, {}, true};
    return {DivisionKind::prefixes, order_by_component(groups_, present), false};
  }

  Measures in_two(const GroupDivisions&, std::uint32_t, const LeftSide& left) {
    two_sides(context_.counts, groups_, left, partition_);
    return measure();
  }
  Measures of_intervals(const std::vector<std::size_t>& cuts) {
    partition_of_intervals(groups_, cuts, partition_);
    return measure();
  }

  template <class Settle>
  void try_all(const GroupDivisions& divisions, Settle settle, Team&, ColumnResult& result,
               BestOf& best) {
    Contenders& contenders = result.contenders;
    const double barred = offer(divisions, contenders);
    if (std::fmax(contenders.high(), barred) < result.floor) return;
    if (barred > contenders.floor()) {
      settle();
      if (divisions.kind != DivisionKind::prefixes) offer(divisions, contenders);
    }
    for (const Contender& cut : contenders.settle()) {
      partition_at(groups_, divisions, cut.at, partition_);
      best.add(cut.at, measure());
    }
  }

  std::vector<std::size_t> cuts(int g, Team& team) {
    return ClassIntervals(context_, groups_, value_).cuts(g, team);
  }

 private:
  Measures measure() const { return context_.criterion->measure(partition_); }

  // Offers the admissible divisions by their kernel sums. Returns an upper bound of the others, if
  // that matters (bounded_by_prefixes).
  double offer(const GroupDivisions& divisions, Contenders& out) const {
    out.clear();
    const CountKernel& counts = context_.counts;
    // A small node has few of many classes, and absent classes add nothing.
    const std::vector<int> present = classes_present(groups_);
    const bool all = present.size() == static_cast<std::size_t>(groups_.stride);
    const Groups fewer = all ? Groups() : of_classes(groups_, present);
    const Groups& groups = all ? groups_ : fewer;
    double barred = -HUGE_VAL;
    with_form(context_.criterion->form(), [&](auto form) {
      each_division(groups, divisions, [&](std::uint32_t at, const LeftSide& left) {
        const bool admissible = fits(groups, left, control().min_bucket);
        if (!admissible && !divisions.bounded_by_prefixes) return;
        const double right = counts.rest(groups.n, left.weight);
        double b_l = 0.0, b_r = 0.0;
        for (int s = 0; s < groups.stride; ++s) {
          b_l += counts.phi(left.sums[s]);
          b_r += counts.phi(counts.rest(groups.total[s], left.sums[s]));
        }
        const auto e = value_.estimate<decltype(form)::value>(
            counts.phi(left.weight), counts.alpha(left.weight), b_l, counts.phi(right),
            counts.alpha(right), b_r);
        if (admissible) return out.offer(at, e.low, e.high);
        barred = std::isnan(e.high) ? HUGE_VAL : std::fmax(barred, e.high);
      });
    });
    return barred;
  }

  const ClassContext& context_;
  const Groups& groups_;
  CutValue value_;
  Partition partition_;
};

}  // namespace tectree

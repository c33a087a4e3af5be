// What dividing groups of classes is worth; see group_search.hpp. Divisions are ranked by the
// kernel's sums over their counts, those that may be the best are scored by the criterion.
#pragma once

#include <cmath>
#include <vector>

#include "../scan/class_scan.hpp"
#include "class_groups.hpp"
#include "class_intervals.hpp"
#include "group_search.hpp"
#include "level_order.hpp"

namespace tectree {

// Offers a division in two by its kernel sums.
template <Form form>
struct OfferSides {
  const CountKernel& counts;
  const Groups& groups;
  const CutValue& value;
  const SideSizes& sizes;
  double min_bucket;
  Contenders& out;
  double* barred;  // the most that a division might reach that is not admissible

  void operator()(std::uint32_t at, const double* left, double weight_left) const {
    const double weight_right = counts.rest(groups.n, weight_left);
    const bool admissible = reaches(sizes.left(at, weight_left), min_bucket) &&
                            reaches(sizes.right(at, weight_right), min_bucket);
    if (!admissible && !barred) return;
    double b_l = 0.0, b_r = 0.0;
    for (int s = 0; s < groups.stride; ++s) {
      b_l += counts.phi(left[s]);
      b_r += counts.phi(counts.rest(groups.total[s], left[s]));
    }
    const auto e = value.estimate<form>(counts.phi(weight_left), counts.alpha(weight_left), b_l,
                                        counts.phi(weight_right), counts.alpha(weight_right), b_r);
    if (admissible) return out.offer(at, e.low, e.high);
    *barred = std::isnan(e.high) ? HUGE_VAL : std::fmax(*barred, e.high);
  }
};

class ClassWorth {
 public:
  ClassWorth(const ClassContext& context, const Groups& groups)
      : context_(context), groups_(groups) {}
  // What measures the divisions before they are scored; to be told before a search.
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

  Measures in_two(const GroupDivisions&, std::uint32_t, const double* left, double weight) {
    two_sides(context_.counts, groups_, left, weight, partition_);
    return measure();
  }
  Measures of_all() {
    start_partition(groups_, partition_);
    for (std::size_t g = 0; g < groups_.size(); ++g)
      partition_.add(groups_.of(g), groups_.weight[g]);
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
      if (divisions.kind == DivisionKind::groupings) offer(divisions, contenders);
    }
    for (const Contenders::Cut& cut : contenders.settle()) {
      partition_at(groups_, divisions, cut.at, partition_);
      best.add(cut.at, measure());
    }
  }

  std::vector<std::size_t> cuts(int g, Team& team) {
    return ClassIntervals(context_, groups_, value_).cuts(g, team);
  }

 private:
  Measures measure() const { return context_.criterion->measure(partition_); }

  // Returns the most that a division might reach that is not admissible, where that says something.
  double offer(const GroupDivisions& divisions, Contenders& out) const {
    out.clear();
    const SideSizes sizes(groups_, divisions);
    double barred = -HUGE_VAL;
    with_form(context_.criterion->form(), [&](auto form) {
      const OfferSides<decltype(form)::value> one{
          context_.counts,
          groups_,
          value_,
          sizes,
          control().min_bucket,
          out,
          divisions.bounded_by_prefixes ? &barred : nullptr};
      each_division(groups_, divisions, one);
    });
    return barred;
  }

  const ClassContext& context_;
  const Groups& groups_;
  CutValue value_;
  Partition partition_;
};

}  // namespace tectree

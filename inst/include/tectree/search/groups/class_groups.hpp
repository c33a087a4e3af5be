// Classification on groups: cuts of a binned column, nominal columns (binary and multiway),
// intervals. Candidates are ranked by the kernel's sums over their counts and the contenders scored
// by the criterion.
#pragma once

#include <vector>

#include "../scan/class_scan.hpp"
#include "divisions.hpp"
#include "groups.hpp"
#include "level_order.hpp"

namespace tectree {

// phi for counts held as doubles, from the table where they are whole.
struct CountKernel {
  const Kernel* kernel = nullptr;
  const KernelTable* table = nullptr;
  double half_least = 0.5;  // of a row's weight

  double phi(double c) const {
    return table ? table->phi[static_cast<std::size_t>(c)] : kernel->phi(c);
  }
  double alpha(double c) const {
    return table ? table->alpha[static_cast<std::size_t>(c)] : kernel->alpha(c);
  }
  // What is left of `total` beside `part`: nothing, where only rounding is left.
  double rest(double total, double part) const {
    const double r = total - part;
    return r < half_least ? 0.0 : r;
  }
};

struct ClassContext {
  const Criterion* criterion = nullptr;
  const SearchControl* control = nullptr;
  CountKernel counts;
};

// As if every grouping were admissible; see settled_ways().
inline GroupDivisions class_divisions(const ClassContext& context, const Groups& groups,
                                      Kind kind) {
  if (kind != Kind::nominal || context.control->nominal == SearchControl::Nominal::ordered) {
    return {DivisionKind::prefixes, natural_order(groups.size()), true};
  }
  if (context.control->nominal == SearchControl::Nominal::multiway)
    return {DivisionKind::multiway, {}, true};
  const std::vector<int> present = classes_present(groups);
  const Criterion& criterion = *context.criterion;
  if (present.size() <= 2 && criterion.linear() && criterion.concave()) {
    return {DivisionKind::prefixes, order_by_share(groups, present.empty() ? 0 : present.back()),
            true, true};
  }
  if (groups.size() <= all_groupings_limit) return {DivisionKind::groupings, {}, true};
  return {DivisionKind::prefixes, order_by_component(groups, present), false};
}

inline void start_partition(const Groups& groups, Partition& out) {
  out.start(groups.stride);
  out.share = groups.unknown.share;
  out.unknown = groups.unknown.weight;
}

// The partition in two of the groups whose left side has these counts.
inline void two_sides(const CountKernel& counts, const Groups& groups, const double* left,
                      double weight_left, Partition& out) {
  start_partition(groups, out);
  std::vector<double> right(groups.stride);
  for (int s = 0; s < groups.stride; ++s) right[s] = counts.rest(groups.total[s], left[s]);
  out.add(left, weight_left);
  out.add(right.data(), groups.n - weight_left);
}

inline void all_branches(const Groups& groups, Partition& out) {
  start_partition(groups, out);
  for (std::size_t g = 0; g < groups.size(); ++g) out.add(groups.of(g), groups.weight[g]);
}

inline GroupDivisions settled_divisions(const ClassContext& context, const Groups& groups,
                                        GroupDivisions divisions) {
  if (!divisions.bounded_by_prefixes) return divisions;
  const double impurity = context.criterion->impurity(groups.total.data(), groups.stride, groups.n);
  Partition p;
  const bool barred = best_prefix_is_barred(groups, divisions, context.control->min_bucket,
                                            impurity, [&](const double* left, double weight) {
                                              two_sides(context.counts, groups, left, weight, p);
                                              return context.criterion->measure(p).cut;
                                            });
  return barred ? divisions_without_it(std::move(divisions), groups.size()) : divisions;
}

// The partition that a split makes of the groups.
inline void partition_by(const Split& split, const Groups& groups, Partition& out) {
  const SplitView view = split.view();
  const bool number = split.kind == SplitKind::threshold || split.kind == SplitKind::intervals;
  const int k = groups.stride;
  std::vector<double> counts(static_cast<std::size_t>(split.branches) * k, 0.0);
  std::vector<double> weight(split.branches, 0.0);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const int j = number ? route_number(view, groups.value[g])
                         : route_code(view, static_cast<int>(groups.value[g]));
    weight[j] += groups.weight[g];
    for (int s = 0; s < k; ++s) counts[static_cast<std::size_t>(j) * k + s] += groups.of(g)[s];
  }
  start_partition(groups, out);
  for (int j = 0; j < split.branches; ++j) {
    if (weight[j] > 0.0) out.add(counts.data() + static_cast<std::size_t>(j) * k, weight[j]);
  }
}

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

// A branch a level: admissible with two branches of min_bucket rows.
inline void search_multiway(const ClassContext& context, const Groups& groups, int column,
                            int n_levels, ColumnResult& result) {
  if (!enough_large_branches(groups, context.control->min_bucket)) return;
  Partition p;
  all_branches(groups, p);
  const Measures m = context.criterion->measure(p);
  if (!m.finite()) return;
  keep(result, multiway_split(column, n_levels), groups, m, true,
       enough_gain(m, context.control->min_gain, result.impurity));
}

// Returns the most that a division might reach that is not admissible, where that says something.
inline double offer_groups(const ClassContext& context, const Groups& groups,
                           const GroupDivisions& divisions, const CutValue& value,
                           Contenders& out) {
  out.clear();
  const SideSizes sizes(groups, divisions);
  double barred = -HUGE_VAL;
  with_form(context.criterion->form(), [&](auto form) {
    const OfferSides<decltype(form)::value> offer{
        context.counts,
        groups,
        value,
        sizes,
        context.control->min_bucket,
        out,
        divisions.bounded_by_prefixes ? &barred : nullptr};
    each_division(groups, divisions, offer);
  });
  return barred;
}

// The partition of candidate `at`, from exact counts.
inline void partition_at(const ClassContext& context, const Groups& groups,
                         const GroupDivisions& divisions, std::uint32_t at, Partition& p) {
  const std::vector<char> members = members_of(divisions, groups, at);
  std::vector<double> left(groups.stride, 0.0);
  double weight = 0.0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!members[g]) continue;
    for (int s = 0; s < groups.stride; ++s) left[s] += groups.of(g)[s];
    weight += groups.weight[g];
  }
  two_sides(context.counts, groups, left.data(), weight, p);
}

// The best division of a column's groups, scored exactly, into the result.
inline void search_groups(const ClassContext& context, const Groups& groups, int column, Kind kind,
                          int n_levels, const CutValue& value, ColumnResult& result) {
  if (groups.size() < 2) {
    result.constant = true;
    return;
  }
  GroupDivisions divisions = class_divisions(context, groups, kind);
  if (divisions.kind == DivisionKind::multiway)
    return search_multiway(context, groups, column, n_levels, result);
  const double barred = offer_groups(context, groups, divisions, value, result.contenders);
  if (barred > result.contenders.floor()) {
    divisions = settled_divisions(context, groups, std::move(divisions));
    if (divisions.kind == DivisionKind::groupings)
      offer_groups(context, groups, divisions, value, result.contenders);
  }
  BestOf best(context.control->min_gain, result.impurity);
  Partition p;
  for (const Contenders::Cut& cut : result.contenders.settle()) {
    partition_at(context, groups, divisions, cut.at, p);
    best.add(cut.at, context.criterion->measure(p));
  }
  keep_best(best, divisions, groups, column, kind, *context.control, result);
}

}  // namespace tectree

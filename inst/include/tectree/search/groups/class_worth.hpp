// The Worth (worth.hpp) of classes. Divisions are ranked by the kernel's sums over their counts,
// and those that may be the best are scored by the criterion; and the best partition into several
// intervals.
#pragma once

#include <cmath>
#include <vector>

#include "../../criterion/contract.hpp"
#include "../scan/class_cut.hpp"
#include "component_order.hpp"
#include "group_search.hpp"

namespace tectree {

struct ClassContext {
  const Criterion* criterion = nullptr;
  const SearchControl* control = nullptr;
  CountKernel counts;
};

// The exact measures of a split, from the class counts of its branches.
class ClassExact {
 public:
  ClassExact() = default;
  ClassExact(const ClassContext& context, const Groups& groups) {
    set(context, groups.stride, groups.unknown);
  }
  void set(const ClassContext& context, int k, const UnknownWeight& unknown) {
    context_ = &context;
    k_ = k;
    unknown_ = unknown;
  }

  void start() {
    partition_.start(k_);
    partition_.share = unknown_.share;
    partition_.unknown = unknown_.weight;
  }
  void add(const double* counts, double weight) { partition_.add(counts, weight); }
  Measures measures() const { return context_->criterion->measure(partition_); }
  const Partition& partition() const { return partition_; }
  double rest(double all, double part) const { return context_->counts.rest(all, part); }

 private:
  const ClassContext* context_ = nullptr;
  int k_ = 0;
  UnknownWeight unknown_;
  Partition partition_;
};

// Intervals for classification. Every cut form is a sum over branches, or a quotient of two such
// sums: a quotient gain / T is maximised by Dinkelbach's iteration (maximise gain - lambda T, set
// lambda to the quotient found, repeat). Cuts inside a run of one class cannot be left out,
// although they are never better with concave criteria: with min_bucket, with weights to a power
// and for a given number of intervals they may be the only ones.
class ClassIntervals {
 public:
  ClassIntervals(const ClassContext& context, const Groups& groups, const CutValue& value)
      : context_(context), groups_(groups), value_(value) {}

  // As the first group of each interval but the first.
  std::vector<std::size_t> cuts(int g, Team& team) const {
    const std::size_t m = groups_.size();
    if (static_cast<std::size_t>(g) > m) return {};
    std::vector<std::size_t> found = best_for(0.0, g, team);
    if (context_.criterion->form() != Form::ratio) return found;
    double lambda = 0.0;
    for (int round = 0; round < 60 && !found.empty(); ++round) {
      const double quotient = measure(found).cut;
      if (round > 0 && quotient <= lambda * (1 + 1e-14)) break;
      lambda = quotient;
      std::vector<std::size_t> better = best_for(lambda, g, team);
      if (better == found) break;
      found = std::move(better);
    }
    if (context_.control->min_gain > 0.0 && !found.empty() && !enough(measure(found)))
      return best_with_gain(g, team);
    return found;
  }

 private:
  // The cost of an interval: combine(its loss, phi of its weight).
  template <class Combine>
  auto cost_by(Combine combine) const {
    const auto loss = [this, combine](const std::vector<double>& counts, double n) {
      const CountKernel& kernel = context_.counts;
      double b = 0.0;
      for (double c : counts) b += kernel.phi(c);
      const double phi = kernel.phi(n);
      const bool power = context_.criterion->form() == Form::power;
      return combine((power ? phi - b : kernel.alpha(n) * (phi - b)) * value_.inverse, phi);
    };
    return CostOfSums<decltype(loss)>(groups_, context_.control->min_bucket, loss);
  }

  // The best by the cut measure; for a ratio, by the gain minus lambda times the denominator.
  std::vector<std::size_t> best_for(double lambda, int g, Team& team) const {
    const bool ratio = context_.criterion->form() == Form::ratio;
    auto cost = cost_by([=, this_n = value_.power_n](double loss, double phi) {
      return ratio ? loss - lambda * phi / this_n : loss;
    });
    // Ties, and rounding of differences of phi if classes weigh almost nothing.
    const CountKernel& kernel = context_.counts;
    const double phi = kernel.phi(groups_.n) * value_.inverse,
                 size = context_.criterion->form() == Form::power ? phi
                                                                  : kernel.alpha(groups_.n) * phi;
    const double slack = std::max(1e-13 * std::fabs(value_.s), 2e-15 * std::fabs(size));
    return best_cuts(cost, groups_.size(), g, slack, team);
  }

  struct Constrained {
    Team& team;
    // For the groups from i on: their smallest loss, and minus the largest sum of their phi.
    IntervalTable loss, phi;
    std::vector<std::size_t> cuts, best;
    double best_ratio = 0.0, least = 0.0;  // of the best; the minimum for a ratio
  };

  // The best ratio may gain less than min_gain while a smaller one gains enough. Dynamic
  // programming cannot maximise a quotient of two sums under a bound on one of them, so partitions
  // are tried one by one, except those whose first intervals leave too little gain or too small a
  // ratio.
  std::vector<std::size_t> best_with_gain(int g, Team& team) const {
    const std::vector<std::size_t> most = best_for(0.0, g, team);
    if (most.empty() || !enough(measure(most))) return {};
    auto its_loss = cost_by([](double loss, double) { return loss; });
    auto its_phi = cost_by([](double, double phi) { return -phi; });
    const std::size_t m = groups_.size();
    Constrained search{team,
                       interval_table(its_loss, m, g, 0.0, team),
                       interval_table(its_phi, m, g, 0.0, team),
                       {},
                       {}};
    search.least = measure(most).cut * (1 - 1e-9);
    try_from(search, 0, g, 0.0, 0.0);
    return search.best;
  }

  // `loss` and `phi`: of the intervals before group `at`; r more intervals follow.
  void try_from(Constrained& search, std::size_t at, int r, double loss, double phi) const {
    if (r == 1) return consider(search);
    search.team.check();
    double its_phi = 0.0;
    auto cost = cost_by([&its_phi](double its_loss, double x) {
      its_phi = x;
      return its_loss;
    });
    cost.start(at);
    const std::size_t m = groups_.size();
    for (std::size_t j = at + 1; j < m; ++j) {
      const double its_loss = cost.extend();
      const std::size_t behind = search.loss.at(r - 1, j);
      const double gain = value_.s - loss - its_loss - search.loss.least[behind],
                   room = 1e-9 * value_.s;
      if (!std::isfinite(gain)) continue;
      if ((gain + room) * context_.criterion->unit() < context_.control->min_gain) continue;
      const double t = (value_.phi_n - phi - its_phi + search.phi.least[behind]) / value_.power_n;
      if (t > 0.0 && (gain + room) / t < search.least) continue;
      search.cuts.push_back(j);
      try_from(search, j, r - 1, loss + its_loss, phi + its_phi);
      search.cuts.pop_back();
    }
  }

  void consider(Constrained& search) const {
    const Measures here = measure(search.cuts);
    const double ratio = search.best_ratio;
    if (!enough(here) ||
        !(search.best.empty() || here.cut > ratio + tie_slack(here.cut, ratio, impurity())))
      return;
    search.best = search.cuts;
    search.best_ratio = here.cut;
    search.least = std::fmax(search.least, here.cut * (1 - 1e-9));
  }

  double impurity() const { return value_.s * context_.criterion->unit(); }
  bool enough(const Measures& m) const {
    return enough_gain(m, context_.control->min_gain, impurity());
  }

  Measures measure(const std::vector<std::size_t>& cuts) const {
    ClassExact exact(context_, groups_);
    return measures_of_intervals(exact, groups_, cuts);
  }

  const ClassContext& context_;
  const Groups& groups_;
  const CutValue& value_;
};

class ClassWorth : public TallyWorth<ClassExact> {
 public:
  ClassWorth(const ClassContext& context, const Groups& groups)
      : TallyWorth(*context.control, groups, ClassExact(context, groups),
                   context.criterion->impurity(groups.total.data(), groups.stride, groups.n)),
        context_(context) {}
  // Set before a search: it measures the divisions before they are scored.
  void rank_by(const CutValue& value) { value_ = value; }

  double unit() const { return context_.criterion->unit(); }
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

  double information(const GroupDivisions& divisions, std::uint32_t at, double) {
    of_members(members_of(divisions, groups_, at));
    return exact().partition().information();
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
    for (const Contender& cut : contenders.settle())
      best.add(cut.at, of_members(members_of(divisions, groups_, cut.at)));
  }

  std::vector<std::size_t> cuts(int g, Team& team) {
    return ClassIntervals(context_, groups_, value_).cuts(g, team);
  }

 private:
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
  CutValue value_;
};

}  // namespace tectree

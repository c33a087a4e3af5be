// Partitions of a column's groups by classes, as measured by a criterion, and the best partition
// into several intervals.
#pragma once

#include <cmath>
#include <vector>

#include "../../criterion/contract.hpp"
#include "../../tally/kernel.hpp"
#include "../scan/cut_value.hpp"
#include "divisions.hpp"
#include "intervals.hpp"

namespace tectree {

// phi for counts stored as doubles, from the table if they are whole.
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
  // total - part; 0 if that is only rounding.
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

inline void start_partition(const Groups& groups, Partition& out) {
  out.start(groups.stride);
  out.share = groups.unknown.share;
  out.unknown = groups.unknown.weight;
}

// The partition in two of the groups with this left side.
inline void two_sides(const CountKernel& counts, const Groups& groups, const LeftSide& left,
                      Partition& out) {
  start_partition(groups, out);
  std::vector<double> right(groups.stride);
  for (int s = 0; s < groups.stride; ++s) right[s] = counts.rest(groups.total[s], left.sums[s]);
  out.add(left.sums, left.weight);
  out.add(right.data(), groups.n - left.weight);
}

inline void partition_of_intervals(const Groups& groups, const std::vector<std::size_t>& cuts,
                                   Partition& out) {
  start_partition(groups, out);
  each_interval(groups, cuts,
                [&](const double* counts, double weight) { out.add(counts, weight); });
}

// The partition of candidate `at`, each side the sum of its groups.
inline void partition_at(const Groups& groups, const GroupDivisions& divisions, std::uint32_t at,
                         Partition& out) {
  const std::vector<char> members = members_of(divisions, groups, at);
  std::vector<double> left(groups.stride, 0.0), right(groups.stride, 0.0);
  double weight[2] = {0.0, 0.0};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    double* side = members[g] ? left.data() : right.data();
    for (int s = 0; s < groups.stride; ++s) side[s] += groups.of(g)[s];
    weight[members[g] ? 0 : 1] += groups.weight[g];
  }
  start_partition(groups, out);
  out.add(left.data(), weight[0]);
  out.add(right.data(), weight[1]);
}

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
    Partition p;
    partition_of_intervals(groups_, cuts, p);
    return context_.criterion->measure(p);
  }

  const ClassContext& context_;
  const Groups& groups_;
  const CutValue& value_;
};

}  // namespace tectree

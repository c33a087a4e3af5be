// Intervals for classification. Every cut form is a sum over branches, or a quotient of two such
// sums: a quotient gain / T is maximised by Dinkelbach's iteration (maximise gain - lambda T, set
// lambda to the quotient found, repeat). Cuts inside a run of one class cannot be left out, though
// with concave criteria they are never better: with min_bucket, with weights to a power and for a
// given number of intervals they may be all there is.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

#include "../scan/class_scan.hpp"
#include "class_groups.hpp"

namespace tectree {

class ClassIntervals {
 public:
  ClassIntervals(const ClassContext& context, const Groups& groups, const CutValue& value)
      : context_(context), groups_(groups), value_(value) {}

  // As first groups of each interval but the first.
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
    const double impurity = value_.s * context_.criterion->unit();
    const double min_gain = context_.control->min_gain;
    if (min_gain > 0.0 && !found.empty() && !enough_gain(measure(found).gain, min_gain, impurity))
      return best_with_gain(g, impurity, team);
    return found;
  }

 private:
  // The best ratio may gain less than min_gain where a smaller one gains enough: a bound on one sum
  // while a quotient of two is maximised takes no dynamic programming, so all partitions are tried.
  std::vector<std::size_t> best_with_gain(int g, double impurity, Team& team) const {
    const std::size_t m = groups_.size(), n_cuts = static_cast<std::size_t>(g) - 1;
    std::vector<std::size_t> cuts(n_cuts), best;
    std::iota(cuts.begin(), cuts.end(), std::size_t{1});
    double best_ratio = 0.0;
    for (bool more = true; more;) {
      team.check();
      const Measures here = measure(cuts);
      if (admissible(cuts) && enough_gain(here, context_.control->min_gain, impurity) &&
          (best.empty() || here.cut > best_ratio + tie_slack(here.cut, best_ratio, impurity))) {
        best = cuts;
        best_ratio = here.cut;
      }
      std::size_t at = n_cuts;  // the last cut that can still move right
      while (at > 0 && cuts[at - 1] == m - n_cuts + at - 1) --at;
      more = at > 0;
      if (more) std::iota(cuts.begin() + (at - 1), cuts.end(), cuts[at - 1] + 1);
    }
    return best;
  }

  // The best by the cut measure, less lambda times the denominator of a ratio.
  std::vector<std::size_t> best_for(double lambda, int g, Team& team) const {
    const CountKernel& kernel = context_.counts;
    const Form form = context_.criterion->form();
    CostOfSums cost(
        groups_, context_.control->min_bucket, [&](const std::vector<double>& counts, double n) {
          double b = 0.0;
          for (double c : counts) b += kernel.phi(c);
          const double phi = kernel.phi(n);
          const double loss =
              (form == Form::power ? phi - b : kernel.alpha(n) * (phi - b)) * value_.inverse;
          return form == Form::ratio ? loss - lambda * phi / value_.power_n : loss;
        });
    return best_cuts(cost, groups_.size(), g, 1e-13 * std::fabs(value_.s), team);
  }

  bool admissible(const std::vector<std::size_t>& cuts) const {
    bool every = true;
    each_interval(groups_, cuts, [&](const double*, double, double size) {
      every = every && reaches(size, context_.control->min_bucket);
    });
    return every;
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

// Intervals for classification. Every cut form is a sum over branches, or a quotient of two such
// sums: a quotient gain / T is maximised by Dinkelbach's iteration (maximise gain - lambda T, set
// lambda to the quotient found, repeat). Cuts inside a run of one class cannot be left out, though
// with concave criteria they are never better: with min_bucket, with weights to a power and for a
// given number of intervals they may be all there is.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

#include "class_groups.hpp"
#include "intervals.hpp"

namespace tectree {

class ClassIntervals {
 public:
  ClassIntervals(const ClassContext& context, const Groups& groups, const CutValue& value)
      : context_(context), groups_(groups), value_(value), counts_(groups.stride) {}

  // As first groups of each interval but the first.
  std::vector<std::size_t> cuts(int g, Team& team) {
    const std::size_t m = groups_.size();
    if (static_cast<std::size_t>(g) > m) return {};
    const double slack = 1e-13 * std::fabs(value_.s);
    lambda_ = 0.0;
    std::vector<std::size_t> found = best_cuts(*this, m, g, slack, team);
    if (context_.criterion->form() == Form::ratio) {
      for (int round = 0; round < 60 && !found.empty(); ++round) {
        const double quotient = measure(found).cut;
        if (round > 0 && quotient <= lambda_ * (1 + 1e-14)) break;
        lambda_ = quotient;
        std::vector<std::size_t> better = best_cuts(*this, m, g, slack, team);
        if (better == found) break;
        found = std::move(better);
      }
      const double impurity = value_.s * context_.criterion->unit();
      const double min_gain = context_.control->min_gain;
      if (min_gain > 0.0 && !found.empty() && !enough_gain(measure(found).gain, min_gain, impurity))
        return best_with_gain(g, impurity, team);
    }
    return found;
  }

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

  // Every interval holds min_bucket.
  bool admissible(const std::vector<std::size_t>& cuts) const {
    for (std::size_t j = 0; j <= cuts.size(); ++j) {
      const std::size_t from = j == 0 ? 0 : cuts[j - 1];
      const std::size_t to = j == cuts.size() ? groups_.size() : cuts[j];
      double n = 0.0;
      for (std::size_t i = from; i < to; ++i) n += groups_.sizes()[i];
      if (!reaches(n, context_.control->min_bucket)) return false;
    }
    return true;
  }

  Measures measure(const std::vector<std::size_t>& cuts) const {
    Partition p;
    start_partition(groups_, p);
    std::vector<double> counts(groups_.stride);
    for (std::size_t j = 0; j <= cuts.size(); ++j) {
      std::fill(counts.begin(), counts.end(), 0.0);
      double n = 0.0;
      const std::size_t from = j == 0 ? 0 : cuts[j - 1],
                        to = j == cuts.size() ? groups_.size() : cuts[j];
      for (std::size_t g = from; g < to; ++g) {
        for (int s = 0; s < groups_.stride; ++s) counts[s] += groups_.of(g)[s];
        n += groups_.weight[g];
      }
      p.add(counts.data(), n);
    }
    return context_.criterion->measure(p);
  }

  // ---- as best_cuts() sees the cost of an interval ----
  void start(std::size_t group) {
    next_ = group;
    n_ = size_ = 0.0;
    std::fill(counts_.begin(), counts_.end(), 0.0);
  }
  double extend() {
    for (int s = 0; s < groups_.stride; ++s) counts_[s] += groups_.of(next_)[s];
    n_ += groups_.weight[next_];
    size_ += groups_.sizes()[next_++];
    if (!reaches(size_, context_.control->min_bucket)) return no_interval;
    const CountKernel& kernel = context_.counts;
    double b = 0.0;
    for (double c : counts_) b += kernel.phi(c);
    const double phi = kernel.phi(n_);
    const Form form = context_.criterion->form();
    const double loss =
        (form == Form::power ? phi - b : kernel.alpha(n_) * (phi - b)) * value_.inverse;
    return form == Form::ratio ? loss - lambda_ * phi / value_.power_n : loss;
  }

 private:
  const ClassContext& context_;
  const Groups& groups_;
  const CutValue& value_;
  std::vector<double> counts_;
  double n_ = 0.0, size_ = 0.0, lambda_ = 0.0;
  std::size_t next_ = 0;
};

inline void search_intervals(const ClassContext& context, const Groups& groups, int column,
                             const CutValue& value, Team& team, ColumnResult& result) {
  if (groups.size() < 2) {
    result.constant = true;
    return;
  }
  ClassIntervals search(context, groups, value);
  keep_best_intervals(
      *context.control, groups, column, [&](int g) { return search.cuts(g, team); },
      [&](const std::vector<std::size_t>& cuts) { return search.measure(cuts); }, result);
}

}  // namespace tectree

// Intervals for classification. Every cut form is a sum over branches, or a quotient of two such sums:
// a quotient gain / T is maximised by Dinkelbach's iteration (maximise gain - lambda T, set lambda to the
// quotient found, repeat).
//
// The optimum of a concave criterion lies between groups whose classes differ (Fayyad & Irani 1993), so runs of
// groups of one and the same class are joined first; not where min_bucket could forbid the cut beside the run.
#pragma once

#include <cmath>
#include <vector>

#include "class_groups.hpp"
#include "intervals.hpp"

namespace tectree {

class ClassIntervals {
 public:
  ClassIntervals(const ClassContext& context, const Groups& groups, const CutValue& value)
      : context_(context), groups_(groups), value_(value), counts_(groups.stride) {
    join();
  }

  // As first groups of each interval but the first.
  std::vector<std::size_t> cuts(int g, Team& team) {
    if (static_cast<std::size_t>(g) >= first_.size()) return {};
    const double slack = 1e-13 * std::fabs(value_.s);
    lambda_ = 0.0;
    std::vector<std::size_t> found = best_cuts(*this, first_.size() - 1, g, slack, team);
    if (context_.criterion->form() == Form::ratio) {
      for (int round = 0; round < 60 && !found.empty(); ++round) {
        const double quotient = measure(to_groups(found)).cut;
        if (round > 0 && quotient <= lambda_ * (1 + 1e-14)) break;
        lambda_ = quotient;
        std::vector<std::size_t> better = best_cuts(*this, first_.size() - 1, g, slack, team);
        if (better == found) break;
        found = std::move(better);
      }
    }
    return to_groups(found);
  }

  Measures measure(const std::vector<std::size_t>& cuts) const {
    Partition p;
    p.start(groups_.stride);
    std::vector<double> counts(groups_.stride);
    for (std::size_t j = 0; j <= cuts.size(); ++j) {
      std::fill(counts.begin(), counts.end(), 0.0);
      double n = 0.0;
      const std::size_t from = j == 0 ? 0 : cuts[j - 1], to = j == cuts.size() ? groups_.size() : cuts[j];
      for (std::size_t g = from; g < to; ++g) {
        for (int s = 0; s < groups_.stride; ++s) counts[s] += groups_.of(g)[s];
        n += groups_.weight[g];
      }
      p.add(counts.data(), n);
    }
    return context_.criterion->measure(p);
  }

  // ---- as best_cuts() sees the cost of an interval ----
  void start(std::size_t block) {
    next_ = block;
    n_ = 0.0;
    std::fill(counts_.begin(), counts_.end(), 0.0);
  }
  double extend() {
    for (std::size_t g = first_[next_]; g < first_[next_ + 1]; ++g) {
      for (int s = 0; s < groups_.stride; ++s) counts_[s] += groups_.of(g)[s];
      n_ += groups_.weight[g];
    }
    ++next_;
    if (!reaches(n_, context_.control->min_bucket)) return no_interval;
    const CountKernel& kernel = context_.counts;
    double b = 0.0;
    for (double c : counts_) b += kernel.phi(c);
    const double phi = kernel.phi(n_);
    const Form form = context_.criterion->form();
    const double loss = (form == Form::power ? phi - b : kernel.alpha(n_) * (phi - b)) * value_.inverse;
    return form == Form::ratio ? loss - lambda_ * phi / value_.power_n : loss;
  }

 private:
  void join() {
    const Criterion& c = *context_.criterion;
    const double q = c.kernel().q();
    bool free = c.linear() ? q > 0.0 : c.form() == Form::power && q >= 1.0 && q <= 2.0;
    for (double w : groups_.weight) free = free && reaches(w, context_.control->min_bucket);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const bool joins = free && g > 0 && one_class(g) >= 0 && one_class(g) == one_class(g - 1);
      if (!joins) first_.push_back(g);
    }
    first_.push_back(groups_.size());
  }

  // The class of all rows of group g, -1 where it has several.
  int one_class(std::size_t g) const {
    int found = -1;
    for (int s = 0; s < groups_.stride; ++s) {
      if (!(groups_.of(g)[s] > 0.0)) continue;
      if (found >= 0) return -1;
      found = s;
    }
    return found;
  }

  std::vector<std::size_t> to_groups(std::vector<std::size_t> blocks) const {
    for (std::size_t& b : blocks) b = first_[b];
    return blocks;
  }

  const ClassContext& context_;
  const Groups& groups_;
  const CutValue& value_;
  std::vector<std::size_t> first_;  // group that starts each block, and the end
  std::vector<double> counts_;
  double n_ = 0.0, lambda_ = 0.0;
  std::size_t next_ = 0;
};

inline void search_intervals(const ClassContext& context, const Groups& groups, int column, const CutValue& value,
                             Team& team, Slot& slot) {
  if (groups.size() < 2) {
    slot.constant = true;
    return;
  }
  ClassIntervals search(context, groups, value);
  keep_best_intervals(
      *context.control, groups, column, [&](int g) { return search.cuts(g, team); },
      [&](const std::vector<std::size_t>& cuts) { return search.measure(cuts); }, slot);
}

}  // namespace tectree

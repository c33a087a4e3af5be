// Thresholds as in C4.5: not the midpoint of two values but the largest value of the column in the
// whole training set that does not exceed it. So every threshold of the tree is a value that
// occurs. The node's own rows keep their branches.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../base/team.hpp"
#include "../data/frame.hpp"
#include "../tree/tree.hpp"

namespace tectree {

class ActualValues {
 public:
  explicit ActualValues(std::size_t columns) : thresholds_(columns) {}

  // `threshold` is changed by settle().
  void add(int column, double& threshold) { thresholds_[column].push_back(&threshold); }

  void settle(const Frame& frame, const Sample& sample, Team& team) {
    const bool shared = Team::worth(sample.size * thresholds_.size());
    team.each_if(shared, thresholds_.size(), [&](std::size_t c, Team&) {
      if (!thresholds_[c].empty()) settle_column(frame.columns[c], sample, thresholds_[c]);
    });
  }

 private:
  // One pass over the values, whatever the number of thresholds.
  static void settle_column(const Column& column, const Sample& sample,
                            const std::vector<double*>& thresholds) {
    std::vector<double> at;
    at.reserve(thresholds.size());
    for (const double* t : thresholds) at.push_back(*t);
    std::sort(at.begin(), at.end());
    at.erase(std::unique(at.begin(), at.end()), at.end());
    // How many of them are below x.
    const auto below = [&](double x) {
      return std::lower_bound(at.begin(), at.end(), x) - at.begin();
    };
    std::vector<double> largest(at.size() + 1, -HUGE_VAL);  // of the values above the previous one
    each_value(column, sample, [&](std::size_t, double x) {
      if (std::isnan(x)) return true;
      double& known = largest[below(x)];
      known = std::max(known, x);
      return true;
    });
    for (std::size_t i = 1; i < at.size(); ++i) largest[i] = std::max(largest[i], largest[i - 1]);
    for (double* t : thresholds) *t = largest[below(*t)];
  }

  std::vector<std::vector<double*>> thresholds_;
};

inline void cut_at_actual_values(Tree& tree, const Frame& frame, const Sample& sample, Team& team) {
  ActualValues values(frame.columns.size());
  for (std::size_t node = 0; node < tree.size(); ++node) {
    const bool threshold = tree.kind[node] == static_cast<int>(SplitKind::threshold);
    if (threshold) values.add(tree.variable[node], tree.breaks[tree.break_start[node]]);
  }
  values.settle(frame, sample, team);
}

}  // namespace tectree

// A numeric column into g = 2..g_prac intervals, each g exactly, by dynamic programming (OG's
// g_prac rule).
//
// The loss of a partition is a sum over branches of a cost. With cost(i, j) of the groups [i, j) as
// one interval, best[g][i] = min_j cost(i, j) + best[g-1][j] over the groups from i on; of equal
// ones the smallest j is kept, so the cuts are the smallest among ties.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "../../base/team.hpp"
#include "divisions.hpp"

namespace tectree {

constexpr double no_interval = std::numeric_limits<double>::infinity();

// Cost: start(i) begins an empty interval at group i, extend() adds the next group and returns the
// cost, or no_interval while the interval is too light. Losses closer than `slack` are equal. The
// cuts come as the first group of each interval but the first; none where there is no admissible
// partition into g intervals.
template <class Cost>
std::vector<std::size_t> best_cuts(Cost& cost, std::size_t groups, int g, double slack,
                                   Team& team) {
  const std::size_t width = groups + 1;
  std::vector<double> best(static_cast<std::size_t>(g + 1) * width, no_interval);
  std::vector<std::size_t> next(best.size(), 0);
  best[groups] = 0.0;
  for (std::size_t i = groups; i-- > 0;) {
    team.check();
    cost.start(i);
    for (std::size_t j = i + 1; j <= groups; ++j) {
      const double c = cost.extend();
      if (!std::isfinite(c)) continue;  // too light, or beyond the range of a double
      for (int r = 1; r <= g; ++r) {
        const double with = c + best[static_cast<std::size_t>(r - 1) * width + j];
        double& here = best[static_cast<std::size_t>(r) * width + i];
        if (with == no_interval || !(here == no_interval || with < here - slack)) continue;
        here = with;
        next[static_cast<std::size_t>(r) * width + i] = j;
      }
    }
  }
  if (best[static_cast<std::size_t>(g) * width] == no_interval) return {};
  std::vector<std::size_t> cuts;
  for (std::size_t at = 0, r = g; r > 1; --r) {
    at = next[r * width + at];
    cuts.push_back(at);
  }
  return cuts;
}

// Keeps of the partitions into 2..most intervals the one with the best score, the fewest intervals
// among equals; of those that gain enough, where one does. cuts_of(g) gives the best partition into
// g intervals as first groups, measure(cuts) its measures.
template <class CutsOf, class Measure>
void keep_best_intervals(const SearchControl& control, const Groups& groups, int column,
                         CutsOf cuts_of, Measure measure, ColumnResult& result) {
  std::vector<double> scores;
  std::vector<Measures> measures;
  std::vector<std::vector<std::size_t>> all_cuts;
  bool any_enough = false;
  for (int g = 2; g <= control.intervals; ++g) {
    std::vector<std::size_t> cuts = cuts_of(g);
    if (cuts.empty()) continue;
    const Measures m = measure(cuts);
    if (!m.finite()) continue;
    const bool enough = enough_gain(m, control.min_gain, result.impurity);
    if (any_enough && !enough) continue;
    if (enough && !any_enough) {
      any_enough = true;
      scores.clear();
      measures.clear();
      all_cuts.clear();
    }
    scores.push_back(m.score);
    measures.push_back(m);
    all_cuts.push_back(std::move(cuts));
  }
  if (scores.empty()) return;
  const std::size_t best = first_best(scores, result.impurity);
  Split split;
  split.column = column;
  split.branches = static_cast<int>(all_cuts[best].size()) + 1;
  split.kind = split.branches == 2 ? SplitKind::threshold : SplitKind::intervals;
  for (std::size_t g : all_cuts[best])
    split.breaks.push_back(between(groups.value[g - 1], groups.value[g]));
  keep(result, std::move(split), groups, measures[best], true, any_enough);
}

}  // namespace tectree

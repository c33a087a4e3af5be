// Divides a numeric column into several intervals, the best for each number of intervals, by
// dynamic programming.
//
// The loss of a partition is a sum over branches of a cost. With cost(i, j) of the groups [i, j) as
// one interval, best[g][i] = min_j cost(i, j) + best[g-1][j] over the groups from i on; on ties the
// smallest j is kept, so the cuts are the smallest.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "../../base/team.hpp"
#include "divisions.hpp"

namespace tectree {

constexpr double no_interval = std::numeric_limits<double>::infinity();

// By r and i: the smallest cost of the groups from i on in r intervals, and where the first ends.
struct IntervalTable {
  std::size_t width;  // number of groups + 1
  std::vector<double> least;
  std::vector<std::size_t> next;

  std::size_t at(std::size_t r, std::size_t i) const { return r * width + i; }
};

// Cost: start(i) begins an empty interval at group i, extend() adds the next group and returns the
// cost, or no_interval while the interval is too light. Losses closer than `slack` are equal.
template <class Cost>
IntervalTable interval_table(Cost& cost, std::size_t groups, int most, double slack, Team& team) {
  IntervalTable table{groups + 1, std::vector<double>((most + 1) * (groups + 1), no_interval), {}};
  table.next.resize(table.least.size());
  table.least[groups] = 0.0;
  for (std::size_t i = groups; i-- > 0;) {
    team.check();
    cost.start(i);
    for (std::size_t j = i + 1; j <= groups; ++j) {
      const double c = cost.extend();
      if (!std::isfinite(c)) continue;  // too light, or beyond the range of a double
      for (int r = 1; r <= most; ++r) {
        const double with = c + table.least[table.at(r - 1, j)];
        double& here = table.least[table.at(r, i)];
        if (with == no_interval || !(here == no_interval || with < here - slack)) continue;
        here = with;
        table.next[table.at(r, i)] = j;
      }
    }
  }
  return table;
}

// The best partition into g intervals, as the first group of each but the first; none if no
// partition is admissible.
template <class Cost>
std::vector<std::size_t> best_cuts(Cost& cost, std::size_t groups, int g, double slack,
                                   Team& team) {
  const IntervalTable table = interval_table(cost, groups, g, slack, team);
  std::vector<std::size_t> cuts;
  if (table.least[table.at(g, 0)] == no_interval) return cuts;
  for (std::size_t at = 0, r = g; r > 1; --r) {
    at = table.next[table.at(r, at)];
    cuts.push_back(at);
  }
  return cuts;
}

// A Cost from the sums of an interval's groups: loss(sums, weight).
template <class Loss>
class CostOfSums {
 public:
  CostOfSums(const Groups& groups, double min_bucket, Loss loss)
      : groups_(groups), min_bucket_(min_bucket), loss_(loss), sums_(groups.stride) {}

  void start(std::size_t group) {
    next_ = group;
    weight_ = size_ = 0.0;
    std::fill(sums_.begin(), sums_.end(), 0.0);
  }
  double extend() {
    for (std::size_t s = 0; s < sums_.size(); ++s) sums_[s] += groups_.of(next_)[s];
    weight_ += groups_.weight[next_];
    size_ += groups_.sizes()[next_++];
    return reaches(size_, min_bucket_) ? loss_(sums_, weight_) : no_interval;
  }

 private:
  const Groups& groups_;
  double min_bucket_;
  Loss loss_;
  std::vector<double> sums_;
  double weight_ = 0.0, size_ = 0.0;
  std::size_t next_ = 0;
};

// visit(sums, weight) for each interval.
template <class Visit>
void each_interval(const Groups& groups, const std::vector<std::size_t>& cuts, Visit visit) {
  std::vector<double> sums(groups.stride);
  for (std::size_t j = 0; j <= cuts.size(); ++j) {
    const std::size_t to = j == cuts.size() ? groups.size() : cuts[j];
    std::fill(sums.begin(), sums.end(), 0.0);
    double weight = 0.0;
    for (std::size_t g = j == 0 ? 0 : cuts[j - 1]; g < to; ++g) {
      for (int s = 0; s < groups.stride; ++s) sums[s] += groups.of(g)[s];
      weight += groups.weight[g];
    }
    visit(sums.data(), weight);
  }
}

inline Split interval_split(int column, const Groups& groups,
                            const std::vector<std::size_t>& cuts) {
  const SplitKind kind = cuts.size() == 1 ? SplitKind::threshold : SplitKind::intervals;
  Split split{kind, column, static_cast<int>(cuts.size()) + 1, {}, {}, {}};
  for (std::size_t g : cuts) split.breaks.push_back(between(groups.value[g - 1], groups.value[g]));
  return split;
}

}  // namespace tectree

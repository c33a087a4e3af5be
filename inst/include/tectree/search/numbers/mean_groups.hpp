// A column's groups divided for least squares. A group's tally is the sum of its numbers, centred
// on the node's mean; `impurity` is the node's.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "../groups/divisions.hpp"
#include "../groups/intervals.hpp"

namespace tectree {

struct Moments {
  double sum = 0.0, of_squares = 0.0, n = 0.0;  // of_squares: sum of s_j^2 / n_j over branches
  double share = 1.0;                           // of the node's weight that has a value

  explicit Moments(double known_share) : share(known_share) {}

  void add(double s, double w) {
    sum += s;
    n += w;
    of_squares += s * s / w;
  }
  double gain() const { return share * (of_squares - sum * sum / n) / n; }
  Measures measures() const { return {gain(), gain(), gain()}; }
};

// The groups divided in two, by the sum and the weight of one side.
inline Moments moments_in_two(const Groups& groups, double left, double weight) {
  Moments m(groups.unknown.share);
  m.add(left, weight);
  m.add(groups.total[0] - left, groups.n - weight);
  return m;
}

// Every group a branch.
inline Moments moments_of_all(const Groups& groups) {
  Moments m(groups.unknown.share);
  for (std::size_t g = 0; g < groups.size(); ++g) m.add(*groups.of(g), groups.weight[g]);
  return m;
}

// How a column's groups may be divided; levels in the order of their means, where the best grouping
// is a prefix (Fisher 1958), unless it is not admissible.
inline GroupDivisions mean_divisions(const SearchControl& control, const Groups& groups, Kind kind,
                                     double impurity) {
  if (divided_by_value(control, kind))
    return {DivisionKind::prefixes, natural_order(groups.size()), true};
  if (control.nominal == SearchControl::Nominal::multiway)
    return {DivisionKind::multiway, {}, true};
  std::vector<double> mean(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) mean[g] = *groups.of(g) / groups.weight[g];
  GroupDivisions prefixes{DivisionKind::prefixes, order_by(mean), true, true};
  const bool barred = best_prefix_is_barred(groups, prefixes, control.min_bucket, impurity,
                                            [&](const double* left, double weight) {
                                              return moments_in_two(groups, *left, weight).gain();
                                            });
  return barred ? divisions_without_it(std::move(prefixes), groups.size()) : prefixes;
}

// Keeps the best way in the result, whose impurity is the node's.
inline void search_mean_divisions(const SearchControl& control, const Groups& groups,
                                  std::uint32_t c, const Column& column, ColumnResult& result) {
  const GroupDivisions how = mean_divisions(control, groups, column.kind, result.impurity);
  if (how.kind == DivisionKind::multiway) {
    if (!enough_large_branches(groups, control.min_bucket)) return;
    const Measures m = moments_of_all(groups).measures();
    if (!m.finite()) return;
    return keep(result, multiway_split(static_cast<int>(c), column.n_levels), groups, m, true,
                enough_gain(m, control.min_gain, result.impurity));
  }
  BestOf best(control.min_gain, result.impurity);
  each_division(groups, how, [&](std::uint32_t at, const double* left, double weight) {
    if (!reaches(weight, control.min_bucket) || !reaches(groups.n - weight, control.min_bucket))
      return;
    best.add(at, moments_in_two(groups, *left, weight).measures());
  });
  keep_best(best, how, groups, static_cast<int>(c), column.kind, control, result);
}

// What the groups of an interval cost in best_cuts().
class MeanCost {
 public:
  MeanCost(const Groups& groups, double min_bucket) : groups_(groups), min_bucket_(min_bucket) {}

  void start(std::size_t group) {
    next_ = group;
    sum_ = n_ = 0.0;
  }
  double extend() {
    sum_ += *groups_.of(next_);
    n_ += groups_.weight[next_++];
    return reaches(n_, min_bucket_) ? -sum_ * sum_ / n_ : no_interval;
  }

 private:
  const Groups& groups_;
  double min_bucket_, sum_ = 0.0, n_ = 0.0;
  std::size_t next_ = 0;
};

// The groups in intervals that begin with group 0 and with each of `cuts`.
inline Moments moments_of_intervals(const Groups& groups, const std::vector<std::size_t>& cuts) {
  Moments m(groups.unknown.share);
  for (std::size_t j = 0; j <= cuts.size(); ++j) {
    const std::size_t to = j == cuts.size() ? groups.size() : cuts[j];
    double s = 0.0, n = 0.0;
    for (std::size_t g = j == 0 ? 0 : cuts[j - 1]; g < to; ++g) {
      s += *groups.of(g);
      n += groups.weight[g];
    }
    m.add(s, n);
  }
  return m;
}

// Keeps the best intervals in the result, whose impurity is the node's.
inline void search_mean_intervals(const SearchControl& control, const Groups& groups,
                                  std::uint32_t c, Team& team, ColumnResult& result) {
  MeanCost cost(groups, control.min_bucket);
  const double slack = 1e-13 * result.impurity * groups.n;
  keep_best_intervals(
      control, groups, static_cast<int>(c),
      [&](int g) { return best_cuts(cost, groups.size(), g, slack, team); },
      [&](const std::vector<std::size_t>& cuts) {
        return moments_of_intervals(groups, cuts).measures();
      },
      result);
}

}  // namespace tectree

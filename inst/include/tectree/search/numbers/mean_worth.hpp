// What dividing groups is worth about the mean; see group_search.hpp. A group's tally is the sum of
// its numbers, centred on the node's mean.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "../../criterion/deviation.hpp"
#include "../groups/group_search.hpp"

namespace tectree {

// The branches of a split.
template <class Criterion>
struct Moments {
  double share;  // of the node's weight that has a value
  double mean;   // of the node
  double sum = 0.0, parts = 0.0, n = 0.0;

  Moments(double known_share, double node_mean) : share(known_share), mean(node_mean) {}

  void add(double s, double w) {
    sum += s;
    n += w;
    parts += Criterion::part(s, w, mean);
  }
  Measures measures() const {
    const double gain = share * (parts - Criterion::part(sum, n, mean)) / n;
    return {gain, gain, gain};
  }
};

template <class Criterion>
class MeanWorth {
 public:
  // `impurity` and `mean`: of the node.
  MeanWorth(const SearchControl& control, const Groups& groups, double impurity, double mean)
      : control_(control), groups_(groups), impurity_(impurity), mean_(mean) {}

  const Groups& groups() const { return groups_; }
  const SearchControl& control() const { return control_; }
  double impurity() const { return impurity_; }
  double unit() const { return 1.0; }

  // Levels in the order of their means, where the best grouping is a prefix (Fisher 1958).
  GroupDivisions groupings() const {
    return {DivisionKind::prefixes, order_by_share(groups_, 0), true, true};
  }

  Measures in_two(const GroupDivisions&, std::uint32_t, const LeftSide& left) const {
    Moments<Criterion> m = moments();
    m.add(*left.sums, left.weight);
    m.add(groups_.total[0] - *left.sums, groups_.n - left.weight);
    return m.measures();
  }
  Measures of_intervals(const std::vector<std::size_t>& cuts) const {
    Moments<Criterion> m = moments();
    each_interval(groups_, cuts, [&](const double* s, double w, double) { m.add(*s, w); });
    return m.measures();
  }

  template <class Settle>
  void try_all(const GroupDivisions& divisions, Settle settle, Team&, ColumnResult&,
               BestOf& best) const {
    settle();
    each_division(groups_, divisions, [&](std::uint32_t at, const LeftSide& left) {
      if (fits(groups_, left, control_.min_bucket)) best.add(at, in_two(divisions, at, left));
    });
  }

  std::vector<std::size_t> cuts(int g, Team& team) const {
    CostOfSums cost(groups_, control_.min_bucket, [&](const std::vector<double>& sums, double n) {
      return -Criterion::part(sums[0], n, mean_);
    });
    return best_cuts(cost, groups_.size(), g, 1e-13 * impurity_ * groups_.n, team);
  }

 private:
  Moments<Criterion> moments() const { return {groups_.unknown.share, mean_}; }

  const SearchControl& control_;
  const Groups& groups_;
  double impurity_, mean_;
};

}  // namespace tectree

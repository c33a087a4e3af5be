// The tallies of groups of rows in CHAID, and its tests of groups: class counts, or the sums of
// numbers and of their squares.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../criterion/chi_square.hpp"
#include "../classes/class_stat.hpp"
#include "../groups/groups.hpp"
#include "../numbers/mean_stat.hpp"

namespace tectree::chaid {

// A group of rows: its tally, and its weight.
struct Sums {
  const double* tally;
  double weight;
};

// A Tally has width(), of a group's tally; impurity(groups); test(groups); gain(groups, share);
// has_order(groups), whether the best division in two is a prefix of the levels ordered by
// order_key(). It is independent of rows: tally_of(stat) makes that of a Stat, width_of(stat)
// returns its width, and add_rows() adds rows.

// By class counts.
class ClassTally {
 public:
  ClassTally(int width, const Criterion& criterion)
      : width_(width), criterion_(dynamic_cast<const TestBase*>(&criterion)) {}

  int width() const { return width_; }
  double impurity(const Groups& groups) const {
    return criterion_->impurity(groups.total.data(), groups.stride, groups.n);
  }
  template <class Some>
  Test test(const Some& groups) {
    table_.start(static_cast<std::size_t>(width()));
    for (const Sums& group : groups) {
      if (group.weight > 0.0) table_.add(group.tally);
    }
    return table_.test(criterion_->test_by());
  }
  double gain(const std::vector<Sums>& groups, double share) {
    partition_.start(width());
    partition_.share = share;
    for (const Sums& group : groups) partition_.add(group.tally, group.weight);
    return criterion_->gain(partition_);
  }
  static bool has_order(const Groups& groups) { return classes_present(groups).size() <= 2; }
  static double order_key(const Groups& groups, std::size_t g) {
    return groups.of(g)[classes_present(groups).back()] / groups.weight[g];
  }

 private:
  int width_;
  const TestBase* criterion_;
  CountTable table_;
  Partition partition_;
};

// By the sums of numbers and of their squares, about the node's mean.
class NumberTally {
 public:
  explicit NumberTally(double impurity) : impurity_(impurity) {}

  static constexpr int width() { return 2; }
  double impurity(const Groups&) const { return impurity_; }
  template <class Some>
  static Test test(const Some& groups) {
    MeansTable table;
    table.start();
    for (const Sums& group : groups) {
      if (group.weight > 0.0) table.add(group.weight, group.tally[0], group.tally[1]);
    }
    return table.test();
  }
  static double gain(const std::vector<Sums>& groups, double share) {
    double n = 0.0, sum = 0.0, parts = 0.0;
    for (const Sums& group : groups) {
      n += group.weight;
      sum += group.tally[0];
      parts += group.tally[0] * group.tally[0] / group.weight;
    }
    return share * (parts - sum * sum / n) / n;
  }
  static constexpr bool has_order(const Groups&) { return true; }
  static double order_key(const Groups& groups, std::size_t g) {
    return groups.of(g)[0] / groups.weight[g];
  }

 private:
  double impurity_;
};

template <class Index, class W>
ClassTally tally_of(const ClassStat<Index, W>& stat) {
  return {stat.width(), stat.criterion()};
}
template <class Index, class Criterion>
NumberTally tally_of(const MeanStat<Index, Criterion>& stat) {
  return NumberTally(stat.impurity());
}

template <class Index, class W>
int width_of(const ClassStat<Index, W>& stat) {
  return stat.width();
}
template <class Index, class Criterion>
int width_of(const MeanStat<Index, Criterion>&) {
  return NumberTally::width();
}

// Adds the rows of entries to a group's tally. Returns their case weight.
template <class Index, class W>
double add_rows(const ClassStat<Index, W>& stat, double* tally, const Entry<Index>* first,
                const Entry<Index>* last) {
  return stat.add_rows(tally, first, last);
}
template <class Index, class Criterion>
double add_rows(const MeanStat<Index, Criterion>& stat, double* tally, const Entry<Index>* first,
                const Entry<Index>* last) {
  double weight = 0.0;
  for (; first < last; ++first) {
    const double w = stat.numbers().w(first->row), d = stat.numbers().y[first->row] - stat.mean();
    tally[0] += w * d;
    tally[1] += w * d * d;
    weight += w;
  }
  return weight;
}

}  // namespace tectree::chaid

// What CHAID counts of a group of rows, and its tests of groups: class counts, or the sums of
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

// A group of rows: its tally, and how much it weighs.
struct Sums {
  const double* tally;
  double weight;
};

// By the Stat of the rows: width() of a tally; add(tally, first, last), the rows of entries,
// returns their case weight; test(groups); gain(groups, share).
template <class Stat>
class Tallies;

template <class Index, class W>
class Tallies<ClassStat<Index, W>> {
 public:
  explicit Tallies(const ClassStat<Index, W>& stat)
      : stat_(stat), criterion_(dynamic_cast<const TestBase*>(&stat.criterion())) {}

  int width() const { return stat_.width(); }
  double add(double* tally, const Entry<Index>* first, const Entry<Index>* last) const {
    return stat_.add_rows(tally, first, last);
  }
  bool by_class() const { return stat_.by_class(); }
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
  // Whether levels in the order of order_key() have their best division in two as a prefix.
  bool has_order(const Groups& groups) const { return classes_present(groups).size() <= 2; }
  double order_key(const Groups& groups, std::size_t g) const {
    return groups.of(g)[classes_present(groups).back()] / groups.weight[g];
  }

 private:
  const ClassStat<Index, W>& stat_;
  const TestBase* criterion_;
  CountTable table_;
  Partition partition_;
};

template <class Index, class Criterion>
class Tallies<MeanStat<Index, Criterion>> {
 public:
  explicit Tallies(const MeanStat<Index, Criterion>& stat) : stat_(stat) {}

  static constexpr int width() { return 2; }
  double add(double* tally, const Entry<Index>* first, const Entry<Index>* last) const {
    double weight = 0.0;
    for (; first < last; ++first) {
      const double w = stat_.numbers().w(first->row),
                   d = stat_.numbers().y[first->row] - stat_.mean();
      tally[0] += w * d;
      tally[1] += w * d * d;
      weight += w;
    }
    return weight;
  }
  static constexpr bool by_class() { return false; }
  double impurity(const Groups&) const { return stat_.impurity(); }
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
  const MeanStat<Index, Criterion>& stat_;
};

}  // namespace tectree::chaid

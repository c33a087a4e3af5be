// The totals of a branch's rows, and the worth of a division into branches: for classes and for
// numbers.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "grow/table.h"
#include "support/criteria.h"

namespace oracle {

using support::Branches;
using support::Counts;
using support::Setting;
using support::Table;
using support::Values;

struct Bag {
  long double size = 0;              // what min_bucket bounds
  Counts counts;                     // classes: weights in the search
  long double w = 0, s = 0, ss = 0;  // weight; l2: sum and sum of squares around a fixed number
  std::vector<std::pair<double, double>> numbers;  // not l2: (number, weight)

  void add(const Bag& b) {
    if (counts.size() < b.counts.size()) counts.resize(b.counts.size(), 0.0);
    for (std::size_t k = 0; k < b.counts.size(); ++k) counts[k] += b.counts[k];
    size += b.size;
    w += b.w;
    s += b.s;
    ss += b.ss;
    numbers.insert(numbers.end(), b.numbers.begin(), b.numbers.end());
  }
  double weight() const { return static_cast<double>(w); }
};

// Sums of weights reach a bound that they only miss by rounding.
inline bool reaches(const Bag& bag, double bound) {
  return bag.size >= bound - 1e-9 * std::max(1.0, bound);
}

inline double weighted_median(std::vector<std::pair<double, double>> numbers) {
  std::sort(numbers.begin(), numbers.end());
  long double total = 0, below = 0;
  for (const auto& [value, weight] : numbers) total += weight;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    below += numbers[i].second;
    if (below < total / 2 * (1 - 1e-12L)) continue;
    const bool half = below <= total / 2 * (1 + 1e-12L) && i + 1 < numbers.size();
    return half ? (numbers[i].first + numbers[i + 1].first) / 2 : numbers[i].first;
  }
  return 0;
}

// The Poisson deviance around the mean, by its definition.
inline double poisson_deviance(const Bag& bag) {
  long double sum = 0, all = 0;
  for (const auto& [value, weight] : bag.numbers) all += weight * value;
  const long double mean = all / bag.w;
  for (const auto& [value, weight] : bag.numbers)
    sum += 2 * weight * ((value > 0 ? value * std::log(value / mean) : 0) - (value - mean));
  return static_cast<double>(sum);
}

// Sum of the deviations around the median, or of their squares around the mean.
inline double deviation(const std::string& criterion, const Bag& bag) {
  if (criterion == "l2") return static_cast<double>(bag.ss - bag.s * bag.s / bag.w);
  if (criterion == "poisson") return poisson_deviance(bag);
  const double median = weighted_median(bag.numbers);
  long double sum = 0;
  for (const auto& [value, weight] : bag.numbers) sum += weight * std::fabs(value - median);
  return static_cast<double>(sum);
}

inline bool is_regression(const Setting& setting) {
  return setting.criterion == "l1" || setting.criterion == "l2" || setting.criterion == "poisson";
}

inline double impurity_of(const Setting& setting, const Bag& bag) {
  if (is_regression(setting)) return deviation(setting.criterion, bag) / bag.weight();
  return support::naive_impurity(setting.criterion, setting.parameter, bag.counts);
}

// `unknown`: the weight of one more group in the entropy of the branches' sizes.
inline Values measure_of(const Setting& setting, const std::vector<Bag>& bags,
                         double unknown = 0.0) {
  if (!is_regression(setting)) {
    Branches branches;
    for (const Bag& b : bags) branches.push_back(b.counts);
    return support::naive_measure(setting.criterion, setting.parameter, branches, unknown);
  }
  Bag all;
  double rest = 0;
  for (const Bag& b : bags) {
    all.add(b);
    rest += deviation(setting.criterion, b);
  }
  return support::same((deviation(setting.criterion, all) - rest) / all.weight());
}

}  // namespace oracle

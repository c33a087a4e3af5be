// Choosing the column, once every column has its cut: who is eligible, and who wins.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../../criterion/contract.hpp"
#include "../door/search_control.hpp"

namespace tectree {

// Two scores this close are equal, and the first wins.
inline double tie_slack(double a, double b, double impurity) {
  return 1e-10 * std::max(std::fabs(a), std::fabs(b)) + 1e-13 * impurity;
}
inline bool ties_or_beats(double a, double best, double impurity) {
  return a >= best - tie_slack(a, best, impurity);
}

// A gain that rounding alone could have made is none; whoever asks for less than none takes it.
inline bool enough_gain(double gain, double min_gain, double impurity) {
  return min_gain < 0.0 ? gain > min_gain : gain > min_gain + 1e-12 * impurity;
}
// The same of a bound, for which what it stands for must be a gain.
inline bool surely_gains(double least, double min_gain, double impurity) {
  return enough_gain(least, std::max(min_gain, 0.0), impurity);
}

inline bool enough_gain(const Measures& m, double min_gain, double impurity) {
  return m.finite() && enough_gain(m.gain, min_gain, impurity);
}

// The first of `values`, which are numbers, that equals their maximum.
inline std::size_t first_best(const std::vector<double>& values, double impurity) {
  const double best = *std::max_element(values.begin(), values.end());
  std::size_t i = 0;
  while (i + 1 < values.size() && !(values[i] == best || ties_or_beats(values[i], best, impurity)))
    ++i;
  return i;
}

inline Eligible effective(Eligible asked, Eligible own) {
  return asked == Eligible::own ? own : asked;
}

inline double mean_of(const std::vector<double>& x) {
  double sum = 0.0;
  for (double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}
inline double sd_of(const std::vector<double>& x) {
  if (x.size() < 2) return 0.0;
  const double mean = mean_of(x);
  double squares = 0.0;
  for (double v : x) squares += (v - mean) * (v - mean);
  return std::sqrt(squares / static_cast<double>(x.size() - 1));
}

// The least cut measure with which an attribute competes, from those of all.
inline double eligibility_bound(double mean, double sd) {
  return mean - sd - 1e-10 * std::max(1.0, std::fabs(mean));
}
inline double eligibility_bound(const std::vector<double>& cuts, Eligible rule) {
  if (rule == Eligible::all || cuts.empty()) return -HUGE_VAL;
  return eligibility_bound(mean_of(cuts), rule == Eligible::mean_sd ? sd_of(cuts) : 0.0);
}

}  // namespace tectree

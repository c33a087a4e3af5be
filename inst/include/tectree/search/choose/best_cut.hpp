// The best of several cuts or columns: ties, sufficient gains, and eligible columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../../criterion/contract.hpp"
#include "../../split/split.hpp"

namespace tectree {

// Scores this close are equal, and the first wins.
inline double tie_slack(double a, double b, double impurity) {
  return 1e-10 * std::max(std::fabs(a), std::fabs(b)) + 1e-13 * impurity;
}
inline bool ties_or_beats(double a, double best, double impurity) {
  return a >= best - tie_slack(a, best, impurity);
}
// The first of `values`, which are numbers, that ties with their maximum.
inline std::size_t first_best(const std::vector<double>& values, double impurity) {
  const double best = *std::max_element(values.begin(), values.end());
  std::size_t i = 0;
  while (i + 1 < values.size() && !(values[i] == best || ties_or_beats(values[i], best, impurity)))
    ++i;
  return i;
}

// A gain that may be only rounding is not enough, unless `min_gain` is negative.
inline bool enough_gain(double gain, double min_gain, double impurity) {
  return min_gain < 0.0 ? gain > min_gain : gain > min_gain + 1e-12 * impurity;
}
inline bool enough_gain(const Measures& m, double min_gain, double impurity) {
  return m.finite() && enough_gain(m.gain, min_gain, impurity);
}
// Whether a gain with a known lower bound is positive and enough.
inline bool surely_gains(double least, double min_gain, double impurity) {
  return enough_gain(least, std::max(min_gain, 0.0), impurity);
}

// ---- eligible columns ---------------------------------------------------------------------------

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

// The smallest eligible cut measure, from those of all columns.
inline double eligibility_bound(double mean, double sd) {
  return mean - sd - 1e-10 * std::max(1.0, std::fabs(mean));
}
inline double eligibility_bound(const std::vector<double>& cuts, Eligible rule) {
  if (rule == Eligible::all || cuts.empty()) return -HUGE_VAL;
  return eligibility_bound(mean_of(cuts), rule == Eligible::mean_sd ? sd_of(cuts) : 0.0);
}

// ---- the best cut of a column -------------------------------------------------------------------

inline Split cut_between(int column, Kind kind, double a, double b) {
  if (kind == Kind::numeric) return {SplitKind::threshold, column, 2, {between(a, b)}, {}, {}};
  return {SplitKind::level, column, 2, {std::floor((a + b) / 2)}, {}, {}};
}

// The first best, by the cut measure or another, of candidates with exact measures: among those
// that gain enough to split a node or, if none does, among all.
class BestOf {
 public:
  BestOf() = default;
  BestOf(double min_gain, double impurity) { start(min_gain, impurity); }
  void start(double min_gain, double impurity) {
    min_gain_ = min_gain;
    impurity_ = impurity;
    enough_ = false;
    clear();
  }

  void add(std::uint32_t at, const Measures& m) { add(at, m, m.cut); }
  void add(std::uint32_t at, const Measures& m, double by) {
    if (!m.finite()) return;
    const bool enough = enough_gain(m, min_gain_, impurity_);
    if (enough != enough_) {
      if (enough_) return;
      enough_ = true;
      clear();
    }
    at_.push_back(at);
    by_.push_back(by);
    all_.push_back(m);
  }
  bool empty() const { return at_.empty(); }
  // Finds the winner, which at() and measures() then describe.
  void settle() { first_ = first_best(by_, impurity_); }
  std::uint32_t at() const { return at_[first_]; }
  const Measures& measures() const { return all_[first_]; }
  bool enough() const { return enough_; }

 private:
  void clear() {
    at_.clear();
    by_.clear();
    all_.clear();
  }

  double min_gain_ = 0.0, impurity_ = 0.0;
  bool enough_ = false;
  std::vector<std::uint32_t> at_;
  std::vector<double> by_;
  std::vector<Measures> all_;
  std::size_t first_ = 0;
};

}  // namespace tectree

// A set of weighted numbers that grows, with the sum of absolute deviations from its median at any
// time in O(log n): two Fenwick trees (Fenwick 1994) over the numbers' places in sorted order, of
// weights and of weight times number. Any median gives the same sum, so the lower one serves.
#pragma once

#include <cstddef>
#include <vector>

namespace tectree {

class MedianTally {
 public:
  // `sorted`: the numbers that may come in, ascending; a number's place there is its rank.
  void start(const std::vector<double>& sorted) {
    sorted_ = &sorted;
    weight_.assign(sorted.size() + 1, 0.0);
    moment_.assign(sorted.size() + 1, 0.0);
    top_ = 1;
    while (top_ * 2 <= sorted.size()) top_ *= 2;
    total_weight_ = total_moment_ = 0.0;
  }

  void insert(std::size_t rank, double w) {
    const double m = w * (*sorted_)[rank];
    total_weight_ += w;
    total_moment_ += m;
    for (std::size_t i = rank + 1; i < weight_.size(); i += i & (~i + 1)) {
      weight_[i] += w;
      moment_[i] += m;
    }
  }

  double weight() const { return total_weight_; }

  double absolute_deviation() const {
    // Descends to the last place whose cumulated weight stays below half; the median is the next
    // number.
    const double half = total_weight_ / 2;
    std::size_t at = 0;
    double below = 0.0, moment_below = 0.0;
    for (std::size_t jump = top_; jump > 0; jump /= 2) {
      const std::size_t to = at + jump;
      if (to >= weight_.size() || below + weight_[to] >= half) continue;
      at = to;
      below += weight_[to];
      moment_below += moment_[to];
    }
    if (at >= sorted_->size()) return 0.0;
    const double median = (*sorted_)[at];
    return (median * below - moment_below) + (total_moment_ - moment_below) -
           median * (total_weight_ - below);
  }

 private:
  const std::vector<double>* sorted_ = nullptr;
  std::vector<double> weight_, moment_;
  std::size_t top_ = 1;
  double total_weight_ = 0.0, total_moment_ = 0.0;
};

// Numbers in ascending order, all with their weights or all counting 1: median and absolute
// deviations around it.
class SortedTally {
 public:
  void clear() {
    value_.clear();
    weight_.clear();
    total_ = 0.0;
  }
  void add(double value) {
    value_.push_back(value);
    total_ += 1.0;
  }
  void add(double value, double w) {
    value_.push_back(value);
    weight_.push_back(w);
    total_ += w;
  }
  double weight() const { return total_; }
  // The least number at which half the weight is reached; halfway to the next where it is reached
  // exactly.
  double median() const {
    if (value_.empty()) return 0.0;
    if (weight_.empty()) return median_at((value_.size() - 1) / 2, value_.size() % 2 == 0);
    double cumulated = 0.0;
    std::size_t i = 0;
    for (; i < value_.size(); ++i) {
      cumulated += weight_[i];
      if (cumulated >= total_ / 2 * (1 - 1e-12)) break;
    }
    if (i >= value_.size()) return 0.0;
    return median_at(i, cumulated <= total_ / 2 * (1 + 1e-12) && i + 1 < value_.size());
  }
  double absolute_deviation() const {
    const double m = median();
    double sum = 0.0;
    if (weight_.empty()) {
      for (double v : value_) sum += v < m ? m - v : v - m;
    } else {
      for (std::size_t i = 0; i < value_.size(); ++i)
        sum += weight_[i] * (value_[i] < m ? m - value_[i] : value_[i] - m);
    }
    return sum;
  }

 private:
  double median_at(std::size_t i, bool exactly) const {
    return exactly ? value_[i] + (value_[i + 1] - value_[i]) / 2 : value_[i];
  }

  std::vector<double> value_, weight_;
  double total_ = 0.0;
};

}  // namespace tectree

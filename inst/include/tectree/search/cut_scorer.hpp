// Cuts of a column that may be the best, scored exactly from their class counts. In a node of few
// rows many columns have a cut with the same ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "class_groups.hpp"

namespace tectree {

class CutScorer {
 public:
  // `total`: the class counts of the column's rows with a value. Nothing is on the left yet.
  template <class Count>
  void start(const ClassContext& context, const std::vector<Count>& total, double impurity,
             const UnknownWeight& unknown) {
    const bool as_before = context_ == &context && unknown_.share == unknown.share &&
                           unknown_.weight == unknown.weight &&
                           std::equal(total.begin(), total.end(), total_.begin(), total_.end());
    if (!as_before) {
      context_ = &context;
      unknown_ = unknown;
      total_.assign(total.begin(), total.end());
      scored_left_.clear();
      scored_.clear();
    }
    left_.assign(total.size(), 0.0);
    right_.resize(total.size());
    best_.start(context.control->min_gain, impurity);
  }

  void move(std::size_t s, double weight) { left_[s] += weight; }

  // Scores the cut with the rows moved so far on its left.
  void add(std::uint32_t at) {
    if (const Measures* known = scored()) return best_.add(at, *known);
    const Measures m = measure();
    if (scored_.size() < most_scored) {
      scored_left_.insert(scored_left_.end(), left_.begin(), left_.end());
      scored_.push_back(m);
    }
    best_.add(at, m);
  }

  // Scores cuts of n sorted entries, the lowest first. Counts of whole weights start from the
  // nearer end.
  template <bool whole, class Cuts, class ClassOf, class WeightOf>
  void add_sorted(const Cuts& cuts, std::size_t n, ClassOf class_of, WeightOf weight_of) {
    std::size_t i = 0;
    if (whole && !cuts.empty() && cuts.front().at > n / 2) {
      left_ = total_;
      for (i = n; i > cuts.front().at; --i) move(class_of(i - 1), -weight_of(i - 1));
    }
    for (const auto& cut : cuts) {
      for (; i < cut.at; ++i) move(class_of(i), weight_of(i));
      add(cut.at);
    }
  }

  // The best of those added, null where none gains enough.
  const BestOf* best() {
    if (best_.empty()) return nullptr;
    best_.settle();
    return &best_;
  }

 private:
  static constexpr std::size_t most_scored = 8;

  // What a cut with the rows moved so far on its left measured, null where none was scored.
  const Measures* scored() const {
    const double* left = scored_left_.data();
    for (const Measures& m : scored_) {
      if (std::equal(left_.begin(), left_.end(), left)) return &m;
      left += left_.size();
    }
    return nullptr;
  }

  Measures measure() {
    const int k = static_cast<int>(total_.size());
    double n_left = 0.0, n_right = 0.0;
    for (int s = 0; s < k; ++s) {
      right_[s] = context_->counts.rest(total_[s], left_[s]);
      n_left += left_[s];
      n_right += right_[s];
    }
    partition_.start(k);
    partition_.share = unknown_.share;
    partition_.unknown = unknown_.weight;
    partition_.add(left_.data(), n_left);
    partition_.add(right_.data(), n_right);
    return context_->criterion->measure(partition_);
  }

  const ClassContext* context_ = nullptr;
  UnknownWeight unknown_;
  std::vector<double> total_, left_, right_;
  Partition partition_;
  std::vector<double> scored_left_;  // of each that was scored, one behind the other
  std::vector<Measures> scored_;
  BestOf best_;
};

}  // namespace tectree

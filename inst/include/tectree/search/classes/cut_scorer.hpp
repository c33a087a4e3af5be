// Cuts of a column that may be the best, scored exactly from their class counts.
#pragma once

#include <cstdint>
#include <vector>

#include "../groups/class_groups.hpp"

namespace tectree {

class CutScorer {
 public:
  // `total`: the class counts of the column's rows with a value. Nothing is on the left yet.
  template <class Count>
  void start(const ClassContext& context, const std::vector<Count>& total,
             const UnknownWeight& unknown) {
    context_ = &context;
    unknown_ = unknown;
    total_.assign(total.begin(), total.end());
    left_.assign(total.size(), 0.0);
    right_.resize(total.size());
  }

  void move(std::size_t s, double weight) { left_[s] += weight; }

  // Scores the cut with the rows moved so far on its left.
  void add(std::uint32_t at, BestOf& best) {
    best.add(at, context_->criterion->measure(partition()));
  }

  // Scores cuts of sorted entries, the lowest first.
  template <class Cuts, class ClassOf, class WeightOf>
  void add_sorted(const Cuts& cuts, ClassOf class_of, WeightOf weight_of, BestOf& best) {
    std::size_t i = 0;
    for (const auto& cut : cuts) {
      for (; i < cut.at; ++i) move(class_of(i), weight_of(i));
      add(cut.at, best);
    }
  }

  // The cut with the rows moved so far on its left.
  const Partition& partition() {
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
    return partition_;
  }

 private:
  const ClassContext* context_ = nullptr;
  UnknownWeight unknown_;
  std::vector<double> total_, left_, right_;
  Partition partition_;
};

}  // namespace tectree

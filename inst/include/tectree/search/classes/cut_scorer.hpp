// The cuts of a column that may be the best, scored exactly from their class counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../groups/class_groups.hpp"

namespace tectree {

class CutScorer {
 public:
  // `total`: the class counts of the column's rows with a value.
  template <class Count>
  void start(const ClassContext& context, const std::vector<Count>& total,
             const UnknownWeight& unknown) {
    context_ = &context;
    unknown_ = unknown;
    total_.assign(total.begin(), total.end());
  }

  // use(at, partition) for cuts of `n` sorted entries, the lowest first.
  template <class Cuts, class ClassOf, class WeightOf, class Use>
  void each(const Cuts& cuts, std::size_t n, ClassOf class_of, WeightOf weight_of, Use use) {
    const std::size_t k = total_.size();
    // What is left of a sum of fractions has the rounding of the whole sum: rows are added instead.
    const bool whole = context_->counts.table != nullptr;
    right_.assign(whole ? k : k * cuts.size(), 0.0);
    if (!whole) {
      std::size_t i = n;
      for (std::size_t c = cuts.size(); c-- > 0;) {
        double* right = right_.data() + c * k;
        if (c + 1 < cuts.size()) std::copy(right + k, right + 2 * k, right);
        while (i > cuts[c].at) {
          --i;
          right[class_of(i)] += weight_of(i);
        }
      }
    }
    left_.assign(k, 0.0);
    std::size_t i = 0, c = 0;
    for (const auto& cut : cuts) {
      for (; i < cut.at; ++i) left_[class_of(i)] += weight_of(i);
      if (whole) {
        for (std::size_t s = 0; s < k; ++s) right_[s] = total_[s] - left_[s];
      }
      use(cut.at, partition(right_.data() + (whole ? 0 : c++ * k)));
    }
  }

 private:
  const Partition& partition(const double* right) {
    double n_left = 0.0, n_right = 0.0;
    for (std::size_t s = 0; s < total_.size(); ++s) {
      n_left += left_[s];
      n_right += right[s];
    }
    partition_.start(static_cast<int>(total_.size()));
    partition_.share = unknown_.share;
    partition_.unknown = unknown_.weight;
    partition_.add(left_.data(), n_left);
    partition_.add(right, n_right);
    return partition_;
  }

  const ClassContext* context_ = nullptr;
  UnknownWeight unknown_;
  std::vector<double> total_, left_;
  std::vector<double> right_;  // by cut where rows do not count whole numbers
  Partition partition_;
};

}  // namespace tectree

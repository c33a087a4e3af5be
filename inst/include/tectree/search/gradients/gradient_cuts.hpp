// The best split of one column of a node from the sums of its codes. Rows without a value are tried
// on both sides, on the left first.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "coded_for_gradients.hpp"
#include "gradient_rule.hpp"

namespace tectree {

struct GradientCut {
  double gain = 0.0;  // 0: none
  // The codes on the left: those of `order` up to `at`; rows without a value go left, right, or,
  // where the node has none, are unknown.
  int at = -1, next = -1;  // places of the last on the left, and of the first on the right
  int filled = -1;         // 0, 1 or -1
  double left = 0.0, right = 0.0;
  std::int64_t n_left = 0;
};

class GradientCuts {
 public:
  GradientCuts(const GradientScale& scale, const GradientRule& rule)
      : scale_(scale), rule_(&rule) {}

  // `cells`: by code, the last of rows without a value; `total`: of the node.
  GradientCut best(const CodeColumn& column, std::uint32_t c, const GradientCell* cells,
                   const GradientCell& total, const LeafBounds& bounds) {
    order_.clear();
    for (int b = 0; b < column.codes; ++b) {
      if (scale_.rows(cells[b]) > 0) order_.push_back(b);
    }
    GradientCut out;
    if (order_.size() < 2) return out;
    if (column.kind == Kind::nominal) sort_levels(cells, column.codes);
    total_ = scale_.sums(total);
    bounds_ = bounds;
    direction_ = rule_->direction(c);
    // A predictor's levels have no direction; R refuses one.
    parent_ = worth(total_, bounds_.clip(rule_->value(total_.g, total_.h)));
    const GradientCell& missing = cells[column.codes];
    if (scale_.rows(missing) == 0) {
      scan(cells, GradientCell(), -1, out);
    } else {
      scan(cells, missing, 0, out);
      scan(cells, GradientCell(), 1, out);
    }
    return out;
  }

  // The codes present, in the order of the cuts that best() looked at last.
  const std::vector<int>& order() const { return order_; }

 private:
  // How much loss a leaf takes off, twice.
  double worth(const GradientSums& of, double value) const {
    return -value * (2.0 * of.g + (of.h + rule_->lambda) * value);
  }

  // In this order the best of all groupings is among the cuts where lambda is 0 (Breiman et al.
  // 1984, theorem 4.5; Fisher 1958).
  void sort_levels(const GradientCell* cells, int levels) {
    mean_.resize(static_cast<std::size_t>(levels));
    for (int b : order_) {
      const GradientSums of = scale_.sums(cells[b]);
      mean_[b] = of.g / std::max(of.h, 1e-300);
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [&](int a, int b) { return mean_[a] > mean_[b]; });
  }

  // `first`: what is on the left of all cuts.
  void scan(const GradientCell* cells, const GradientCell& first, int filled, GradientCut& out) {
    GradientCell left = first;
    for (std::size_t i = 0; i + 1 < order_.size(); ++i) {
      left.add(cells[order_[i]]);
      const GradientSums l = scale_.sums(left), r{total_.g - l.g, total_.h - l.h, total_.n - l.n};
      if (l.n < rule_->min_rows || l.h < rule_->min_hessian) continue;
      if (r.n < rule_->min_rows || r.h < rule_->min_hessian) {
        if (r.n < rule_->min_rows) break;
        continue;
      }
      const double to_left = bounds_.clip(rule_->value(l.g, l.h)),
                   to_right = bounds_.clip(rule_->value(r.g, r.h));
      if (direction_ != 0 && direction_ * (to_right - to_left) < 0.0) continue;
      const double of_left = worth(l, to_left), of_right = worth(r, to_right),
                   gain = of_left + of_right - parent_;
      // What rounding leaves of no gain is none; of cuts that tie the first counts.
      const double least =
          std::max(rule_->min_gain, 1e-11 * (std::fabs(of_left) + std::fabs(of_right)));
      if (!(gain > least) || gain <= out.gain * (1 + 1e-10)) continue;
      out = {gain, static_cast<int>(i), static_cast<int>(i) + 1, filled, to_left, to_right, l.n};
    }
  }

  GradientScale scale_;
  const GradientRule* rule_;
  GradientSums total_;
  LeafBounds bounds_;
  int direction_ = 0;
  double parent_ = 0.0;
  std::vector<int> order_;
  std::vector<double> mean_;
};

}  // namespace tectree

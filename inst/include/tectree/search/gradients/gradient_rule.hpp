// The value of a leaf of a boosted tree, and the gain of a split: Newton's step with a penalty of
// lambda / 2 times the square of the leaf's value (Friedman, Hastie & Tibshirani 2000; Chen &
// Guestrin 2016).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gradient_sums.hpp"

namespace tectree {

struct GradientRule {
  double lambda = 0.0;    // the penalty
  double min_rows = 1.0;  // minimum on each side of a split
  double min_hessian = 0.0;
  double min_gain = 0.0;
  std::vector<int> monotone;  // by column: 1 increasing, -1 decreasing, 0 free; empty: all are free

  int direction(std::uint32_t column) const { return monotone.empty() ? 0 : monotone[column]; }

  double value(double g, double h) const {
    const double by = h + lambda;
    return by > 0.0 ? -g / by : 0.0;
  }
};

// Bounds on the leaves below a node that keep a predictor's direction.
struct LeafBounds {
  double low = -HUGE_VAL, high = HUGE_VAL;

  double clip(double x) const { return std::min(std::max(x, low), high); }

  // Those of a branch of a split: both sides stay on their side of the middle between the two.
  LeafBounds of_child(int direction, bool right, double left_value, double right_value) const {
    LeafBounds out = *this;
    if (direction == 0) return out;
    const double middle = left_value / 2 + right_value / 2;
    if (right == (direction > 0)) {
      out.low = std::max(out.low, middle);
    } else {
      out.high = std::min(out.high, middle);
    }
    return out;
  }
};

}  // namespace tectree

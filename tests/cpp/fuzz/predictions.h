// Predictions of all trees together, and their Shapley values.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "fuzz/require.h"
#include "tectree/predict/forest_walk.hpp"
#include "tectree/shap/shapley_values.hpp"

namespace fuzz {

// Predictions of all rows by all trees: the sums of shares or of numbers.
inline std::vector<double> predictions(const tectree::ForestView& view, const tectree::Frame& frame,
                                       int threads) {
  tectree::Team team(threads);
  std::vector<double> out(frame.n_rows * view.outputs(), 0.0);
  tectree::each_block(view, frame, team, [&](auto, auto first, auto n, auto& walk) {
    for (std::size_t i = 0; i < n; ++i) {
      if (view.n_classes > 0) {
        walk.add_class(i, out.data() + first + i, frame.n_rows);
      } else {
        out[first + i] += walk.number(i);
      }
    }
  });
  return out;
}

// Shapley values of a row add up to its prediction minus the mean.
inline void explain(const tectree::ForestView& view, const tectree::Frame& frame) {
  const tectree::WeighedForest in(view);
  const std::size_t n = frame.n_rows, p = frame.columns.size(), k = view.outputs();
  std::vector<double> values(n * p * k, 0.0);
  tectree::Team team(1);
  tectree::ShapleyValues(in, frame, nullptr, {0, k}).find(values.data(), team);
  const std::vector<double> base = tectree::mean_of_leaves(in, {0, k}),
                            said = predictions(view, frame, 1);
  for (std::size_t s = 0; s < k; ++s) {
    for (std::size_t i = 0; i < n; ++i) {
      double sum = base[s];
      for (std::size_t j = 0; j < p; ++j) sum += values[(s * p + j) * n + i];
      const double expected = said[s * n + i] / static_cast<double>(view.trees);
      require(std::fabs(sum - expected) <= 1e-7 * std::max(1.0, std::fabs(expected)),
              "Shapley values", std::to_string(sum) + " instead of " + std::to_string(expected));
    }
  }
}

}  // namespace fuzz

// The cost of predicting one class for another, and the class with the smallest expected cost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../tally/weights.hpp"

namespace tectree {

struct Loss {
  // cost[s * k + j]: of predicting j if s is true; empty: 1 for every error.
  std::vector<double> cost;

  bool empty() const { return cost.empty(); }

  // Of predicting `answer` for rows with these class weights.
  double of(const double* weight, int k, int answer) const {
    double sum = 0.0;
    if (empty()) {
      for (int s = 0; s < k; ++s) sum += s == answer ? 0.0 : weight[s];
      return sum;
    }
    for (int s = 0; s < k; ++s) sum += weight[s] * one(s, answer, k);
    return sum;
  }

  double one(int truth, int answer, int k) const {
    if (truth == answer) return 0.0;
    return empty() ? 1.0 : cost[static_cast<std::size_t>(truth) * k + answer];
  }

  double largest() const { return empty() ? 1.0 : *std::max_element(cost.begin(), cost.end()); }

  // The class with the smallest loss, the first on ties.
  int best(const double* weight, int k) const {
    if (empty()) return static_cast<int>(heaviest(weight, k));
    int chosen = 0;
    double least = of(weight, k, 0);
    for (int j = 1; j < k; ++j) {
      const double here = of(weight, k, j);
      if (here < least * (1 - 1e-12)) {
        least = here;
        chosen = j;
      }
    }
    return chosen;
  }
};

}  // namespace tectree

// What it costs to take one class for another, and the class that costs least.
#pragma once

#include <cstddef>
#include <vector>

namespace tectree {

struct Loss {
  // cost[s * k + j]: of saying j where s is true; empty: 1 for every error.
  std::vector<double> cost;

  bool empty() const { return cost.empty(); }

  // Of saying `answer` for rows of these class weights.
  double of(const double* weight, int k, int answer) const {
    double sum = 0.0;
    for (int s = 0; s < k; ++s) {
      if (s != answer)
        sum += weight[s] * (empty() ? 1.0 : cost[static_cast<std::size_t>(s) * k + answer]);
    }
    return sum;
  }

  double one(int truth, int answer, int k) const {
    if (truth == answer) return 0.0;
    return empty() ? 1.0 : cost[static_cast<std::size_t>(truth) * k + answer];
  }

  double largest() const {
    double most = empty() ? 1.0 : 0.0;
    for (double c : cost) most = c > most ? c : most;
    return most;
  }

  // The class of least loss, the first among equals.
  int best(const double* weight, int k) const {
    int chosen = 0;
    if (empty()) {
      for (int s = 1; s < k; ++s) {
        if (weight[s] > weight[chosen] * (1 + 1e-12)) chosen = s;
      }
      return chosen;
    }
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

// Where a row goes whose value at a split is missing. The grower and, through the branch recorded
// in the tree, the predictor both ask here.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace tectree {

class MissingPolicy {
 public:
  virtual ~MissingPolicy() = default;
  // The branch for rows without a value, from the weights of the rows that have one.
  virtual int branch(const std::vector<double>& known_weight) const = 0;
};

// The branch with the most rows, the first among equals.
class Majority : public MissingPolicy {
 public:
  int branch(const std::vector<double>& known_weight) const override {
    int best = 0;
    for (std::size_t j = 1; j < known_weight.size(); ++j) {
      if (known_weight[j] > known_weight[best] * (1 + 1e-12)) best = static_cast<int>(j);
    }
    return best;
  }
};

inline const MissingPolicy& missing_policy(const std::string& name) {
  static const Majority majority;
  if (name == "majority") return majority;
  throw std::invalid_argument("no missing-value policy is called '" + name + "'");
}

}  // namespace tectree

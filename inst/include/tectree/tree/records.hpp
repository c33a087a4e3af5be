// What is known of a node, and the split chosen for it: the results of a search, which a tree
// keeps.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "../split/split.hpp"

namespace tectree {

struct NodeFacts {
  std::size_t n = 0;  // rows
  double weight = 0.0;
  std::optional<double> case_weight;  // where the weight is not the sum of case weights
  double yval = 0.0;                  // class number from 0, or the centre
  double impurity = 0.0;
  double risk = 0.0;  // loss of its class summed over its rows; classification only
  bool pure = false;
};

struct Winner {
  Split split;
  std::vector<double> branch_weight;  // of the rows whose value is known
  double cut = 0.0, gain = 0.0, score = 0.0;
  bool exact = true;
  int filled = no_branch;  // the branch of the filled-in value, where missing values are filled in
};

}  // namespace tectree

// What is known about a node, and the split chosen for it: the results of a search, which a tree
// stores.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "../criterion/association.hpp"
#include "../split/split.hpp"

namespace tectree {

struct NodeFacts {
  std::size_t n = 0;  // rows
  double weight = 0.0;
  std::optional<double> size;  // of its rows, if that is not their weight
  double yval = 0.0;           // class number from 0, or the centre
  double impurity = 0.0;
  double risk = 0.0;  // loss of its class summed over its rows; classification only
  bool pure = false;
};

struct Winner {
  Split split;
  std::vector<double> branch_weight;  // of the rows that the search of the column counted
  double cut = 0.0, gain = 0.0, score = 0.0;
  double deduction = 0.0;  // already subtracted from the gain
  bool exact = true;
  Test test;  // of a search by p values
  // The branch of the rows with a missing value, if the search of the column counted them: that of
  // the imputed value, or the one that gains more.
  int filled = no_branch;
};

}  // namespace tectree

// What the files of whole-tree tests share: short names, and settings.
#pragma once

#include "grow/compare.h"
#include "grow/random_table.h"

namespace cases {

using support::Random;
using support::Setting;
using support::Table;
using support::Weights;
using Nominal = tectree::SearchControl::Nominal;
using Rule = tectree::Eligible;

constexpr double not_there = std::numeric_limits<double>::quiet_NaN();

inline Setting of_criterion(const std::string& criterion, double parameter = 1.0) {
  Setting s;
  s.criterion = criterion;
  s.parameter = parameter;
  return s;
}

// For thousands of rows: not to the last leaf.
inline Setting large_leaves(const std::string& criterion, double parameter = 1.0) {
  Setting s = of_criterion(criterion, parameter);
  s.control.min_bucket = 20;
  s.stop.min_split = 40;
  return s;
}

inline Weights weights_of(int round) {
  return round % 3 == 0 ? Weights::unit : round % 3 == 1 ? Weights::whole : Weights::fraction;
}

}  // namespace cases

using namespace cases;

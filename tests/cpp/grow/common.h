// Shared by the tests of whole trees: short names, and settings.
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

inline Setting random_setting(const std::string& criterion, Random& random) {
  Setting s;
  s.criterion = criterion;
  const std::vector<double> q = {0.1, 0.5, 0.9, 1.0, 1.3, 2.0, 3.0};
  if (criterion.rfind("tsallis", 0) == 0 || criterion == "beta") s.parameter = random.one_of(q);
  s.control.min_bucket = random.one_of(std::vector<double>{1, 1, 2, 2.5, 4});
  s.control.nominal = random.one_of(
      std::vector<Nominal>{Nominal::binary, Nominal::binary, Nominal::multiway, Nominal::ordered});
  s.stop.min_split = random.one_of(std::vector<double>{1, 2, 5, 10});
  s.stop.max_depth = random.one_of(std::vector<double>{HUGE_VAL, HUGE_VAL, 1, 3});
  if (random.chance(0.15)) {
    s.control.eligible = random.one_of(std::vector<Rule>{Rule::all, Rule::mean, Rule::mean_sd});
  }
  if (random.chance(0.15)) s.control.min_gain = 0.05;
  if (random.chance(0.2)) {
    s.control.min_gain = random.one_of(std::vector<double>{-HUGE_VAL, -HUGE_VAL, -0.02});
  }
  return s;
}

}  // namespace cases

using namespace cases;

// Thresholds become the largest value of the column that does not exceed them.
#include "check.h"

#include <tectree/grow/actual_values.hpp>

#include "support/build.h"
#include "support/columns.h"

using namespace tectree;
using support::Random;

TEST(every_threshold_is_the_largest_value_not_above_it) {
  Random random(3);
  for (support::Shape shape : support::all_shapes) {
    for (int n_thresholds : {1, 2, 3, 8, 50}) {
      const std::vector<double> x = support::numbers_of(shape, 300, random);
      std::vector<double> at;
      while (static_cast<int>(at.size()) < n_thresholds) {
        // A value, or a number between two.
        const double a = random.one_of(x), b = random.one_of(x);
        const double t = random.chance(0.5) ? a : a / 2 + b / 2;
        if (!std::isnan(t)) at.push_back(t);
      }
      Frame frame;
      frame.columns.resize(2);
      frame.columns[1].real = x.data();
      Sample sample;
      sample.size = x.size();
      std::vector<double> found = at;
      ActualValues values(2);
      for (double& t : found) values.add(1, t);
      Team team(2);
      values.settle(frame, sample, team);
      for (std::size_t i = 0; i < at.size(); ++i) {
        double expected = -HUGE_VAL;
        for (double v : x) {
          if (v <= at[i]) expected = std::max(expected, v);
        }
        CHECK(found[i] == expected);
      }
    }
  }
}

TEST(only_the_sample_s_rows_count) {
  const std::vector<int> x = {1, 4, 6, 9, missing_code};
  const std::vector<int> rows = {1, 4, 5};
  Frame frame;
  frame.columns.resize(1);
  frame.columns[0].whole = x.data();
  Sample sample;
  sample.size = rows.size();
  sample.rows = rows.data();
  double t = 6.5;
  ActualValues values(1);
  values.add(0, t);
  Team team(1);
  values.settle(frame, sample, team);
  CHECK(t == 1.0);
}

TEST(only_thresholds_on_numbers_change) {
  Tree tree = support::tree_of_all_kinds();
  const std::vector<double> before = tree.breaks;
  const std::vector<double> x = {2, 3, -1, 0.5}, z = {0.5, 1.5, 0, 1};
  const std::vector<int> code = {1, 2, 3, 4};
  Frame frame;
  frame.columns.resize(4);
  frame.columns[0].real = x.data();
  frame.columns[1].real = z.data();
  frame.columns[2].whole = frame.columns[3].whole = code.data();
  Sample sample;
  sample.size = 4;
  Team team(1);
  cut_at_actual_values(tree, frame, sample, team);
  CHECK(before[0] == 2.5 && tree.breaks[0] == 2.0);
  for (std::size_t i = 1; i < before.size(); ++i) CHECK(tree.breaks[i] == before[i]);
}

// Numbers at the limits of a double: scaled exactly and back, or refused.
#include "check.h"

#include <tectree/grow/safe_scale.hpp>

using tectree::OutOfRange;
using tectree::Problem;
using tectree::SafeScale;
using tectree::StopRule;

namespace {

Problem problem_of(const std::vector<double>& y, const std::vector<double>& w, const char* name) {
  Problem p;
  p.frame.n_rows = y.size();
  p.sample.size = y.size();
  if (!w.empty()) p.sample.weights = w.data();
  p.response.number = y.data();
  p.criterion = name;
  return p;
}

SafeScale scaled(Problem& problem, StopRule& stop) {
  tectree::Team team(2);
  return SafeScale(problem, stop, team);
}

}  // namespace

TEST(ordinary_numbers_are_left_alone) {
  const std::vector<double> y{0.0, -3.0, 1e60}, w{1.0, 2.5, 1e-50};
  Problem p = problem_of(y, w, "l2");
  StopRule stop;
  const SafeScale scale = scaled(p, stop);
  CHECK(p.response.number == y.data());
  CHECK(p.sample.weights == w.data());
  CHECK(scale.gain(3.5) == 3.5);
}

TEST(large_and_small_numbers_come_near_1_and_back) {
  for (double size : {1e200, 1e-200, 1e308, 5e-320}) {
    for (const char* criterion : {"l2", "l1"}) {
      const std::vector<double> y{0.0, -size, size / 4};
      Problem p = problem_of(y, {}, criterion);
      p.control.min_gain = -HUGE_VAL;
      StopRule stop;
      const SafeScale scale = scaled(p, stop);
      CHECK(p.response.number[0] == 0.0);
      CHECK(p.response.number[1] <= -0.5);
      CHECK(p.response.number[1] > -1.0);
      CHECK(p.response.number[2] * -4 == p.response.number[1]);
      CHECK(p.control.min_gain == -HUGE_VAL);
      tectree::Tree tree;
      tree.test.resize(1);
      tree.yval = {p.response.number[1]};
      tree.weight = {3.0};
      tree.impurity = tree.gain = tree.score = {std::fabs(p.response.number[1])};
      scale.undo(tree);
      CHECK(tree.yval[0] == -size);
      CHECK(tree.weight[0] == 3.0);
      CHECK(std::isfinite(tree.impurity[0]));
      if (criterion == std::string("l1")) CHECK(tree.impurity[0] == size);
    }
  }
}

TEST(weights_and_the_sizes_that_bound_them_are_scaled_alike) {
  const std::vector<double> y{1.0, 2.0, 3.0}, w{1e300, 2e300, 4e300};
  Problem p = problem_of(y, w, "l2");
  p.control.min_bucket = 1e300;
  StopRule stop;
  stop.min_split = 3e300;
  const SafeScale scale = scaled(p, stop);
  CHECK(p.control.min_bucket == p.sample.weights[0]);
  CHECK(stop.min_bucket == p.sample.weights[0]);
  CHECK(stop.min_split == 3e300 / 1e300 * p.sample.weights[0]);
  CHECK(scale.risk(scale.scaled_risk(1e300)) == 1e300);
}

TEST(numbers_that_no_scale_can_hold_are_refused) {
  const std::vector<double> y{1e308, 5e-324, 1.0}, plain{1.0, 2.0, 3.0}, many(200, 1e307);
  StopRule stop;
  Problem response = problem_of(y, {}, "l2"), weights = problem_of(plain, y, "l2"),
          sum = problem_of(std::vector<double>(200, 1.0), many, "l2");
  const std::vector<double> ones(200, 1.0);
  sum.response.number = ones.data();
  CHECK_THROWS(scaled(response, stop));
  CHECK_THROWS(scaled(weights, stop));
  CHECK_THROWS(scaled(sum, stop));
}

TEST(entropies_of_small_shares_are_refused_by_the_weights_of_classes_too) {
  const std::vector<double> ones(10, 1.0);
  const std::vector<int> code{1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
  for (const double factor : {1e-3, 1e-30}) {
    Problem p = problem_of({}, ones, "tsallis");
    p.frame.n_rows = p.sample.size = 10;
    p.parameter = -10.0;
    p.response.n_classes = 2;
    p.response.code = code.data();
    p.factors.prior = p.factors.split = {1.0, factor};
    StopRule stop;
    if (factor > 1e-10) {
      const SafeScale scale = scaled(p, stop);
      CHECK(p.sample.weights == ones.data());
    } else {
      CHECK_THROWS(scaled(p, stop));
    }
  }
}

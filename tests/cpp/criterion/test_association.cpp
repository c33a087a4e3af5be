// Tails of distributions, and tests of tables, against R's pchisq(), pf(), chisq.test() and glm().
#include <tectree/criterion/association.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "check.h"

using namespace tectree;

TEST(the_tail_of_chi_square_is_r_s) {
  CHECK_NEAR(std::exp(log_p_chi_square(3.841458820694124, 1)), 0.05, 1e-14);
  CHECK_NEAR(std::exp(log_p_chi_square(12.591587243743977, 6)), 0.05, 1e-14);
  CHECK_NEAR(log_p_chi_square(100, 3), -47.913352111990129, 1e-10);
  CHECK_NEAR(log_p_chi_square(2000, 7), -983.92908478218237, 1e-8);
  CHECK(log_p_chi_square(0, 4) == 0.0);
  CHECK(log_p_chi_square(1, 0) == 0.0);
}

TEST(the_tail_of_f_is_r_s) {
  CHECK_NEAR(std::exp(log_p_f(161.44763879758827, 1, 1)), 0.05, 1e-12);
  CHECK_NEAR(std::exp(log_p_f(3.0984, 3, 20)), 0.049999, 1e-5);
  CHECK_NEAR(std::exp(log_p_f(0.5, 2, 20)), 0.61391325354075926, 1e-12);
  CHECK(log_p_f(1.0, 2, 0) == 0.0);
}

namespace {
Test test_of(TestBy by) {
  const double counts[3][4] = {{10, 20, 5, 3}, {4, 8, 15, 20}, {7, 0, 9, 30}};
  CountTable table;
  table.start(4);
  for (const auto& row : counts) table.add(row);
  return table.test(by);
}
}  // namespace

TEST(tables_are_tested_as_by_r) {
  const Test pearson = test_of(TestBy::pearson), ratio = test_of(TestBy::likelihood),
             rows = test_of(TestBy::row_effects);
  CHECK_NEAR(pearson.statistic, 52.3351911153505, 1e-10);
  CHECK_NEAR(ratio.statistic, 60.9326611398269, 1e-10);
  CHECK_NEAR(rows.statistic, 33.3853851261549, 1e-9);
  CHECK(pearson.df == 6 && ratio.df == 6 && rows.df == 2);
}

TEST(classes_without_rows_do_not_count) {
  CountTable table;
  table.start(3);
  const double a[] = {3, 0, 9}, b[] = {8, 0, 2};
  table.add(a);
  table.add(b);
  CHECK(table.test(TestBy::pearson).df == 1);
  table.start(2);
  const double one[] = {3, 0};
  table.add(one);
  table.add(one);
  CHECK(!table.test(TestBy::pearson).exists());
}

namespace {
// Weights and deviations of each group, added up forwards or backwards.
Test test_of_means(std::vector<std::vector<std::pair<double, double>>> groups, bool backwards) {
  MeansTable table;
  table.start();
  for (auto& group : groups) {
    if (backwards) std::reverse(group.begin(), group.end());
    double weight = 0.0, sum = 0.0, squares = 0.0;
    for (const auto& [w, d] : group) {
      weight += w;
      sum += w * d;
      squares += w * d * d;
    }
    table.add(weight, sum, squares);
  }
  return table.test();
}
}  // namespace

TEST(means_are_tested_as_by_r) {
  // summary(aov(c(1, 2, 4, 3, 5, 9) ~ gl(2, 3)))
  const Test test = test_of_means({{{1, -3}, {1, -2}, {1, 0}}, {{1, -1}, {1, 1}, {1, 5}}}, false);
  CHECK_NEAR(test.statistic, 20.0 / 7.0, 1e-12);
  CHECK(test.df == 1 && test.df2 == 4);
}

TEST(what_rounding_leaves_of_equal_means_is_no_difference) {
  // A group of some rows, by the first of its weights.
  const auto group = [](int first, double d) {
    std::vector<std::pair<double, double>> out;
    for (int i = 0; i < 3; ++i) out.emplace_back((7 * first + 5 * i) % 40 / 16.0 + 0.1, d);
    return out;
  };
  for (int first = 0; first < 100; ++first) {
    // Equal numbers, far from the centre.
    const Test alike = test_of_means({group(first, -0.2), group(first + 1, -0.2)}, false);
    CHECK(alike.statistic == 0.0 && alike.log_p == 0.0);
    // Numbers that are equal within groups: the same F in any order.
    const auto apart = {group(first, -0.2), group(first + 1, 0.7)};
    const Test one = test_of_means(apart, false), other = test_of_means(apart, true);
    CHECK_NEAR(one.log_p, other.log_p, 1e-9);
  }
}

// If each group has a class of its own, row effects fit the table perfectly, in the limit.
TEST(row_effects_of_groups_that_are_apart_explain_everything) {
  const double counts[3][3] = {{20, 0, 0}, {0, 30, 0}, {0, 0, 25}};
  CountTable table;
  table.start(3);
  double expected = 0.0;
  for (int i : {0, 1, 2}) {
    table.add(counts[i]);
    expected += 2 * counts[i][i] * std::log(75 / counts[i][i]);
  }
  CHECK_NEAR(table.test(TestBy::row_effects).statistic, expected, 1e-10 * expected);
}

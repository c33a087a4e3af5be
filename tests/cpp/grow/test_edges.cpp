// Whole trees in edge cases: extreme numbers, gains close to zero, bounds beyond any count.
#include "check.h"
#include "grow/common.h"
#include "support/extremes.h"

namespace {

// Grown to the end, every row must be in a leaf of its own class.
void check_separates(const Table& table, const std::string& criterion) {
  const tectree::Tree tree = support::grown(table, of_criterion(criterion));
  CHECK(support::misrouted(tree, table, of_criterion(criterion)).empty());
  for (std::size_t i = 0; i < tree.size(); ++i) CHECK(tree.kind[i] != 0 || tree.impurity[i] == 0.0);
}

}  // namespace

TEST(extreme_numbers_are_separated_as_trained) {
  for (int stride : {2, 3, 5}) {
    Table table;
    table.add_numbers(support::extremes());
    table.n_classes = 2;
    for (std::size_t i = 0; i < table.x[0].size(); ++i)
      table.y.push_back(static_cast<int>(i) % stride == 0 ? 2 : 1);
    for (const char* criterion : {"gini", "shannon"}) check_separates(table, criterion);
    table.add_numbers(
        std::vector<double>(table.x[0].size(), 1.0));  // a constant column changes nothing
    check_separates(table, "gini");
  }
}

TEST(zeros_of_both_signs_stay_together) {
  Table table;
  table.add_numbers({-0.0, 0.0, -0.0, 1.0, 0.0, 1.0});
  table.n_classes = 2;
  table.y = {1, 2, 1, 2, 1, 2};
  CHECK(support::same_as_oracle(table, of_criterion("gini"), "zeros"));
}

TEST(columns_without_values_or_with_one_value_are_skipped) {
  Table table;
  table.add_numbers(std::vector<double>(8, not_there));
  table.add(tectree::Kind::nominal, 3, {2, 2, 2, 2, not_there, 2, 2, 2});
  table.add(tectree::Kind::nominal, 3, std::vector<double>(8, not_there));
  table.n_classes = 2;
  table.y = {1, 2, 1, 2, 1, 2, 2, 2};
  for (const char* criterion : {"gini", "gain_ratio", "tsallis_ratio"}) {
    CHECK(support::grown(table, of_criterion(criterion)).size() == 1);
  }
  table.add_numbers({1, 2, 1, 2, 1, 2, 2, not_there});
  const tectree::Tree tree = support::grown(table, of_criterion("gini"));
  CHECK(tree.size() == 3 && tree.variable[0] == 3 && tree.n[2] == 5);
}

TEST(missing_values_go_with_the_majority) {
  Table table;
  table.add_numbers({1, 1, 1, 9, 9, not_there, not_there});
  table.n_classes = 2;
  table.y = {1, 1, 1, 2, 2, 2, 2};
  Setting setting = of_criterion("gini");
  setting.stop.max_depth = 1;
  tectree::Tree tree = support::grown(table, setting);
  CHECK(tree.default_child[0] == 0 && tree.n[1] == 5 && tree.n[2] == 2);
  CHECK_NEAR(tree.gain[0], 0.48, 1e-15);  // of the five known rows
  table.weight = {1, 1, 1, 2, 2, 1, 1};   // by weight the right branch is the larger
  tree = support::grown(table, setting);
  CHECK(tree.default_child[0] == 1 && tree.n[1] == 3 && tree.weight[2] == 6);
  table.weight = {1, 1, 2, 2, 2, 1, 1};  // equal: the first
  CHECK(support::grown(table, setting).default_child[0] == 0);
}

namespace {

// The best gain of all groupings of the only column, and that of the tree's first split.
std::pair<double, double> gains(const Table& table, const Setting& setting,
                                const tectree::Split& made) {
  double best = 0, found = -1;
  const oracle::Problem problem{table, setting};
  const auto groups = oracle::groups_of(problem, oracle::all_rows(table), 0, table.x[0]);
  oracle::try_groupings(groups,
                        [&](const tectree::Split& split, const std::vector<oracle::Bag>& bags) {
                          const double gain = oracle::measure_of(setting, bags).gain;
                          best = std::max(best, gain);
                          if (tectree::same_split(split, made)) found = gain;
                        });
  return {best, found};
}

}  // namespace

TEST(more_than_twelve_levels_are_grouped_well_and_reported_as_inexact) {
  Random random(33);
  for (const char* criterion : {"gini", "tsallis_mutual", "l1"}) {
    Table table;
    table.add(tectree::Kind::nominal, 13, support::random_column(200, 13, 0.0, true, random));
    support::add_response(table, 200, criterion[0] == 'l' ? 0 : 3, random);
    Setting setting = of_criterion(criterion, 1.5);
    setting.stop.max_depth = 1;
    const tectree::Tree tree = support::grown(table, setting);
    const auto [best, found] = gains(table, setting, tree.split_at(0));
    CHECK(tree.exact[0] == 0 && support::misrouted(tree, table, setting).empty());
    CHECK_NEAR(tree.gain[0], found, 1e-12);
    CHECK(found > 0.7 * best && found <= best);
  }
}

TEST(known_rows_alike_gain_nothing) {
  // The rows with a value have one response: no cut of them gains, despite rounding.
  Table table;
  table.add_numbers({1, not_there, 2, not_there});
  table.number = {3, 4.9644526410623184, 3, 4};
  table.weight = {4, 2, 3, 3};
  for (const char* criterion : {"l2", "l1"})
    CHECK(support::grown(table, of_criterion(criterion)).size() == 1);
}

TEST(a_gain_too_small_does_not_hide_a_smaller_ratio_that_is_large_enough) {
  Random random(31);
  bool right = true;
  for (int round = 0; round < 40 && right; ++round) {
    const Table table =
        support::random_table(30, 3, round % 2 ? Weights::whole : Weights::unit, random);
    Setting setting =
        of_criterion("tsallis_ratio", random.one_of(std::vector<double>{0.5, 1.0, 2.0}));
    setting.stop.max_depth = 1;
    setting.control.min_gain = support::grown(table, setting).gain[0];  // now slightly too little
    right = support::same_as_oracle(table, setting, "round " + std::to_string(round));
  }
  CHECK(right);
}

TEST(intervals_whose_gain_is_too_small_do_not_hide_others) {
  Random random(32);
  bool right = true;
  for (int round = 0; round < 20 && right; ++round) {
    Table table;
    std::vector<double> x;
    for (int i = 0; i < 30; ++i) x.push_back(random.below(7));
    table.add_numbers(std::move(x));
    support::add_response(table, 30, 3, random);
    Setting setting = of_criterion("tsallis_ratio", 1.0);
    setting.stop.max_depth = 1;
    setting.control.intervals = 3;
    setting.control.min_gain = support::grown(table, setting).gain[0];
    right = support::same_as_oracle(table, setting, "round " + std::to_string(round));
  }
  CHECK(right);
}

TEST(intervals_may_cut_within_a_run_of_one_class) {
  // With three intervals, more than classes, effcami divides by the class entropy, 0.81 bits,
  // instead of by the split information, 1 bit: the same gain, a better score.
  Table table;
  table.add_numbers({1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3});
  table.n_classes = 2;
  table.y = {1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1};
  Setting setting = of_criterion("effcami0");
  setting.control.intervals = 3;
  setting.stop.max_depth = 1;
  CHECK(support::same_as_oracle(table, setting, "a run of one class"));
}

TEST(a_bucket_larger_than_the_data_leaves_a_single_leaf) {
  Table table;
  table.add_numbers({1, 2, 3, 4});
  table.n_classes = 2;
  table.y = {1, 1, 2, 2};
  for (double bucket : {3.0, 1e9, 2147483648.0, 4294967296.0, 1e300, HUGE_VAL}) {
    Setting setting = of_criterion("gini");
    setting.control.min_bucket = bucket;
    CHECK(support::grown(table, setting).size() == 1);
    table.weight = {1.5, 1, 1, 1};
    CHECK(support::grown(table, setting).size() == 1);
    table.weight.clear();
  }
}

TEST(weights_of_many_magnitudes_still_split_a_clear_case) {
  Table table;
  table.add_numbers({1, 2, 3, 4, 5, 6});
  table.n_classes = 2;
  table.y = {1, 1, 1, 2, 2, 2};
  for (double q : {1.0, 2.0, 20.0, 50.0}) {
    for (const std::vector<double>& weight : {std::vector<double>{1e-4, 1, 1, 1, 1, 1e3},
                                              {1e-4, 1, 1, 1, 1, 1e6},
                                              {1, 1, 1, 1, 1, 1e12}}) {
      table.weight = weight;
      Setting setting = of_criterion("tsallis", q);
      setting.control.min_bucket = 1e-5;
      setting.stop.min_split = 1e-5;
      const tectree::Tree tree = support::grown(table, setting);
      CHECK(tree.size() == 3 && tree.breaks[0] == 3.5);
    }
  }
}

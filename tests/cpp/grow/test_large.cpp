// Trees with more than 4,096 rows, which in these tests are searched on bins, or sorted with 32-bit
// rows, and whose small nodes move to their own arenas: against the naive tree, and equal whatever
// the search and the threads.
#include "check.h"
#include "grow/balanced_table.h"
#include "grow/common.h"

namespace {

void check_large(const std::string& criterion, double parameter, int n_classes, Weights weights,
                 std::uint64_t seed, Nominal nominal = Nominal::binary) {
  Random random(seed);
  const Table table = support::large_table(4600, n_classes, weights, random);
  Setting setting = large_leaves(criterion, parameter);
  setting.control.nominal = nominal;
  setting.stop.max_depth = 4;
  CHECK(support::same_as_oracle(table, setting, "large", 1, 1e-8));
}

// A column of `n` distinct numbers, except for the crowd at 0.5 if there is one.
std::vector<double> distinct_numbers(std::size_t n, double crowd, Random& random) {
  std::vector<double> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(random.chance(crowd) ? 0.5 : random.uniform());
  return x;
}

// The same tree by the other search and by any number of threads, to the last bit.
void check_alike(const Table& table, const Setting& setting, const std::vector<int>& threads,
                 std::size_t pass_on_at = 4096) {
  tectree::Problem problem = support::problem_of(table, setting);
  problem.pass_on_at = pass_on_at;
  const auto grown = [&](int size) {
    tectree::Team team(size);
    return tectree::grow_tree(problem, support::stop_of(setting),
                              tectree::missing_policy("majority"), team);
  };
  const tectree::Tree tree = grown(1);
  CHECK(tree.size() > 5);
  CHECK(support::misrouted(tree, table, setting).empty());
  for (int size : threads) CHECK(support::identical(grown(size), tree));
  problem.sorted_only = true;
  CHECK(support::identical(grown(threads.back()), tree));
}

}  // namespace

TEST(large_trees_of_gini) {
  check_large("gini", 2, 3, Weights::unit, 41);
}
TEST(large_trees_of_shannon) {
  check_large("shannon", 1, 2, Weights::unit, 42);
}
TEST(large_trees_of_tsallis) {
  check_large("tsallis", 0.3, 4, Weights::unit, 43);
  check_large("tsallis", 4, 6, Weights::unit, 44);
}
TEST(large_trees_of_tsallis_ratio) {
  check_large("tsallis_ratio", 1.2, 3, Weights::unit, 45);
}
TEST(large_trees_of_tsallis_mutual) {
  check_large("tsallis_mutual", 1.6, 3, Weights::unit, 46);
}
TEST(large_trees_of_beta_beyond_2) {
  check_large("beta", 2.5, 3, Weights::unit, 47);
}
TEST(large_trees_of_gain_ratio) {
  check_large("gain_ratio", 1, 3, Weights::unit, 48, Nominal::multiway);
}
TEST(large_trees_of_cair) {
  check_large("cair", 1, 2, Weights::unit, 49, Nominal::ordered);
}
TEST(large_trees_of_effcami) {
  check_large("effcami0", 1, 4, Weights::unit, 62, Nominal::multiway);
  check_large("effcami1", 1, 3, Weights::unit, 63);
}
TEST(large_trees_of_many_classes) {
  check_large("gini", 2, 8, Weights::unit, 50, Nominal::ordered);
}
TEST(large_trees_of_negative_q) {
  check_large("tsallis", -1, 3, Weights::unit, 51, Nominal::multiway);
}
TEST(large_trees_of_whole_weights) {
  check_large("shannon", 1, 3, Weights::whole, 52);
}
TEST(large_trees_of_fractional_weights) {
  check_large("gini", 2, 2, Weights::fraction, 53);
}
TEST(large_trees_of_l2) {
  check_large("l2", 1, 0, Weights::fraction, 54);
  check_large("l2", 1, 0, Weights::unit, 64);
  check_large("l2", 1, 0, Weights::unit, 65, Nominal::multiway);
}

TEST(large_trees_of_l1) {
  Random random(55);
  Table table;
  for (double missing : {0.0, 0.1})
    table.add_numbers(support::random_column(4300, 0, missing, true, random));
  table.add(tectree::Kind::nominal, 4, support::random_column(4300, 4, 0.1, true, random));
  support::add_response(table, 4300, 0, random);
  Setting setting = large_leaves("l1", 1);
  setting.stop.max_depth = 3;
  CHECK(support::same_as_oracle(table, setting, "large l1", 2, 1e-8));
}

TEST(the_best_cut_may_lie_deep_inside_a_bin) {
  // The relevant part of the first column is within a thousandth of its range; the second is a
  // crowd at one value.
  Random random(56);
  const std::size_t n = 5000;
  Table table;
  table.add_numbers(distinct_numbers(n, 0.0, random));
  table.add_numbers(distinct_numbers(n, 0.9, random));
  table.n_classes = 2;
  for (std::size_t i = 0; i < n; ++i) {
    const bool second = (table.x[0][i] > 0.3001) != (table.x[1][i] > 0.5);
    table.y.push_back(second != random.chance(0.02) ? 2 : 1);
  }
  for (const char* criterion : {"gini", "tsallis_ratio", "tsallis_mutual", "gain_ratio", "cair"}) {
    Setting setting = large_leaves(criterion, 0.7);
    setting.control.min_bucket = 1;
    setting.stop.max_depth = 4;
    CHECK(support::same_as_oracle(table, setting, "inside a bin", 1, 1e-8));
  }
}

// Two columns, of which the first matters within a thousandth of its range.
Table sharp_numbers(double noise, double far, Random& random) {
  const std::size_t n = 5000;
  Table table;
  table.add_numbers(distinct_numbers(n, 0.0, random));
  table.add_numbers(distinct_numbers(n, 0.9, random));
  for (std::size_t i = 0; i < n; ++i) {
    const double signal = (table.x[0][i] > 0.3001) + 0.7 * (table.x[1][i] > 0.5);
    table.number.push_back(signal + noise * random.uniform() + (random.chance(0.001) ? far : 0));
  }
  return table;
}

TEST(the_best_cut_of_numbers_may_lie_deep_inside_a_bin) {
  Random random(66);
  Setting setting = large_leaves("l2");
  setting.stop.max_depth = 4;
  for (const auto& [noise, far] :
       std::vector<std::pair<double, double>>{{1, 0}, {1e-4, 0}, {1, 1e7}}) {
    const Table table = sharp_numbers(noise, far, random);
    CHECK(support::same_as_oracle(table, setting, "inside a bin of numbers", 1, 1e-8));
  }
}

TEST(numbers_whose_squares_vanish_or_overflow_are_not_split) {
  Random random(67);
  for (std::size_t n : {200, 5000}) {
    for (double size : {1e-170, 1e160}) {
      Table table;
      table.add_numbers(distinct_numbers(n, 0.1, random));
      for (std::size_t i = 0; i < n; ++i) table.number.push_back(size * (table.x[0][i] > 0.4));
      CHECK(support::grown(table, large_leaves("l2")).size() == 1);
    }
  }
}

TEST(the_best_cut_may_lie_between_two_bins) {
  Random random(60);
  const std::size_t n = 5000;
  Table table;
  table.add_numbers(distinct_numbers(n, 0.0, random));
  table.n_classes = 2;
  table.y.assign(n, 1);
  const tectree::Problem problem = support::problem_of(table, large_leaves("gini", 2));
  const tectree::CodedColumn bins = tectree::make_codes(problem.frame.columns[0], problem.sample);
  CHECK(bins.coded && !bins.exact && bins.codes > 150);
  for (std::size_t i = 0; i < n; ++i) {
    table.y[i] = (bins.binned.code[i] > 100) != random.chance(0.05) ? 2 : 1;
  }
  for (const char* criterion : {"gini", "tsallis_ratio", "gain_ratio"}) {
    CHECK(support::same_as_oracle(table, large_leaves(criterion, 1.3), "between bins", 1, 1e-8));
  }
}

TEST(a_column_may_be_missing_in_a_large_node) {
  // The second column has a value only if the first is small; the other large node has none, or
  // one.
  Random random(61);
  const std::size_t n = 9000;
  for (int known : {0, 1}) {
    Table table;
    table.add_numbers(distinct_numbers(n, 0.0, random));
    std::vector<double> x = distinct_numbers(n, 0.0, random);
    table.n_classes = 3;
    int beyond = known;
    for (std::size_t i = 0; i < n; ++i) {
      const bool large = table.x[0][i] > 0.4;
      if (large && beyond-- <= 0) x[i] = not_there;
      table.y.push_back(random.chance(0.1) ? random.between(1, 3) : large ? 3 : x[i] > 0.5 ? 1 : 2);
    }
    table.add_numbers(std::move(x));
    for (const char* criterion : {"shannon", "gain_ratio"}) {
      Setting setting = large_leaves(criterion);
      setting.stop.max_depth = 3;
      CHECK(support::same_as_oracle(table, setting, "nothing known", 1, 1e-8));
    }
    for (int y : table.y) table.number.push_back(y + 0.01 * random.uniform());
    table.n_classes = 0;
    Setting setting = large_leaves("l2");
    setting.stop.max_depth = 3;
    CHECK(support::same_as_oracle(table, setting, "nothing known of numbers", 1, 1e-8));
  }
}

TEST(a_factor_of_many_levels_in_a_large_node) {
  Random random(57);
  for (int levels : {255, 300}) {
    Table table;
    table.add(tectree::Kind::nominal, levels,
              support::random_column(4500, levels, 0.05, true, random));
    table.add_numbers(distinct_numbers(4500, 0.2, random));
    support::add_response(table, 4500, 2, random);
    Setting setting = large_leaves("shannon", 1);
    setting.stop.max_depth = 3;
    CHECK(support::same_as_oracle(table, setting, "two groups of many levels", 1, 1e-8));
    setting.control.nominal = Nominal::multiway;
    setting.control.min_bucket = 1;
    setting.control.eligible = Rule::mean;
    CHECK(support::same_as_oracle(table, setting, "a branch for each of many levels", 2, 1e-8));
    setting.control.nominal = Nominal::ordered;
    CHECK(support::same_as_oracle(table, setting, "a cut of many codes", 2, 1e-8));
  }
}

TEST(large_trees_are_alike_by_any_search_and_any_threads) {
  Random random(58);
  const Table table = support::large_table(6000, 3, Weights::unit, random);
  for (const auto& [criterion, q] :
       std::vector<std::pair<std::string, double>>{{"gini", 2},
                                                   {"tsallis_ratio", 1},
                                                   {"tsallis_mutual", 1.5},
                                                   {"gain_ratio", 1},
                                                   {"effcami1", 1}}) {
    Setting setting = large_leaves(criterion, q);
    setting.stop.max_depth = 5;
    check_alike(table, setting, {2, 4});
    setting.stop.max_leaves = 12;
    check_alike(table, setting, {2});
  }
}

// Arenas of the maximum size, with one thread and sorted; with two they have 4,096 rows.
TEST(trees_are_alike_whatever_the_size_of_the_arenas) {
  Random random(70);
  const std::size_t most = tectree::Problem().pass_on_at;
  for (std::size_t n : {most, most + 3000}) {
    const Table table = support::large_table(n, 3, Weights::unit, random);
    for (const std::string criterion : {"gini", "gain_ratio"}) {
      Setting setting = large_leaves(criterion, 1);
      setting.stop.max_depth = 9;
      check_alike(table, setting, {2}, most);
    }
  }
}

// For numbers, whose sums the other search computes in another order.
void check_numbers_alike(const Table& table, const Setting& setting) {
  tectree::Problem problem = support::problem_of(table, setting);
  const auto grown = [&](int threads) {
    tectree::Team team(threads);
    return tectree::grow_tree(problem, support::stop_of(setting),
                              tectree::missing_policy("majority"), team);
  };
  const tectree::Tree tree = grown(1);
  CHECK(tree.size() > 20);
  for (int threads : {2, 4}) CHECK(support::identical(grown(threads), tree));
  problem.sorted_only = true;
  CHECK(support::identical(grown(2), tree));
}

TEST(large_trees_of_numbers_are_alike_by_any_search_and_any_threads) {
  Random random(68);
  Setting setting = large_leaves("l2");
  const Table table = support::large_table(12000, 0, Weights::unit, random);
  check_numbers_alike(table, setting);
  setting.stop.max_leaves = 30;
  check_numbers_alike(table, setting);
  // The numbers of the root's children differ by almost nothing compared with its own.
  check_numbers_alike(sharp_numbers(1e-9, 0.0, random), large_leaves("l2"));
}

TEST(subtrees_of_many_rows_are_grown_by_thread) {
  // 16 levels of 4,300 rows: with two threads each child of the root is set aside for one of them,
  // and is too large for its own arena.
  Random random(59);
  const std::size_t n = 16 * 4300;
  std::vector<double> level, number = distinct_numbers(n, 0.1, random);
  for (std::size_t i = 0; i < n; ++i) level.push_back(static_cast<double>(i % 16) + 1);
  Table table;
  table.add(tectree::Kind::nominal, 16, level);
  table.add_numbers(number);
  table.add_numbers(support::random_column(n, 0, 0.1, true, random));
  for (std::size_t i = 0; i < n; ++i) {
    const int signal = static_cast<int>(i % 16) / 4 + (number[i] > 0.7);
    table.y.push_back(random.chance(0.1) ? random.between(1, 3) : signal % 3 + 1);
    table.number.push_back(signal + random.uniform());
  }
  Setting setting = large_leaves("gini", 2);
  setting.control.nominal = Nominal::multiway;
  setting.stop.max_depth = 3;
  for (const auto& [criterion, classes] :
       std::vector<std::pair<std::string, int>>{{"gini", 3}, {"l2", 0}, {"l1", 0}}) {
    table.n_classes = classes;
    setting.criterion = criterion;
    const tectree::Tree tree = support::grown(table, setting);
    CHECK(tree.variable[0] == 0 && tree.n[1] == 4300 && tree.kind[1] != 0);
    CHECK(support::identical(support::grown(table, setting, 2), tree));
    CHECK(support::misrouted(tree, table, setting).empty());
  }
}

// So many rows that bins are counted in slices, and nodes copied.
TEST(trees_of_very_many_rows_are_alike_by_any_search) {
  Random random(71);
  const Table table = support::large_table(270000, 3, Weights::unit, random);
  for (const std::string criterion : {"gini", "gain_ratio", "tsallis_ratio"}) {
    Setting setting = large_leaves(criterion, 1.4);
    setting.control.min_bucket = 1;
    setting.stop.max_depth = 6;
    check_alike(table, setting, {2});
    setting.stop.max_leaves = 30;
    check_alike(table, setting, {1});
  }
}

TEST(large_trees_of_columns_without_a_gain) {
  Random random(71);
  const Table table = support::balanced_table(4608, random);
  for (const char* criterion : {"gain_ratio", "gini", "effcami1", "tsallis_ratio", "cair"}) {
    for (double min_gain : {0.0, -HUGE_VAL}) {
      Setting setting = large_leaves(criterion, 1);
      setting.control.min_gain = min_gain;
      setting.stop.max_depth = 4;
      CHECK(support::same_as_oracle(table, setting, "balanced", 1, 1e-8));
      check_alike(table, setting, {2}, 2048);
    }
  }
}

TEST(large_trees_of_numbers_without_a_gain) {
  Random random(72);
  Table table = support::balanced_table(4608, random);
  table.n_classes = 0;
  for (int y : table.y) table.number.push_back(y);
  table.y.clear();
  for (double min_gain : {0.0, -HUGE_VAL}) {
    Setting setting = large_leaves("l2", 1);
    setting.control.min_gain = min_gain;
    setting.stop.max_depth = 4;
    CHECK(support::same_as_oracle(table, setting, "balanced numbers", 1, 1e-8));
    check_alike(table, setting, {2}, 2048);
  }
}

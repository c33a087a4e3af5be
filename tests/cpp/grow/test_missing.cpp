// Trees grown with each policy: no weight is lost, and neither threads nor the width of row numbers
// change a tree.
#include "check.h"
#include "grow/common.h"
#include "grow/seams.h"

namespace {

const std::vector<const char*> policies = {"fractional", "majority", "mode",
                                           "surrogate",  "drop",     "learned"};

tectree::Tree grown_by(const char* policy, const Table& table, const Setting& setting,
                       int threads = 1) {
  tectree::Team team(threads);
  return tectree::grow_tree(support::problem_of(table, setting), support::stop_of(setting),
                            tectree::missing_policy(policy), team);
}

double children_weight(const tectree::Tree& tree, int node) {
  double sum = 0.0;
  for (int j = 0; j < tree.n_children[node]; ++j)
    sum += tree.weight[tree.child[tree.child_start[node] + j]];
  return sum;
}

// The share of a node's weight that its children do not have.
double largest_loss(const tectree::Tree& tree) {
  double most = 0.0;
  for (int i = 0; i < static_cast<int>(tree.size()); ++i) {
    if (tree.kind[i] != 0)
      most = std::max(most, std::fabs(children_weight(tree, i) / tree.weight[i] - 1));
  }
  return most;
}

Table holed_table(std::size_t n, int n_classes, Weights weights, std::uint64_t seed) {
  Random random(seed);
  return support::large_table(n, n_classes, weights, random);
}

Setting setting_of(const std::string& criterion, double min_bucket) {
  Setting setting;
  setting.criterion = criterion;
  setting.control.min_bucket = min_bucket;
  setting.stop.min_split = 2 * min_bucket;
  return setting;
}

}  // namespace

TEST(only_drop_loses_weight) {
  for (const char* criterion : {"gini", "gain_ratio", "l2", "l1"}) {
    const int n_classes = criterion[0] == 'l' ? 0 : 3;
    const Table table = holed_table(700, n_classes, Weights::fraction, 71);
    for (const char* policy : policies) {
      const tectree::Tree tree = grown_by(policy, table, setting_of(criterion, 5));
      CHECK(tree.size() > 20);
      const bool drops = std::string(policy) == "drop";
      CHECK(drops ? largest_loss(tree) > 0.01 : largest_loss(tree) < 1e-12);
    }
  }
}

TEST(a_shared_row_counts_once_in_all_leaves) {
  const Table table = holed_table(3000, 2, Weights::unit, 72);
  const tectree::Tree tree = grown_by("fractional", table, setting_of("shannon", 2));
  double sum = 0.0;
  for (std::size_t i = 0; i < tree.size(); ++i) sum += tree.kind[i] == 0 ? tree.weight[i] : 0.0;
  CHECK_NEAR(sum, 3000.0, 3000 * 1e-12);
}

// Up to 4 columns, some nearly constant and some with hardly any values.
Table sparse_table(std::size_t n, int n_classes, Weights weights, Random& random) {
  Table table;
  const int columns = random.between(1, 4);
  for (int c = 0; c < columns; ++c) {
    const auto kind = static_cast<tectree::Kind>(std::min(random.below(4), 2));
    const double missing = random.one_of(std::vector<double>{0.0, 0.05, 0.2, 0.5, 0.8, 0.95});
    const int levels = kind == tectree::Kind::numeric ? 0 : random.between(2, 6);
    std::vector<double> x = support::random_column(n, levels, missing, random.chance(0.6), random);
    const double same = random.one_of(std::vector<double>{0.0, 0.0, 0.5, 0.9});
    for (double& v : x) {
      if (!std::isnan(v) && random.chance(same)) v = 1;
    }
    table.add(kind, levels, x);
  }
  support::add_response(table, n, n_classes, random);
  support::add_weights(table, n, weights, random);
  return table;
}

TEST(learned_sides_are_those_of_the_oracles_tree) {
  Random random(70);
  const std::vector<const char*> criteria = {
      "tsallis", "gini", "gain_ratio", "effcami1", "effcami0", "cair", "l2", "l1", "tsallis_ratio"};
  int right = 0;
  constexpr int rounds = 400;
  for (int round = 0; round < rounds && right == round; ++round) {
    const std::string criterion = criteria[static_cast<std::size_t>(round) % criteria.size()];
    const int n_classes = criterion == "l1" || criterion == "l2" ? 0 : random.between(2, 5);
    const auto n = static_cast<std::size_t>(random.between(5, 60));
    const Table table = sparse_table(n, n_classes, weights_of(random.below(3)), random);
    Setting setting = random_setting(criterion, random);
    setting.missing = "learned";
    if (random.chance(0.2)) setting.control.intervals = 3;
    right +=
        support::same_as_oracle(table, setting, criterion + ", round " + std::to_string(round));
  }
  CHECK(right == rounds);
}

// With more levels than are grouped exhaustively, two classes or squares: ties may be settled
// differently, but the gain is the naive one's.
TEST(the_best_of_many_levels_with_a_learned_side_is_found) {
  Random random(79);
  int not_alone = 0;
  for (int round = 0; round < 40; ++round) {
    const bool classes = round % 2 == 0;
    Table table;
    std::vector<double> x;
    for (int i = 0; i < 90; ++i)
      x.push_back(random.chance(0.3) ? not_there : random.between(1, 13));
    table.add(tectree::Kind::nominal, 13, x);
    table.n_classes = classes ? 2 : 0;
    for (double v : x) {
      const bool high = random.chance(std::isnan(v) ? 0.97 : 0.5);
      if (classes) table.y.push_back(high ? 2 : 1);
      if (!classes) table.number.push_back(high + random.uniform());
    }
    support::add_weights(table, x.size(), weights_of(round), random);
    Setting setting = of_criterion(classes ? "gini" : "l2");
    setting.missing = "learned";
    setting.stop.max_depth = 1;
    const tectree::Tree tree = support::grown(table, setting);
    const oracle::Node naive = oracle::Growth({table, setting, setting.missing}).grow();
    CHECK(tree.exact[0] == 1);
    CHECK_NEAR(tree.gain[0], naive.gain, 1e-12);
    int left = 0;
    for (int to : naive.split.level_child) left += to == naive.missing;
    not_alone += left == 1;
  }
  CHECK(not_alone > 0);  // a level that joins the missing values alone, as in no prefix
}

// A training row follows the tree as it did in training: leaves contain the rows routed to them.
TEST(leaves_hold_the_rows_that_are_routed_to_them) {
  for (const char* policy : policies) {
    const Table table = holed_table(1500, 3, Weights::fraction, 73);
    const Setting setting = setting_of("gini", 4);
    const tectree::Tree tree = grown_by(policy, table, setting);
    const tectree::Problem problem = support::problem_of(table, setting);
    std::vector<double> routed(tree.size(), 0.0);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      tectree::spread(tree, problem.frame, row, table.w(row), 0,
                      [&](int node, double w) { routed[node] += w; });
    }
    for (std::size_t i = 0; i < tree.size(); ++i) {
      if (tree.kind[i] == 0) CHECK_NEAR(routed[i], tree.weight[i], 1e-9 * tree.weight[0]);
    }
  }
}

TEST(large_trees_are_alike_for_any_number_of_threads) {
  for (const char* criterion : {"gini", "gain_ratio", "l2"}) {
    const int n_classes = criterion[0] == 'l' ? 0 : 3;
    for (Weights weights : {Weights::unit, Weights::fraction}) {
      const Table table = holed_table(12000, n_classes, weights, 74);
      Setting setting = setting_of(criterion, 40);
      for (const char* policy : policies) {
        const tectree::Tree tree = grown_by(policy, table, setting);
        CHECK(tree.size() > 20);
        CHECK(support::identical(grown_by(policy, table, setting, 2), tree));
        CHECK(largest_loss(tree) < 1e-11 || std::string(policy) == "drop");
      }
    }
  }
}

TEST(best_first_shares_rows_too) {
  const Table table = holed_table(9000, 3, Weights::unit, 75);
  Setting setting = setting_of("gini", 20);
  setting.stop.max_leaves = 30;
  for (const char* policy : policies) {
    const tectree::Tree tree = grown_by(policy, table, setting);
    CHECK(tree.size() > 40);
    CHECK(support::identical(grown_by(policy, table, setting, 2), tree));
  }
}

TEST(every_split_in_two_of_alike_columns_has_a_surrogate) {
  Random random(76);
  Table table;
  std::vector<double> x, twin;
  for (int i = 0; i < 5000; ++i) {
    x.push_back(random.uniform());
    twin.push_back(-x.back());
  }
  table.add_numbers(x);
  table.add_numbers(twin);
  support::add_response(table, 5000, 2, random);
  for (std::size_t i = 0; i < x.size(); ++i) table.y[i] = static_cast<int>(x[i] * 20) % 2 + 1;
  const tectree::Tree tree = grown_by("surrogate", table, setting_of("gini", 5));
  CHECK(tree.size() > 20 && tree.by_surrogate);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    CHECK(tree.surrogates.count[i] == (tree.kind[i] != 0));
    if (tree.kind[i] == 0) continue;
    const int s = tree.surrogates.start[i];
    CHECK(tree.surrogates.flipped[s] == 1);
    CHECK_NEAR(tree.surrogates.agree[s], 1.0, 1e-15);
    CHECK_NEAR(tree.surrogates.adj[s], 1.0, 1e-12);
  }
}

// Half the rows have only missing values: they are divided again and again.
TEST(rows_without_any_value_are_shared_to_the_end) {
  Random random(77);
  Table table;
  const double nan_value = std::numeric_limits<double>::quiet_NaN();
  for (int c = 0; c < 3; ++c) {
    std::vector<double> x;
    for (int i = 0; i < 6000; ++i) x.push_back(i % 2 ? nan_value : random.uniform());
    table.add_numbers(x);
  }
  support::add_response(table, 6000, 3, random);
  const tectree::Tree tree = grown_by("fractional", table, setting_of("gini", 50));
  CHECK(tree.size() > 20);
  for (std::size_t i = 0; i < tree.size(); ++i) CHECK(tree.n[i] >= 3000);
  CHECK(largest_loss(tree) < 1e-12);
}

// Beside complete columns on codes, incomplete ones are searched by value, in large nodes too.
TEST(one_incomplete_column_leaves_the_others_on_codes) {
  Random random(83);
  constexpr int n = 24000;
  Table table;
  for (int c = 0; c < 3; ++c) {
    std::vector<double> x;
    for (int i = 0; i < n; ++i)
      x.push_back(c == 0 && random.chance(0.05) ? std::nan("") : random.uniform());
    table.add_numbers(x);
  }
  std::vector<double> level;
  for (int i = 0; i < n; ++i) level.push_back(random.between(1, 5));
  table.add(tectree::Kind::nominal, 5, level);
  Table numbers = table;
  table.n_classes = 2;
  for (int i = 0; i < n; ++i) {
    const double x = table.x[0][i], sum = (std::isnan(x) ? 0.8 : x) + table.x[1][i] +
                                          (level[i] == 2) + random.uniform();
    table.y.push_back(1 + (sum > 1.7));
    numbers.number.push_back(sum);
  }
  for (const Table* of : {&table, &numbers}) {
    Setting setting = setting_of(of->n_classes > 0 ? "shannon" : "l2", 20);
    setting.stop.max_depth = 7;
    for (const char* policy : {"fractional", "mode", "drop", "learned"}) {
      tectree::Problem problem = support::problem_of(*of, setting);
      const tectree::MissingPolicy missing = tectree::missing_policy(policy);
      tectree::Team team(1);
      problem.control.unknown = missing.search;
      const auto by_value = tectree::columns_by_value(problem, missing, team);
      // The counts of classes know the rows without a value; sums of numbers do not.
      const bool counts_suffice = of->n_classes > 0 && std::string(policy) == "fractional";
      CHECK(by_value && *by_value == std::vector<char>({!counts_suffice, 0, 0, 0}));
      CHECK(tectree::suits_histogram(problem, tectree::set_up(problem, team)));
      const tectree::Tree found = grown_by(policy, *of, setting);
      problem.sorted_only = true;
      const tectree::Tree sorted =
          tectree::grow_tree(problem, support::stop_of(setting), missing, team);
      CHECK(found.size() > 30 && seams::near_tree(found, sorted));
    }
  }
}

// With every column incomplete, rows are in parts from the root on: on codes, in sorted columns of
// either width, in place or apart (as best-first), and with more threads.
TEST(parts_of_rows_give_one_tree_by_every_search) {
  Random random(83);
  const std::vector<std::string> criteria = {"shannon",        "gini",       "tsallis",
                                             "tsallis_mutual", "gain_ratio", "tsallis_ratio"};
  int large = 0;
  for (int round = 0; round < 24; ++round) {
    const int n_classes = random.between(2, 5);
    const Table all = support::large_table(900, n_classes, weights_of(round), random);
    Table table;
    table.n_classes = n_classes;
    table.y = all.y;
    table.weight = all.weight;
    for (std::size_t c = 0; c < all.x.size(); ++c) {
      std::vector<double> column = all.x[c];
      for (double& x : column) x = random.chance(0.05) ? not_there : x;
      table.add(all.kind[c], all.n_levels[c], column);
    }
    Setting setting = setting_of(criteria[round % 6], random.between(1, 6));
    setting.parameter = random.one_of(std::vector<double>{0.5, 1.0, 1.7});
    if (round % 4 == 3) setting.control.min_bucket = 0.5;
    tectree::Problem problem = support::problem_of(table, setting);
    const tectree::MissingPolicy missing = tectree::missing_policy("fractional");
    tectree::StopRule stop = support::stop_of(setting);
    const auto grown = [&](bool sorted, std::size_t small, double leaves, int threads) {
      tectree::Team team(threads);
      problem.sorted_only = sorted;
      problem.pass_on_at = small;
      stop.max_leaves = leaves;
      return tectree::grow_tree(problem, stop, missing, team);
    };
    const tectree::Tree usual = grown(false, 60, HUGE_VAL, 1);
    large += usual.size() > 20;
    CHECK(largest_loss(usual) < 1e-10);  // parts are whole units
    CHECK(seams::near_tree(usual, grown(true, 16384, HUGE_VAL, 1)));
    CHECK(seams::near_tree(usual, grown(true, 0, HUGE_VAL, 1)));
    CHECK(seams::near_tree(usual, grown(false, 60, 1e6, 1)));
    CHECK(seams::near_tree(usual, grown(true, 16384, 1e6, 1)));
    CHECK(support::identical(usual, grown(false, 60, HUGE_VAL, 3)));
  }
  CHECK(large > 12);
}

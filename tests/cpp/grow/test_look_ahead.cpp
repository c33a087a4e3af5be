// Trees that look ahead lose no more than greedy ones, on bins and on sorted rows. Which splits are
// tried depends on the search, so the trees may differ.
#include "check.h"
#include "grow/balanced_table.h"
#include "grow/common.h"

namespace look_ahead_test {

// The risk of the leaves; small if few rows are wrong.
inline double loss_of(const tectree::Tree& tree, const tectree::NodeRisk& risk) {
  double sum = 0.0;
  for (std::size_t v = 0; v < tree.size(); ++v) {
    if (tree.kind[v] == 0) sum += risk(tree, static_cast<int>(v));
  }
  return sum;
}

// The loss of the tree that tries so many splits per node, the same with two threads.
inline double loss_of(const Table& table, Setting setting, double tried, bool sorted_only) {
  setting.stop.lookahead = tried;
  tectree::Problem problem = support::problem_of(table, setting);
  problem.pass_on_at = 256;
  problem.sorted_only = sorted_only;
  const auto grown = [&](int threads) {
    tectree::Team team(threads);
    return tectree::grow_tree(problem, support::stop_of(setting),
                              tectree::missing_policy("majority"), team);
  };
  const tectree::Tree tree = grown(1);
  CHECK(support::misrouted(tree, table, setting).empty());
  CHECK(support::identical(grown(2), tree));
  return loss_of(tree, {problem.loss, setting.stop.risk_is_impurity});
}

inline Setting small_trees(const std::string& criterion) {
  Setting setting = large_leaves(criterion);
  setting.stop.max_depth = 2;
  return setting;
}

}  // namespace look_ahead_test

TEST(looking_ahead_loses_no_more_on_bins_and_on_sorted_rows) {
  Random random(71);
  int less = 0;
  for (const char* criterion : {"gini", "shannon", "l2"}) {
    for (const Weights weights : {Weights::unit, Weights::fraction}) {
      const int classes = criterion[0] == 'l' ? 0 : weights == Weights::unit ? 2 : 3;
      const Table table = support::large_table(1200, classes, weights, random);
      const Setting setting = look_ahead_test::small_trees(criterion);
      for (const bool sorted_only : {false, true}) {
        const double greedy = look_ahead_test::loss_of(table, setting, 1.0, sorted_only),
                     ahead = look_ahead_test::loss_of(table, setting, 3.0, sorted_only);
        CHECK(ahead <= greedy * (1 + 1e-10));
        less += ahead < greedy * (1 - 1e-6);
      }
    }
  }
  CHECK(less >= 2);
}

// Each of the first two columns is uninformative alone; together they determine the class.
TEST(looking_ahead_finds_two_columns_that_matter_only_together) {
  Random random(72);
  const Table table = support::balanced_table(1200, random);
  Setting setting = look_ahead_test::small_trees("gini");
  setting.control.min_gain = -HUGE_VAL;
  for (const bool sorted_only : {false, true}) {
    CHECK(look_ahead_test::loss_of(table, setting, 1.0, sorted_only) > 100.0);
    CHECK(look_ahead_test::loss_of(table, setting, 200.0, sorted_only) == 0.0);
  }
}

// Whole trees on small data against the naive tree: every criterion, kind of column, kind of split
// and weight.
#include "check.h"
#include "grow/balanced_table.h"
#include "grow/common.h"

namespace {

void check_small_trees(const std::string& criterion, int rounds, std::uint64_t seed) {
  Random random(seed);
  int right = 0;
  for (int round = 0; round < rounds && right == round; ++round) {
    const bool regression = criterion == "l1" || criterion == "l2";
    const std::size_t n = static_cast<std::size_t>(random.between(1, 60));
    const Table table =
        support::random_table(n, regression ? 0 : random.between(1, 5), weights_of(round), random);
    const Setting setting = random_setting(criterion, random);
    right +=
        support::same_as_oracle(table, setting, criterion + ", round " + std::to_string(round));
  }
  CHECK(right == rounds);
}

}  // namespace

TEST(small_trees_of_tsallis) {
  check_small_trees("tsallis", 80, 1);
}
TEST(small_trees_of_tsallis_ratio) {
  check_small_trees("tsallis_ratio", 80, 2);
}
TEST(small_trees_of_tsallis_mutual) {
  check_small_trees("tsallis_mutual", 80, 3);
}
TEST(small_trees_of_shannon) {
  check_small_trees("shannon", 60, 4);
}
TEST(small_trees_of_gini) {
  check_small_trees("gini", 80, 5);
}
TEST(small_trees_of_gain_ratio) {
  check_small_trees("gain_ratio", 80, 6);
}
TEST(small_trees_of_cond_entropy) {
  check_small_trees("cond_entropy", 30, 7);
}
TEST(small_trees_of_cami) {
  check_small_trees("cami", 30, 8);
}
TEST(small_trees_of_cair) {
  check_small_trees("cair", 60, 9);
}
TEST(small_trees_of_effcami0) {
  check_small_trees("effcami0", 60, 10);
}
TEST(small_trees_of_effcami1) {
  check_small_trees("effcami1", 60, 11);
}
TEST(small_trees_of_beta) {
  check_small_trees("beta", 80, 12);
}
TEST(small_trees_of_l2) {
  check_small_trees("l2", 80, 13);
}
TEST(small_trees_of_l1) {
  check_small_trees("l1", 80, 14);
}

TEST(small_trees_with_q_at_or_below_zero_or_large) {
  Random random(15);
  for (const char* criterion : {"tsallis", "tsallis_ratio", "tsallis_mutual"}) {
    for (double q : {-5.0, -1.0, 0.0, 8.0, 50.0}) {
      for (int round = 0; round < 8; ++round) {
        const Table table =
            support::random_table(40, random.between(2, 4), weights_of(round), random);
        Setting setting = random_setting(criterion, random);
        setting.parameter = q;
        setting.control.min_gain = round % 3 == 2 ? -HUGE_VAL : 0.0;
        CHECK(support::same_as_oracle(table, setting, "q far out"));
      }
    }
  }
}

TEST(columns_whose_best_split_gains_nothing_count_in_the_mean) {
  Random random(17);
  for (const char* criterion : {"gain_ratio", "cair", "effcami0", "effcami1", "tsallis_ratio"}) {
    for (Rule rule : {Rule::own, Rule::mean, Rule::mean_sd}) {
      for (double min_gain : {0.0, 0.01, -HUGE_VAL}) {
        Setting setting = of_criterion(criterion, 1.0);
        setting.control.eligible = rule;
        setting.control.min_gain = min_gain;
        setting.control.min_bucket = 4;
        setting.stop.max_depth = 3;
        CHECK(support::same_as_oracle(support::balanced_table(120, random), setting, "balanced"));
      }
    }
  }
}

TEST(with_any_gain_allowed_a_tree_learns_what_columns_say_together) {
  Random random(18);
  for (const char* criterion : {"shannon", "gini", "gain_ratio", "tsallis_ratio"}) {
    Table table = support::balanced_table(64, random);
    table.kind.resize(2);
    table.x.resize(2);
    table.n_levels.resize(2);
    Setting setting = of_criterion(criterion, 1.5);
    CHECK(support::grown(table, setting).size() == 1);
    setting.control.min_gain = -HUGE_VAL;
    const tectree::Tree tree = support::grown(table, setting);
    CHECK(tree.size() == 7);
    for (std::size_t i = 0; i < tree.size(); ++i) {
      if (tree.kind[i] == 0) CHECK(tree.impurity[i] == 0.0);
    }
  }
}

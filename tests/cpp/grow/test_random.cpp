// Searches that draw at random: what may be drawn, and that only the seed decides it. The roads
// test shows that no road and no thread changes it.
#include <tectree/grow/grow_tree.hpp>

#include <set>

#include "check.h"
#include "grow/common.h"
#include "grow/random_table.h"

namespace {

tectree::Tree drawn_tree(const support::Table& table, const support::Setting& setting,
                         std::uint64_t seed) {
  tectree::Problem problem = support::problem_of(table, setting);
  problem.seed = seed;
  tectree::Team team(1);
  return tectree::grow_tree(problem, support::stop_of(setting), tectree::missing_policy("majority"),
                            team);
}

// Five copies of a column that separates the classes at 0.5, and one that does not.
support::Table copies(std::size_t n, support::Random& random) {
  support::Table table;
  table.n_classes = 2;
  std::vector<double> x(n), noise(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = random.uniform();
    noise[i] = random.uniform();
    table.y.push_back(1 + (x[i] > 0.5));
  }
  for (int c = 0; c < 5; ++c) table.add(tectree::Kind::numeric, 0, x);
  table.add(tectree::Kind::numeric, 0, noise);
  return table;
}

}  // namespace

TEST(one_of_the_columns_that_tie_wins_at_random) {
  support::Random random(1);
  const support::Table table = copies(300, random);
  support::Setting setting;
  setting.criterion = "gini";
  std::set<int> first, drawn;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    setting.control.random_ties = false;
    first.insert(drawn_tree(table, setting, seed).variable[0]);
    setting.control.random_ties = true;
    drawn.insert(drawn_tree(table, setting, seed).variable[0]);
  }
  CHECK(first == std::set<int>{0});
  CHECK((drawn == std::set<int>{0, 1, 2, 3, 4}));
}

TEST(a_node_searches_no_more_columns_than_asked_but_finds_a_split) {
  support::Random random(2);
  const support::Table table = copies(300, random);
  support::Setting setting;
  setting.criterion = "gini";
  setting.control.max_columns = 1;
  std::size_t noise = 0;
  const int seeds = 300;
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    noise += drawn_tree(table, setting, seed).variable[0] == 5;
  // One time in six the uninformative column is the only one searched.
  CHECK(noise > seeds / 12 && noise < seeds / 4);
  setting.control.max_columns = 2;
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    CHECK(drawn_tree(table, setting, seed).variable[0] != 5);
  // With all columns: the tree of the full search.
  setting.control.max_columns = 6;
  const tectree::Tree all = drawn_tree(table, setting, 7);
  setting.control.max_columns = 0;
  const tectree::Tree usual = drawn_tree(table, setting, 7);
  CHECK(all.variable == usual.variable && all.breaks == usual.breaks);
  // A column without a cut is not a choice: more are drawn.
  support::Table constant = copies(300, random);
  for (std::size_t c = 0; c < 5; ++c) constant.x[c].assign(300, 1.0);
  setting.control.max_columns = 1;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    CHECK(drawn_tree(constant, setting, seed).variable[0] == 5);
}

TEST(a_random_cut_lies_anywhere_between_the_values) {
  support::Random random(3);
  for (const char* criterion : {"gini", "l2", "l1"}) {
    support::Table table;
    const bool classes = std::string(criterion) == "gini";
    table.n_classes = classes ? 2 : 0;
    std::vector<double> x(400);
    for (double& v : x) {
      v = random.uniform();
      if (classes) {
        table.y.push_back(1 + (v > 0.3));
      } else {
        table.number.push_back(v);  // every cut gains
      }
    }
    table.add(tectree::Kind::numeric, 0, x);
    support::Setting setting;
    setting.criterion = criterion;
    setting.stop.max_depth = 1;
    setting.control.random_cuts = true;
    int low = 0, high = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const tectree::Tree tree = drawn_tree(table, setting, seed);
      CHECK(tree.kind[0] != 0 && tree.breaks[0] > 0.0 && tree.breaks[0] < 1.0);
      low += tree.breaks[0] < 0.25;
      high += tree.breaks[0] > 0.75;
      const tectree::Tree again = drawn_tree(table, setting, seed);
      CHECK(again.breaks == tree.breaks);
    }
    CHECK(low > 25 && low < 80 && high > 25 && high < 80);
  }
}

// Whole trees by C4.5's rules: equal for any number of threads and any order of the rows, and every
// training row returns to its leaf although thresholds were moved to values that occur.
#include "check.h"
#include "grow/common.h"

namespace {

Setting c45_setting(const std::string& criterion, double parameter = 1.0) {
  Setting s = of_criterion(criterion, parameter);
  s.control.rules = tectree::SearchControl::Rules::c45;
  s.control.nominal = Nominal::multiway;
  s.control.min_bucket = 2;
  s.stop.min_split = 4;
  return s;
}

Table shuffled(const Table& table, Random& random) {
  std::vector<std::size_t> order(table.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(order);
  Table out;
  out.n_classes = table.n_classes;
  for (std::size_t c = 0; c < table.x.size(); ++c) {
    std::vector<double> x;
    for (std::size_t i : order) x.push_back(table.x[c][i]);
    out.add(table.kind[c], table.n_levels[c], std::move(x));
  }
  for (std::size_t i : order) {
    out.y.push_back(table.y[i]);
    if (!table.weight.empty()) out.weight.push_back(table.weight[i]);
  }
  return out;
}

// Is every threshold a value of its column?
bool thresholds_occur(const tectree::Tree& tree, const Table& table) {
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (tree.kind[i] != static_cast<int>(tectree::SplitKind::threshold)) continue;
    const std::vector<double>& x = table.x[static_cast<std::size_t>(tree.variable[i])];
    const double t = tree.breaks[static_cast<std::size_t>(tree.break_start[i])];
    if (std::find(x.begin(), x.end(), t) == x.end()) return false;
  }
  return true;
}

void check_tree_of(const Table& table, const Setting& setting, bool any_order) {
  const tectree::Tree tree = support::grown(table, setting, 1);
  CHECK(tree.size() > 5);
  CHECK(support::misrouted(tree, table, setting).empty());
  CHECK(thresholds_occur(tree, table));
  CHECK(support::identical(support::grown(table, setting, 3), tree));
  if (!any_order) return;
  Random random(7);
  const tectree::Tree other = support::grown(shuffled(table, random), setting, 2);
  CHECK(other.variable == tree.variable && other.breaks == tree.breaks && other.n == tree.n);
}

}  // namespace

TEST(small_and_large_tables) {
  Random random(81);
  for (std::size_t n : {300u, 4200u}) {
    for (Weights weights : {Weights::unit, Weights::whole, Weights::fraction}) {
      const Table table = support::large_table(n, 3, weights, random);
      check_tree_of(table, c45_setting("gain_ratio"), weights != Weights::fraction);
    }
  }
}

TEST(every_form_of_criterion) {
  Random random(82);
  const Table table = support::large_table(4200, 4, Weights::unit, random);
  check_tree_of(table, c45_setting("gini", 2), true);
  check_tree_of(table, c45_setting("effcami1"), true);
  check_tree_of(table, c45_setting("tsallis_mutual", 1.5), true);
  check_tree_of(table, c45_setting("tsallis_ratio", 2), true);
}

TEST(groups_of_levels_intervals_and_codes) {
  Random random(83);
  const Table table = support::large_table(4200, 3, Weights::unit, random);
  for (Nominal nominal : {Nominal::binary, Nominal::ordered}) {
    Setting setting = c45_setting("shannon");
    setting.control.nominal = nominal;
    check_tree_of(table, setting, true);
  }
  const Table small = support::large_table(120, 3, Weights::unit, random);
  Setting setting = c45_setting("cair");
  setting.control.intervals = 3;
  const tectree::Tree tree = support::grown(small, setting, 1);
  CHECK(support::misrouted(tree, small, setting).empty());
}

TEST(best_first_growth_makes_no_other_splits) {
  Random random(84);
  const Table table = support::large_table(1500, 3, Weights::unit, random);
  Setting setting = c45_setting("gain_ratio");
  const tectree::Tree whole = support::grown(table, setting, 1);
  setting.stop.max_leaves = 1e6;
  CHECK(support::identical(support::grown(table, setting, 1), whole));
  setting.stop.max_leaves = 12;
  const tectree::Tree some = support::grown(table, setting, 2);
  CHECK(some.size() < whole.size());
  CHECK(some.variable[0] == whole.variable[0] && some.breaks[0] == whole.breaks[0]);
  CHECK(support::misrouted(some, table, setting).empty());
}

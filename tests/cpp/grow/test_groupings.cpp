// Two groups of levels: no grouping is better than the one found by the orders of levels.
#include <tectree/grow/after/list_candidates.hpp>

#include "check.h"
#include "grow/common.h"

namespace {

// The cut measure of the best of all groupings that reach min_bucket; -Inf if none does.
double best_of_all(const Table& table, const Setting& setting) {
  double best = -HUGE_VAL;
  const oracle::Problem problem{table, setting};
  const oracle::Rows rows = oracle::all_rows(table);
  oracle::try_groupings(oracle::groups_of(problem, rows, 0, table.x[0]),
                        [&](const tectree::Split&, const std::vector<oracle::Bag>& bags) {
                          if (!oracle::reaches(bags[0], setting.control.min_bucket) ||
                              !oracle::reaches(bags[1], setting.control.min_bucket))
                            return;
                          best = std::max(best, oracle::measure_of(setting, bags).cut);
                        });
  return best;
}

Table one_factor(bool classes, int levels, Random& random) {
  Table table;
  std::vector<double> x;
  for (int i = 0; i < 30; ++i) x.push_back(random.between(1, levels));
  table.n_classes = classes ? 2 : 0;
  for (double v : x) {
    if (classes) table.y.push_back(1 + (v + random.between(1, 3) > 5));
    if (!classes) table.number.push_back(random.uniform() + (v < 3));
  }
  table.add(tectree::Kind::nominal, 9, std::move(x));
  return table;
}

}  // namespace

TEST(no_grouping_of_levels_is_better_than_the_one_that_is_found) {
  Random random(115);
  const std::vector<std::pair<const char*, double>> criteria = {
      {"gini", 2}, {"shannon", 1},  {"gain_ratio", 1},     {"cond_entropy", 1},  {"cami", 1},
      {"cair", 1}, {"effcami0", 1}, {"effcami1", 1},       {"tsallis", 0.3},     {"tsallis", 2.5},
      {"beta", 1}, {"l2", 1},       {"tsallis_mutual", 1}, {"tsallis_ratio", 2}, {"beta", 3}};
  int found = 0, barred = 0;
  for (int round = 0; round < 450; ++round) {
    const auto& [criterion, parameter] = criteria[static_cast<std::size_t>(round) % 15];
    Table table =
        one_factor(criterion[0] != 'l' || criterion[1] != '2', random.between(2, 9), random);
    support::add_weights(table, 30, weights_of(random.below(3)), random);
    Setting setting = of_criterion(criterion, parameter);
    setting.control.min_bucket = random.chance(0.5) ? 1 : 10;
    tectree::Team team(1);
    const auto listed = tectree::list_candidates(support::problem_of(table, setting), false, team);
    const double best = best_of_all(table, setting);
    CHECK(listed.size() == 1 && listed[0].exact);
    if (best > 1e-9) CHECK_NEAR(listed[0].cut, best, 1e-10 * std::max(1.0, best));
    found += best > 1e-9;
    barred += best == -HUGE_VAL;
  }
  CHECK(found > 250 && barred > 0);
}

// The list of a node's candidates: complete, in the order that settles ties, and with the winner.
#include <tectree/grow/after/list_candidates.hpp>

#include "check.h"
#include "grow/common.h"

namespace {

std::vector<tectree::Candidate> surveyed(const Table& table, const Setting& setting, bool all,
                                         int threads) {
  tectree::Team team(threads);
  const tectree::Problem problem = support::problem_of(table, setting);
  return tectree::list_candidates(problem, all, team);
}

struct Expected {
  std::string split;
  support::Values values;
};

// Every split of every column, tried one by one.
std::vector<Expected> expected_candidates(const Table& table, const Setting& setting) {
  const oracle::Problem problem{table, setting};
  std::vector<Expected> out;
  for (std::size_t c = 0; c < table.x.size(); ++c) {
    oracle::try_splits(table, setting,
                       oracle::groups_of(problem, oracle::all_rows(table), c, table.x[c]),
                       [&](const tectree::Split& split, const std::vector<oracle::Bag>& bags) {
                         out.push_back({oracle::text_of(split), oracle::measure_of(setting, bags)});
                       });
  }
  return out;
}

bool same_candidates(const std::vector<tectree::Candidate>& found,
                     const std::vector<Expected>& expected) {
  bool same = found.size() == expected.size();
  for (std::size_t i = 0; i < expected.size() && same; ++i) {
    const support::Values& v = expected[i].values;
    same = oracle::text_of(found[i].split) == expected[i].split &&
           check::near(found[i].gain, v.gain, 1e-9) && check::near(found[i].cut, v.cut, 1e-9) &&
           (std::isnan(v.score) || check::near(found[i].score, v.score, 1e-9));
    if (!same)
      std::printf("%s gain %g instead of %s gain %g\n", oracle::text_of(found[i].split).c_str(),
                  found[i].gain, expected[i].split.c_str(), v.gain);
  }
  return same;
}

// Is exactly the tree's first split chosen, and none if there is none?
bool chooses_as_the_tree(const std::vector<tectree::Candidate>& found, const tectree::Tree& tree) {
  int chosen = 0;
  bool right = true;
  for (const tectree::Candidate& c : found) {
    if (!c.chosen) continue;
    ++chosen;
    right = right && c.admissible() && c.eligible &&
            oracle::text_of(c.split) == oracle::text_of(tree.split_at(0)) &&
            check::near(c.gain, tree.gain[0], 1e-12) && check::near(c.score, tree.score[0], 1e-12);
  }
  return right && chosen == (tree.kind[0] != 0);
}

Setting survey_setting(const std::string& criterion, int round, Random& random) {
  Setting setting = of_criterion(criterion, criterion == "tsallis_ratio" ? 0.6 : 1.5);
  setting.control.nominal = static_cast<Nominal>(round % 3);
  setting.control.min_bucket = random.between(1, 4);
  setting.stop.min_split = 1;
  setting.stop.max_depth = 1;
  return setting;
}

}  // namespace

TEST(every_candidate_is_listed_and_the_tree_s_is_chosen) {
  Random random(71);
  for (const char* criterion :
       {"gini", "tsallis_ratio", "tsallis_mutual", "gain_ratio", "effcami0", "l2", "l1"}) {
    for (int round = 0; round < 18; ++round) {
      const bool regression = criterion[0] == 'l';
      const Table table =
          support::random_table(40, regression ? 0 : 3, weights_of(round / 3), random);
      const Setting setting = survey_setting(criterion, round, random);
      const tectree::Tree tree = support::grown(table, setting);
      const auto all = surveyed(table, setting, true, 1), best = surveyed(table, setting, false, 2);
      CHECK(same_candidates(all, expected_candidates(table, setting)));
      CHECK(chooses_as_the_tree(all, tree));
      CHECK(chooses_as_the_tree(best, tree));
      CHECK(best.size() == table.x.size());
      for (const tectree::Candidate& c : best) {
        if (c.admissible()) CHECK(c.gain > 0 && c.n_branches >= 2);
      }
    }
  }
}

TEST(a_representative_is_the_best_admissible_candidate_of_its_column) {
  Random random(72);
  for (int round = 0; round < 30; ++round) {
    const Table table = support::random_table(50, 3, weights_of(round / 3), random);
    const Setting setting = survey_setting("gain_ratio", round, random);
    const auto all = surveyed(table, setting, true, 1), best = surveyed(table, setting, false, 1);
    std::vector<double> most(table.x.size(), -HUGE_VAL);
    for (const tectree::Candidate& c : all) {
      double& here = most[static_cast<std::size_t>(c.split.column)];
      if (c.barred != tectree::Barred::min_bucket) here = std::max(here, c.cut);
    }
    CHECK(best.size() == table.x.size());
    for (std::size_t i = 0; i < best.size(); ++i) {
      const tectree::Candidate& c = best[i];
      CHECK(c.split.column == static_cast<int>(i));
      CHECK((most[i] > -HUGE_VAL) == !std::isnan(c.cut));
      if (!std::isnan(c.cut)) CHECK_NEAR(c.cut, most[i], 1e-10);
      CHECK(c.admissible() == (c.gain > 1e-12));
    }
  }
}

// Criteria that must grow the same tree from the same rows, and their continuity at q = 1.
#include "check.h"
#include "grow/random_table.h"
#include "roads/generate.h"
#include "support/cases.h"

namespace {

using tectree::SearchControl;
using Named = std::pair<const char*, double>;

// The splits of a tree, without gains and scores.
bool same_splits(const tectree::Tree& a, const tectree::Tree& b) {
  return a.parent == b.parent && a.kind == b.kind && a.variable == b.variable &&
         a.breaks == b.breaks && a.level == b.level && a.level_child == b.level_child &&
         a.n == b.n && a.yval == b.yval && a.default_child == b.default_child;
}

tectree::Tree tree_by(roads::Case c, const Named& criterion) {
  c.setting.criterion = criterion.first;
  c.setting.parameter = criterion.second;
  return roads::Posed(c, {}).grow();
}

// A small classification problem with the exact rules. Gains in different units are never compared
// with a bound, nor with each other in best-first growth.
roads::Case class_case(std::uint64_t seed) {
  roads::Case c = roads::small_case(seed);
  while (!c.is_class()) c = roads::small_case(seed += 0x9e3779b97f4a7c15u);
  c.setting.control.min_gain = 0.0;
  c.setting.control.rules = SearchControl::Rules::exact;
  return c;
}

template <class Adapt>
void expect_equal(std::uint64_t salt, const std::vector<Named>& criteria, Adapt adapt) {
  const std::uint64_t first = support::first_case(1000) + salt * 1000003u;
  std::size_t split = 0;
  for (std::uint64_t i = 0; i < support::cases(150); ++i) {
    roads::Case c = class_case(first + i);
    adapt(c);
    const tectree::Tree expected = tree_by(c, criteria[0]);
    split += expected.size() > 1;
    for (const Named& other : criteria) {
      if (same_splits(tree_by(c, other), expected)) continue;
      check::fail("equal criteria", 0,
                  std::string(criteria[0].first) + " and " + other.first + ", small case " +
                      std::to_string(first + i));
    }
  }
  CHECK(split > 30);
}

void as_it_is(roads::Case&) {}
void two_way(roads::Case& c) {
  c.setting.control.nominal = SearchControl::Nominal::binary;
  c.setting.control.intervals = 2;
}

}  // namespace

TEST(tsallis_mutual_and_beta_of_one_parameter_grow_the_same_tree) {
  for (double b : {0.5, 1 - 1e-9, 1.0, 1 + 1e-9, 1.7, 4.0})
    expect_equal(1, {{"tsallis_mutual", b}, {"beta", b}}, as_it_is);
}

TEST(shannon_and_its_other_names_grow_the_same_tree) {
  expect_equal(2,
               {{"shannon", 1},
                {"tsallis", 1},
                {"cond_entropy", 1},
                {"cami", 1},
                {"tsallis_mutual", 1},
                {"beta", 1}},
               as_it_is);
}

TEST(tsallis_of_two_is_gini) {
  expect_equal(3, {{"tsallis", 2}, {"gini", 1}}, as_it_is);
}

TEST(cami_and_cair_agree_on_splits_in_two_whichever_columns_are_eligible) {
  using Rule = tectree::Eligible;
  for (Rule rule : {Rule::all, Rule::own, Rule::mean, Rule::mean_sd}) {
    expect_equal(4, {{"cair", 1}, {"cami", 1}}, [&](roads::Case& c) {
      two_way(c);
      c.setting.control.eligible = rule;
    });
  }
}

TEST(effcami0_is_gain_ratio_if_there_are_no_more_branches_than_classes) {
  expect_equal(5, {{"effcami0", 1}, {"gain_ratio", 1}}, [](roads::Case& c) {
    two_way(c);
    c.table.n_classes = std::max(c.table.n_classes, 2);
    c.factors = {};
    c.loss = {};
  });
}

TEST(tsallis_ratio_of_one_is_gain_ratio_if_each_column_has_one_split) {
  expect_equal(6, {{"tsallis_ratio", 1}, {"gain_ratio", 1}}, [](roads::Case& c) {
    support::Random random(c.seed);
    for (std::size_t i = 0; i < c.table.x.size(); ++i) {
      const int levels = random.between(2, 4);
      std::vector<double> x;
      for (std::size_t r = 0; r < c.rows(); ++r) x.push_back(random.between(1, levels));
      c.table.kind[i] = tectree::Kind::nominal;
      c.table.n_levels[i] = levels;
      c.table.x[i] = x;
      c.table.code[i].assign(x.begin(), x.end());
    }
    c.setting.control.nominal = SearchControl::Nominal::multiway;
    c.setting.control.eligible = tectree::Eligible::all;
  });
}

TEST(criteria_are_continuous_at_q_of_one) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const roads::Case c = class_case(seed);
    for (const char* name : {"tsallis", "tsallis_ratio", "tsallis_mutual", "beta"}) {
      const tectree::Tree at_one = tree_by(c, {name, 1.0});
      for (double step : {-1e-12, 1e-12}) {
        const tectree::Tree near = tree_by(c, {name, 1.0 + step});
        CHECK(std::fabs(near.impurity[0] - at_one.impurity[0]) < 1e-10);
        CHECK(std::fabs(near.gain[0] - at_one.gain[0]) < 1e-10);
        CHECK(std::fabs(near.score[0] - at_one.score[0]) < 1e-10);
      }
    }
  }
}

// Sums of weights of any size, and any parameter, give finite numbers, and the same choice.
TEST(every_q_gives_numbers_with_huge_and_tiny_weights) {
  support::Random random(216);
  support::Table table = support::random_table(80, 3, support::Weights::fraction, random);
  table.add_numbers(support::random_column(80, 0, 0.0, false, random));
  const std::vector<double> weight = table.weight;
  for (const char* name : {"tsallis", "tsallis_ratio", "tsallis_mutual", "beta"}) {
    for (double q : {-5.0, -1.0, 0.0, 0.5, 1 - 1e-9, 1.0, 1 + 1e-9, 1.7, 2.0, 10.0, 50.0}) {
      if (q <= 0 && std::string(name) == "beta") continue;
      std::vector<tectree::Tree> trees;
      for (double scale : {1.0, 1e-7, 1e7}) {
        for (std::size_t i = 0; i < weight.size(); ++i) table.weight[i] = weight[i] * scale;
        support::Setting setting;
        setting.criterion = name;
        setting.parameter = q;
        setting.control.min_bucket = 12 * scale;
        setting.stop.min_split = 24 * scale;
        trees.push_back(support::grown(table, setting));
        for (const auto* numbers : {&trees.back().impurity, &trees.back().gain, &trees.back().score,
                                    &trees.back().share, &trees.back().breaks}) {
          for (double v : *numbers) CHECK(std::isfinite(v));
        }
      }
      for (const tectree::Tree& tree : trees) {
        CHECK(tree.variable == trees[0].variable && tree.breaks == trees[0].breaks);
        CHECK_NEAR(tree.gain[0], trees[0].gain[0], 1e-8 * std::fabs(trees[0].gain[0]));
        CHECK_NEAR(tree.score[0], trees[0].score[0], 1e-8 * std::fabs(trees[0].score[0]));
      }
    }
  }
}

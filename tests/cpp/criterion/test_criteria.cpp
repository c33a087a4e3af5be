// Every criterion of the registry against its printed formula, and the identities between criteria.
#include "check.h"

#include <tectree/criterion/registry.hpp>

#include <set>

#include "support/criteria.h"
#include "support/random.h"

using namespace tectree;
using support::Branches;
using support::Counts;
using support::Random;

namespace {

Partition partition_of(const Branches& branches) {
  Partition p;
  p.start(static_cast<int>(branches[0].size()));
  for (const Counts& b : branches) p.add(b.data(), support::sum(b));
  return p;
}

Branches random_branches(int g, int k, bool fractions, Random& random) {
  Branches branches(static_cast<std::size_t>(g), Counts(static_cast<std::size_t>(k), 0.0));
  for (Counts& b : branches) {
    for (double& c : b)
      c = random.chance(0.3) ? 0 : random.between(1, 30) * (fractions ? 0.1 : 1.0);
    if (support::sum(b) == 0) b[0] = fractions ? 0.1 : 1;
  }
  return branches;
}

Measures measured(const std::string& name, double q, const Branches& branches) {
  const double n = support::sum(support::sizes(branches));
  return make_criterion(name, q, n, n < 1 ? 0.1 : 1.0)->measure(partition_of(branches));
}

template <class F>
void each_partition(F f) {
  Random random(1);
  for (int g = 2; g <= 5; ++g) {
    for (int k = 1; k <= 5; ++k) {
      for (bool fractions : {false, true}) {
        for (int i = 0; i < 4; ++i) f(random_branches(g, k, fractions, random));
      }
    }
  }
}

const std::vector<double> some_q = {-2, 0, 0.3, 0.75, 1, 1 + 1e-9, 1.6, 2, 3.5, 20};

}  // namespace

TEST(the_registry_has_each_criterion_once) {
  std::set<std::string> names;
  for (const CriterionInfo& i : all_criteria()) {
    CHECK(names.insert(i.name).second);
    CHECK(!i.cut.empty() && !i.score.empty() && !i.units.empty() && !i.reference.empty());
    CHECK(i.eligible == (i.classification ? support::naive_eligible(i.name) : "all"));
    CHECK(i.classification == (i.name != "l1" && i.name != "l2"));
    CHECK(i.parameter.empty() || i.usual > i.least);
    CHECK(i.classification || i.parameter.empty());
  }
  const std::set<std::string> expected = {
      "tsallis",      "tsallis_ratio", "tsallis_mutual", "shannon",  "gini",     "gain_ratio",
      "cond_entropy", "cami",          "cair",           "effcami0", "effcami1", "beta",
      "chisq",        "chisq_lr",      "row_effects",    "l1",       "l2"};
  CHECK(names == expected);
}

TEST(an_unknown_name_is_refused) {
  for (const char* name : {"", "Gini", "l2", "entropy"})
    CHECK_THROWS(make_criterion(name, 1.0, 10.0, 1.0));
}

TEST(every_criterion_measures_what_its_formula_says) {
  each_partition([](const Branches& branches) {
    for (const CriterionInfo& i : all_criteria()) {
      if (!i.classification) continue;
      for (double q : some_q) {
        if (i.name == "beta" && q <= 0) continue;
        const Measures m = measured(i.name, q, branches);
        const support::Values v = support::naive_measure(i.name, q, branches);
        const double size =
            std::max(1.0, support::naive_impurity(i.name, q, support::totals(branches)));
        CHECK_NEAR(m.gain, v.gain, 1e-11 * size);
        // With only one class the ratio by class entropy is 0/0.
        if (std::isnan(v.score)) continue;
        CHECK_NEAR(m.cut, v.cut, 1e-10 * std::max(size, std::fabs(v.cut)));
        CHECK_NEAR(m.score, v.score, 1e-10 * std::max(size, std::fabs(v.score)));
        if (i.parameter.empty()) break;
      }
    }
  });
}

TEST(impurity_is_the_entropy_in_the_criterion_s_units) {
  each_partition([](const Branches& branches) {
    const Counts total = support::totals(branches);
    const double n = support::sum(total);
    for (const CriterionInfo& i : all_criteria()) {
      if (!i.classification) continue;
      const double q = 1.7;
      const auto criterion = make_criterion(i.name, q, n, 0.1);
      const double expected = support::naive_impurity(i.name, q, total);
      const double found = criterion->impurity(total.data(), static_cast<int>(total.size()), n);
      CHECK_NEAR(found, expected, 1e-12 * std::max(1.0, expected));
      CHECK_NEAR(found, criterion->unit() * support::tsallis(total, criterion->kernel().q()),
                 1e-12);
    }
  });
}

TEST(criteria_describe_correctly_how_they_may_be_scanned) {
  for (const CriterionInfo& i : all_criteria()) {
    if (!i.classification) continue;
    for (double q : {-1.0, 0.0, 0.5, 1.0, 2.0}) {
      const auto criterion = make_criterion(i.name, q, 100.0, 1.0);
      CHECK(criterion->linear() == support::naive_linear(i.name, q));
      CHECK(i.parameter.empty() || criterion->concave() == (q > 0));
      CHECK(!i.parameter.empty() || criterion->concave());
      const std::string rule = support::naive_eligible(i.name);
      CHECK((criterion->eligible() == Eligible::all) == (rule == "all"));
      CHECK((criterion->eligible() == Eligible::mean_sd) == (rule == "mean_sd"));
      // A column may be judged by its cut alone only if score and cut measure are equal.
      CHECK(criterion->score_is_cut() == (rule == "all"));
    }
  }
}

TEST(criteria_that_are_one_under_two_names_agree) {
  each_partition([](const Branches& branches) {
    const double ig = measured("shannon", 0, branches).gain;
    CHECK(measured("cond_entropy", 0, branches).score == ig);
    CHECK(measured("cami", 0, branches).score == ig);
    CHECK_NEAR(measured("tsallis", 1, branches).gain / std::log(2.0), ig, 1e-13);
    CHECK(measured("gini", 0, branches).score == measured("tsallis", 2, branches).score);
    for (double b : {0.5, 1.0, 2.0, 3.5}) {
      const double unit = support::beta_unit(b);
      CHECK_NEAR(measured("beta", b, branches).gain,
                 unit * measured("tsallis_mutual", b, branches).gain, 1e-12);
    }
    if (branches.size() <= branches[0].size()) {
      CHECK(measured("effcami0", 0, branches).score == measured("gain_ratio", 0, branches).score);
    }
    CHECK(measured("effcami0", 0, branches).gain == measured("effcami1", 0, branches).gain);
  });
}

TEST(a_split_into_pure_branches_takes_all_impurity) {
  const Branches pure = {{4, 0, 0}, {0, 3, 0}, {2, 0, 0}, {0, 0, 9}};
  for (const CriterionInfo& i : all_criteria()) {
    if (!i.classification) continue;
    const double impurity = support::naive_impurity(i.name, 1.5, {6, 3, 9});
    CHECK_NEAR(measured(i.name, 1.5, pure).gain, impurity, 1e-13);
  }
}

TEST(a_split_into_branches_alike_gains_nothing) {
  const Branches alike = {{4, 2, 6}, {2, 1, 3}, {6, 3, 9}};
  for (const CriterionInfo& i : all_criteria()) {
    if (!i.classification || i.name == "tsallis_mutual" || i.name == "beta") continue;
    const Measures m = measured(i.name, 1.5, alike);
    CHECK_NEAR(m.gain, 0.0, 1e-14);
    CHECK_NEAR(m.score, 0.0, 1e-13);
  }
}

TEST(concave_criteria_never_lose_by_a_split) {
  each_partition([](const Branches& branches) {
    for (double q : {0.01, 0.3, 1.0, 2.0, 20.0})
      CHECK(measured("tsallis", q, branches).gain > -1e-12);
    for (double b : {1.0, 1.5, 2.0, 20.0}) CHECK(measured("beta", b, branches).gain > -1e-12);
  });
}

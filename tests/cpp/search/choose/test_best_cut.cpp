// Ties, the minimum gain of a split, and eligible columns.
#include "check.h"

#include <tectree/search/choose/best_cut.hpp>
#include <tectree/tally/weights.hpp>

using namespace tectree;

TEST(the_first_that_ties_with_the_largest_wins) {
  CHECK(first_best({1.0}, 1.0) == 0);
  CHECK(first_best({1.0, 2.0, 2.0}, 1.0) == 1);
  CHECK(first_best({2.0, 2.0 + 1e-10, 1.0}, 1.0) == 0);
  CHECK(first_best({2.0, 2.0 + 1e-9, 1.0}, 1.0) == 1);
  CHECK(first_best({-3.0, -1.0 - 1e-11, -1.0}, 1.0) == 1);
  // The largest counts, not the last improvement: the first two tie with each other, only the
  // second with the third.
  // with the third.
  CHECK(first_best({1.0, 1.0 + 0.9e-10, 1.0 + 1.8e-10}, 0.0) == 1);
}

TEST(small_scores_tie_by_the_node_s_impurity) {
  CHECK(first_best({0.0, 1e-14}, 1.0) == 0);
  CHECK(first_best({0.0, 1e-12}, 1.0) == 1);
  CHECK(first_best({0.0, 1e-12}, 100.0) == 0);
  CHECK(ties_or_beats(0.0, 1e-13, 1.0) && !ties_or_beats(0.0, 3e-13, 1.0));
  CHECK(ties_or_beats(5.0, 4.0, 1.0));
}

TEST(a_gain_from_rounding_is_none) {
  CHECK(!enough_gain(0.0, 0.0, 1.0));
  CHECK(!enough_gain(1e-12, 0.0, 1.0));
  CHECK(enough_gain(2e-12, 0.0, 1.0));
  CHECK(!enough_gain(2e-12, 0.0, 10.0));
  CHECK(!enough_gain(-1.0, 0.0, 1.0));
  CHECK(!enough_gain(0.5, 0.5, 1.0) && enough_gain(0.5 + 1e-11, 0.5, 1.0));
  CHECK(enough_gain(1e-300, 0.0, 0.0));
}

TEST(a_negative_min_gain_accepts_gains_from_rounding) {
  for (double gain : {0.0, 1e-17, -1e-17, -5.0, 3.0}) {
    for (double impurity : {0.0, 1.0, HUGE_VAL}) CHECK(enough_gain(gain, -HUGE_VAL, impurity));
  }
  CHECK(enough_gain(-0.5, -0.6, 1e6) && !enough_gain(-0.6, -0.6, 1e6));
  // A gain known only by bounds is not a gain.
  CHECK(!surely_gains(0.0, -HUGE_VAL, 1.0) && !surely_gains(1e-13, -0.1, 1.0));
  CHECK(surely_gains(1e-11, -HUGE_VAL, 1.0) && !surely_gains(0.5, 0.5, 1.0));
}

TEST(weights_reach_a_bound_up_to_rounding) {
  CHECK(reaches(1.0, 1.0) && reaches(1.0 - 1e-9, 1.0) && !reaches(1.0 - 2e-9, 1.0));
  CHECK(reaches(0.1 - 1e-9, 0.1) && !reaches(0.1 - 2e-9, 0.1));
  CHECK(reaches(1e6 - 1e-3, 1e6) && !reaches(1e6 - 1e-2, 1e6));
  CHECK(!reaches(1e300, HUGE_VAL));
}

TEST(all_compete_where_the_rule_says_so) {
  CHECK(eligibility_bound({1.0, 2.0, 3.0}, Eligible::all) == -HUGE_VAL);
  CHECK(eligibility_bound({}, Eligible::mean) == -HUGE_VAL);
}

TEST(those_at_the_mean_or_above_compete) {
  CHECK_NEAR(eligibility_bound({1.0, 2.0, 6.0}, Eligible::mean), 3.0 - 3e-10, 1e-14);
  CHECK_NEAR(eligibility_bound({0.1, 0.3}, Eligible::mean), 0.2 - 1e-10, 1e-14);
  CHECK_NEAR(eligibility_bound({-4.0, -2.0}, Eligible::mean), -3.0 - 3e-10, 1e-14);
}

TEST(equal_attributes_are_all_eligible) {
  for (double cut : {0.1, 1.0 / 3, 1e-9, 12345.678}) {
    for (std::size_t n : {1, 3, 7, 10}) {
      CHECK(cut >= eligibility_bound(std::vector<double>(n, cut), Eligible::mean));
      CHECK(cut >= eligibility_bound(std::vector<double>(n, cut), Eligible::mean_sd));
    }
  }
}

TEST(one_sample_standard_deviation_may_be_missing) {
  // mean 3, squares 4 + 1 + 9 = 14, sd sqrt(7)
  CHECK_NEAR(eligibility_bound({1.0, 2.0, 6.0}, Eligible::mean_sd), 3.0 - std::sqrt(7.0) - 3e-10,
             1e-13);
  CHECK_NEAR(eligibility_bound({5.0}, Eligible::mean_sd), 5.0 - 5e-10,
             1e-14);  // one alone has no spread
}

TEST(the_user_s_rule_goes_before_the_criterion_s) {
  using Rule = Eligible;
  for (Eligible own : {Eligible::all, Eligible::mean, Eligible::mean_sd}) {
    CHECK(effective(Rule::own, own) == own);
    CHECK(effective(Rule::all, own) == Eligible::all);
    CHECK(effective(Rule::mean, own) == Eligible::mean);
    CHECK(effective(Rule::mean_sd, own) == Eligible::mean_sd);
  }
}

TEST(a_cut_whose_measures_left_the_range_of_a_double_is_none) {
  for (double wrong : {HUGE_VAL, -HUGE_VAL, static_cast<double>(NAN)}) {
    BestOf best(-HUGE_VAL, 1.0);
    best.add(1, {wrong, wrong, wrong});
    best.add(2, {0.1, wrong, 0.1});
    CHECK(best.empty());
    best.add(3, {0.2, 0.2, 0.2});
    best.settle();
    CHECK(best.at() == 3 && best.measures().cut == 0.2);
  }
}

// The bounds, prices and margins of C4.5, number by number.
#include "check.h"

#include <tectree/criterion/registry.hpp>
#include <tectree/search/c45/c45_rules.hpp>
#include <tectree/tally/weights.hpp>

#include "support/random.h"

using namespace tectree;

namespace {

std::unique_ptr<Criterion> criterion(const char* name, double parameter = 1.0) {
  return make_criterion(name, parameter, 100, 1);
}

// `unknown`: weight of the rows with a missing value, as counted by missing = "fractional".
Partition partition(const std::vector<std::vector<double>>& branches, double unknown = 0.0) {
  Partition p;
  p.start(static_cast<int>(branches[0].size()));
  for (const auto& b : branches) {
    double n = 0;
    for (double x : b) n += x;
    p.add(b.data(), n);
  }
  p.unknown = unknown;
  p.share = p.n / (p.n + unknown);
  return p;
}

ColumnResult result(double cut, double score) {
  ColumnResult s;
  s.keep_cut(1, {cut, cut, score}, true);
  return s;
}

std::optional<std::size_t> chosen(const std::vector<ColumnResult>& results, std::vector<char> many,
                                  Eligible eligible = Eligible::mean) {
  c45::Facts facts;
  facts.many_levels = std::move(many);
  facts.many_levels.resize(results.size());
  std::vector<std::uint32_t> columns;
  for (std::uint32_t c = 0; c < results.size(); ++c) columns.push_back(c);
  double bound;
  return c45::winning_column(results, columns, eligible, facts, bound);
}

}  // namespace

TEST(values_closer_than_one_value_are_one) {
  CHECK(!c45::apart(1.0, 1.0 + 0.9e-5));
  CHECK(c45::apart(1.0, 1.0 + 1.1e-5));
  CHECK(!c45::apart(0.0, 1e-5));
  CHECK(c45::apart(-HUGE_VAL, 0.0) && c45::apart(0.0, HUGE_VAL));
  CHECK(c45::apart(1e17, 1e17 + 16));
}

TEST(the_least_side_grows_with_the_weight_from_min_bucket_to_25) {
  CHECK_NEAR(c45::least_side(2, 150, 3), 5, 1e-12);
  CHECK(c45::least_side(2, 60, 3) == 2);
  CHECK(c45::least_side(2, 59, 3) == 2);
  CHECK_NEAR(c45::least_side(2, 63, 3), 2.1, 1e-12);
  CHECK(c45::least_side(2, 10000, 3) == 25);
  CHECK(c45::least_side(30, 500, 2) == 30);
  // As in C4.5, 25 is the limit even if min_bucket is larger.
  CHECK(c45::least_side(30, 700, 2) == 25);
}

TEST(the_least_side_as_a_count) {
  CHECK(c45::least_side_count<WholeWeight>(2.1) == 3u);
  CHECK(c45::least_side_count<WholeWeight>(5.0 + 1e-7) == 5u);
  CHECK(c45::least_side_count<WholeWeight>(5.0 + 1e-5) == 6u);
  CHECK(c45::least_side_count<WholeWeight>(0.0) == 1u);
  CHECK(c45::least_side_count<WholeWeight>(1e12) == 4294967295u);
  CHECK_NEAR(c45::least_side_count<RealWeight>(2.1), 2.1 - 1e-6, 1e-15);
}

TEST(information_pays_for_the_choice_of_a_cut) {
  for (const char* name :
       {"shannon", "gain_ratio", "cond_entropy", "cami", "cair", "effcami0", "effcami1", "beta"})
    CHECK_NEAR(c45::deduction(*criterion(name), 8, 12), 0.25, 1e-15);
  CHECK_NEAR(c45::deduction(*criterion("tsallis"), 8, 12), std::log(8) / 12, 1e-15);
  CHECK_NEAR(c45::deduction(*criterion("tsallis_mutual"), 8, 12), std::log(8) / 12, 1e-15);
  CHECK(c45::deduction(*criterion("gain_ratio"), 1, 12) == 0.0);
  CHECK(c45::deduction(*criterion("gini"), 8, 12) == 0.0);
  CHECK(c45::deduction(*criterion("tsallis", 1.5), 8, 12) == 0.0);
  CHECK(c45::deduction(*criterion("beta", 2), 8, 12) == 0.0);
  CHECK(c45::deduction(*criterion("tsallis_ratio"), 8, 12) == 0.0);
}

TEST(unknown_rows_take_their_share_and_are_a_group) {
  // 4 + 4 known rows, 8 unknown: half the gain of 1 bit; SI of 1/4, 1/4, 1/2.
  const Measures m = criterion("gain_ratio")->measure(partition({{4, 0}, {0, 4}}, 8));
  CHECK_NEAR(m.gain, 0.5, 1e-14);
  CHECK_NEAR(m.cut, 0.5, 1e-14);
  CHECK_NEAR(m.score, 0.5 / 1.5, 1e-14);
  // tsallis_ratio divides by the entropy of the same three groups.
  const Measures ratio = criterion("tsallis_ratio", 2)->measure(partition({{4, 0}, {0, 4}}, 8));
  CHECK_NEAR(ratio.cut, 0.25 / (1 - 1 / 16. - 1 / 16. - 1 / 4.), 1e-14);
}

TEST(a_threshold_s_measures_shrink_together) {
  const Measures m =
      c45::of_threshold(*criterion("gain_ratio"), partition({{4, 0}, {0, 4}}, 8), 16, 4);
  // log2(4)/16 off 0.5
  CHECK_NEAR(m.gain, 0.375, 1e-14);
  CHECK_NEAR(m.cut, 0.375, 1e-14);
  CHECK_NEAR(m.score, 0.375 / 1.5, 1e-14);
  const Measures gini = c45::of_threshold(*criterion("gini"), partition({{4, 0}, {0, 4}}), 8, 4);
  CHECK_NEAR(gini.gain, 0.5, 1e-14);
}

TEST(what_is_left_must_be_a_gain) {
  CHECK(c45::good_threshold({1e-6, 1e-6, 1}, 0.0));
  CHECK(!c45::good_threshold({0.9e-6, 0.9e-6, 1}, 0.0));
  CHECK(!c45::good_threshold({-1, -1, -1}, 0.0));
  CHECK(!c45::good_threshold({0.1, 0.1, 1}, 0.1));
  // Branches by level have no deduction.
  CHECK(c45::good_levels({0, 0, 0}, 0.0));
  CHECK(!c45::good_levels({0, 0, 0}, 0.01) && c45::good_levels({0.02, 0.02, 1}, 0.01));
  const Measures none = c45::of_levels({1e-8, 1e-8, 1.0}, 99);
  CHECK(none.gain == 0.0 && none.score == 0.0);
  CHECK(c45::of_levels({1e-8, 1e-8, 1.0}, 101).score == 1.0);
}

TEST(near_the_mean_is_enough) {
  // Mean 0.2; 0.1992 is within 1e-3 of it, 0.1985 is not.
  CHECK(chosen({result(0.2008, 0.5), result(0.1992, 0.6)}, {}) == 1u);
  CHECK(chosen({result(0.2015, 0.5), result(0.1985, 0.6)}, {}) == 0u);
  CHECK(chosen({result(0.2015, 0.5), result(0.1985, 0.6)}, {}, Eligible::all) == 1u);
  CHECK(chosen({result(0.2015, 0.5), result(0.1985, 0.6)}, {}, Eligible::mean_sd) == 1u);
}

TEST(a_later_column_must_be_clearly_better) {
  CHECK(chosen({result(0.2, 0.5), result(0.2, 0.5 + 0.9e-6)}, {}) == 0u);
  CHECK(chosen({result(0.2, 0.5), result(0.2, 0.5 + 1.1e-6)}, {}) == 1u);
  // Each is compared with the best so far, not with the best of all.
  CHECK(chosen({result(0.2, 0.5), result(0.2, 0.5 + 0.8e-6), result(0.2, 0.5 + 1.6e-6)}, {}) == 2u);
  CHECK(!chosen({result(0.0, 0.0), result(0.0, 0.9e-6)}, {}).has_value());
  CHECK(chosen({result(0.0, 0.0), result(0.0, 1.1e-6)}, {}) == 1u);
}

TEST(columns_of_many_levels_are_not_in_the_mean_but_may_win) {
  CHECK(chosen({result(0.9, 0.4), result(0.3, 0.5)}, {}) == 0u);
  CHECK(chosen({result(0.9, 0.4), result(0.3, 0.5)}, {1, 0}) == 1u);
  CHECK(chosen({result(0.9, 0.6), result(0.3, 0.5)}, {1, 0}) == 0u);
  // Alone they do not make a split.
  CHECK(!chosen({result(0.9, 0.6), ColumnResult()}, {1, 0}).has_value());
  CHECK(!chosen({ColumnResult(), ColumnResult()}, {}).has_value());
}

TEST(many_levels_are_three_for_ten_rows) {
  Frame frame;
  for (int levels : {2, 30, 29, 0}) {
    Column c;
    c.kind = levels > 0 ? Kind::nominal : Kind::numeric;
    c.n_levels = levels;
    frame.columns.push_back(c);
  }
  Sample sample;
  sample.size = 100;
  SearchControl control;
  control.nominal = SearchControl::Nominal::multiway;
  CHECK(c45::columns_of_many_levels(frame, sample, control) == std::vector<char>({0, 1, 0, 0}));
  control.nominal = SearchControl::Nominal::ordered;
  CHECK(c45::columns_of_many_levels(frame, sample, control) == std::vector<char>({0, 0, 0, 0}));
  // Unless all are like that.
  control.nominal = SearchControl::Nominal::multiway;
  frame.columns = {frame.columns[1], frame.columns[1]};
  CHECK(c45::columns_of_many_levels(frame, sample, control) == std::vector<char>({0, 0}));
}

TEST(close_values_are_found_whatever_the_column_s_form) {
  support::Random random(5);
  for (std::size_t n : {40, 3000}) {
    for (double gap : {0.9e-5, 1.1e-5, 1.0}) {
      std::vector<double> x;
      for (std::size_t i = 0; i < n; ++i) x.push_back(static_cast<double>(i));
      x.push_back(7 + gap);
      x.push_back(std::numeric_limits<double>::quiet_NaN());
      random.shuffle(x);
      Frame frame;
      frame.columns.resize(1);
      frame.columns[0].real = x.data();
      Sample sample;
      sample.size = x.size();
      Team team(1);
      const bool expected = gap < 1e-5;
      const auto wide = make_arena<std::uint32_t>(frame, sample, team);
      const auto small = make_arena<std::uint16_t>(frame, sample, team);
      const SearchControl control;
      CHECK(c45::facts_of_sample(frame, sample, control, wide, team).close[0] == expected);
      CHECK(c45::facts_of_sample(frame, sample, control, small, team).close[0] == expected);
    }
  }
}

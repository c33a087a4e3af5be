// The inner loop of least squares: the contenders always include the best cut, and a floor excludes
// no cut that reaches it.
#include "check.h"

#include <tectree/search/numbers/number_problem.hpp>
#include <tectree/search/numbers/number_scan.hpp>

#include "search/numbers/numbered.h"

using namespace tectree;
using support::Numbered;
using support::Random;

namespace {

struct Facts {
  double mean = 0.0, impurity = 0.0;

  explicit Facts(const Numbered& c) {
    for (double y : c.y) mean += y / c.n();
    for (double y : c.y) impurity += (y - mean) * (y - mean) / c.n();
  }
};

// The decrease of the mean squared error, from the rows of both sides.
double true_gain(const Numbered& c, std::uint32_t at, double impurity) {
  double left = 0.0;
  for (int side : {0, 1}) {
    double mean = 0.0, n = 0.0;
    for (std::uint32_t i = 0; i < c.n(); ++i) {
      if ((i >= at) != (side == 1)) continue;
      n += 1;
      mean += (c.y[c.entries[i].row] - mean) / n;
    }
    for (std::uint32_t i = 0; i < c.n(); ++i) {
      const double d = c.y[c.entries[i].row] - mean;
      if ((i >= at) == (side == 1)) left += d * d / c.n();
    }
  }
  return impurity - left;
}

// `weight`: by row, all 1; empty for unweighted rows.
Contenders scan(const Numbered& c, std::uint32_t least, double floor,
                const std::vector<double>& weight = {}) {
  const Facts facts(c);
  const std::vector<double> inverse = inverses(c.n());
  MeanScan<LeastSquares> scan;
  Contenders out;
  scan.offer_cuts(
      NumberColumn<std::uint32_t>{c.entries.data(), c.n(), c.n(), 1.0,
                                  slack_of_sums(facts.impurity, c.n()), static_cast<double>(least),
                                  floor},
      {c.y.data(), weight.empty() ? nullptr : weight.data(), inverse.data(), facts.mean}, {}, out);
  return out;
}

bool holds(const Numbered& c, std::uint32_t least, const std::vector<double>& weight) {
  const double impurity = Facts(c).impurity;
  return holds_the_best(c, c.n(), least, impurity, scan(c, least, -HUGE_VAL, weight),
                        [&](std::uint32_t at) { return true_gain(c, at, impurity); });
}

}  // namespace

TEST(no_cut_that_ties_with_the_best_is_lost) {
  Random random(1);
  for (std::uint32_t n : {2u, 3u, 32u, 33u, 34u, 65u, 200u}) {
    for (int shape : {0, 1, 2}) {
      for (int ties : {0, 3, 9}) {
        const Numbered c = random_numbers(n, ties, shape, random);
        for (std::uint32_t least : {0u, 1u, 3u, 21u}) {
          CHECK(holds(c, least, {}));
          CHECK(holds(c, least, std::vector<double>(n, 1.0)));
        }
      }
    }
  }
}

TEST(a_floor_keeps_the_cuts_that_reach_it) {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const auto n = static_cast<std::uint32_t>(random.between(2, 150));
    const Numbered c = random_numbers(n, random.below(9), random.below(3), random);
    Contenders all = scan(c, 1, -HUGE_VAL);
    if (all.empty()) continue;
    const double best = all.floor(), scale = Facts(c).impurity;
    for (double off : {-0.1, -1e-9, 0.0}) {
      Contenders kept = scan(c, 1, best + off * scale);
      CHECK(kept.settle().size() == all.settle().size() && kept.floor() == all.floor());
    }
    CHECK(scan(c, 1, best + 1e-6 * scale).empty());
  }
}

// Squares below the range of a double leave no slack: one cut is found nevertheless.
TEST(numbers_next_to_nothing_are_cut) {
  Numbered c;
  for (std::uint32_t i = 0; i < 40; ++i) {
    c.entries.push_back({i, i});
    c.y.push_back(i < 7 ? 3e-162 : 0.0);
  }
  CHECK(!scan(c, 1, -HUGE_VAL).empty());
}

// A bucket beyond half the rows: no cut is admissible.
TEST(no_bucket_is_too_large) {
  Random random(3);
  const Numbered c = random_numbers(100, 0, 0, random);
  for (std::uint32_t least : {51u, 2147483648u, 4294967295u})
    CHECK(scan(c, least, -HUGE_VAL).empty());
}

// The weight on the right is only rounding, so the last row is not a side of its own.
TEST(a_side_whose_weight_is_lost_in_rounding_is_none) {
  const std::vector<double> y = {0.0, 1.0, 1e18}, weight = {1.0, 1.0, 1e-20}, inverse(4, 0.0);
  Numbered c;
  for (std::uint32_t i = 0; i < 3; ++i) c.entries.push_back({i, i});
  for (const CutRange& range : {CutRange{}, CutRange{1, 2}}) {
    Contenders out;
    MeanScan<LeastSquares>().offer_cuts(
        NumberColumn<std::uint32_t>{c.entries.data(), 3, 3, 1.0, 1e-12, 0.0, -HUGE_VAL},
        {y.data(), weight.data(), inverse.data(), 0.5}, range, out);
    const auto& cuts = out.settle();
    CHECK(cuts.size() == 1 && cuts[0].at == 1 && std::isfinite(cuts[0].high));
  }
}

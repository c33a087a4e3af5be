// Running medians and absolute deviations against the O(n^2) definition.
#include "check.h"

#include <tectree/tally/medians.hpp>

#include <algorithm>

#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

struct Weighted {
  double value, weight;
};

double deviation_from(double centre, const std::vector<Weighted>& x) {
  double sum = 0;
  for (const Weighted& v : x) sum += v.weight * std::fabs(v.value - centre);
  return sum;
}

// The least sum of absolute deviations from any number: it is attained at one of the values.
double least_deviation(const std::vector<Weighted>& x) {
  double least = HUGE_VAL;
  for (const Weighted& v : x) least = std::min(least, deviation_from(v.value, x));
  return least;
}

// The smallest value at or below which half the weight lies; if it is exactly half, halfway to the
// next value.
double naive_median(const std::vector<Weighted>& x) {
  double total = 0, median = HUGE_VAL, next = HUGE_VAL, below = 0;
  for (const Weighted& v : x) total += v.weight;
  const auto at_or_below = [&](double value) {
    double sum = 0;
    for (const Weighted& v : x) sum += v.value <= value ? v.weight : 0;
    return sum;
  };
  for (const Weighted& v : x) {
    if (at_or_below(v.value) >= total / 2 * (1 - 1e-12)) median = std::min(median, v.value);
  }
  below = at_or_below(median);
  for (const Weighted& v : x) {
    if (v.value > median) next = std::min(next, v.value);
  }
  return below <= total / 2 * (1 + 1e-12) && next < HUGE_VAL ? (median + next) / 2 : median;
}

std::vector<Weighted> random_numbers(int n, bool ties, int weights, Random& random) {
  std::vector<Weighted> x;
  for (int i = 0; i < n; ++i) {
    const double value = ties ? random.below(5) - 2.0 : 20 * random.uniform() - 10;
    const double weight = weights == 0   ? 1
                          : weights == 1 ? random.between(1, 4)
                                         : random.between(1, 9) / 10.0;
    x.push_back({value, weight});
  }
  std::sort(x.begin(), x.end(),
            [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
  return x;
}

template <class F>
void each_kind(F f) {
  Random random(1);
  for (int n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 50}) {
    for (bool ties : {false, true}) {
      for (int weights : {0, 1, 2}) f(random_numbers(n, ties, weights, random), random);
    }
  }
}

}  // namespace

TEST(a_growing_tally_knows_the_least_deviation_at_any_time) {
  each_kind([](const std::vector<Weighted>& x, Random& random) {
    std::vector<double> sorted;
    std::vector<std::size_t> order;
    for (const Weighted& v : x) {
      order.push_back(sorted.size());
      sorted.push_back(v.value);
    }
    random.shuffle(order);
    MedianTally tally;
    for (int round = 0; round < 2; ++round) {  // a tally may be started again
      tally.start(sorted);
      CHECK(tally.weight() == 0.0);
      CHECK(tally.absolute_deviation() == 0.0);
      std::vector<Weighted> in;
      double weight = 0;
      for (std::size_t rank : order) {
        tally.insert(rank, x[rank].weight);
        in.push_back(x[rank]);
        weight += x[rank].weight;
        CHECK_NEAR(tally.weight(), weight, 1e-12 * weight);
        CHECK_NEAR(tally.absolute_deviation(), least_deviation(in), 1e-12 * weight * 20);
      }
    }
  });
}

TEST(sorted_numbers_know_their_median_and_deviation) {
  each_kind([](const std::vector<Weighted>& x, Random&) {
    SortedTally tally;
    tally.add(99.0, 3.0);
    tally.clear();
    for (const Weighted& v : x) tally.add(v.value, v.weight);
    CHECK_NEAR(tally.median(), naive_median(x), 1e-14 * 10);
    CHECK_NEAR(tally.absolute_deviation(), least_deviation(x), 1e-11);
    CHECK_NEAR(tally.absolute_deviation(), deviation_from(tally.median(), x), 1e-11);
  });
}

TEST(an_even_split_of_the_weight_takes_the_middle) {
  SortedTally tally;
  CHECK(tally.median() == 0.0 && tally.absolute_deviation() == 0.0 && tally.weight() == 0.0);
  tally.add(1.0, 1.0);
  CHECK(tally.median() == 1.0);
  tally.add(2.0, 1.0);
  CHECK(tally.median() == 1.5);
  tally.add(7.0, 2.0);
  CHECK(tally.median() == 4.5);
  tally.add(9.0, 0.5);
  CHECK(tally.median() == 7.0);
  CHECK(tally.weight() == 4.5);
}

TEST(tenths_that_sum_to_half_count_as_half) {
  SortedTally tally;
  for (int i = 0; i < 10; ++i) tally.add(1.0, 0.1);
  tally.add(3.0, 1.0);
  CHECK(tally.median() == 2.0);
}

TEST(the_median_of_large_numbers_does_not_overflow) {
  SortedTally tally;
  tally.add(1.6e308, 1.0);
  tally.add(1.7e308, 1.0);
  CHECK_NEAR(tally.median(), 1.65e308, 1e293);
}

// Sums whose terms may come in any order; those in whole units: close to their numbers, and never
// too large for their words.
#include "check.h"

#include <tectree/tally/sums.hpp>

#include <cmath>
#include <numeric>
#include <vector>

#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

bool equal(const WholeSums& a, const WholeSums& b) {
  return a.sum == b.sum && a.n() == b.n() && a.squares_at_most() == b.squares_at_most();
}

std::vector<double> numbers_within(double most, double centre, int n, Random& random) {
  std::vector<double> y;
  for (int i = 0; i < n; ++i) {
    const double size = random.chance(0.2) ? 1.0 : random.uniform() * random.uniform();
    y.push_back(centre + most * (random.chance(0.5) ? size : -size));
  }
  return y;
}

double sum_of(const std::vector<double>& x) {
  CarefulSum sum;
  for (double number : x) sum.add(number);
  return sum.value();
}

}  // namespace

TEST(a_number_is_off_by_little_more_than_a_unit) {
  Random random(1);
  for (double most : {1e-140, 3.0, 7e120}) {
    for (double centre : {0.0, 0.7 * most, -40 * most}) {
      const WholeScale scale(centre, most, 1000);
      for (double y : numbers_within(most, centre, 200, random)) {
        const double back = static_cast<double>(scale.of(y)) * scale.unit();
        CHECK(std::fabs(back - (y - centre)) <= 1.1 * scale.unit());
      }
    }
  }
}

TEST(two_sums_side_by_side_are_those_of_each_alone) {
  Random random(6);
  for (int n : {0, 1, 2, 100}) {
    const std::vector<double> x = numbers_within(1e9, 0.3, n, random),
                              y = numbers_within(1e-9, 4.0, n, random);
    CarefulSums sums;
    for (int i = 0; i < n; ++i) sums.add(Pair{x[i], y[i]});
    CHECK(sums.value()[0] == sum_of(x) && sums.value()[1] == sum_of(y));
  }
}

TEST(a_remainder_is_the_sum_of_the_rest) {
  Random random(2);
  for (int round = 0; round < 100; ++round) {
    const std::vector<double> y = numbers_within(5.0, 1.0, 300, random);
    const WholeScale scale(1.0, 5.0, y.size());
    WholeSums whole, part, rest;
    for (double number : y) {
      whole.add(scale.of(number), scale.coarseness());
      (random.chance(0.3) ? part : rest).add(scale.of(number), scale.coarseness());
    }
    WholeSums left = whole;
    left -= part;
    CHECK(equal(left, rest));
    left += part;
    CHECK(equal(left, whole) && whole.n() == 300);
  }
}

TEST(squares_are_bounded_from_above_and_not_far) {
  Random random(3);
  for (std::size_t n : {std::size_t{5000}, std::size_t{1000000}, WholeSums::most_rows}) {
    const WholeScale scale(0.0, 4.0, n);
    WholeSums sums;
    double squares = 0.0;
    for (double y : numbers_within(4.0, 0.0, 1000, random)) {
      const auto x = static_cast<double>(scale.of(y));
      squares += x * x;
      sums.add(scale.of(y), scale.coarseness());
    }
    const double at_most = sums.squares_at_most() * scale.coarse_square();
    CHECK(at_most >= squares);
    CHECK(at_most <= 1.2 * squares);
  }
}

TEST(the_sums_of_as_many_numbers_as_there_may_be_fit) {
  for (std::size_t n = 2; n <= WholeSums::most_rows; n = 2 * n + 1) {
    const WholeScale scale(0.0, 1.0, n);
    WholeSums sums;
    sums.add(scale.of(1.0), scale.coarseness());
    sums.add(scale.of(-1.0), scale.coarseness());
    CHECK(sums.sum == 0 && scale.of(1.0) > 0);
    const auto rows = static_cast<double>(n);
    CHECK(static_cast<double>(scale.of(1.0)) * rows <= 0x1p62);
    CHECK(sums.squares_at_most() / 2 * rows < 0x1p38);
    CHECK(sums.n() == 2);
  }
}

TEST(the_order_of_the_terms_does_not_matter) {
  support::Random random(1);
  bool plain_differs = false;
  for (int round = 0; round < 200; ++round) {
    std::vector<double> x;
    for (int i = 0; i < 1000; ++i)
      x.push_back((random.uniform() - 0.3) * std::ldexp(1.0, random.below(20)));
    const double sum = sum_of(x), plain = std::accumulate(x.begin(), x.end(), 0.0);
    for (int order = 0; order < 3; ++order) {
      random.shuffle(x);
      CHECK(sum_of(x) == sum);
      plain_differs = plain_differs || std::accumulate(x.begin(), x.end(), 0.0) != plain;
    }
  }
  CHECK(plain_differs);
}

TEST(what_is_rounded_off_is_kept) {
  CHECK(sum_of({1e16, 1.0, 1.0, -1e16}) == 2.0);
  CHECK(sum_of(std::vector<double>(10, 0.1)) == 1.0);
  CHECK(sum_of({}) == 0.0);
}

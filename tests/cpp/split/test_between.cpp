// The threshold between two neighbouring values: always a <= t < b, so training rows stay on their
// sides.
#include "check.h"

#include <tectree/split/split.hpp>

#include "support/extremes.h"
#include "support/random.h"

using tectree::between;

namespace {

const double inf = std::numeric_limits<double>::infinity();
const double most = std::numeric_limits<double>::max();

// Finite unless the only number at or above a and below b is infinite.
bool parts(double a, double b) {
  const double t = between(a, b);
  const bool must_be_finite = !(a == -inf && b == -most);
  return a <= t && t < b && (std::isfinite(t) || !must_be_finite);
}

}  // namespace

TEST(a_threshold_is_the_midpoint) {
  CHECK(between(1.0, 2.0) == 1.5);
  CHECK(between(-3.0, 5.0) == 1.0);
  CHECK(between(0.0, 1e-3) == 5e-4);
  CHECK(between(-1.0, 1.0) == 0.0);
  CHECK(between(1e6, 1e6 + 1) == 1e6 + 0.5);
}

TEST(neighbouring_doubles_are_separated_at_the_lower) {
  for (double a : {1.0, -1.0, 1e300, 4503599627370496.0, 1e-310, 0.0, -5e-324}) {
    const double b = std::nextafter(a, inf);
    CHECK(between(a, b) == a);
  }
}

TEST(huge_values_do_not_overflow) {
  CHECK(between(-most, most) == 0.0);
  CHECK(between(most / 2, most) == 0.75 * most);
  CHECK(between(-most, -most / 2) == -0.75 * most);
  CHECK_NEAR(between(-most, most / 2), -most / 4, most * 1e-15);
}

TEST(infinite_values_get_a_finite_threshold) {
  CHECK(between(3.0, inf) == 3.0);
  CHECK(between(-inf, inf) == 0.0);
  const double t = between(-inf, 3.0);
  CHECK(std::isfinite(t) && t < 3.0);
  CHECK(between(-inf, -most) == -inf);  // there is no other number
  CHECK(between(most, inf) == most);
}

TEST(every_pair_of_extremes_is_separated) {
  const std::vector<double> x = support::extremes();
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) CHECK(parts(x[i], x[j]));
  }
}

TEST(every_pair_of_random_numbers_is_separated) {
  support::Random random(1);
  for (int i = 0; i < 50000; ++i) {
    const double a = random.any_double() + 0.0, b = random.any_double() + 0.0;
    if (a != b) CHECK(parts(std::min(a, b), std::max(a, b)));
    if (std::isfinite(a)) CHECK(parts(a, std::nextafter(a, inf)));
  }
}

// Integers of 256 bits, against sums of powers of two and long double.
#include "check.h"

#include <tectree/grow/counted/sum_cell.hpp>

#include "support/random.h"

#include <cmath>

using tectree::WideInt;

TEST(a_wide_number_is_the_double_it_was_made_of) {
  support::Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const double x = std::floor(std::ldexp(random.uniform() - 0.5, random.below(200)));
    CHECK(WideInt(x).value() == x);
    const int up = random.below(40);
    CHECK(WideInt(x, up).value() == std::ldexp(x, up));
  }
  CHECK(WideInt().value() == 0.0 && WideInt(-1.0).value() == -1.0);
}

TEST(wide_sums_lose_nothing) {
  const WideInt large(1.0, 200), one(1.0);
  WideInt sum = large;
  sum += one;
  CHECK(sum != large);
  sum -= large;
  CHECK(sum == one);
  // 2^53 + 1 is halfway between two doubles; anything below it decides.
  WideInt half(std::ldexp(1.0, 53), 60);
  half += WideInt(1.0, 60);
  CHECK(half.value() == std::ldexp(1.0, 113));
  half += one;
  CHECK(half.value() == std::ldexp(std::ldexp(1.0, 52) + 1.0, 61));
  CHECK((WideInt(-1.0, 61) * WideInt(3.0)).value() == -3.0 * std::ldexp(1.0, 61));
}

TEST(sums_about_a_centre_are_those_of_the_numbers_less_it) {
  // 1e9 + .1, .3, .7 in units of 2^-60: squares need more than 170 bits.
  tectree::SumTotal total;
  double mean = 0.0;
  const double at[] = {1e9 + 0.125, 1e9 + 0.25, 1e9 + 0.75};
  for (const double y : at) {
    const WideInt whole(y, 60);
    total += {1.0, whole, whole * whole};
    mean += (y - 1e9) / 3;
  }
  double spread = 0.0;
  for (const double y : at) spread += (y - 1e9 - mean) * (y - 1e9 - mean);
  const tectree::NumberTotal found = total.about(total.middle());
  CHECK(std::fabs(std::ldexp(found.impurity() * 3, -120) / spread - 1) < 1e-14);
}

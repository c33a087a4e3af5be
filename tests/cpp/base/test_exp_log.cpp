// Exponentials and logarithms of many numbers, against long double.
#include "check.h"

#include <tectree/base/exp_log.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

// The difference in units in the last place of the exact result.
double units_off(double x, long double exact) {
  int exponent = 0;
  std::frexp(static_cast<double>(exact), &exponent);
  return std::fabs(static_cast<double>((x - exact) / std::ldexp(1.0L, exponent - 53)));
}

// Numbers of all sizes up to `most`.
std::vector<double> numbers_up_to(double most, std::size_t n, Random& random) {
  std::vector<double> out{0.0, most};
  while (out.size() < n) {
    const double size = random.chance(0.5) ? std::ldexp(1.0, -random.between(0, 60)) : 1.0;
    out.push_back(random.uniform() * size * (random.chance(0.5) ? most : 1.0));
  }
  return out;
}

}  // namespace

TEST(exponentials_are_within_one_unit_of_the_last_place) {
  Random random(71);
  std::vector<double> x = numbers_up_to(708.0, 100001, random);
  for (double& one : x) one = -one;
  std::vector<double> found = x;
  exp_all(found.data(), found.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i)
    worst = std::max(worst, units_off(found[i], std::exp(static_cast<long double>(x[i]))));
  CHECK(worst < 1.0);
  CHECK(found[0] == 1.0);
}

TEST(logarithms_are_within_one_unit_of_the_last_place) {
  Random random(72);
  for (double most : {1.0, 30.0, 1e300}) {
    const std::vector<double> x = numbers_up_to(most, 100001, random);
    std::vector<double> found = x;
    log1p_all(found.data(), found.size());
    double worst = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i)
      worst = std::max(worst, units_off(found[i], std::log1p(static_cast<long double>(x[i]))));
    CHECK(worst < 1.0);
    CHECK(found[0] == 0.0);
  }
}

TEST(vectors_and_the_number_of_numbers_change_nothing) {
  Random random(73);
  for (std::size_t n : {0, 1, 2, 3, 4, 5, 1000}) {
    std::vector<double> up, down;
    for (std::size_t i = 0; i < n; ++i) {
      up.push_back(random.uniform() * 20);
      down.push_back(-up.back());
    }
    std::vector<double> plain_up = up, plain_down = down;
    log1p_all(up.data(), n);
    exp_all(down.data(), n);
    simd_allowed = false;
    log1p_all(plain_up.data(), n);
    exp_all(plain_down.data(), n);
    simd_allowed = true;
    CHECK(up == plain_up && down == plain_down);
  }
}

TEST(the_numbers_are_the_same_on_every_machine) {
  std::vector<double> x{-0.1, -1.0, -10.0, -300.0}, y{0.1, 0.7, 2.0, 25.0};
  exp_all(x.data(), x.size());
  log1p_all(y.data(), y.size());
  CHECK((x == std::vector<double>{0x1.cf46d99d52b3ap-1, 0x1.78b56362cef38p-2, 0x1.7cd79b5647c9ap-15,
                                  0x1.245639c3a49f7p-433}));
  CHECK((y == std::vector<double>{0x1.8663f793c46c7p-4, 0x1.0fae81914a991p-1, 0x1.193ea7aad030ap+0,
                                  0x1.a1094eaf01acdp+1}));
}

// A careful sum is the same in any order, and right where a plain one has lost digits.
#include "check.h"

#include <tectree/tally/careful_sum.hpp>

#include <cmath>
#include <numeric>
#include <vector>

#include "support/random.h"

using tectree::CarefulSum;

namespace {

double sum_of(const std::vector<double>& x) {
  CarefulSum sum;
  for (double number : x) sum.add(number);
  return sum.value();
}

}  // namespace

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

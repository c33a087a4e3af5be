// A chain of numbers that leave one by one, against the deviations of those that are left.
#include "check.h"

#include <tectree/tally/median_chain.hpp>

#include <algorithm>

#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

double deviation(std::vector<double> x) {
  if (x.empty()) return 0.0;
  std::sort(x.begin(), x.end());
  double sum = 0;
  for (double v : x) sum += std::fabs(v - x[x.size() / 2]);
  return sum;
}

}  // namespace

TEST(numbers_leave_in_any_order) {
  Random random(81);
  for (int round = 0; round < 300; ++round) {
    const int n = random.between(1, 40);
    std::vector<double> sorted;
    for (int i = 0; i < n; ++i)
      sorted.push_back(random.chance(0.5) ? random.below(6) - 2.0 : 9 * random.uniform() - 3);
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::size_t> order(n);
    for (int i = 0; i < n; ++i) order[i] = static_cast<std::size_t>(i);
    random.shuffle(order);
    if (round % 3 == 1) std::sort(order.begin(), order.end());
    if (round % 3 == 2) std::sort(order.rbegin(), order.rend());
    MedianChain<std::uint16_t> chain;
    chain.start(sorted);
    std::vector<char> gone(n, 0);
    CHECK_NEAR(chain.absolute_deviation(), deviation(sorted), 1e-12);
    for (std::size_t place : order) {
      chain.remove(place);
      gone[place] = 1;
      std::vector<double> left;
      for (int i = 0; i < n; ++i) {
        if (!gone[i]) left.push_back(sorted[i]);
      }
      CHECK_NEAR(chain.absolute_deviation(), deviation(left), 1e-11);
    }
  }
}

TEST(an_empty_chain_deviates_by_nothing) {
  MedianChain<std::uint32_t> chain;
  chain.start({});
  CHECK(chain.absolute_deviation() == 0.0);
}

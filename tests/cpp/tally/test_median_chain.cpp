// A chain of numbers removed one by one, against the deviations of the remaining ones.
#include "check.h"

#include <tectree/tally/medians.hpp>

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

// The deviation of the remaining numbers.
double deviation_of_rest(const std::vector<double>& sorted, const std::vector<char>& gone) {
  std::vector<double> left;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (!gone[i]) left.push_back(sorted[i]);
  }
  return deviation(left);
}

// Ascending, with or without ties, and an order of removal: any, upwards or downwards.
struct Leaving {
  std::vector<double> sorted;
  std::vector<std::size_t> order;

  Leaving(int round, Random& random) : order(random.between(1, 40)) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      sorted.push_back(random.chance(0.5) ? random.below(6) - 2.0 : 9 * random.uniform() - 3);
      order[i] = i;
    }
    std::sort(sorted.begin(), sorted.end());
    random.shuffle(order);
    if (round % 3 == 1) std::sort(order.begin(), order.end());
    if (round % 3 == 2) std::sort(order.rbegin(), order.rend());
  }
};

using Chain = MedianChain<std::uint16_t>;

Chain chain_of(const std::vector<double>& sorted, Chain::Links& links) {
  return Chain(sorted.data(), sorted.size(), deviation(sorted), links);
}

}  // namespace

TEST(numbers_leave_in_any_order) {
  Random random(81);
  Chain::Links links;
  for (int round = 0; round < 300; ++round) {
    const Leaving x(round, random);
    Chain chain = chain_of(x.sorted, links);
    std::vector<char> gone(x.sorted.size(), 0);
    for (std::size_t place : x.order) {
      const double sum = chain.remove(place);
      gone[place] = 1;
      CHECK(sum == chain.absolute_deviation());
      CHECK_NEAR(sum, deviation_of_rest(x.sorted, gone), 1e-11);
    }
  }
}

TEST(some_are_left_out_and_a_copy_goes_its_own_way) {
  Random random(83);
  Chain::Links links, others;
  for (int round = 0; round < 300; ++round) {
    const Leaving x(round, random);
    Chain chain = chain_of(x.sorted, links);
    std::vector<char> gone(x.sorted.size(), 0);
    std::size_t i = 0;
    for (; i + 1 < x.order.size() && random.chance(0.7); ++i) {
      chain.leave_out(x.order[i]);
      gone[x.order[i]] = 1;
    }
    chain.settle();
    CHECK_NEAR(chain.absolute_deviation(), deviation_of_rest(x.sorted, gone), 1e-11);
    Chain copy = chain.copy(others);
    for (std::size_t j = i; j < x.order.size(); ++j) chain.remove(x.order[j]);
    for (; i < x.order.size(); ++i) {
      gone[x.order[i]] = 1;
      CHECK_NEAR(copy.remove(x.order[i]), deviation_of_rest(x.sorted, gone), 1e-11);
    }
  }
}

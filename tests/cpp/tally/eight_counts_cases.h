// Eight counts side by side against sums made one by one: once with the processor's own
// instructions, once without.
#pragma once

#include "check.h"
#include "support/random.h"
#include "tectree/tally/eight_counts.hpp"

TEST(sums_of_both_sides_are_those_made_one_by_one) {
  support::Random random(1);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    std::uint16_t total[8], left[8], more[8], back[8];
    double squares_left = 0.0, squares_right = 0.0, n = 0.0;
    for (int s = 0; s < 8; ++s) {
      total[s] = static_cast<std::uint16_t>(random.below(4097));
      left[s] = static_cast<std::uint16_t>(random.below(total[s] + 1));
      more[s] = static_cast<std::uint16_t>(random.below(left[s] + 1));
      squares_left += static_cast<double>(left[s]) * left[s];
      squares_right += static_cast<double>(total[s] - left[s]) * (total[s] - left[s]);
      n += left[s];
      left[s] = static_cast<std::uint16_t>(left[s] - more[s]);
    }
    tectree::EightCounts sum(left);
    sum += tectree::EightCounts(more);
    const tectree::SideSums sums = tectree::EightCounts::sums(sum, tectree::EightCounts(total));
    CHECK(sums.squares_left == squares_left && sums.squares_right == squares_right);
    CHECK(sums.n_left == n);
    sum.store(back);
    for (int s = 0; s < 8; ++s) CHECK(back[s] == left[s] + more[s]);
  }
}

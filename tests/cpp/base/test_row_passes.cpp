// Passes over rows: every row once, and sums that no number of threads changes.
#include "check.h"

#include <tectree/base/row_passes.hpp>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "support/random.h"

using namespace tectree;
using support::Random;

TEST(a_pass_takes_every_row_once) {
  for (std::size_t n : {0, 1, 4095, 4096, 4097, 50000}) {
    for (int threads : {1, 3}) {
      Team team(threads);
      std::vector<int> times(n, 0);
      pass_over(n, 1, team, [&](std::size_t first, std::size_t end, Team& inner) {
        CHECK(first % rows_of_pass == 0 && end - first <= rows_of_pass);
        CHECK(inner.size() == 1);
        for (std::size_t i = first; i < end; ++i) ++times[i];
      });
      CHECK(times == std::vector<int>(n, 1));
    }
  }
}

TEST(sums_are_added_in_the_order_of_blocks) {
  Random random(81);
  std::vector<double> x(100000);
  for (double& one : x) one = random.uniform() - 0.5;
  const auto sum_of = [&](std::size_t first, std::size_t end) {
    return std::accumulate(x.begin() + static_cast<std::ptrdiff_t>(first),
                           x.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
  };
  double expected = 0.0;
  for (std::size_t first = 0; first < x.size(); first += rows_of_pass)
    expected += sum_of(first, std::min(x.size(), first + rows_of_pass));
  for (int threads : {1, 2, 3, 16}) {
    Team team(threads);
    CHECK(sum_over(x.size(), 1, team, sum_of) == expected);
  }
  Team team(2);
  CHECK(sum_over(0, 1, team, sum_of) == 0.0);
}

TEST(a_pass_can_be_stopped) {
  // The host is asked at most ten times a second.
  int asked = 0;
  Team team(1, [&] {
    if (++asked == 2) throw std::runtime_error("stop");
  });
  CHECK_THROWS(pass_over(std::size_t{1} << 40, 1, team, [](std::size_t, std::size_t, Team&) {}));
  CHECK(asked == 2);
}

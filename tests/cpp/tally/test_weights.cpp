// Weights in the inner loop: reaching a bound, and the remainder of a count.
#include "check.h"

#include <tectree/tally/weights.hpp>

using namespace tectree;

TEST(whole_counts_are_rounded_up_to_the_bound) {
  for (const auto& [bound, least] : std::vector<std::pair<double, std::uint32_t>>{
           {0, 0}, {1, 1}, {5, 5}, {2.5, 3}, {2.0000000001, 2}, {2.001, 3}, {1e8, 100000000}}) {
    CHECK(least_count<WholeWeight>(bound) == least);
  }
}

TEST(bounds_beyond_any_count_are_never_reached) {
  const double inf = std::numeric_limits<double>::infinity();
  for (double bound : {4.3e9, 1e18, inf}) {
    CHECK(least_count<WholeWeight>(bound) == 4294967295u);
  }
  CHECK(least_count<WholeWeight>(3e9) > 2999999990u &&
        least_count<WholeWeight>(3e9) <= 3000000000u);
}

TEST(sums_of_fractions_reach_a_whole_bound) {
  double ten_tenths = 0.0;
  for (int i = 0; i < 10; ++i) ten_tenths += 0.1;
  CHECK(ten_tenths < 1.0);
  CHECK(ten_tenths >= least_count<RealWeight>(1.0));
  CHECK(!(0.999999 >= least_count<RealWeight>(1.0)));
  CHECK(!(999999.0 >= least_count<RealWeight>(1e6)));
  CHECK(999999.9999 >= least_count<RealWeight>(1e6));
}

TEST(less_than_half_a_row_is_no_row) {
  const Kernel kernel(2.0, 10.0, 0.1);
  RealWeight w{};
  w.kernel = &kernel;
  w.half_least = 0.05;
  CHECK(w.rest(1.0, 1.0 - 1e-16) == 0.0);
  CHECK(w.rest(1.0, 0.96) == 0.0);
  CHECK(w.rest(0.5, 0.7) == 0.0);
  CHECK_NEAR(w.rest(1.0, 0.9), 0.1, 1e-15);
  CHECK(WholeWeight().rest(7, 3) == 4 && WholeWeight().rest(7, 7) == 0);
}

TEST(steps_are_differences_of_phi) {
  Team team(1);
  for (double q : {-1.0, 0.5, 1.0, 2.0, 7.0}) {
    const Kernel kernel(q, 20.0);
    const KernelTable table(kernel, 20, team);
    const std::vector<double> weights = {3.0, 5.0};
    WholeWeight unit{};
    WholeWeight whole{};
    RealWeight real{};
    unit.table = whole.table = &table;
    whole.weight = real.weight = weights.data();
    real.kernel = &kernel;
    CHECK(unit.of(1) == 1 && whole.of(1) == 5 && real.of(0) == 3.0);
    CHECK(whole.alpha(6) == kernel.alpha(6) && real.alpha(6) == kernel.alpha(6));
  }
}

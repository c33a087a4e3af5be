// Case weights in whole units: exact enough, or not used.
#include "check.h"

#include <tectree/search/simd/weight_cuts.hpp>

#include <cmath>

using namespace tectree;

TEST(units_hold_weights_of_any_size_or_none) {
  for (int e = -1074; e <= 1010; ++e) {
    const double unit = std::ldexp(1.0, e);
    const RowUnits units({unit, 3 * unit, 2 * unit});
    if (units.empty()) {
      CHECK(e < -980);  // the number of units a weight has would overflow
      continue;
    }
    CHECK(std::isfinite(units.per));
    CHECK(units.of[1] == 3 * units.of[0] && units.of[2] == 2 * units.of[0]);
    CHECK(units.of[0] > 0);
  }
}

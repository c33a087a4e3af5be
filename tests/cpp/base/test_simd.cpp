// The processor's own vectors.
#include "base/simd_cases.h"

TEST(eight_numbers_at_a_time_are_what_one_at_a_time_is) {
  if (!has_simd()) return;
  check_eights();
  check_powers();
}

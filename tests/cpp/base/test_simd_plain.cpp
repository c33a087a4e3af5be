// The plain vectors, and the scans on them: what processors without vectors of their own have,
// where a test gives it to them.
#define TECTREE_PLAIN
#include "base/simd_cases.h"

#include <tectree/search/simd/simd_node.hpp>

TEST(eight_plain_numbers_are_what_one_at_a_time_is) {
  check_eights();
  check_powers();
}

TEST(plain_vectors_are_left_alone_unless_asked_for) {
  CHECK(!has_simd());
  simd_allowed = true;
  CHECK(has_simd());
  simd_allowed = false;
}

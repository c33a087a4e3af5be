// Rows without a value go with the majority.
#include "check.h"

#include <tectree/missing/policy.hpp>

using namespace tectree;

TEST(the_heaviest_branch_takes_them) {
  const MissingPolicy& majority = missing_policy("majority");
  CHECK(majority.branch({1.0}) == 0);
  CHECK(majority.branch({1.0, 2.0}) == 1);
  CHECK(majority.branch({3.0, 2.0, 2.5}) == 0);
  CHECK(majority.branch({0.0, 0.0, 0.1, 0.0}) == 2);
}

TEST(the_first_among_equals_takes_them) {
  const MissingPolicy& majority = missing_policy("majority");
  CHECK(majority.branch({2.0, 2.0}) == 0);
  CHECK(majority.branch({1.0, 2.0, 2.0}) == 1);
  double ten_tenths = 0.0;
  for (int i = 0; i < 10; ++i) ten_tenths += 0.1;
  CHECK(ten_tenths != 1.0);
  CHECK(majority.branch({ten_tenths, 1.0}) == 0);
  CHECK(majority.branch({1.0, 1.0 + 1e-9}) == 1);
}

TEST(a_policy_that_is_not_there_is_refused) {
  for (const char* name : {"", "drop", "Majority"}) CHECK_THROWS(missing_policy(name));
}

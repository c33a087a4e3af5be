// The test framework itself: passing checks pass, and failing checks are counted as failed.
#include "check.h"

#include <limits>
#include <stdexcept>

namespace {

void fails_a_check() {
  CHECK(1 == 2);
}
void fails_a_near() {
  CHECK_NEAR(1.0, 1.1, 0.01);
}
void fails_to_throw() {
  CHECK_THROWS(0);
}
void throws() {
  throw std::runtime_error("on purpose");
}
int thrower() {
  throw std::runtime_error("on purpose");
}

// Runs a body that must fail and discards its failures.
bool is_failed(void (*body)()) {
  const bool passed = check::passes({"(meant to fail)", body});
  check::failures_of_this_test() = 0;
  return !passed;
}

}  // namespace

TEST(true_checks_pass) {
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(true);
  CHECK_NEAR(1.0, 1.0 + 1e-13, 1e-12);
  CHECK_NEAR(inf, inf, 0.0);
  CHECK_THROWS(thrower());
}

TEST(false_checks_fail) {
  CHECK(is_failed(fails_a_check));
  CHECK(is_failed(fails_a_near));
  CHECK(is_failed(fails_to_throw));
  CHECK(is_failed(throws));
}

TEST(not_a_number_is_near_nothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(!check::near(nan, nan, 1.0));
  CHECK(!check::near(nan, 1.0, std::numeric_limits<double>::infinity()));
}

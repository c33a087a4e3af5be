// A single-header test framework, so the C++ tests need only a compiler.
//
//   TEST(an_empty_tally_is_pure) {
//     CHECK(tally.pure());
//     CHECK_NEAR(tally.impurity(), 0.0, 1e-12);
//     CHECK_THROWS(tally.remove(1));
//   }
//
// A failed check is reported and the test continues; an exception that leaves a test fails it. The
// program has its own main(): it runs every test, prints one line for each that failed and ends
// with `N passed, N failed`. Its exit status is 1 if a test failed, otherwise 0. With an argument,
// only tests whose name contains it run.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

namespace check {

struct Test {
  const char* name;
  void (*body)();
};

inline std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

inline int& failures_of_this_test() {
  static int count = 0;
  return count;
}

struct Registration {
  Registration(const char* name, void (*body)()) { tests().push_back({name, body}); }
};

inline void fail(const char* file, int line, const std::string& what) {
  ++failures_of_this_test();
  std::printf("%s:%d: %s\n", file, line, what.c_str());
  std::fflush(stdout);
}

// Equal values are near whatever the tolerance, including infinities; NaN is near nothing.
inline bool near(double a, double b, double tolerance) {
  return a == b || std::fabs(a - b) <= tolerance;
}

inline std::string not_near(const char* a_text, const char* b_text, double a, double b,
                            double tolerance) {
  std::ostringstream out;
  out.precision(17);
  out << a_text << " = " << a << " is not within " << tolerance << " of " << b_text << " = " << b;
  return out.str();
}

inline bool passes(const Test& test) {
  failures_of_this_test() = 0;
  try {
    test.body();
  } catch (const std::exception& error) {
    fail(test.name, 0, std::string("threw: ") + error.what());
  } catch (...) {
    fail(test.name, 0, "threw something that is no std::exception");
  }
  return failures_of_this_test() == 0;
}

inline int run(const char* only) {
  int passed = 0;
  int failed = 0;
  for (const Test& test : tests()) {
    if (only != nullptr && std::strstr(test.name, only) == nullptr) continue;
    if (passes(test)) {
      ++passed;
    } else {
      ++failed;
      std::printf("FAILED: %s\n", test.name);
    }
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace check

#define TEST(name)                                                        \
  static void test_##name();                                              \
  static const check::Registration registered_##name(#name, test_##name); \
  static void test_##name()

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) check::fail(__FILE__, __LINE__, "not true: " #condition); \
  } while (false)

#define CHECK_NEAR(a, b, tolerance)                                                                \
  do {                                                                                             \
    const double check_a = (a);                                                                    \
    const double check_b = (b);                                                                    \
    const double check_tolerance = (tolerance);                                                    \
    if (!check::near(check_a, check_b, check_tolerance))                                           \
      check::fail(__FILE__, __LINE__, check::not_near(#a, #b, check_a, check_b, check_tolerance)); \
  } while (false)

#define CHECK_THROWS(expression)                                                       \
  do {                                                                                 \
    bool check_threw = false;                                                          \
    try {                                                                              \
      static_cast<void>(expression);                                                   \
    } catch (...) {                                                                    \
      check_threw = true;                                                              \
    }                                                                                  \
    if (!check_threw) check::fail(__FILE__, __LINE__, "does not throw: " #expression); \
  } while (false)

int main(int argc, char** argv) {
  return check::run(argc > 1 ? argv[1] : nullptr);
}

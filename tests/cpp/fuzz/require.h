// A property that a fuzzed input must not break: the program says which, and ends.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace fuzz {

inline void require(bool holds, const char* what, const std::string& more = "") {
  if (holds) return;
  std::fprintf(stderr, "broken property: %s %s\n", what, more.c_str());
  std::abort();
}

}  // namespace fuzz

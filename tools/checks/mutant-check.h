// How tests run in the copies that mutants.R makes: it replaces the main() of tests/cpp/check.h.
//
// TECTREE_REACHED names a folder: all tests run, and a file gets one line per test: its number, its
// name, its seconds of a processor, and the faults that it reached. TECTREE_TESTS has the numbers of the tests
// that run otherwise, in this order; with a fault (TECTREE_MUTANT) the first failed check ends the
// program.
#pragma once

#include <cstdlib>
#include <ctime>
#include <tectree/mutant.hpp>

namespace check {

inline int record_faults(const std::string& file) {
  std::FILE* out = std::fopen(file.c_str(), "w");
  if (out == nullptr) return 2;
  using tectree_faults::reached;
  // Code that runs before main() belongs to all tests.
  const auto at_start = reached;
  int failed = 0;
  for (std::size_t i = 0; i < tests().size(); ++i) {
    reached = at_start;
    const std::clock_t start = std::clock();
    if (!passes(tests()[i])) ++failed;
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::fprintf(out, "%d\t%s\t%.4f\t", static_cast<int>(i), tests()[i].name, seconds);
    for (std::size_t id = 1; id < reached.size(); ++id) {
      if (reached[id]) std::fprintf(out, " %d", static_cast<int>(id));
    }
    std::fprintf(out, "\n");
  }
  std::fclose(out);
  std::printf("%d passed, %d failed\n", static_cast<int>(tests().size()) - failed, failed);
  return failed == 0 ? 0 : 1;
}

inline int run_with_fault(const char* program) {
  if (const char* folder = std::getenv("TECTREE_REACHED")) {
    return record_faults(std::string(folder) + "/" + program + ".tsv");
  }
  std::istringstream numbers(std::getenv("TECTREE_TESTS"));
  int failed = 0;
  for (std::size_t i; numbers >> i;) {
    if (!passes(tests().at(i))) ++failed;
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace check

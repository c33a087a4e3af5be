// The C++ program of README.md, which includes nothing of the core but its umbrella header.
#define main readme_program
#include "readme/flowers.cpp"
#undef main

#include "check.h"

#include <fstream>
#include <sstream>

namespace {

// What a program prints.
std::string printed(int (*program)()) {
  std::ostringstream out;
  std::streambuf* usual = std::cout.rdbuf(out.rdbuf());
  program();
  std::cout.rdbuf(usual);
  return out.str();
}

std::string text_of(const std::string& below_root) {
  const std::string here = __FILE__;
  const std::string tests = here.substr(0, here.rfind('/') + 1);
  std::ifstream file(tests + "../../" + below_root);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST(the_program_of_the_readme_predicts_each_row_its_species) {
  std::istringstream lines(printed(readme_program));
  std::string line;
  int row = 0;
  for (; std::getline(lines, line); ++row) CHECK(line.back() == '1' + row / 3);
  CHECK(row == 9);
}

TEST(the_readme_has_the_program_word_for_word) {
  const std::string readme = text_of("README.md"),
                    program = text_of("tests/cpp/readme/flowers.cpp");
  CHECK(!program.empty());
  if (readme.find("#include <tectree.hpp>") == std::string::npos) {
    std::printf("skipped: README.md has no C++ program\n");
    return;
  }
  CHECK(readme.find("```cpp\n" + program + "```\n") != std::string::npos);
}

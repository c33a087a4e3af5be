// The C++ program of the article *In C++*, which includes only the core's umbrella header.
#define main article_program
#include "article/flowers.cpp"
#undef main

#include "check.h"

#include <fstream>
#include <sstream>

namespace {

// The output of a program.
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

TEST(the_program_of_the_article_predicts_each_row_its_species) {
  std::istringstream lines(printed(article_program));
  std::string line;
  int row = 0;
  for (; std::getline(lines, line); ++row) CHECK(line.back() == '1' + row / 3);
  CHECK(row == 9);
}

TEST(the_article_has_the_program_word_for_word) {
  const std::string article = text_of("vignettes/articles/cpp.Rmd"),
                    program = text_of("tests/cpp/article/flowers.cpp");
  CHECK(!program.empty());
  CHECK(article.find("```cpp\n" + program + "```\n") != std::string::npos);
}

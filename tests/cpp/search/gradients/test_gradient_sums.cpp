// Sums of gradients in whole units, and the codes of columns.
#include "check.h"

#include <tectree/search/gradients/coded_for_gradients.hpp>
#include <tectree/search/gradients/gradient_sums.hpp>

#include <numeric>

#include "support/columns.h"
#include "support/gradients.h"
#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

Gradients random_gradients(std::size_t n, Random& random) {
  const double size_g = std::ldexp(1.0, random.between(-300, 300)),
               size_h = std::ldexp(1.0, random.between(-300, 300));
  Gradients out;
  for (std::size_t i = 0; i < n; ++i) {
    const double small = random.chance(0.2) ? 1e-9 : 1.0;
    const double g = (random.uniform() - 0.5) * size_g * small;
    support::add_gradient(out, g, random.chance(0.1) ? 0.0 : random.uniform() * size_h * small);
  }
  return out;
}

// The codes of a column, of either width.
std::vector<int> codes_of(const CodeColumn& column, std::size_t n) {
  std::vector<int> out;
  column.with_codes([&](const auto* code) { out.assign(code, code + n); });
  return out;
}

}  // namespace

TEST(sums_are_those_of_the_numbers_and_depend_on_no_order) {
  Random random(1);
  for (int turn = 0; turn < 100; ++turn) {
    const auto n = static_cast<std::size_t>(random.between(1, 3000));
    const Gradients of = random_gradients(n, random);
    const GradientScale scale(of);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    GradientCell forward, shuffled;
    long double g = 0, h = 0, most_g = 0, most_h = 0;
    for (std::size_t i : order) {
      forward.add(scale.of(of.of[i]));
      g += of.of[i].g;
      h += of.of[i].h;
      most_g = std::max(most_g, std::fabs(static_cast<long double>(of.of[i].g)));
      most_h = std::max(most_h, static_cast<long double>(of.of[i].h));
    }
    random.shuffle(order);
    for (std::size_t i : order) shuffled.add(scale.of(of.of[i]));
    CHECK(forward.g == shuffled.g && forward.h == shuffled.h);
    const GradientSums sums = scale.sums(forward);
    // The error of each number is at most half a unit.
    const double slack = static_cast<double>(n) * 0x1p-43;
    CHECK_NEAR(sums.g, static_cast<double>(g), slack * static_cast<double>(most_g));
    CHECK_NEAR(sums.h, static_cast<double>(h), slack * static_cast<double>(most_h));
    CHECK(sums.n == static_cast<std::int64_t>(n));
    CHECK(scale.rows(forward) == sums.n);
  }
}

TEST(sums_of_very_many_rows_do_not_overflow) {
  const std::size_t n = (std::size_t{3} << 19) + 3;
  const Gradients of =
      support::gradients_of(std::vector<double>(n, -0.75), std::vector<double>(n, 0.75));
  const GradientScale scale(of);
  GradientCell sum;
  for (std::size_t i = 0; i < n; ++i) sum.add(scale.of(of.of[i]));
  const GradientSums sums = scale.sums(sum);
  CHECK(sums.g == -0.75 * static_cast<double>(n) && sums.h == 0.75 * static_cast<double>(n));
  CHECK(sums.n == static_cast<std::int64_t>(n));
}

TEST(the_larger_child_is_exactly_the_parent_less_the_smaller) {
  Random random(2);
  for (int turn = 0; turn < 100; ++turn) {
    const auto n = static_cast<std::size_t>(random.between(2, 500));
    const Gradients of = random_gradients(n, random);
    const GradientScale scale(of);
    GradientCell all, left, right;
    for (std::size_t i = 0; i < n; ++i) {
      const GradientCell one = scale.of(of.of[i]);
      all.add(one);
      (random.chance(0.3) ? left : right).add(one);
    }
    all.take(left);
    CHECK(all.g == right.g && all.h == right.h);
  }
}

TEST(all_gradients_may_be_zero) {
  const Gradients of = support::gradients_of({0.0, 0.0, 0.0}, {0.0, 0.0, 0.0});
  const GradientScale scale(of);
  GradientCell sum;
  for (int i = 0; i < 3; ++i) sum.add(scale.of({0.0, 0.0}));
  CHECK(scale.sums(sum).g == 0.0 && scale.sums(sum).h == 0.0 && scale.sums(sum).n == 3);
}

TEST(codes_order_as_values_do_and_know_their_least_and_largest) {
  Random random(3);
  for (support::Shape shape : support::all_shapes) {
    for (std::size_t n : {5, 300, 2000}) {
      const std::vector<double> x = support::numbers_of(shape, n, random);
      Frame frame;
      frame.add_numbers(x);
      Sample sample;
      sample.size = n;
      const CodeColumn column = code_column(frame.columns[0], sample);
      const std::vector<int> code = codes_of(column, n);
      for (std::size_t i = 0; i < n; ++i) {
        if (std::isnan(x[i])) {
          CHECK(code[i] == column.codes);
          continue;
        }
        CHECK(code[i] < column.codes);
        CHECK(x[i] >= column.least[static_cast<std::size_t>(code[i])]);
        CHECK(x[i] <= column.most[static_cast<std::size_t>(code[i])]);
        const std::size_t j = i > 0 ? i - 1 : 0;
        if (code[j] < code[i]) CHECK(x[j] < x[i]);
      }
    }
  }
}

TEST(a_factor_of_any_number_of_levels_has_a_code_for_each) {
  Random random(4);
  for (int levels : {3, 255, 256, 1000, 65535}) {
    std::vector<int> level(3000);
    for (int& l : level) l = random.chance(0.1) ? missing_code : random.between(1, levels);
    level[0] = levels;
    level[1] = missing_code;
    Frame frame;
    frame.add_levels(level, levels);
    Sample sample;
    sample.size = level.size();
    const CodeColumn column = code_column(frame.columns[0], sample);
    CHECK(column.codes == levels);
    CHECK(column.wide.empty() == (levels <= 255));
    const std::vector<int> code = codes_of(column, level.size());
    for (std::size_t i = 0; i < level.size(); ++i)
      CHECK(code[i] == (level[i] == missing_code ? levels : level[i] - 1));
  }
  std::vector<int> level{1, 2};
  Frame frame;
  frame.add_levels(level, 65536);
  Sample sample;
  sample.size = 2;
  CHECK_THROWS(code_column(frame.columns[0], sample));
}

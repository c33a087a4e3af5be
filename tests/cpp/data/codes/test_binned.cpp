// Columns with few values, one byte per row: the table of values, and missing ones.
#include "check.h"

#include <tectree/data/codes/coded_column.hpp>

#include "support/columns.h"

using namespace tectree;
using support::Random;

namespace {

const double nan_value = std::numeric_limits<double>::quiet_NaN();

CodedColumn coded(const Column& column, std::size_t n) {
  Sample sample;
  sample.size = n;
  return make_codes(column, sample);
}

CodedColumn coded(const std::vector<double>& x) {
  Column column;
  column.real = x.data();
  return coded(column, x.size());
}

// Does every code stand for its row's value, and are the values ascending?
bool decodes(const CodedColumn& column, const std::vector<double>& x) {
  if (!column.exact || column.binned.code.size() != x.size()) return false;
  const std::vector<double>& values = column.binned.values;
  for (std::size_t v = 1; v < values.size(); ++v) {
    if (!(values[v - 1] < values[v])) return false;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint8_t code = column.binned.code[i];
    if (std::isnan(x[i])) {
      if (code != column.binned.missing()) return false;
    } else if (code >= values.size() || values[code] != x[i]) {
      return false;
    }
  }
  return column.codes == static_cast<int>(values.size());
}

std::vector<double> distinct_values(int n, bool with_missing, Random& random) {
  std::vector<double> x;
  for (int i = 0; i < n; ++i) x.push_back(i * 1.5 - 100);
  for (int i = 0; i < 500; ++i) x.push_back(random.below(n) * 1.5 - 100);
  if (with_missing) x.insert(x.end(), 50, nan_value);
  random.shuffle(x);
  return x;
}

// The number that gives 1 times the table's multiplier: allows keys with a chosen hash.
std::uint64_t inverse_of_multiplier() {
  const std::uint64_t a = 0x9E3779B97F4A7C15ull;
  std::uint64_t inverse = a;
  for (int i = 0; i < 6; ++i) inverse *= 2 - a * inverse;
  return inverse;
}

}  // namespace

TEST(few_values_are_numbered_as_they_appear) {
  detail::FewValues few;
  for (std::uint64_t i = 0; i < Binned::most; ++i) {
    const auto number = few.number(i * i * 977 + 5);
    CHECK(number && *number == i);
  }
  CHECK(!few.number(1));  // one too many
  for (std::uint64_t i = 0; i < Binned::most; ++i) {
    const auto number = few.number(i * i * 977 + 5);
    CHECK(number && *number == i);
    CHECK(few.keys()[i] == i * i * 977 + 5);
  }
  CHECK(few.keys().size() == Binned::most);
}

TEST(values_with_the_same_hash_are_distinguished) {
  const std::uint64_t inverse = inverse_of_multiplier();
  CHECK(inverse * 0x9E3779B97F4A7C15ull == 1);
  // All hash to the first slot, or all to the last, from where the search wraps around.
  for (const std::uint64_t start : {std::uint64_t{0}, ~std::uint64_t{0} - 1000}) {
    detail::FewValues few;
    for (int round = 0; round < 2; ++round) {
      for (std::uint64_t i = 0; i < Binned::most; ++i) {
        const auto number = few.number(inverse * (start + i));
        CHECK(number && *number == i);
      }
    }
    CHECK(!few.number(inverse * (start + Binned::most)));
  }
}

TEST(columns_of_up_to_255_values_are_binned) {
  Random random(1);
  for (int n : {1, 2, 3, 100, 254, 255}) {
    for (bool with_missing : {false, true}) {
      const std::vector<double> x = distinct_values(n, with_missing, random);
      const auto column = coded(x);
      CHECK(decodes(column, x));
      CHECK(column.binned.values.size() == static_cast<std::size_t>(n));
    }
  }
}

TEST(columns_of_256_values_stand_on_bins) {
  Random random(2);
  for (bool with_missing : {false, true}) {
    const std::vector<double> x = distinct_values(256, with_missing, random);
    const auto column = coded(x);
    CHECK(column.coded && !column.exact && column.binned.values.empty());
    CHECK(column.binned.code.size() == x.size());
  }
}

TEST(extreme_values_are_binned_and_zero_has_one_code) {
  std::vector<double> x = support::extremes();
  x.push_back(-0.0);
  x.push_back(nan_value);
  const auto column = coded(x);
  CHECK(decodes(column, x));
  CHECK(column.binned.values.size() == x.size() - 2);
  for (double v : column.binned.values) CHECK(v != 0.0 || !std::signbit(v));
}

TEST(a_column_without_a_value_is_binned_as_missing) {
  const std::vector<double> x(20, nan_value);
  const auto column = coded(x);
  CHECK(decodes(column, x));
  CHECK(column.binned.values.empty() && column.binned.missing() == 0);
}

TEST(levels_are_binned_by_code) {
  Random random(3);
  for (int n_levels : {1, 2, 255}) {
    std::vector<int> code = {n_levels, 1, missing_code};
    for (int i = 0; i < 300; ++i)
      code.push_back(random.chance(0.2) ? missing_code : random.between(1, n_levels));
    Column column;
    column.kind = Kind::nominal;
    column.n_levels = n_levels;
    column.whole = code.data();
    std::vector<double> x;
    for (std::size_t i = 0; i < code.size(); ++i) x.push_back(column.value(i));
    const auto made = coded(column, code.size());
    CHECK(decodes(made, x));
    CHECK(made.binned.values.size() == static_cast<std::size_t>(n_levels));
  }
}

TEST(more_than_255_levels_have_no_codes) {
  std::vector<int> code;
  for (int i = 0; i < 600; ++i) code.push_back(i % 256 + 1);
  Column column;
  column.kind = Kind::ordered;
  column.n_levels = 256;
  column.whole = code.data();
  const auto made = coded(column, code.size());
  CHECK(!made.coded && !made.exact);
}

static_assert(Binned::most <= std::numeric_limits<std::uint8_t>::max(),
              "the missing code needs a byte as well");
static_assert(missing_rank<std::uint16_t> == 16383 && missing_rank<std::uint32_t> == 4294967295u);

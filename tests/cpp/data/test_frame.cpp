// Views of the caller's data: missing values, and row numbers.
#include "check.h"

#include <tectree/data/frame.hpp>

using namespace tectree;

TEST(a_number_is_itself_and_minus_zero_is_zero) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> x = {1.5,
                                 -0.0,
                                 inf,
                                 -inf,
                                 std::numeric_limits<double>::quiet_NaN(),
                                 std::numeric_limits<double>::denorm_min()};
  Column column;
  CHECK(!column.present());
  column.real = x.data();
  CHECK(column.present());
  CHECK(column.value(0) == 1.5);
  CHECK(column.value(1) == 0.0 && !std::signbit(column.value(1)));
  CHECK(column.value(2) == inf && column.value(3) == -inf);
  CHECK(std::isnan(column.value(4)));
  CHECK(column.value(5) == x[5]);
}

TEST(the_missing_whole_number_is_not_a_number) {
  const std::vector<int> x = {missing_code, missing_code + 1, 0, INT_MAX};
  Column column;
  column.whole = x.data();
  CHECK(column.present());
  CHECK(std::isnan(column.value(0)));
  CHECK(column.value(1) == -2147483647.0);
  CHECK(column.value(2) == 0.0);
  CHECK(column.value(3) == 2147483647.0);
}

TEST(a_packed_value_is_what_its_code_stands_for) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values = {2.5, none, 7.0};
  const std::vector<std::uint8_t> one = {2, 0, 1};
  const std::vector<std::uint16_t> two = {2, 0, 1};
  for (const Packed& packed :
       {Packed{one.data(), nullptr, values.data()}, Packed{nullptr, two.data(), values.data()}}) {
    Column column;
    column.packed = packed;
    CHECK(column.present() && !column.has_levels());
    CHECK(column.value(0) == 7.0 && column.value(1) == 2.5 && std::isnan(column.value(2)));
    column.kind = Kind::nominal;
    CHECK(column.has_levels());
    CHECK(column.level(0) == 7 && column.level(2) == missing_code);
    const std::vector<int> rows = {1, 3};
    std::vector<double> seen;
    each_value(column, {2, rows.data(), nullptr}, [&](std::size_t, double x) {
      seen.push_back(x);
      return true;
    });
    CHECK(seen.size() == 2 && seen[0] == 7.0 && std::isnan(seen[1]));
  }
}

TEST(a_sample_numbers_rows_from_zero_and_weighs_by_row_of_the_frame) {
  const std::vector<int> rows = {2, 4, 5};
  const std::vector<double> weights = {9.0, 0.5, 9.0, 2.0, 3.0};
  Sample sample;
  sample.size = 3;
  CHECK(sample.row(2) == 2 && sample.weight(2) == 1.0);
  sample.weights = weights.data();
  CHECK(sample.weight(1) == 0.5);
  sample.rows = rows.data();
  CHECK(sample.row(0) == 1 && sample.row(1) == 3 && sample.row(2) == 4);
  CHECK(sample.weight(0) == 0.5 && sample.weight(1) == 2.0 && sample.weight(2) == 3.0);
}

TEST(no_classes_means_regression) {
  Response response;
  CHECK(!response.is_class());
  response.n_classes = 1;
  CHECK(response.is_class());
}

// More than 2^31 rows fit: rows and positions are not ints.
static_assert(std::is_same_v<decltype(Sample::size), std::size_t>);
static_assert(std::is_same_v<decltype(Frame::n_rows), std::size_t>);
static_assert(std::is_same_v<decltype(Sample().row(0)), std::size_t>);

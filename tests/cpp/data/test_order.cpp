// Sorting a column: against std::stable_sort, for every kind of number and at every size where the
// method changes.
#include "check.h"

#include <tectree/data/arena.hpp>
#include <tectree/data/codes/binned.hpp>

#include "support/columns.h"

using namespace tectree;
using support::Random;
using support::Shape;

namespace {

Column column_of(const std::vector<double>& x) {
  Column column;
  column.real = x.data();
  return column;
}

Sample sample_of(std::size_t n) {
  Sample sample;
  sample.size = n;
  return sample;
}

// Are the column's entries its rows in ascending order, stable, with one rank per value, without
// gaps in the ranks, missing ones last?
template <class Index>
bool is_sorted(const ArenaColumn<Index>& column, const std::vector<double>& x) {
  const std::vector<std::size_t> order = support::stable_order(x);
  if (column.entries.size() != x.size()) return false;
  std::size_t rank = 0, known = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Entry<Index>& e = column.entries[i];
    if (e.row != order[i]) return false;
    const bool missing = std::isnan(x[order[i]]);
    if (!missing && i > 0 && x[order[i]] != x[order[i - 1]]) ++rank;
    if (e.rank != (missing ? missing_rank<Index> : rank)) return false;
    known += !missing;
  }
  return column.has_missing == (known < x.size()) && column.known(0, x.size()) == known;
}

template <class Index>
ArenaColumn<Index> sorted(const std::vector<double>& x) {
  Frame frame;
  frame.columns = {column_of(x)};
  frame.n_rows = x.size();
  Team team(1);
  return make_arena<Index>(frame, sample_of(x.size()), team).columns[0];
}

}  // namespace

TEST(keys_order_as_the_numbers_do) {
  const std::vector<double> x = support::extremes();
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      CHECK((order_key(x[i]) < order_key(x[j])) == (x[i] < x[j]));
    }
  }
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const double a = random.any_double() + 0.0, b = random.any_double() + 0.0;
    CHECK((order_key(a) < order_key(b)) == (a < b));
  }
}

TEST(a_key_gives_its_number_back) {
  for (double x : support::extremes()) CHECK(detail::key_value(order_key(x)) == x);
  Random random(2);
  for (int i = 0; i < 20000; ++i) {
    const double x = random.any_double();
    CHECK(detail::key_value(order_key(x)) == x);
  }
}

TEST(columns_of_every_small_size_are_sorted) {
  Random random(3);
  for (Shape shape : support::all_shapes) {
    for (std::size_t n = 1; n <= 300; n += n < 20 || (n > 120 && n < 135) || n > 250 ? 1 : 7) {
      const std::vector<double> x = support::numbers_of(shape, n, random);
      CHECK(is_sorted(sorted<std::uint16_t>(x), x));
    }
  }
}

TEST(columns_of_medium_size_are_sorted) {
  Random random(4);
  for (Shape shape : support::all_shapes) {
    for (std::size_t n : {511, 512, 513, 2047, 2048, 2049, 16383, 16384, 16385}) {
      const std::vector<double> x = support::numbers_of(shape, n, random);
      CHECK(is_sorted(sorted<std::uint32_t>(x), x));
      CHECK(n > 16384 || is_sorted(sorted<std::uint16_t>(x), x));
    }
  }
}

TEST(a_long_column_has_ranks_beyond_16_bits) {
  Random random(5);
  for (Shape shape : {Shape::any, Shape::rising, Shape::falling, Shape::gaps}) {
    const std::vector<double> x = support::numbers_of(shape, 70001, random);
    CHECK(is_sorted(sorted<std::uint32_t>(x), x));
  }
}

TEST(numbers_whose_upper_halves_agree_are_distinguished) {
  // Decreasing within one upper half, with ties, between two other values.
  std::vector<double> x = {2.0, 0.5};
  for (int i = 400; i-- > 0;) x.push_back(1.0 + i / 2 * std::numeric_limits<double>::epsilon());
  CHECK(is_sorted(sorted<std::uint16_t>(x), x));
  for (double& v : x) v = -v;
  CHECK(is_sorted(sorted<std::uint16_t>(x), x));
}

TEST(zeros_of_both_signs_are_one_value) {
  const std::vector<double> x = {0.0, -1.0, -0.0, 1.0, -0.0, 0.0};
  const auto column = sorted<std::uint16_t>(x);
  CHECK(is_sorted(column, x));
  CHECK(column.entries.back().rank == 2);
}

TEST(many_zeros_stand_between_what_is_below_and_above) {
  Random random(7);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& values : std::vector<std::vector<double>>{{0.0},
                                                             {0.0, nan},
                                                             {0.0, 0.0, 0.0, 0.5, 2.25},
                                                             {0.0, -0.0, -0.5, -1e-300},
                                                             {0.0, 0.0, -0.5, 0.5, 1e-300, nan}}) {
    for (std::size_t n : {1, 2, 60, 500}) {
      std::vector<double> x;
      for (std::size_t i = 0; i < n; ++i)
        x.push_back(values[random.below(static_cast<int>(values.size()))]);
      CHECK(is_sorted(sorted<std::uint16_t>(x), x));
      CHECK(is_sorted(sorted<std::uint32_t>(x), x));
    }
  }
}

TEST(levels_that_need_no_order_are_listed) {
  const std::vector<int> levels = {3, 1, missing_code, 3, 2};
  Frame frame;
  frame.columns.resize(2);
  for (Column& column : frame.columns) {
    column.kind = Kind::nominal;
    column.n_levels = 3;
    column.whole = levels.data();
  }
  frame.n_rows = levels.size();
  Team team(1);
  const auto arena = make_arena<std::uint16_t>(frame, sample_of(levels.size()), team,
                                               [](std::size_t c) { return c == 1; });
  CHECK(arena.columns[0].level.empty() && arena.columns[0].entries.size() == 5);
  CHECK((arena.columns[1].level == std::vector<std::uint8_t>{2, 0, 3, 2, 1}));
  CHECK(arena.columns[1].entries.empty() && arena.columns[1].levels == 3);
  CHECK(arena.columns[0].has_missing && arena.columns[1].has_missing);
}

TEST(infinities_stand_at_the_ends) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> x = {inf, nan, 1e308, -inf, -1e308, inf, -inf, nan};
  const auto column = sorted<std::uint32_t>(x);
  const std::vector<std::uint32_t> rows = {3, 6, 4, 2, 0, 5, 1, 7};
  for (std::size_t i = 0; i < rows.size(); ++i) CHECK(column.entries[i].row == rows[i]);
  CHECK(column.known(0, 8) == 6);
}

TEST(a_column_of_missing_values_has_none_known) {
  const std::vector<double> x(300, std::numeric_limits<double>::quiet_NaN());
  const auto column = sorted<std::uint32_t>(x);
  CHECK(is_sorted(column, x));
  CHECK(column.known(0, 300) == 0);
}

TEST(whole_numbers_and_chosen_rows_are_sorted) {
  const std::vector<int> values = {7,          3, missing_code, 3, -2000000000,
                                   2000000000, 0, missing_code, 3};
  const std::vector<int> rows = {2, 3, 4, 5, 6, 9};
  Frame frame;
  frame.columns.resize(1);
  frame.columns[0].whole = values.data();
  frame.n_rows = values.size();
  Sample sample = sample_of(rows.size());
  sample.rows = rows.data();
  Team team(1);
  const auto arena = make_arena<std::uint16_t>(frame, sample, team);
  std::vector<double> x;
  for (std::size_t i = 0; i < rows.size(); ++i) x.push_back(frame.columns[0].value(sample.row(i)));
  CHECK(is_sorted(arena.columns[0], x));
  CHECK(arena.position(5) == 5);
}

TEST(columns_are_sorted_alike_by_any_number_of_threads) {
  Random random(6);
  std::vector<std::vector<double>> x;
  Frame frame;
  for (Shape shape : support::all_shapes) x.push_back(support::numbers_of(shape, 3000, random));
  for (const auto& column : x) frame.columns.push_back(column_of(column));
  frame.n_rows = 3000;
  for (int threads : {1, 2, 4}) {
    Team team(threads);
    const auto arena = make_arena<std::uint32_t>(frame, sample_of(3000), team);
    for (std::size_t c = 0; c < x.size(); ++c) CHECK(is_sorted(arena.columns[c], x[c]));
  }
}

// Columns with at most 255 codes: the code never falls as the value rises, and missing values have
// their own code.
#include "check.h"

#include <tectree/data/codes/sort_by_codes.hpp>

#include "support/columns.h"

using namespace tectree;
using support::Random;

namespace {

CodedColumn coded_of(const std::vector<double>& x) {
  Column column;
  column.real = x.data();
  Sample sample;
  sample.size = x.size();
  return make_codes(column, sample);
}

// Does the code order the rows as the values do, with equal codes for equal values?
bool orders(const CodedColumn& column, const std::vector<double>& x) {
  const std::vector<std::size_t> order = support::stable_order(x);
  bool right = column.coded && column.binned.code.size() == x.size() && column.codes <= 255;
  for (std::size_t i = 0; i < x.size() && right; ++i) {
    const std::uint8_t code = column.binned.code[order[i]];
    if (std::isnan(x[order[i]])) {
      right = code == column.missing();
      continue;
    }
    right = code < column.codes;
    if (i == 0) continue;
    const std::uint8_t before = column.binned.code[order[i - 1]];
    const bool same = x[order[i]] == x[order[i - 1]];
    right = right && (same ? code == before : code >= before);
  }
  return right;
}

}  // namespace

TEST(codes_order_as_the_values_do) {
  Random random(1);
  for (support::Shape shape : support::all_shapes) {
    for (std::size_t n : {1, 2, 255, 256, 257, 1000, 16383, 16384, 16385, 40000}) {
      const std::vector<double> x = support::numbers_of(shape, n, random);
      CHECK(orders(coded_of(x), x));
    }
  }
}

TEST(rows_above_a_number_are_found_mostly_without_their_values) {
  Random random(7);
  for (support::Shape shape : support::all_shapes) {
    const std::vector<double> x = support::numbers_of(shape, 20000, random);
    const CodedColumn column = coded_of(x);
    if (column.exact) continue;
    for (int round = 0; round < 20; ++round) {
      const double other = random.chance(0.2) ? 4 * random.uniform() - 2 : random.one_of(x);
      if (std::isnan(other)) continue;
      const BinEdges::Place place = column.edges.place(other);
      std::size_t asked = 0, wrong = 0;
      for (std::size_t row = 0; row < x.size(); ++row) {
        if (std::isnan(x[row])) continue;
        const auto value = [&] {
          ++asked;
          return x[row];
        };
        wrong += column.above(row, other, place, value) != (x[row] > other);
      }
      CHECK(wrong == 0);
      if (shape == support::Shape::rising) CHECK(asked < x.size() / 100);
    }
  }
}

TEST(few_values_have_a_code_each) {
  Random random(2);
  for (int values : {1, 2, 255}) {
    std::vector<double> x;
    for (int i = 0; i < 3000; ++i) x.push_back(i < values ? i : random.below(values));
    const CodedColumn column = coded_of(x);
    CHECK(column.exact && column.codes == values && orders(column, x));
    for (std::size_t i = 0; i < x.size(); ++i)
      CHECK(column.binned.values[column.binned.code[i]] == x[i]);
  }
}

TEST(many_values_are_dealt_evenly) {
  Random random(3);
  const std::vector<double> x = support::numbers_of(support::Shape::any, 51000, random);
  const CodedColumn column = coded_of(x);
  CHECK(!column.exact && column.codes == 255);
  std::vector<int> rows(255, 0);
  for (std::uint8_t code : column.binned.code) ++rows[code];
  for (int n : rows) CHECK(n < 2 * 51000 / 255);
}

TEST(a_column_that_is_mostly_one_value_keeps_the_rest_apart) {
  // Every edge falls on the same value; 256 others are around it.
  std::vector<double> x(20000, 7.0);
  for (int i = 0; i < 256; ++i) x[static_cast<std::size_t>(i) * 70 + 1] = i - 100;
  const CodedColumn column = coded_of(x);
  CHECK(!column.exact && orders(column, x));
  const std::vector<double> all(500, std::numeric_limits<double>::quiet_NaN());
  CHECK(orders(coded_of(all), all) && coded_of(all).codes == 0);
}

TEST(infinite_values_are_coded) {
  Random random(4);
  std::vector<double> x = support::numbers_of(support::Shape::any, 2000, random);
  for (std::size_t i = 0; i < x.size(); i += 3) x[i] = i % 2 ? HUGE_VAL : -HUGE_VAL;
  x[1] = std::numeric_limits<double>::quiet_NaN();
  CHECK(!coded_of(x).exact && orders(coded_of(x), x));
}

TEST(levels_are_coded_unless_there_are_too_many) {
  for (int n_levels : {255, 256}) {
    std::vector<int> code;
    for (int i = 0; i < 600; ++i) code.push_back(i % 7 == 0 ? missing_code : i % n_levels + 1);
    Column column;
    column.kind = Kind::nominal;
    column.n_levels = n_levels;
    column.whole = code.data();
    Sample sample;
    sample.size = code.size();
    const CodedColumn made = make_codes(column, sample);
    CHECK(made.coded == (n_levels == 255));
    CHECK(!made.coded || (made.exact && made.codes == 255 &&
                          made.binned.code[0] == made.missing() && made.binned.code[1] == 1));
  }
}

// Some rows, in a few bins with many rows and many with few, by their numbers and then by position.
TEST(rows_of_bins_are_sorted) {
  Random random(3);
  for (support::Shape shape : support::all_shapes) {
    for (std::size_t n : {2, 300, 5000, 20000}) {
      const std::vector<double> x = support::numbers_of(shape, n, random);
      Column column;
      column.real = x.data();
      Sample sample;
      sample.size = n;
      const CodedColumn coded = make_codes(column, sample);
      std::vector<std::uint32_t> rows;
      for (std::uint32_t i = 0; i < n; ++i) {
        if (random.below(static_cast<int>(n)) < 3000) rows.push_back(i);
      }
      std::vector<double> taken;
      for (std::uint32_t row : rows) taken.push_back(x[row]);
      ArenaColumn<std::uint16_t> out;
      RowSorting space;
      sort_rows(column, coded, sample, rows, space, out);
      const std::vector<std::size_t> order = support::stable_order(taken);
      bool right = out.entries.size() == rows.size();
      for (std::size_t i = 0; i < order.size() && right; ++i) {
        const Entry<std::uint16_t>& e = out.entries[i];
        right = e.row == order[i];
        const double here = taken[order[i]];
        if (std::isnan(here)) {
          right = right && e.rank == missing_rank<std::uint16_t> && out.has_missing;
        } else if (i > 0) {
          const bool rises = here != taken[order[i - 1]];
          right = right &&
                  (rises ? e.rank > out.entries[i - 1].rank : e.rank == out.entries[i - 1].rank);
        }
      }
      CHECK(right);
    }
  }
}

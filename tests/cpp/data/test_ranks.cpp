// Sorting some rows of a sample by the ranks of its columns: against sorting the same rows by their
// values, for every kind of number and at every size where the method changes.
#include "check.h"

#include <tectree/data/ranks.hpp>

#include "support/columns.h"

using namespace tectree;
using support::Random;
using support::Shape;

namespace {

Column numbers(const std::vector<double>& x) {
  Column column;
  column.real = x.data();
  return column;
}

// The entries of the arena's rows `rows`, with the places `place` in the ranks.
template <class Index>
bool sorts(const std::vector<double>& x, std::size_t n, Random& random) {
  Sample sample;
  sample.size = x.size();
  const ColumnRanks ranks = make_ranks(numbers(x), sample);
  // Rows 0, 1, ... of an arena are at increasing positions of the sample, some of them in a node.
  std::vector<std::uint32_t> place;
  for (std::uint32_t i = 0; i < x.size() && place.size() < 2 * n; ++i) {
    if (x.size() - i <= 2 * n - place.size() || random.chance(0.7)) place.push_back(i);
  }
  std::vector<Index> rows;
  for (std::size_t i = 0; i < place.size() && rows.size() < n; ++i) {
    if (place.size() - i <= n - rows.size() || random.chance(0.5))
      rows.push_back(static_cast<Index>(i));
  }
  std::vector<double> values;
  for (Index row : rows) values.push_back(x[place[row]] + 0.0);
  std::vector<Entry<Index>> out(rows.size());
  RowSorter<Index> sorter;
  sorter.sort(ranks, place.data(), rows.data(), rows.size(), out.data());
  const std::vector<std::size_t> order = support::stable_order(values);
  std::size_t rank = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double value = values[order[i]];
    const bool missing = std::isnan(value);
    if (i > 0 && !missing && value != values[order[i - 1]]) ++rank;
    if (out[i].row != rows[order[i]]) return false;
    if (out[i].rank != (missing ? missing_rank<Index> : rank)) return false;
  }
  return true;
}

}  // namespace

TEST(rows_are_sorted_by_ranks_as_by_values) {
  Random random(11);
  for (Shape shape : support::all_shapes) {
    for (std::size_t n : {1, 2, 8, 9, 20, 21, 40, 100, 600, 3000}) {
      const std::vector<double> x = support::numbers_of(shape, 4 * n, random);
      CHECK((sorts<std::uint16_t>(x, n, random)));
      CHECK((sorts<std::uint32_t>(x, n, random)));
    }
  }
  // More values than 18 bits can count, and one that most rows have.
  std::vector<double> many = support::numbers_of(Shape::any, 300000, random);
  CHECK((sorts<std::uint16_t>(many, 5000, random)));
  for (double& value : many) value = random.chance(0.8) ? 0.0 : value;
  CHECK((sorts<std::uint16_t>(many, 5000, random)));
  CHECK((sorts<std::uint32_t>(many, 50000, random)));
}

TEST(the_rank_of_a_level_is_its_code_less_one) {
  const std::vector<int> code = {3, 1, missing_code, 3};
  Column column;
  column.kind = Kind::nominal;
  column.n_levels = 5;
  column.whole = code.data();
  Sample sample;
  sample.size = code.size();
  const ColumnRanks ranks = make_ranks(column, sample);
  CHECK((ranks.rank == std::vector<std::uint32_t>{2, 0, 5, 2}));
  CHECK(ranks.values == 5 && ranks.has_missing);
  const std::vector<std::uint32_t> place = {0, 1, 2, 3};
  const std::vector<std::uint16_t> rows = {0, 2, 3};
  std::vector<std::uint8_t> level(4, 9);
  RowSorter<std::uint16_t>::list(ranks, place.data(), rows.data(), rows.size(), level.data());
  CHECK((level == std::vector<std::uint8_t>{2, 9, 5, 2}));
}

// A node's own small arena: the node's rows in every column, coded or sorted, in order again.
#include "check.h"

#include <tectree/data/divide.hpp>
#include <tectree/search/sorted/rows.hpp>

#include "support/columns.h"

using namespace tectree;
using support::Random;

namespace {

using Large = Rows<std::uint32_t>;

struct Data {
  Frame frame;
  Sample sample;

  explicit Data(const std::vector<std::vector<double>>& x) {
    for (const auto& values : x) {
      frame.columns.emplace_back();
      frame.columns.back().real = values.data();
    }
    sample.size = frame.n_rows = x[0].size();
  }
};

// The rows of the columns, divided by the parity of their number; with codes, every other column is
// not sorted.
Large divided_by_parity(const Data& data, bool with_codes) {
  const std::size_t n = data.sample.size;
  Team team(1);
  Large out{make_arena<std::uint32_t>(data.frame, data.sample, team), nullptr};
  Arena<std::uint32_t>& arena = out.arena;
  if (with_codes) {
    out.codes = std::make_shared<const Codes>(make_codes(data.frame, data.sample, team));
    for (std::size_t c = 0; c < arena.columns.size(); c += 2) arena.columns[c].entries.clear();
  }
  RowBranches branches(n);
  branches.prepare(2);
  for (std::size_t r = 0; r < n; ++r) branches.set(r, r % 2);
  branches.finish();
  std::vector<std::uint32_t> spare_rows;
  std::vector<Entry<std::uint32_t>> spare;
  branches.divide(arena.rows.data(), n, spare_rows, [](std::uint32_t row) { return row; });
  for (auto& column : arena.columns) {
    if (column.entries.empty()) continue;
    branches.divide(column.entries.data(), n, spare,
                    [](const Entry<std::uint32_t>& e) { return e.row; });
  }
  return out;
}

// Are the entries the rows in order? Ranks may have gaps, but must order and distinguish like the
// values.
bool ranks(const ArenaColumn<std::uint16_t>& column, const std::vector<double>& x) {
  const std::vector<std::size_t> order = support::stable_order(x);
  const std::size_t known = column.known(0, x.size());
  bool right = column.entries.size() == x.size();
  for (std::size_t i = 0; i < x.size() && right; ++i) {
    const auto& e = column.entries[i];
    right = e.row == order[i] && std::isnan(x[order[i]]) == (i >= known) &&
            (e.rank == missing_rank<std::uint16_t>) == (i >= known);
    if (!right || i == 0 || i >= known) continue;
    const bool same = x[order[i]] == x[order[i - 1]];
    right = same ? e.rank == column.entries[i - 1].rank : e.rank > column.entries[i - 1].rank;
  }
  return right;
}

// The odd rows' arena.
bool shrinks(const std::vector<std::vector<double>>& x, bool with_codes) {
  const Data data(x);
  const Large rows = divided_by_parity(data, with_codes);
  const std::size_t n = rows.arena.n, begin = (n + 1) / 2;
  const Range node{begin, n, &rows.arena.present, 0};
  std::vector<std::uint16_t> place(n);
  for (std::size_t r = 1; r < n; r += 2) place[r] = static_cast<std::uint16_t>(r / 2);
  const auto small = rows.small_arena(node, rows.list(node), place, data.frame, data.sample,
                                      nullptr, [](std::uint32_t) { return false; });
  bool right = small.n == n - begin;
  for (std::size_t i = 0; i < small.n; ++i) right = right && small.position(i) == 2 * i + 1;
  for (std::size_t c = 0; c < x.size(); ++c) {
    std::vector<double> odd;
    for (std::size_t r = 1; r < n; r += 2) odd.push_back(x[c][r]);
    right = right && ranks(small.columns[c], odd);
  }
  return right;
}

}  // namespace

TEST(a_shrunken_arena_holds_the_node_s_rows_in_order) {
  Random random(4);
  for (std::size_t n : {2, 3, 50, 1001, 4096, 16384}) {
    std::vector<std::vector<double>> x;
    for (support::Shape shape : support::all_shapes)
      x.push_back(support::numbers_of(shape, n, random));
    CHECK(shrinks(x, false));
    CHECK(shrinks(x, true));
  }
}

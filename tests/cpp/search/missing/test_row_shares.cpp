// Rows distributed over branches: rows with a value go whole, the others in parts by weight, and no
// weight is lost.
#include "check.h"

#include <tectree/search/missing/unknown.hpp>

#include <map>

#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

struct Row {
  int branch;
  double weight;
};

Range node_of(std::size_t begin, std::size_t n) {
  Range node;
  node.begin = begin;
  node.end = begin + n;
  return node;
}

// The parts of each row by branch; row i of the node has the number i.
using Parts = std::map<int, std::map<std::uint16_t, double>>;

Parts parts_of(const std::vector<Row>& rows, int branches, double unit = 0.0) {
  const Range node = node_of(3, rows.size());
  RowShares<std::uint16_t> shares(node, branches);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    shares.add(static_cast<std::uint16_t>(i), row.branch, row.weight, 2 * row.weight);
  }
  Parts out;
  for (int j = 0; j < branches; ++j) {
    if (!shares.has_rows(j)) continue;
    const Taken<std::uint16_t> taken = shares.of(j, rows.size(), unit);
    CHECK(taken.node_begin == node.begin && taken.node_end == node.end);
    for (std::size_t i = 0; i < taken.rows.size(); ++i) out[j][taken.rows[i]] = taken.weight[i];
  }
  return out;
}

}  // namespace

TEST(parts_follow_the_weight_of_the_branches) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const int branches = random.between(2, 5);
    std::vector<Row> rows(static_cast<std::size_t>(random.between(1, 40)));
    std::vector<double> sent(branches, 0.0);
    double all = 0.0;
    for (Row& row : rows) {
      row = {random.chance(0.3) ? no_branch : random.below(branches), 0.1 + random.uniform()};
      if (row.branch == no_branch) continue;
      sent[row.branch] += row.weight;
      all += row.weight;
    }
    Parts parts = parts_of(rows, branches);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double whole = 0.0;
      for (int j = 0; j < branches; ++j) {
        const auto found = parts[j].find(static_cast<std::uint16_t>(i));
        const double part = found == parts[j].end() ? 0.0 : found->second;
        const double expected = rows[i].branch == no_branch
                                    ? (all > 0.0 ? rows[i].weight * sent[j] / all : 0.0)
                                    : (rows[i].branch == j ? rows[i].weight : 0.0);
        CHECK_NEAR(part, expected, 1e-14);
        whole += part;
      }
      if (all > 0.0) CHECK_NEAR(whole, rows[i].weight, 1e-14);
    }
  }
}

TEST(a_part_below_the_smallest_double_is_none) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  Parts parts = parts_of({{0, 1.0}, {1, 1e-3}, {no_branch, tiny}}, 2);
  CHECK(parts[0].count(2) == 1 && parts[1].count(2) == 0);
}

TEST(parts_are_whole_units_or_none) {
  const double unit = 0x1p-20;
  Parts parts = parts_of({{0, 2.0}, {1, 0.7}, {no_branch, 1.0}, {no_branch, unit}}, 2, unit);
  CHECK(parts[1][1] == 0.7);  // whole rows keep their weights
  for (int j = 0; j < 2; ++j) {
    const double units = parts[j][2] / unit;
    CHECK(units == std::floor(units));
    CHECK_NEAR(parts[j][2], j == 0 ? 2.0 / 2.7 : 0.7 / 2.7, unit / 2);
  }
  CHECK(parts[0][3] == unit && parts[1].count(3) == 0);
}

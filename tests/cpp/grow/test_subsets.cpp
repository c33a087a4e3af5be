// Trees on subsets of a sample that share its sorted or coded columns, against trees grown from
// each subset alone.
#include <tectree/grow/many/folds.hpp>

#include "check.h"
#include "grow/parts.h"

using namespace tectree;
using parts::Data;
using support::Random;

namespace {

bool same(const Tree& a, const Tree& b) {
  if (a.kind != b.kind || a.variable != b.variable || a.n != b.n || a.breaks != b.breaks ||
      a.level != b.level || a.level_child != b.level_child || a.child != b.child)
    return false;
  bool near = a.yval == b.yval || a.n_classes == 0;
  for (std::size_t v = 0; v < a.size(); ++v) {
    near = near && check::near(a.yval[v], b.yval[v], 1e-9) &&
           check::near(a.gain[v], b.gain[v], 1e-9) && a.default_child[v] == b.default_child[v];
  }
  return near;
}

bool subsets_agree(std::size_t n, const char* criterion, bool weights, Random& random) {
  Data d;
  parts::make(d, n, criterion, weights, random);
  Team team(2);
  StopRule stop;
  stop.min_bucket = 5;
  stop.max_depth = 7;
  const auto missing = missing_policy("majority");
  const TreeGrower grower(d.problem, missing, team);
  bool agree = true;
  for (int part = 0; part < 3; ++part) {
    const std::vector<std::uint32_t> kept = parts::positions(d, part, random);
    std::vector<int> rows;
    Problem alone = d.problem;
    alone.sample = grower.rows_of(kept, rows);
    const Tree expected = grow_tree(alone, stop, missing, team);
    agree = agree && expected.size() > 3 && same(grower.grow(kept, stop, team), expected);
  }
  return agree;
}

}  // namespace

TEST(shared_columns_give_the_trees_of_each_subset) {
  Random random(1);
  for (std::size_t n : {300, 4600, 9000}) {
    for (const char* criterion : {"gini", "gain_ratio", "l2", "l1"}) {
      for (bool weights : {false, true}) {
        CHECK(subsets_agree(n, criterion, weights, random));
      }
    }
  }
}

TEST(folds_leave_out_each_position_once) {
  const std::vector<int> group{0, 1, 2, 0, 1, 2, 0};
  const Folds folds{group.data(), 3};
  CHECK((folds.positions(7, 0, true) == std::vector<std::uint32_t>{0, 3, 6}));
  CHECK((folds.positions(7, 0, false) == std::vector<std::uint32_t>{1, 2, 4, 5}));
}

// Trees on subsets of a sample that share its sorted or coded columns, against trees grown from
// each subset alone.
#include "check.h"

#include <tectree/grow/subsets.hpp>

#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

struct Data {
  std::vector<std::vector<double>> real;
  std::vector<std::vector<int>> whole;
  std::vector<int> code;
  std::vector<double> number, weight;
  std::vector<int> used;
  Problem problem;
};

void make(Data& d, std::size_t n, const char* criterion, bool weights, Random& random) {
  d.code.resize(n);
  d.number.resize(n);
  d.weight.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    d.code[i] = 1 + random.below(3);
    d.number[i] = d.code[i] + random.uniform();
    d.weight[i] = 1 + random.below(3);
  }
  const auto missing = [&](double rate) { return random.chance(rate); };
  d.real.assign(3, std::vector<double>(n));
  d.whole.assign(2, std::vector<int>(n));
  for (std::size_t i = 0; i < n; ++i) {
    d.real[0][i] = d.code[i] + 3 * random.uniform();
    d.real[1][i] = missing(0.1) ? NAN : random.below(20) + d.code[i];
    d.real[2][i] = missing(0.05) ? NAN : random.uniform();
    d.whole[0][i] = missing(0.1) ? missing_code : 1 + (random.below(3) + d.code[i]) % 5;
    d.whole[1][i] = 1 + random.below(4);
    if (i % 17 != 0) d.used.push_back(static_cast<int>(i) + 1);
  }
  Problem& p = d.problem;
  for (const auto& x : d.real) {
    p.frame.columns.emplace_back();
    p.frame.columns.back().real = x.data();
  }
  for (const auto& x : d.whole) {
    p.frame.columns.emplace_back();
    p.frame.columns.back().kind = Kind::nominal;
    p.frame.columns.back().n_levels = 5;
    p.frame.columns.back().whole = x.data();
  }
  p.frame.columns.back().kind = Kind::ordered;
  p.frame.n_rows = n;
  p.sample.size = d.used.size();
  p.sample.rows = d.used.data();
  if (weights) p.sample.weights = d.weight.data();
  p.criterion = criterion;
  p.parameter = 1.0;
  p.control.min_bucket = 5;
  const bool regression = p.criterion == "l1" || p.criterion == "l2";
  p.response.n_classes = regression ? 0 : 3;
  if (regression) {
    p.response.number = d.number.data();
  } else {
    p.response.code = d.code.data();
  }
}

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
  make(d, n, criterion, weights, random);
  Team team(2);
  StopRule stop;
  stop.min_bucket = 5;
  stop.max_depth = 7;
  const auto missing = make_missing_policy("majority", {});
  const SubsetGrower grower(d.problem, *missing, team);
  bool agree = true;
  for (int part = 0; part < 3; ++part) {
    std::vector<std::uint32_t> kept;
    for (std::size_t i = 0; i < d.used.size(); ++i) {
      if (part == 0 || random.chance(part == 1 ? 0.9 : 0.1)) {
        kept.push_back(static_cast<std::uint32_t>(i));
      }
    }
    std::vector<int> rows;
    Problem alone = d.problem;
    alone.sample = grower.rows_of(kept, rows);
    const Tree expected = grow_tree(alone, stop, *missing, team);
    agree = agree && expected.size() > 3 &&
            same(grower.grow(kept, stop, team), expected);
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

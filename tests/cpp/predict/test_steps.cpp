// Rows side by side end where each ends alone, step by step, in trees with every kind of split.
#include "check.h"

#include <tectree/predict/predictor.hpp>

#include <algorithm>

#include "support/build.h"
#include "support/random.h"

using namespace tectree;

namespace {

const double nan_value = std::numeric_limits<double>::quiet_NaN();
const double infinite = std::numeric_limits<double>::infinity();

// Columns 0 and 1 are doubles, 2 whole numbers, 3 ordered codes, 4 and 5 levels; every tenth value
// is missing, some levels are not declared.
struct Data {
  static constexpr int levels = 7;
  std::vector<double> real[2];
  std::vector<int> whole[4];
  Frame frame;

  Data(std::size_t n, support::Random& random) : frame{std::vector<Column>(6), n} {
    const auto missing = [&] { return random.below(10) == 0; };
    for (std::size_t i = 0; i < n; ++i) {
      for (auto& v : real) v.push_back(missing() ? nan_value : number(random));
      for (auto& v : whole) v.push_back(missing() ? missing_code : random.below(levels + 2));
    }
    for (int c = 0; c < 2; ++c) frame.columns[c].real = real[c].data();
    for (int c = 2; c < 6; ++c) {
      frame.columns[c].whole = whole[c - 2].data();
      frame.columns[c].kind = c == 2 ? Kind::numeric : c == 3 ? Kind::ordered : Kind::nominal;
      frame.columns[c].n_levels = c == 2 ? 0 : levels;
    }
  }

  static double number(support::Random& random) {
    const int x = random.below(12);
    return x == 0 ? -infinite : x == 1 ? infinite : x == 2 ? -0.0 : x - 6.0;
  }
};

// A split of any kind.
Winner any_split(support::Random& random) {
  switch (random.below(5)) {
    case 0:
      return support::threshold(random.below(3), random.below(9) - 4.0);
    case 1: {
      const int g = 2 + random.below(6);
      std::vector<double> breaks(g - 1);
      for (int j = 0; j < g - 1; ++j) breaks[j] = j - 3.0 + (j > 2 ? 0.5 : 0.0);
      return support::winner(SplitKind::intervals, random.below(3), g, breaks);
    }
    case 2:
      return support::winner(SplitKind::level, 3, 2, {1.0 + random.below(Data::levels)});
    case 3:
      return support::winner(SplitKind::multiway, 4 + random.below(2), Data::levels, {});
    default: {
      std::vector<int> level, branch;
      for (int code = 1; code <= Data::levels; ++code) {
        if (random.below(4) == 0) continue;  // unseen
        level.push_back(code);
        branch.push_back(random.below(2));
      }
      return support::subset(4 + random.below(2), level, branch);
    }
  }
}

Tree random_tree(support::Random& random, int splits, UnknownRows unknown) {
  Tree tree;
  support::add_leaf(tree, -1, 1);
  std::vector<int> open = {0};
  for (int i = 0; i < splits && !open.empty(); ++i) {
    const std::size_t at = random.below(static_cast<int>(open.size()));
    const int node = open[at];
    open.erase(open.begin() + at);
    const Winner w = any_split(random);
    const int missing = unknown == UnknownRows::stop ? no_branch : random.below(w.split.branches);
    for (int child : support::split(tree, node, w, missing, 1 + random.below(90)))
      open.push_back(child);
  }
  tree.unknown = unknown;
  return tree;
}

// Where a row ends, one step after another; other tests cover the parts of a row.
int end_of(const Tree& tree, const Frame& frame, std::size_t row) {
  int node = 0;
  while (tree.kind[node] != 0) {
    const Onward to = onward(tree, frame, node, row);
    if (to.branch == no_branch) break;
    node = child_of(tree, node, to.branch);
  }
  return node;
}

std::vector<int> leaves(const Tree& tree, const Frame& frame) {
  std::vector<int> leaf(frame.n_rows);
  Team team(1);
  predict_leaves(tree, frame, leaf.data(), team);
  return leaf;
}

bool ends_where_each_does(const Tree& tree, const Frame& frame) {
  const std::vector<int> leaf = leaves(tree, frame);
  for (std::size_t row = 0; row < frame.n_rows; ++row) {
    if (leaf[row] == end_of(tree, frame, row)) continue;
    std::printf("row %zu ends in %d, not in %d\n", row, leaf[row], end_of(tree, frame, row));
    return false;
  }
  return true;
}

// How many rows stop within the tree.
int inner_ends(const Tree& tree, const Frame& frame) {
  const std::vector<int> leaf = leaves(tree, frame);
  return static_cast<int>(
      std::count_if(leaf.begin(), leaf.end(), [&](int node) { return tree.kind[node] != 0; }));
}

}  // namespace

TEST(rows_side_by_side_end_where_each_does) {
  support::Random random(7);
  int stopped = 0;
  for (int round = 0; round < 200; ++round) {
    const Data data(1 + random.below(200), random);
    for (UnknownRows unknown : {UnknownRows::branch, UnknownRows::stop}) {
      const Tree tree = random_tree(random, random.below(60), unknown);
      check_tree(tree, 6);
      CHECK(ends_where_each_does(tree, data.frame));
      stopped += inner_ends(tree, data.frame);
    }
  }
  CHECK(stopped > 100);
}

TEST(rows_without_a_value_ask_surrogates_on_their_way) {
  support::Random random(11);
  for (int round = 0; round < 50; ++round) {
    const Data data(40, random);
    Tree tree = random_tree(random, 40, UnknownRows::branch);
    tree.by_surrogate = true;
    for (int node = 0; node < static_cast<int>(tree.size()); ++node) {
      if (tree.n_children[node] != 2) continue;
      Surrogate surrogate;
      surrogate.split.kind = SplitKind::threshold;
      surrogate.split.column = random.below(3);
      surrogate.split.breaks = {random.below(9) - 4.0};
      tree.set_surrogates(node, {surrogate});
    }
    check_tree(tree, 6);
    CHECK(ends_where_each_does(tree, data.frame));
  }
}

TEST(rows_that_are_shared_out_end_in_the_first_of_their_largest_parts) {
  support::Random random(13);
  for (int round = 0; round < 50; ++round) {
    const Data data(40, random);
    const Tree tree = random_tree(random, 40, UnknownRows::share);
    const std::vector<int> leaf = leaves(tree, data.frame);
    for (std::size_t row = 0; row < data.frame.n_rows; ++row) {
      int largest = 0;
      double weight = 0.0;
      spread(tree, data.frame, row, 1.0, 0, [&](int node, double part) {
        if (!(part > weight * (1 + 1e-12))) return;
        weight = part;
        largest = node;
      });
      CHECK(leaf[row] == largest);
    }
  }
}

// More levels than are laid out: rows use the split itself.
TEST(a_column_may_have_millions_of_levels) {
  const int n_levels = 3000000;
  std::vector<int> code = {1, 2, 1500000, n_levels, missing_code, 4, 5, 6, 7, 8};
  std::vector<double> x(code.size(), 1.0);
  Frame frame{std::vector<Column>(2), code.size()};
  frame.columns[0].kind = Kind::nominal;
  frame.columns[0].n_levels = n_levels;
  frame.columns[0].whole = code.data();
  frame.columns[1].real = x.data();
  Tree tree;
  support::add_leaf(tree, -1, 1);
  const auto half = support::split(tree, 0, support::threshold(1, 0.0), 0, 10);
  support::split(tree, half[1], support::subset(0, {1, 1500000, n_levels}, {0, 1, 0}), 1, 20);
  check_tree(tree, 2);
  CHECK(leaves(tree, frame) == std::vector<int>({3, 4, 4, 3, 4, 4, 4, 4, 4, 4}));
}

// A file may contain such breaks: nothing outside is read, every path ends, and a row that stops
// among the breaks of a node belongs to that node.
TEST(paths_with_nan_breaks_end) {
  support::Random random(17);
  const Data data(40, random);
  Tree tree;
  support::add_leaf(tree, -1, 1);
  const auto halves = support::split(tree, 0, support::threshold(2, 4.0), 1, 10);
  const auto some = support::split(
      tree, halves[1], support::winner(SplitKind::intervals, 0, 4, {nan_value, 1.0, nan_value}), 2,
      20);
  support::split(tree, some[0], support::threshold(1, nan_value), 1, 30);
  support::split(tree, some[2], support::winner(SplitKind::intervals, 1, 1, {}), 0, 40);
  check_tree(tree, 6);
  CHECK(ends_where_each_does(tree, data.frame));
  CHECK(inner_ends(tree, data.frame) == 0);
}

// One row far down, the others finished long before.
TEST(rows_of_very_different_paths_stand_side_by_side) {
  const Tree tree = support::chain(5000);
  std::vector<double> x;
  for (int i = 0; i < 100; ++i) x.push_back(i % 8 == 3 ? 4000.0 + i : i % 5);
  Frame frame{std::vector<Column>(1), x.size()};
  frame.columns[0].real = x.data();
  CHECK(ends_where_each_does(tree, frame));
}

// Where the parts of a row go: to a branch, over all branches, no further, or by surrogates.
#include "check.h"

#include <tectree/tree/spread.hpp>

#include <map>

#include "support/build.h"

using namespace tectree;

namespace {

const double nan_value = std::numeric_limits<double>::quiet_NaN();

// One row: numbers in columns 0 and 1, codes in 2 and 3.
struct OneRow {
  double a, b;
  int c, d;
  Frame frame{std::vector<Column>(4), 1};

  OneRow(double a_, double b_, int c_, int d_) : a(a_), b(b_), c(c_), d(d_) {
    frame.columns[0].real = &a;
    frame.columns[1].real = &b;
    for (std::size_t column : {2, 3}) frame.columns[column].kind = Kind::nominal;
    frame.columns[2].whole = &c;
    frame.columns[3].whole = &d;
  }
};

std::map<int, double> ends(const Tree& tree, const Frame& frame, int from = 0, double weight = 1) {
  std::map<int, double> found;
  spread(tree, frame, 0, weight, from, [&](int node, double w) { found[node] += w; });
  return found;
}

double sum_of(const std::map<int, double>& found) {
  double sum = 0;
  for (const auto& end : found) sum += end.second;
  return sum;
}

Surrogate surrogate(const Winner& winner, bool flipped) {
  Surrogate s;
  s.split = winner.split;
  s.flipped = flipped;
  return s;
}

}  // namespace

TEST(a_row_with_values_ends_in_one_leaf) {
  const Tree tree = support::tree_of_all_kinds();
  const OneRow row(3.0, 0.0, 4, 3);
  CHECK(ends(tree, row.frame) == (std::map<int, double>{{13, 1.0}}));
  CHECK(ends(tree, row.frame, 2, 0.25) == (std::map<int, double>{{13, 0.25}}));
}

TEST(shares_are_the_childrens_weights) {
  Tree tree = support::tree_of_all_kinds();
  tree.unknown = UnknownRows::share;
  const OneRow row(nan_value, 0.5, 2, 1);
  const auto found = ends(tree, row.frame);
  // Weights of nodes 1 and 2 are 15 and 16.5; then the second interval, and level 1.
  CHECK(found.size() == 2);
  CHECK_NEAR(found.at(4), 15 / 31.5, 1e-15);
  CHECK_NEAR(found.at(12), 16.5 / 31.5, 1e-15);
  const OneRow nothing(nan_value, nan_value, missing_code, missing_code);
  CHECK(ends(tree, nothing.frame).size() == 9);
  CHECK_NEAR(sum_of(ends(tree, nothing.frame)), 1.0, 1e-12);
  CHECK_NEAR(sum_of(ends(tree, nothing.frame, 2, 3.0)), 3.0, 1e-12);
}

TEST(children_without_weight_get_no_share) {
  Tree tree = support::tree_of_all_kinds();
  tree.unknown = UnknownRows::share;
  tree.weight[1] = 0.0;
  const OneRow row(nan_value, 0.5, 2, 1);
  CHECK(ends(tree, row.frame) == (std::map<int, double>{{12, 1.0}}));
  tree.weight[2] = 0.0;
  CHECK(ends(tree, row.frame) == (std::map<int, double>{{0, 1.0}}));
}

TEST(a_row_that_stops_ends_in_an_inner_node) {
  Tree tree = support::tree_of_all_kinds();
  tree.unknown = UnknownRows::stop;
  CHECK(ends(tree, OneRow(nan_value, 0, 1, 1).frame) == (std::map<int, double>{{0, 1.0}}));
  CHECK(ends(tree, OneRow(3.0, 0, missing_code, 1).frame) == (std::map<int, double>{{2, 1.0}}));
}

TEST(surrogates_are_asked_in_their_order) {
  Tree tree = support::tree_of_all_kinds();
  tree.by_surrogate = true;
  tree.set_surrogates(0, {surrogate(support::threshold(1, 0.0), true),
                          surrogate(support::subset(2, {1, 2}, {1, 0}), false)});
  const auto branch = [&](const OneRow& row) { return onward(tree, row.frame, 0, 0); };
  CHECK(branch(OneRow(nan_value, 1.0, 1, 1)).branch == 0);   // above 0, flipped
  CHECK(branch(OneRow(nan_value, -1.0, 2, 1)).branch == 1);  // the first decides
  CHECK(branch(OneRow(nan_value, nan_value, 1, 1)).branch == 1);
  CHECK(branch(OneRow(nan_value, nan_value, 2, 1)).surrogate == 1);
  CHECK(branch(OneRow(nan_value, nan_value, 4, 1)).by == Onward::By::unknown);
  OneRow absent(nan_value, 1.0, 1, 1);
  absent.frame.columns[1] = Column();
  CHECK(branch(absent).branch == 1);  // an absent column: the second decides
  tree.by_surrogate = false;
  CHECK(branch(OneRow(nan_value, 1.0, 1, 1)).by == Onward::By::unknown);
}

TEST(surrogates_survive_a_copy) {
  Tree tree = support::tree_of_all_kinds();
  tree.by_surrogate = true;
  tree.unknown = UnknownRows::stop;
  tree.set_surrogates(2, {surrogate(support::subset(3, {2, 3}, {0, 1}), false)});
  tree.set_surrogates(0, {surrogate(support::threshold(1, 0.5), true)});
  const Tree copy = assemble(tree);
  CHECK(copy.by_surrogate && copy.unknown == UnknownRows::stop);
  CHECK(copy.surrogates.size() == 2);
  int at_root = 0;
  for (int i = 0; i < static_cast<int>(copy.size()); ++i) {
    if (copy.kind[i] == static_cast<int>(SplitKind::subset)) {
      const SurrogateView s = copy.surrogate(copy.surrogates.start[i]);
      CHECK(s.column == 3 && s.split.n_levels == 2 && s.split.level[1] == 3);
      CHECK(s.split.level_child[0] == 0 && s.split.level_child[1] == 1);
    }
    at_root += i == 0 ? copy.surrogates.count[i] : 0;
  }
  CHECK(at_root == 1);
  CHECK(copy.surrogate(copy.surrogates.start[0]).flipped);
}

TEST(a_deep_tree_overflows_no_stack) {
  Tree tree = support::chain(100000);
  tree.unknown = UnknownRows::share;
  for (double& w : tree.weight) w = 1.0;
  const OneRow row(nan_value, 0, 1, 1);
  double sum = 0.0;
  std::size_t n = 0;
  spread(tree, row.frame, 0, 1.0, 0, [&](int, double w) {
    sum += w;
    ++n;
  });
  CHECK(n == 100001);
  CHECK_NEAR(sum, 1.0, 1e-12);
}

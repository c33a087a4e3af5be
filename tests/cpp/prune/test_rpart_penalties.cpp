// rpart's rule on hand-made trees. Tests on random trees and data are in test-penalties.R and
// test-rpart-same.R.
#include "check.h"

#include <tectree/prune/rpart_penalties.hpp>

#include "prune/random_tree.h"

using namespace tectree;
using support::Random;

namespace {

// Two levels of splits: the root, its two children, and their four leaves. `errors` in pre-order.
Tree two_levels(const std::vector<double>& errors) {
  Tree tree;
  support::add_leaf(tree, -1, 1);
  support::set_counts(tree, 0, 100, errors[0]);
  std::size_t next = 1;
  const auto grow = [&](int at, double a, double b, double left_errors, double right_errors) {
    const auto w = support::threshold(0, 1.0);
    const std::vector<int> children = support::split(tree, at, w, 0, 1);
    support::set_counts(tree, children[0], a, left_errors);
    support::set_counts(tree, children[1], b, right_errors);
    return children;
  };
  const std::vector<int> halves = grow(0, 50, 50, errors[1], errors[4]);
  next = 2;
  for (int half : halves) {
    grow(half, 25, 25, errors[next], errors[next + 1]);
    next += 3;
  }
  return assemble(tree);
}

}  // namespace

TEST(a_child_that_would_be_a_leaf_by_then_counts_as_one) {
  // The root saves nothing by its own split, the left half 6, the right half 2.
  const Tree tree = two_levels({20, 10, 2, 2, 10, 4, 4});
  const NodeRisk risk;
  const std::vector<double> penalty = rpart_penalties(tree, risk);
  // All three save 8 with three splits, which is more than the right half's 2: without that, 6 with
  // two.
  CHECK_NEAR(penalty[0], 3.0, 1e-12);
  CHECK_NEAR(penalty[4], 2.0, 1e-12);
  // The left half would be kept longer, but is removed with the root.
  CHECK_NEAR(penalty[1], 3.0, 1e-12);
  CHECK(penalty[2] == -HUGE_VAL);
}

TEST(a_split_is_undone_before_the_node_above_is_looked_at) {
  const Tree tree = two_levels({20, 10, 2, 2, 10, 4, 4});
  const NodeRisk risk;
  const std::vector<double> penalty = rpart_penalties(tree, risk, 2.5);
  CHECK_NEAR(penalty[0], 3.0, 1e-12);
  CHECK_NEAR(penalty[1], 3.0, 1e-12);
  CHECK(penalty[4] == -HUGE_VAL);
  // At the root's own penalty nothing is left.
  CHECK(rpart_penalties(tree, risk, 3.0)[0] == -HUGE_VAL);
}

TEST(a_finished_tree_keeps_its_penalties) {
  Random random(5);
  int cut = 0;
  for (int i = 0; i < 300; ++i) {
    const Tree tree = support::random_tree(random.below(40), random);
    NodeRisk risk;
    risk.impurity = i % 2 == 0;
    const double least = 0.02 * (i % 4) * risk(tree, 0);
    const std::vector<double> grown = rpart_penalties(tree, risk, least);
    const Tree left = prune_at_penalty(tree, risk, grown, least);
    const std::vector<double> again = rpart_penalties(left, risk);
    std::size_t at = 0;
    for (std::size_t v = 0; v < tree.size(); ++v) {
      if (v > 0 && grown[tree.parent[v]] == -HUGE_VAL) continue;
      CHECK_NEAR(again[at], grown[v], 1e-9 * risk(tree, 0));
      ++at;
    }
    CHECK(at == left.size());
    cut += left.size() < tree.size();
  }
  CHECK(cut > 100);
}

TEST(deep_trees_take_no_recursion) {
  const Tree tree = support::saving_chain(200000);
  NodeRisk risk;
  risk.impurity = true;
  CHECK(rpart_penalties(tree, risk)[0] > 0);
  CHECK(rpart_penalties(tree, risk, 1e3).size() == tree.size());
}

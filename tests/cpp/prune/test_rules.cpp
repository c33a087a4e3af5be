// The fold, its cuts, and the figures used by the rules.
#include "check.h"

#include <tectree/prune/error_based.hpp>

#include "prune/random_tree.h"

using namespace tectree;
using support::Random;

TEST(a_cut_tree_is_in_preorder_and_keeps_the_splits_above) {
  const Tree tree = support::tree_of_all_kinds();
  const Tree whole = assemble(tree);
  const Tree same = cut_at(whole, [](int) { return false; });
  CHECK(same.kind == whole.kind && same.child == whole.child && same.breaks == whole.breaks);
  CHECK(same.level == whole.level && same.parent == whole.parent && same.depth == whole.depth);
  // The intervals below the root become a leaf; the groups of the other side stay.
  const Tree cut =
      cut_at(whole, [&](int v) { return whole.kind[v] == static_cast<int>(SplitKind::intervals); });
  CHECK(cut.size() == whole.size() - 3);
  CHECK(cut.breaks.size() == whole.breaks.size() - 2);
  CHECK(cut.kind[1] == 0 && cut.variable[1] == -1 && cut.default_child[1] == -1);
  for (std::size_t v = 1; v < cut.size(); ++v) CHECK(cut.parent[v] < static_cast<int>(v));
  CHECK(cut_at(whole, [](int) { return true; }).size() == 1);
}

TEST(counts_are_given_back_from_shares) {
  for (int n = 1; n < 300; ++n) {
    for (int c = 0; c <= n; ++c) CHECK(count_of(n, static_cast<double>(c) / n) == c);
  }
  CHECK_NEAR(count_of(2.5, 0.3), 0.75, 1e-15);
}

TEST(the_normal_quantile_is_right) {
  CHECK_NEAR(normal_upper(0.25), 0.67448975019608171, 1e-14);
  CHECK_NEAR(normal_upper(0.5), 0.0, 1e-14);
  CHECK_NEAR(normal_upper(0.025), 1.9599639845400545, 1e-13);
  CHECK_NEAR(normal_upper(1e-10), 6.3613409024040557, 1e-9);
}

// Quinlan's worked example (C4.5, section 4.2): leaves with 6, 9 and 1 rows without errors at 25 %.
TEST(expected_errors_are_quinlan_s) {
  const ErrorEstimate estimate(0.25);
  CHECK_NEAR(estimate(6, 0), 6 * 0.206, 0.003);
  CHECK_NEAR(estimate(9, 0), 9 * 0.143, 0.003);
  CHECK_NEAR(estimate(1, 0), 0.750, 1e-12);
  CHECK_NEAR(estimate(16, 1), 16 * 0.157, 0.06);
  CHECK(estimate(0, 0) == 0.0);
  CHECK_NEAR(estimate(3, 2.5), 3.0, 1e-12);
  // Linear between no error and one.
  CHECK_NEAR(estimate(7, 0.5), (estimate(7, 0) + estimate(7, 1)) / 2, 1e-12);
}

TEST(pessimistic_pruning_cuts_from_the_root_down) {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const Tree tree = support::random_tree(random.below(20), random);
    const NodeRisk risk;
    const auto errors = training_errors(tree, risk);
    const auto below = sums_of_leaves(tree, errors), leaves = leaves_below(tree);
    // The remaining nodes: those whose ancestors all stay.
    std::vector<char> there(tree.size(), 1);
    std::size_t expected = 0;
    for (std::size_t v = 0; v < tree.size(); ++v) {
      const int up = tree.parent[v];
      there[v] = up < 0 || (there[up] &&
                            !pessimistic_leaf(tree.weight[up], errors[up], below[up], leaves[up]));
      expected += there[v];
    }
    CHECK(prune_pessimistic(tree, risk).size() == expected);
  }
}

// Penalties against weakest-link cutting as its authors describe it: repeatedly cut the node whose
// splits save the least each.
#include "check.h"

#include <tectree/prune/cost_complexity.hpp>

#include <chrono>

#include "prune/random_tree.h"

using namespace tectree;
using support::Random;

namespace {

struct Link {
  int node = -1;
  double penalty = HUGE_VAL;
};

Link weakest(const Tree& tree, const NodeRisk& risk, const std::vector<char>& cut) {
  std::vector<double> below(tree.size()), leaves(tree.size(), 1.0);
  std::vector<char> reached(tree.size(), 1);
  for (std::size_t v = 1; v < tree.size(); ++v)
    reached[v] = reached[tree.parent[v]] && !cut[tree.parent[v]];
  Link out;
  for (int v = static_cast<int>(tree.size()); v-- > 0;) {
    below[v] = risk(tree, v);
    if (tree.kind[v] == 0 || cut[v]) continue;
    below[v] = leaves[v] = 0.0;
    for (int j = 0; j < tree.n_children[v]; ++j) {
      below[v] += below[child_of(tree, v, j)];
      leaves[v] += leaves[child_of(tree, v, j)];
    }
    const double penalty = (risk(tree, v) - below[v]) / (leaves[v] - 1);
    if (reached[v] && penalty <= out.penalty) out = {v, penalty};  // the uppermost on ties
  }
  return out;
}

bool same_penalties(const Tree& tree, const NodeRisk& risk) {
  const std::vector<double> found = leaf_penalties(tree, risk);
  std::vector<char> cut(tree.size(), 0);
  std::vector<double> penalty(tree.size(), -HUGE_VAL);
  double at = -HUGE_VAL;
  for (Link link = weakest(tree, risk, cut); link.node >= 0; link = weakest(tree, risk, cut)) {
    cut[link.node] = 1;
    at = std::max(at, link.penalty);
    for (std::size_t v = 0; v < tree.size(); ++v) {
      int up = static_cast<int>(v);
      while (up >= 0 && up != link.node) up = tree.parent[up];
      if (up >= 0 && tree.kind[v] != 0 && penalty[v] == -HUGE_VAL) penalty[v] = at;
    }
  }
  bool same = true;
  for (std::size_t v = 0; v < tree.size(); ++v) {
    same = same && (penalty[v] == found[v] ||
                    std::fabs(penalty[v] - found[v]) <= 1e-9 * (1 + std::fabs(found[v])));
  }
  return same;
}

}  // namespace

TEST(penalties_are_those_of_weakest_link_cutting) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const Tree tree = support::random_tree(random.below(25), random);
    NodeRisk risk;
    CHECK(same_penalties(tree, risk));
    risk.impurity = true;
    CHECK(same_penalties(tree, risk));
    risk.impurity = false;
    risk.loss.cost = {0, 3, 1, 0};
    CHECK(same_penalties(tree, risk));
  }
}

TEST(the_table_counts_the_trees_it_names) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Tree tree = support::random_tree(1 + random.below(25), random);
    NodeRisk risk;
    risk.impurity = i % 2 == 0;
    const std::vector<double> penalties = leaf_penalties(tree, risk);
    const PenaltyTable table = penalty_table(tree, risk, penalties, 0.0);
    for (std::size_t r = 0; r < table.penalty.size(); ++r) {
      const Tree pruned = prune_at_penalty(tree, risk, penalties, table.penalty[r]);
      double leaves = 0, sum = 0;
      for (std::size_t v = 0; v < pruned.size(); ++v) {
        if (pruned.kind[v] != 0) continue;
        ++leaves;
        sum += risk(pruned, static_cast<int>(v));
      }
      CHECK(leaves == table.leaves[r]);
      CHECK(pruned.size() - leaves == table.splits[r]);
      CHECK_NEAR(sum, table.risk[r], 1e-9 * (1 + sum));
      CHECK(r == 0 || table.penalty[r] < table.penalty[r - 1]);
    }
  }
}

TEST(a_leaf_has_a_table_of_one_row) {
  Random random(3);
  const Tree tree = support::random_tree(0, random);
  const NodeRisk risk;
  const PenaltyTable table = penalty_table(tree, risk, leaf_penalties(tree, risk), 0.5);
  CHECK(table.penalty.size() == 1 && table.penalty[0] == 0.5);
  CHECK(table.leaves[0] == 1 && table.splits[0] == 0);
}

TEST(deep_and_wide_trees_take_no_recursion_over_their_depth) {
  const Tree tree = support::saving_chain(200000);
  NodeRisk risk;
  risk.impurity = true;
  const std::vector<double> penalties = leaf_penalties(tree, risk);
  CHECK(penalties[0] > 0);
  CHECK(penalty_table(tree, risk, penalties, 0.0).leaves.back() > 1);
  CHECK(prune_at_penalty(tree, risk, penalties, 2 * penalties[0]).size() == 1);
}

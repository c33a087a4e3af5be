// Prunings as maps, against the trees made by pruning one by one.
#include "check.h"

#include <tectree/prune/prunings.hpp>

#include "prune/random_tree.h"

using namespace tectree;
using support::Random;

namespace {

// Shape first, as a separate tree, then the penalty.
Tree one_by_one(const Tree& tree, const NodeRisk& risk, PenaltyRule rule, const Pruning& p) {
  Tree shape = cut_at(tree, [&](int v) {
    return tree.depth[v] >= p.max_depth || !reaches(tree.weight[v], p.min_split);
  });
  if (!p.penalized) return shape;
  return prune_at_penalty(shape, risk, penalties_by(rule, shape, risk, p.penalty), p.penalty);
}

// The nodes of the map in pre-order are those of the pruned tree, with the same facts.
bool same_tree(const Tree& whole, const PrunedTo& map, const Tree& pruned) {
  std::vector<int> kept;
  for (int v = 0; v < static_cast<int>(whole.size()); ++v) {
    if (map.end[v] == v) kept.push_back(v);
  }
  if (kept.size() != pruned.size() || map.nodes != static_cast<int>(pruned.size())) return false;
  int leaves = 0, depth = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    leaves += pruned.kind[i] == 0;
    depth = std::max(depth, pruned.depth[i]);
    if (whole.weight[kept[i]] != pruned.weight[i] || whole.depth[kept[i]] != pruned.depth[i])
      return false;
  }
  return map.leaves == leaves && map.depth == depth;
}

// Every pruned node ends in the leaf of the pruning above it.
bool ends_above(const Tree& whole, const PrunedTo& map) {
  for (int v = 0; v < static_cast<int>(whole.size()); ++v) {
    int up = v;
    while (up >= 0 && map.end[up] != up) up = whole.parent[up];
    if (up != map.end[v]) return false;
  }
  return true;
}

}  // namespace

TEST(every_pruning_is_the_tree_pruned_by_itself) {
  Random random(7);
  int cut = 0;
  for (int i = 0; i < 200; ++i) {
    const Tree tree = support::random_tree(random.below(30), random);
    NodeRisk risk;
    risk.impurity = i % 2 == 0;
    if (i % 5 == 0) risk.loss.cost = {0, 3, 1, 0};
    std::vector<Pruning> prunings;
    for (double depth : {HUGE_VAL, 0.0, 2.0, 4.0}) {
      for (double split : {0.0, 10.0, 60.0}) {
        prunings.push_back({depth, split, false, 0.0});
        for (double share : {0.0, 0.01, 0.05, 0.3})
          prunings.push_back({depth, split, true, share * risk(tree, 0)});
      }
    }
    std::vector<int> met(prunings.size(), 0);
    const PenaltyRule rule = i % 3 == 0 ? PenaltyRule::rpart : PenaltyRule::weakest_link;
    each_pruning(tree, risk, rule, prunings, [&](std::size_t p, const PrunedTo& map) {
      ++met[p];
      const Tree alone = one_by_one(tree, risk, rule, prunings[p]);
      CHECK(same_tree(tree, map, alone));
      CHECK(ends_above(tree, map));
      cut += alone.size() < tree.size();
    });
    CHECK(std::count(met.begin(), met.end(), 1) == static_cast<long>(met.size()));
  }
  CHECK(cut > 1000);
}

TEST(a_penalty_cuts_the_shape_and_not_the_whole_tree) {
  // The second split alone saves nothing, with the two below it everything: a table of XOR.
  Tree tree;
  support::add_leaf(tree, -1, 1);
  support::set_counts(tree, 0, 20, 20);
  const auto grow = [&](int node, double a0, double b0, double a1, double b1) {
    const auto children = support::split(tree, node, support::threshold(0, 1.0), 0, 1);
    support::set_counts(tree, children[0], a0, b0);
    support::set_counts(tree, children[1], a1, b1);
    return children;
  };
  const auto top = grow(0, 10, 10, 10, 10);
  grow(top[0], 10, 0, 0, 10);
  grow(top[1], 0, 10, 10, 0);
  tree = assemble(tree);
  const NodeRisk risk;
  std::vector<int> nodes;
  each_pruning(tree, risk, PenaltyRule::weakest_link,
               {{HUGE_VAL, 0.0, true, 1.0}, {1.0, 0.0, true, 1.0}},
               [&](std::size_t, const PrunedTo& map) { nodes.push_back(map.nodes); });
  std::sort(nodes.begin(), nodes.end());
  CHECK(nodes == std::vector<int>({1, 7}));
}

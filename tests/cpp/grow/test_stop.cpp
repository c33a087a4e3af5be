// When a node becomes a leaf without a search, and which node is split next.
#include "check.h"

#include <tectree/grow/frontier.hpp>
#include <tectree/grow/stop.hpp>

#include "support/random.h"

using namespace tectree;

namespace {

NodeFacts node_of(std::size_t n, double weight, bool pure = false) {
  NodeFacts facts;
  facts.n = n;
  facts.weight = weight;
  facts.pure = pure;
  return facts;
}

OpenNode open_node(int node, double weighted_gain) {
  OpenNode open;
  open.at = node;
  open.weighted_gain = weighted_gain;
  return open;
}

std::vector<int> popped(Frontier& frontier) {
  std::vector<int> nodes;
  while (!frontier.empty()) nodes.push_back(frontier.pop().at);
  return nodes;
}

}  // namespace

TEST(pure_nodes_and_single_rows_are_leaves) {
  const StopRule stop;
  CHECK(stop.is_leaf(node_of(10, 10, true), 0));
  CHECK(stop.is_leaf(node_of(1, 100), 0));
  CHECK(!stop.is_leaf(node_of(2, 2), 0));
  CHECK(!stop.is_leaf(node_of(2, 2), 1000000));
}

TEST(a_node_lighter_than_min_split_is_a_leaf) {
  StopRule stop;
  stop.min_split = 10;
  CHECK(stop.is_leaf(node_of(20, 9.99), 0));
  CHECK(!stop.is_leaf(node_of(20, 10), 0));
  CHECK(!stop.is_leaf(node_of(5, 10), 0));  // weights count, not rows
  CHECK(!stop.is_leaf(node_of(20, 10 - 5e-9), 0));
  stop.min_split = HUGE_VAL;
  CHECK(stop.is_leaf(node_of(20, 1e300), 0));
}

TEST(two_branches_of_min_bucket_must_fit) {
  StopRule stop;
  stop.min_split = 2;
  stop.min_bucket = 5;
  CHECK(stop.is_leaf(node_of(9, 9), 0));
  CHECK(!stop.is_leaf(node_of(10, 10), 0));
}

TEST(a_node_at_max_depth_is_a_leaf) {
  StopRule stop;
  stop.max_depth = 3;
  CHECK(!stop.is_leaf(node_of(10, 10), 2));
  CHECK(stop.is_leaf(node_of(10, 10), 3));
  stop.max_depth = 0;
  CHECK(stop.is_leaf(node_of(10, 10), 0));
}

TEST(a_node_that_is_pure_enough_is_a_leaf) {
  StopRule stop;
  NodeFacts facts = node_of(10, 10);
  facts.impurity = 0.25;
  CHECK(!stop.is_leaf(facts, 0));
  stop.min_impurity = 0.25;
  CHECK(stop.is_leaf(facts, 0));
  stop.min_impurity = 0.24;
  CHECK(!stop.is_leaf(facts, 0));
  CHECK(!stop.by_size_alone());
}

TEST(a_split_is_worth_its_gain_times_its_share_of_the_root) {
  StopRule stop;
  CHECK(stop.worth(-1.0, 5) && stop.by_size_alone());
  stop.min_weighted_gain = 0.1;
  stop.know_root(node_of(100, 200));
  CHECK(stop.worth(0.2, 100) && !stop.worth(0.19, 100));
  // The root of a part of the tree is not the root.
  stop.know_root(node_of(10, 20));
  CHECK(!stop.worth(0.2, 20));
  CHECK(!stop.by_size_alone());
}

TEST(depth_first_the_newest_node_is_next) {
  Frontier frontier(GrowthOrder::depth_first);
  CHECK(frontier.empty());
  frontier.push(open_node(1, 9.0));
  frontier.push(open_node(2, 1.0));
  CHECK(frontier.pop().at == 2);
  frontier.push(open_node(3, 5.0));
  frontier.push(open_node(4, 7.0));
  CHECK((popped(frontier) == std::vector<int>{4, 3, 1}));
}

TEST(best_first_the_largest_gain_is_next) {
  Frontier frontier(GrowthOrder::best_first);
  support::Random random(1);
  std::vector<double> gains;
  for (int i = 0; i < 200; ++i) {
    gains.push_back(random.below(1000) + 0.5);
    frontier.push(open_node(i, gains.back()));
  }
  const std::vector<int> nodes = popped(frontier);
  CHECK(nodes.size() == 200);
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const double before = gains[static_cast<std::size_t>(nodes[i - 1])],
                 here = gains[static_cast<std::size_t>(nodes[i])];
    CHECK(before > here || (before == here && nodes[i - 1] < nodes[i]));
  }
}

TEST(gains_that_differ_by_rounding_are_equal_and_the_oldest_goes_first) {
  for (double gain : {0.3, 1e-20, 7e15}) {
    Frontier frontier(GrowthOrder::best_first);
    frontier.push(open_node(0, gain * (1 + 1e-15)));
    frontier.push(open_node(1, gain * (1 + 3e-15)));
    frontier.push(open_node(2, gain * (1 + 1e-6)));
    frontier.push(open_node(3, gain));
    CHECK((popped(frontier) == std::vector<int>{2, 0, 1, 3}));
  }
}

TEST(a_node_whose_risk_is_the_penalty_of_a_leaf_is_a_leaf) {
  StopRule stop;
  NodeFacts facts = node_of(10, 10);
  facts.risk = 4.0;
  CHECK(!stop.is_leaf(facts, 0));
  stop.least_risk = 3.9;
  CHECK(!stop.is_leaf(facts, 0));
  stop.least_risk = 4.0;
  CHECK(stop.is_leaf(facts, 0));
  // The same as a share of the root's risk.
  StopRule of_share;
  of_share.least_share = 0.5;
  NodeFacts root = node_of(20, 20);
  root.risk = 8.0;
  of_share.know_root(root);
  CHECK(of_share.is_leaf(facts, 1) && !of_share.by_size_alone());
}

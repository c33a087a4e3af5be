// The trees of single criteria, extracted from the nodes of a run.
#include "check.h"

#include <tectree/grow/tuning/traced_trees.hpp>

using namespace tectree;

namespace {

NodeFacts facts_of(double weight, double yval) {
  NodeFacts facts;
  facts.weight = weight;
  facts.yval = yval;
  return facts;
}

TracedTrees::Criteria criteria_of(CriteriaSet set) {
  return std::make_shared<const CriteriaSet>(std::move(set));
}

Split split_on(int column, SplitKind kind, std::vector<double> breaks) {
  Split split;
  split.column = column;
  split.kind = kind;
  split.breaks = std::move(breaks);
  return split;
}

}  // namespace

TEST(each_criterion_has_its_own_nodes_and_splits) {
  TracedTrees trace(2);
  const double shares[] = {0.25, 0.75};
  // Criteria 0 and 1 split the root equally, 2 differently; 1 then splits a child.
  const int root = trace.add_node(-1, 0, facts_of(8, 1), shares, criteria_of({0, 1, 2}));
  trace.add_split(root, split_on(3, SplitKind::threshold, {0.5}), criteria_of({0, 1}));
  const int left = trace.add_node(root, 1, facts_of(5, 0), shares, criteria_of({0, 1}));
  trace.add_node(root, 1, facts_of(3, 1), shares, criteria_of({0, 1}));
  trace.add_split(root, split_on(1, SplitKind::intervals, {1, 2}), criteria_of({2}));
  for (double weight : {1.0, 3.0, 4.0})
    trace.add_node(root, 1, facts_of(weight, 0), shares, criteria_of({2}));
  trace.add_split(left, split_on(0, SplitKind::subset, {}), criteria_of({1}));
  trace.add_node(left, 2, facts_of(2, 0), shares, criteria_of({1}));
  trace.add_node(left, 2, facts_of(3, 1), shares, criteria_of({1}));

  const TracedTrees::One first = trace.tree_of(0);
  CHECK(first.parent == std::vector<int>({-1, 0, 0}));
  CHECK(first.weight == std::vector<double>({8, 5, 3}));
  CHECK(first.kind == std::vector<int>({1, 0, 0}));
  CHECK(first.column == std::vector<int>({3, -1, -1}));
  const TracedTrees::One second = trace.tree_of(1);
  CHECK(second.parent == std::vector<int>({-1, 0, 0, 1, 1}));
  CHECK(second.kind == std::vector<int>({1, 4, 0, 0, 0}));
  CHECK(second.depth == std::vector<int>({0, 1, 1, 2, 2}));
  CHECK(second.yval == std::vector<double>({1, 0, 1, 0, 1}));
  const TracedTrees::One third = trace.tree_of(2);
  CHECK(third.weight == std::vector<double>({8, 1, 3, 4}));
  CHECK(third.breaks == std::vector<int>({2, 0, 0, 0}));
  CHECK(trace.shares(third.node[2])[1] == 0.75);
}

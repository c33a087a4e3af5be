// Growing a tree, iteratively:
//   1. the root's split is searched and put on the frontier;
//   2. the frontier's next node is split: its rows are divided, its children described; each child that may
//      split further is searched and goes on the frontier;
//   3. depth-first, a child of few rows is set aside instead: when only such are left, each is grown to its
//      end in an arena of its own, on as many threads as there are, and grafted on.
// A node's split depends on its rows alone, so neither the order nor the threads can change the tree.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "../missing/policy.hpp"
#include "../tree/tree.hpp"
#include "frontier.hpp"
#include "stop.hpp"

namespace tectree {

class Grower {
 public:
  // Nodes of at most `small` rows are grown in their own arena.
  Grower(const StopRule& stop, const MissingPolicy& missing, int n_classes, std::size_t small)
      : stop_(stop), missing_(missing), small_(small),
        order_(std::isinf(stop.max_leaves) ? GrowthOrder::depth_first : GrowthOrder::best_first), frontier_(order_) {
    tree_.n_classes = n_classes;
  }

  // `depth`: of the root, where it is a node of a larger tree.
  Tree grow(std::shared_ptr<NodeSearch> search, Range root, int depth, Team& team) {
    root_depth_ = depth;
    const NodeFacts facts = search->describe(root);
    const int node = tree_.add_leaf(facts, -1);
    if (!stop_.is_leaf(facts, depth)) consider(node, std::move(root), search, team);
    while (!frontier_.empty()) {
      team.check();
      OpenNode open = frontier_.pop();
      const int branches = open.winner.split.branches;
      if (leaves_ + branches - 1 > stop_.max_leaves) continue;
      leaves_ += branches - 1;
      split(open, team);
    }
    return finish(team);
  }

 private:
  struct SetAside {
    int node;
    Range range;
    std::shared_ptr<NodeSearch> search;
  };

  void consider(int node, Range range, std::shared_ptr<NodeSearch> search, Team& team) {
    if (range.size() <= small_) {
      if (order_ == GrowthOrder::depth_first) {
        aside_.push_back({node, std::move(range), std::move(search)});
        return;
      }
      if (std::shared_ptr<NodeSearch> own = search->shrink(range)) {
        range = own->root();
        search = std::move(own);
      }
    }
    std::optional<Winner> winner = search->best(range, team);
    if (!winner) return;
    OpenNode open;
    open.node = node;
    open.range = std::move(range);
    open.search = std::move(search);
    open.weighted_gain = winner->gain * tree_.weight[node];
    open.winner = std::move(*winner);
    frontier_.push(std::move(open));
  }

  void split(const OpenNode& open, Team& team) {
    NodeSearch& search = *open.search;
    const int missing = missing_.branch(open.winner.branch_weight);
    tree_.set_split(open.node, open.winner, missing);
    const std::vector<Range> ranges = search.divide_rows(open.range, open.winner.split, missing);
    std::vector<int> nodes;
    std::vector<char> searched;
    const int depth = root_depth_ + tree_.depth[open.node] + 1;
    for (const Range& range : ranges) {
      const NodeFacts facts = range.size() > 0 ? search.describe(range) : empty_leaf(open.node);
      nodes.push_back(tree_.add_leaf(facts, open.node));
      searched.push_back(range.size() > 0 && !stop_.is_leaf(facts, depth));
    }
    tree_.set_children(open.node, nodes);
    search.divide_columns(open.range, ranges, searched, team);
    // The last is pushed first, so that depth-first goes left first.
    for (std::size_t j = ranges.size(); j-- > 0;) {
      if (searched[j]) consider(nodes[j], ranges[j], open.search, team);
    }
  }

  // A branch that no row takes predicts as its parent does.
  NodeFacts empty_leaf(int parent) const {
    NodeFacts facts = facts_of(tree_, parent);
    facts.n = 0;
    facts.weight = facts.impurity = 0.0;
    return facts;
  }

  Tree finish(Team& team) {
    std::vector<Tree> grafts(aside_.size());
    std::vector<int> at(aside_.size());
    team.each(aside_.size(), [&](std::size_t i, Team& inner) {
      SetAside& part = aside_[i];
      at[i] = part.node;
      std::shared_ptr<NodeSearch> own = part.search->shrink(part.range);
      Range root = own ? own->root() : part.range;
      Grower grower(stop_, missing_, tree_.n_classes, 0);
      grafts[i] = grower.grow(own ? own : part.search, root, root_depth_ + tree_.depth[part.node], inner);
    });
    return assemble(tree_, at, grafts);
  }

  StopRule stop_;
  const MissingPolicy& missing_;
  std::size_t small_;
  GrowthOrder order_;
  Frontier frontier_;
  Tree tree_;
  double leaves_ = 1;
  int root_depth_ = 0;
  std::vector<SetAside> aside_;
};

}  // namespace tectree

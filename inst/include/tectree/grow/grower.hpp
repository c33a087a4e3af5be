// Growing a tree, iteratively:
//   1. the root goes on the frontier;
//   2. the frontier's next node is searched (best-first: was, when it came in) and split: its rows
//   are divided,
//      its children described, and each that may split further goes on the frontier;
//   3. depth-first, a child of few rows is set aside instead: when only such are left, each is
//   grown to its end by
//      one thread, and grafted on. So threads meet at every node only while nodes are few and
//      large. What is small enough for an arena of its own gets one.
// A node's split depends on its rows alone, so neither the order nor the threads can change the
// tree.
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
  // Nodes of at most `small` rows are grown in their own arena; depth-first, those of at most
  // `aside` rows by one thread.
  Grower(const StopRule& stop, const MissingPolicy& missing, int n_classes, std::size_t small,
         std::size_t aside)
      : stop_(stop),
        missing_(missing),
        small_(small),
        most_aside_(std::max(small, aside)),
        order_(std::isinf(stop.max_leaves) ? GrowthOrder::depth_first : GrowthOrder::best_first),
        frontier_(order_) {
    tree_.n_classes = n_classes;
  }

  // The nodes stand in the order they were made: assemble() puts them in pre-order. `depth`: of the
  // root, where it is a node of a larger tree.
  Tree grow(std::shared_ptr<NodeSearch> search, Range root, int depth, Team& team) {
    root_depth_ = depth;
    share_.resize(tree_.n_classes);
    const NodeFacts facts = search->describe(root, share_.data());
    const int node = tree_.add_leaf(facts, share_.data(), -1);
    stop_.know_root(facts);
    if (!stop_.is_leaf(facts, depth)) consider(node, root, search, team);
    while (!frontier_.empty()) {
      team.check();
      OpenNode open = frontier_.pop();
      if (order_ == GrowthOrder::best_first) {
        split(open, open.winner, team);
      } else if (const Winner* winner = open.search->best(open.range, team)) {
        split(open, *winner, team);
      }
    }
    return finish(team);
  }

 private:
  struct SetAside {
    int node;
    Range range;
    std::shared_ptr<NodeSearch> search;
  };

  void consider(int node, const Range& range, const std::shared_ptr<NodeSearch>& search,
                Team& team) {
    if (order_ == GrowthOrder::best_first) {
      consider_best_first(node, range, search, team);
    } else if (range.size() <= most_aside_) {
      aside_.push_back({node, range, search});
    } else {
      OpenNode open;
      open.node = node;
      open.range = range;
      open.search = search;
      frontier_.push(std::move(open));
    }
  }

  void consider_best_first(int node, Range range, std::shared_ptr<NodeSearch> search, Team& team) {
    if (range.size() <= small_) {
      if (std::shared_ptr<NodeSearch> own = search->shrink(range)) {
        range = own->root();
        search = std::move(own);
      }
    }
    const Winner* winner = search->best(range, team);
    if (!winner) return;
    OpenNode open;
    open.node = node;
    open.range = std::move(range);
    open.search = std::move(search);
    open.weighted_gain = winner->gain * tree_.weight[node];
    open.winner = *winner;
    frontier_.push(std::move(open));
  }

  void split(const OpenNode& open, const Winner& winner, Team& team) {
    const int branches = winner.split.branches;
    if (leaves_ + branches - 1 > stop_.max_leaves) return;
    leaves_ += branches - 1;
    NodeSearch& search = *open.search;
    const int missing = missing_.branch(winner.branch_weight);
    tree_.set_split(open.node, winner, missing);
    search.divide_rows(open.range, winner.split, missing, ranges_);
    nodes_.clear();
    searched_.clear();
    const int depth = root_depth_ + tree_.depth[open.node] + 1;
    for (const Range& range : ranges_) {
      const bool empty = range.size() == 0;
      const NodeFacts facts = empty ? empty_leaf(open.node) : search.describe(range, share_.data());
      nodes_.push_back(tree_.add_leaf(facts, share_.data(), open.node));
      searched_.push_back(!empty && !stop_.is_leaf(facts, depth));
    }
    tree_.set_children(open.node, nodes_);
    if (std::find(searched_.begin(), searched_.end(), 1) == searched_.end()) return;
    search.divide_columns(open.range, ranges_, searched_, team);
    // The last is pushed first, so that depth-first goes left first.
    for (std::size_t j = ranges_.size(); j-- > 0;) {
      if (searched_[j]) consider(nodes_[j], ranges_[j], open.search, team);
    }
  }

  // A branch that no row takes predicts as its parent does.
  NodeFacts empty_leaf(int parent) {
    std::copy_n(tree_.shares(parent), tree_.n_classes, share_.data());
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
      const bool small = part.range.size() <= small_;
      std::shared_ptr<NodeSearch> own =
          small ? part.search->shrink(part.range) : part.search->fork();
      Grower grower(stop_, missing_, tree_.n_classes, small ? 0 : small_, 0);
      const Range root = small ? own->root() : part.range;
      grafts[i] = grower.grow(std::move(own), root, root_depth_ + tree_.depth[part.node], inner);
    });
    return aside_.empty() ? std::move(tree_) : assemble(tree_, at, grafts);
  }

  StopRule stop_;
  const MissingPolicy& missing_;
  std::size_t small_, most_aside_;
  GrowthOrder order_;
  Frontier frontier_;
  Tree tree_;
  double leaves_ = 1;
  int root_depth_ = 0;
  std::vector<SetAside> aside_;
  // Working space of one split.
  std::vector<double> share_;
  std::vector<Range> ranges_;
  std::vector<int> nodes_;
  std::vector<char> searched_;
};

}  // namespace tectree

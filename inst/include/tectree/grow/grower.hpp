// Growing a tree, iteratively:
//   1. the root goes on the frontier;
//   2. the frontier's next node is searched (best-first: was, when it came in) and split: its rows
//      are divided, its children described, and each that may split further goes on the frontier;
//   3. depth-first, a child of few rows waits instead: when only such are left, each is grown to
//      its end by one thread, and grafted on. So threads share a node only while nodes are few and
//      large. A node small enough for an arena of its own gets one.
// Where rows without a value are divided into parts, every child gets a search over its own rows
// and parts of rows. A node's split depends on its rows alone, so neither the order nor the threads
// can change the tree.
#pragma once

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "../base/stream.hpp"
#include "../missing/policies.hpp"
#include "../tree/tree.hpp"
#include "frontier.hpp"
#include "split_test.hpp"
#include "stop.hpp"

namespace tectree {

class Grower {
 public:
  // Nodes of at most `pass_on_at` rows go on in an arena of their own (0: none does). Depth-first,
  // they wait until no others are left, as all of at most `wait_at` rows do; one thread grows each.
  // `test`: what a split must pass; null where nothing is tested.
  Grower(const StopRule& stop, const MissingPolicy& missing, int n_classes, std::size_t pass_on_at,
         std::size_t wait_at, const SplitTest* test = nullptr)
      : stop_(stop),
        missing_(missing),
        test_(test),
        pass_on_at_(pass_on_at),
        wait_at_(std::max(pass_on_at, wait_at)),
        order_(std::isinf(stop.max_leaves) ? GrowthOrder::depth_first : GrowthOrder::best_first),
        frontier_(order_) {
    tree_.n_classes = n_classes;
    tree_.unknown = missing.rows;
    tree_.by_surrogate = missing.looks_for_surrogates() && missing.surrogates.used;
  }

  // `depth`: of the root, where it is a node of a larger tree. The nodes are in pre-order.
  Tree grow(std::shared_ptr<NodeSearch> search, const Node& root, int depth, Team& team) {
    grow_nodes(std::move(search), root, depth, team);
    return assemble(tree_, at_, grafts_);
  }

 private:
  // The same, to be grafted onto another tree, which puts all nodes in order.
  Tree grow_graft(std::shared_ptr<NodeSearch> search, const Node& root, int depth, Team& team) {
    grow_nodes(std::move(search), root, depth, team);
    return grafts_.empty() ? std::move(tree_) : assemble(tree_, at_, grafts_);
  }

  void grow_nodes(std::shared_ptr<NodeSearch> search, const Node& root, int depth, Team& team) {
    root_depth_ = depth;
    most_kept_ = 4 * std::max(root.n_rows, pass_on_at_);
    share_.resize(tree_.n_classes);
    const NodeFacts facts = search->describe(root, share_.data());
    const int at = tree_.add_leaf(facts, share_.data(), -1);
    stop_.know_root(facts);
    if (!stop_.is_leaf(facts, depth)) consider(at, root, search, false, team);
    search.reset();
    while (!frontier_.empty()) {
      team.check();
      if (kept_ > most_kept_) grow_waiting(team);
      OpenNode open = frontier_.pop();
      if (std::shared_ptr<NodeSearch> own = open.search->gather(open.node, team))
        open.search = std::move(own);
      if (order_ == GrowthOrder::best_first) {
        split(open, open.winner, team);
      } else if (const Winner* winner = best(*open.search, open.node, open.at, team)) {
        split(open, *winner, team);
      }
    }
    if (!waiting_.empty()) grow_waiting(team);
  }

  void consider(int at, const Node& node, const std::shared_ptr<NodeSearch>& search, bool own,
                Team& team) {
    if (order_ == GrowthOrder::best_first) {
      consider_best_first(at, node, search, team);
    } else if (node.n_rows <= wait_at_) {
      waiting_.push_back({at, node, search, {}, 0.0, own});
      if (own) kept_ += node.n_rows;
    } else {
      frontier_.push({at, node, search, {}, 0.0, own});
    }
  }

  void consider_best_first(int at, Node node, std::shared_ptr<NodeSearch> search, Team& team) {
    if (node.n_rows <= pass_on_at_) {
      if (std::shared_ptr<NodeSearch> own = search->shrink(node)) {
        node = root_of(*own, node.stream);
        search = std::move(own);
      }
    }
    const Winner* winner = best(*search, node, at, team);
    if (!winner) return;
    // What rounding leaves of no gain is none, so that the order of rows does not matter.
    const bool gains = std::fabs(winner->gain) > 1e-12 * tree_.impurity[at];
    const double weighted_gain = gains ? winner->gain * tree_.weight[at] : 0.0;
    frontier_.push({at, std::move(node), std::move(search), *winner, weighted_gain, false});
  }

  // The split of a node, none where it is not worth making.
  const Winner* best(NodeSearch& search, Node& node, int at, Team& team) const {
    const Winner* winner = search.best(node, team);
    if (!winner || !stop_.worth(winner->gain, tree_.weight[at])) return nullptr;
    return test_ && !test_->passes(search, node, *winner, team) ? nullptr : winner;
  }

  void split(const OpenNode& open, const Winner& winner, Team& team) {
    const int branches = winner.split.branches;
    if (leaves_ + branches - 1 > stop_.max_leaves) return;
    leaves_ += branches - 1;
    NodeSearch& search = *open.search;
    const bool stops = missing_.rows == UnknownRows::stop;
    MissingRoute missing_route;
    missing_route.branch = stops ? no_branch : missing_.branch(winner);
    tree_.set_split(open.at, winner, missing_route.branch);
    std::vector<Surrogate> surrogates;
    if (branches == 2 && missing_.looks_for_surrogates()) {
      surrogates = search.find_surrogates(open.node, winner.split, missing_.surrogates, team);
      tree_.set_surrogates(open.at, surrogates);
      if (missing_.surrogates.used) missing_route.surrogates = &surrogates;
    }
    made_.clear();
    searched_.clear();
    children_.clear();
    if (missing_.rows == UnknownRows::share) {
      auto parts = search.divide_into_parts(open.node, winner, team);
      if (!parts.empty()) return add_parts(open, std::move(parts), team);
    }
    search.divide_rows(open.node, winner.split, missing_route, children_);
    for (const Node& child : children_) add_child(open.at, &search, child);
    tree_.set_children(open.at, made_);
    if (std::find(searched_.begin(), searched_.end(), 1) == searched_.end()) return;
    search.divide_columns(open.node, children_, searched_, team);
    // The last is pushed first, so that depth-first goes left first.
    for (std::size_t j = children_.size(); j-- > 0;) {
      if (searched_[j]) consider(made_[j], children_[j], open.search, false, team);
    }
  }

  void add_child(int parent, NodeSearch* search, const Node& child) {
    const bool empty = child.n_rows == 0;
    const NodeFacts facts = empty ? empty_leaf(parent) : search->describe(child, share_.data());
    made_.push_back(tree_.add_leaf(facts, share_.data(), parent));
    searched_.push_back(!empty && !stop_.is_leaf(facts, root_depth_ + tree_.depth[made_.back()]));
  }

  // The children of a node of which some rows are divided into parts: each has a search of its own.
  void add_parts(const OpenNode& open, std::vector<std::unique_ptr<NodeSearch>> parts, Team& team) {
    for (std::size_t j = 0; j < parts.size(); ++j) {
      const std::uint64_t stream = Stream::part(open.node.stream, j);
      children_.push_back(parts[j] ? root_of(*parts[j], stream) : Node());
      add_child(open.at, parts[j].get(), children_[j]);
    }
    tree_.set_children(open.at, made_);
    for (std::size_t j = parts.size(); j-- > 0;) {
      if (searched_[j]) consider(made_[j], children_[j], std::move(parts[j]), true, team);
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

  // Grows the nodes that wait, and frees their rows.
  void grow_waiting(Team& team) {
    const std::size_t first = grafts_.size();
    grafts_.resize(first + waiting_.size());
    for (const OpenNode& part : waiting_) at_.push_back(part.at);
    team.each(waiting_.size(), [&](std::size_t i, Team& inner) {
      OpenNode& part = waiting_[i];
      const bool small = part.node.n_rows <= pass_on_at_;
      Node root = part.node;
      std::shared_ptr<NodeSearch> own;
      if (part.own) {
        own = std::move(part.search);
      } else if ((own = small ? part.search->shrink(root) : nullptr)) {
        root = root_of(*own, root.stream);
      } else {  // as small as it gets
        own = part.search->fork();
      }
      part.search.reset();
      Grower grower(stop_, missing_, tree_.n_classes, small ? 0 : pass_on_at_, 0, test_);
      grafts_[first + i] =
          grower.grow_graft(std::move(own), root, root_depth_ + tree_.depth[part.at], inner);
    });
    waiting_.clear();
    kept_ = 0;
  }

  StopRule stop_;
  const MissingPolicy& missing_;
  const SplitTest* test_;
  std::size_t pass_on_at_, wait_at_;
  GrowthOrder order_;
  Frontier frontier_;
  Tree tree_;
  double leaves_ = 1;
  int root_depth_ = 0;
  std::vector<OpenNode> waiting_;
  std::size_t kept_ = 0, most_kept_ = 0;  // rows of waiting searches that are a node's own
  std::vector<int> at_;                   // the leaves that grafts continue
  std::vector<Tree> grafts_;
  // Working space of one split.
  std::vector<double> share_;
  std::vector<Node> children_;
  std::vector<int> made_;  // their places in the tree
  std::vector<char> searched_;
};

}  // namespace tectree

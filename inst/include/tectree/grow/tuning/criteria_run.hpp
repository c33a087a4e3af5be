// The trees of many criteria from the same rows at once. While criteria agree on a node's split
// they share its rows and counts; only when they disagree does each continue with its own order of
// the rows. Every tree is the one that the criterion grows alone, but none is stored: the results
// are where held-out rows end in each tree, and the trees' sizes.
//
// A criterion is identified by its number. An open node belongs to the criteria whose trees contain
// it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../../missing/policies.hpp"
#include "../frontier.hpp"
#include "../stop.hpp"
#include "left_out.hpp"
#include "row_orders.hpp"
#include "traced_trees.hpp"

namespace tectree {

// What does not change from node to node.
struct RunPlan {
  const Frame& frame;
  const StopRule& stop;
  const MissingPolicy& missing;
  std::size_t pass_on_at;  // maximum rows of a node that continues in its own arena
  int n_classes;
  std::vector<std::shared_ptr<const ClassProblem>> problems;  // by criterion
};

class CriteriaRun {
 public:
  // `trace`: where the nodes are recorded, or null.
  CriteriaRun(const RunPlan& plan, Outcome& outcome, TracedTrees* trace)
      : plan_(plan),
        outcome_(outcome),
        trace_(trace),
        left_out_(plan.frame, outcome),
        share_(plan.n_classes) {}

  // From a node at `depth` that is not a leaf, by the search of the first criterion; `test`: the
  // held-out rows that reach it, `parts`: those of which only a part does; `traced`: its number in
  // the trace.
  void grow(CriteriaSet criteria, std::unique_ptr<NodeSearch> first, const Node& root, int depth,
            int traced, std::vector<std::uint32_t> test, std::vector<TestPart> parts, Team& team) {
    searches_.resize(plan_.problems.size());
    for (std::size_t i = 1; i < criteria.size(); ++i)
      searches_[criteria[i]] = first->with_problem(plan_.problems[criteria[i]]);
    row_orders_.start(*first, std::move(test));
    searches_[criteria.front()] = std::move(first);
    Open whole;
    whole.row_order = row_orders_.current();
    whole.handle = root;
    whole.criteria = std::make_shared<const CriteriaSet>(std::move(criteria));
    whole.test_end = whole.row_order->test.size();
    whole.parts = std::move(parts);
    whole.depth = depth;
    whole.traced = traced;
    open_.push_back(std::move(whole));
    while (!open_.empty()) {
      team.check();
      Open node = std::move(open_.back());
      open_.pop_back();
      row_orders_.turn_to(node.row_order);
      if (!pass_on(node, team)) split(node, team);
    }
  }

 private:
  struct Open {
    RowOrders::Ref row_order;
    Node handle;
    std::shared_ptr<const CriteriaSet> criteria;
    // Held-out rows: those in the row order, and those that came in parts.
    std::size_t test_begin = 0, test_end = 0;
    std::vector<TestPart> parts;
    int depth = 0, traced = -1;
  };

  // The criteria that make the same split and send rows with a missing value to the same branch;
  // the first of them found the split and stores it.
  struct Group {
    const Winner& winner;
    CriteriaSet criteria;
  };

  struct Child {
    NodeFacts facts;
    std::vector<double> share;
    double predicts_with;  // the weight of the rows with these shares
    std::vector<TestPart> parts;
    int traced = -1;
  };

  NodeSearch& lead(const Open& node) { return *searches_[node.criteria->front()]; }

  // A node with few rows is grown to its end by searches over only these rows.
  bool pass_on(const Open& node, Team& team) {
    if (node.handle.n_rows > plan_.pass_on_at) return false;
    auto small = lead(node).shrink(node.handle);
    if (!small) return false;
    const Node root = root_of(*small, node.handle.stream);
    const auto test = node.row_order->test.begin();
    CriteriaRun(plan_, outcome_, trace_)
        .grow(*node.criteria, std::move(small), root, node.depth, node.traced,
              {test + node.test_begin, test + node.test_end}, node.parts, team);
    return true;
  }

  void split(Open& node, Team& team) {
    std::vector<Group> groups;
    CriteriaSet unsplit;
    for (std::uint32_t criterion : *node.criteria) {
      const Winner* winner = searches_[criterion]->best(node.handle, team);
      if (winner) {
        add(criterion, *winner, groups);
      } else {
        unsplit.push_back(criterion);
      }
    }
    if (!unsplit.empty()) end_here(node, unsplit);
    if (groups.empty()) return;
    // The other groups take their rows before the first moves them.
    std::vector<Open> parts;
    for (std::size_t g = 1; g < groups.size(); ++g) {
      parts.push_back(node);
      parts.back().criteria = std::make_shared<const CriteriaSet>(groups[g].criteria);
      copy_out(node, parts.back());
    }
    if (groups[0].criteria.size() < node.criteria->size())
      node.criteria = std::make_shared<const CriteriaSet>(groups[0].criteria);
    divide(node, groups[0].winner, team);
    node.row_order.reset();
    for (std::size_t g = 1; g < groups.size(); ++g) {
      divide(parts[g - 1], groups[g].winner, team);
      parts[g - 1].row_order.reset();
    }
  }

  static void add(std::uint32_t criterion, const Winner& winner, std::vector<Group>& groups) {
    for (Group& group : groups) {
      const Winner& its = group.winner;
      if (same_split(its.split, winner.split) && its.filled == winner.filled)
        return group.criteria.push_back(criterion);
    }
    groups.push_back({winner, {criterion}});
  }

  void copy_out(const Open& node, Open& part) {
    part.row_order = row_orders_.copy(part.handle, node.test_begin, node.test_end);
    part.test_begin = 0;
    part.test_end = part.row_order->test.size();
  }

  void divide(const Open& node, const Winner& winner, Team& team) {
    row_orders_.turn_to(node.row_order);
    NodeSearch& search = lead(node);
    const bool to_one = plan_.missing.rows == UnknownRows::branch;
    MissingRoute missing_route;
    missing_route.branch = to_one ? plan_.missing.branch(winner) : no_branch;
    left_out_.divide(node.row_order->test, node.test_begin, node.test_end, node.parts, winner.split,
                     missing_route.branch);
    // A branch without rows predicts as its parent does.
    NodeFacts here;
    if (!left_out_.all_sent() || winner.split.kind == SplitKind::multiway)
      here = search.describe(node.handle, share_.data());
    search.divide_rows(node.handle, winner.split, missing_route, nodes_);
    describe_children(search, node, here);
    if (!left_out_.all_sent()) divide_parts(node, here);
    if (trace_) trace(node, winner.split);
    for (std::size_t j = 0; j < children_.size(); ++j) {
      outcome_.add_node(*node.criteria, node.depth + 1);
      if (!searched_[j]) end_in(node, j);
    }
    if (std::find(searched_.begin(), searched_.end(), 1) == searched_.end()) return;
    search.divide_columns(node.handle, nodes_, searched_, team);
    for (std::size_t j = children_.size(); j-- > 0;) {
      if (searched_[j]) go_on(node, j);
    }
  }

  void describe_children(NodeSearch& search, const Open& node, const NodeFacts& here) {
    const std::size_t n = nodes_.size();
    children_.resize(n);
    searched_.assign(n, 0);
    for (std::size_t j = 0; j < n; ++j) {
      Child& child = children_[j];
      child.parts.clear();
      child.share = share_;
      child.facts = here;
      child.facts.weight = 0.0;
      child.predicts_with = here.weight;
      if (nodes_[j].n_rows == 0) continue;
      child.facts = search.describe(nodes_[j], child.share.data());
      child.predicts_with = child.facts.weight;
      searched_[j] = !plan_.stop.is_leaf(child.facts, node.depth + 1);
    }
  }

  void trace(const Open& node, const Split& split) {
    trace_->add_split(node.traced, split, node.criteria);
    for (Child& child : children_) {
      child.traced = trace_->add_node(node.traced, node.depth + 1, child.facts, child.share.data(),
                                      node.criteria);
    }
  }

  void divide_parts(const Open& node, const NodeFacts& here) {
    weights_.clear();
    for (const Child& child : children_) {
      const bool shares = plan_.missing.rows == UnknownRows::share;
      weights_.push_back(shares ? child.facts.weight : 0.0);
    }
    const auto& ended = left_out_.divide_parts(
        weights_, [&](std::size_t j, const TestPart& part) { children_[j].parts.push_back(part); });
    outcome_.predict_parts(*node.criteria, share_.data(), here.weight, ended);
  }

  void end_in(const Open& node, std::size_t j) {
    const Child& child = children_[j];
    outcome_.add_leaf(*node.criteria);
    outcome_.predict(*node.criteria, child.facts.yval, child.share.data(), child.predicts_with,
                     node.row_order->test, left_out_.at(j), left_out_.at(j + 1));
    outcome_.predict_parts(*node.criteria, child.share.data(), child.predicts_with, child.parts);
  }

  void go_on(const Open& node, std::size_t j) {
    Open child;
    child.row_order = node.row_order;
    child.criteria = node.criteria;
    child.handle = nodes_[j];
    child.test_begin = left_out_.at(j);
    child.test_end = left_out_.at(j + 1);
    child.parts = std::move(children_[j].parts);
    child.depth = node.depth + 1;
    child.traced = children_[j].traced;
    open_.push_back(std::move(child));
  }

  // The trees of the criteria end in this node.
  void end_here(const Open& node, const CriteriaSet& criteria) {
    const NodeFacts facts = lead(node).describe(node.handle, share_.data());
    outcome_.add_leaf(criteria);
    outcome_.predict(criteria, facts.yval, share_.data(), facts.weight, node.row_order->test,
                     node.test_begin, node.test_end);
    outcome_.predict_parts(criteria, share_.data(), facts.weight, node.parts);
  }

  std::vector<std::unique_ptr<NodeSearch>> searches_;  // by criterion, of the same rows; or none
  RowOrders row_orders_;
  const RunPlan& plan_;
  Outcome& outcome_;
  TracedTrees* trace_;
  LeftOut left_out_;
  std::vector<Open> open_;
  // Working space of one node.
  std::vector<Node> nodes_;
  std::vector<Child> children_;
  std::vector<char> searched_;
  std::vector<double> share_, weights_;
};

}  // namespace tectree

// Growth that looks ahead: in every node some splits are tried, each is finished greedily, and the
// one whose subtree loses least is made.
//
// There is always a plan, a finished tree; at first the greedy one (with the last splits of
// last_split.hpp). Growth walks down it, and in each node tries other splits. If the finished
// subtree of one loses less, or as much with fewer leaves, it replaces that of the plan. So no step
// makes the tree worse, and it is never worse than the greedy tree. The loss of a subtree is that
// of pruning: the risk of its leaves and a price for each, at its best pruning. With `max_leaves` a
// subtree may have as many leaves as that of the plan, and those that the whole plan does not use.
//
// A split is finished on a copy of the node's rows, by the same search; the counts of the node
// serve all. If the final leaves lose as much as the plan, it is given up: risks only add up,
// whatever is pruned.
//
// References: Norton (1989) and Murthy and Salzberg (1995) look ahead by splits, the latter with
// doubts; Esmeir and Markovitch (2007) by the size of finished subtrees.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "../search/door/node_search.hpp"
#include "../tree/node_risk.hpp"
#include "grower.hpp"
#include "problem.hpp"

namespace tectree {

class LookAhead {
 public:
  LookAhead(const Problem& problem, const StopRule& stop, const MissingPolicy& missing,
            std::size_t pass_on_at, std::size_t wait_at)
      : stop_(stop),
        missing_(missing),
        risk_{problem.loss, stop.risk_is_impurity},
        n_classes_(problem.response.n_classes),
        pass_on_at_(pass_on_at),
        wait_at_(wait_at),
        risks_add_up_(n_classes_ == 0 || !stop.risk_is_impurity || problem.parameter >= 0.0),
        share_(static_cast<std::size_t>(n_classes_)) {}

  Tree grow(std::shared_ptr<NodeSearch> search, const Node& root, Team& team) {
    start(search, root, team);
    Grower grower(
        stop_, missing_, n_classes_, 0, 0, nullptr,
        [this](OpenNode& open, int depth, Team& its) { return choose(open, depth, its); });
    return grower.grow(std::move(search), root, 0, team);
  }

 private:
  struct Worth {
    double loss = 0.0, leaves = 0.0;
  };

  // The greedy tree is the first plan.
  void start(const std::shared_ptr<NodeSearch>& search, const Node& root, Team& team) {
    const NodeFacts facts = search->describe(root, share_.data());
    stop_.know_root(facts);
    slack_ = 1e-10 * stop_.risk(facts);
    std::unique_ptr<RowOrder> order;
    on_copy(*search, root, order, [&](const Node& copied) {
      whole_ = std::make_shared<const Tree>(grower(stop_, copied).grow(search, copied, 0, team));
    });
    leaves_ = leaves_of(*whole_, 0);
  }

  const Winner* choose(OpenNode& open, int depth, Team& team) {
    if (!open.plan.tree) open.plan = {std::exchange(whole_, nullptr), 0};
    go_on_in_small(open);
    const double planned = leaves_of(*open.plan.tree, open.plan.at);
    Worth best = worth(*open.plan.tree, open.plan.at);
    // A leaf that costs at most its price cannot lose less.
    if (best.loss > stop_.leaf_price + slack_ || best.leaves > 1) {
      StopRule stop = stop_;
      stop.max_leaves -= leaves_ - planned;
      std::unique_ptr<RowOrder> order;
      const NodeFacts facts = open.search->describe(open.node, share_.data());
      const Tried tried = open.search->promising(open.node, stop_.most_tried(), team);
      for (const Winner& winner : tried.splits) {
        if (winner.split.branches > stop.max_leaves || !stop_.worth(winner.gain, facts.weight) ||
            is_planned(open.plan, winner))
          continue;
        Tree tree = finish(open, winner, depth, stop, best.loss, order, team);
        if (tree.size() > 0) take_better(std::move(tree), best, open.plan);
      }
    }
    leaves_ += leaves_of(*open.plan.tree, open.plan.at) - planned;
    return planned_split(open.plan);
  }

  void take_better(Tree tree, Worth& best, Plan& plan) const {
    const Worth here = worth(tree, 0);
    const bool less = here.loss < best.loss - slack_,
               smaller = here.loss <= best.loss + slack_ && here.leaves < best.leaves;
    if (!less && !smaller) return;
    best = here;
    plan = {std::make_shared<const Tree>(std::move(tree)), 0};
  }

  // None if it is given up.
  Tree finish(const OpenNode& open, const Winner& winner, int depth, const StopRule& stop,
              double loss, std::unique_ptr<RowOrder>& order, Team& team) const {
    // A subtree has at least one leaf, whatever is pruned.
    const double most = loss - stop_.leaf_price + slack_;
    LossLimit limit(risks_add_up_ ? most : HUGE_VAL);
    Tree out;
    on_copy(*open.search, open.node, order, [&](const Node& copied) {
      out = grower(stop, copied).finish(open.search, copied, winner, depth, limit, team);
    });
    return out;
  }

  // Calls use(node) while the search works on a copy of the node's rows.
  template <class Use>
  static void on_copy(NodeSearch& search, const Node& node, std::unique_ptr<RowOrder>& order,
                      Use use) {
    const Node copied = search.copy(node, order);
    search.swap(order);
    use(copied);
    search.swap(order);
  }

  Grower grower(const StopRule& stop, const Node& node) const {
    const bool small = node.n_rows <= pass_on_at_;
    return Grower(stop, missing_, n_classes_, small ? 0 : pass_on_at_, small ? 0 : wait_at_);
  }

  void go_on_in_small(OpenNode& open) const {
    if (open.node.n_rows > pass_on_at_) return;
    if (std::shared_ptr<NodeSearch> own = open.search->shrink(open.node)) {
      open.node = root_of(*own, open.node.stream);
      open.search = std::move(own);
    }
  }

  // ---- plans ------------------------------------------------------------------------------------

  static bool is_planned(const Plan& plan, const Winner& winner) {
    const Tree& tree = *plan.tree;
    return tree.kind[plan.at] != 0 && same_split(tree.split_at(plan.at), winner.split) &&
           (winner.filled == no_branch || winner.filled == tree.default_child[plan.at]);
  }

  const Winner* planned_split(const Plan& plan) {
    const Tree& tree = *plan.tree;
    if (tree.kind[plan.at] == 0) return nullptr;
    split_ = Winner();
    split_.split = tree.split_at(plan.at);
    split_.gain = tree.gain[plan.at];
    split_.score = tree.score[plan.at];
    split_.exact = tree.exact[plan.at] != 0;
    split_.test = tree.test[plan.at];
    split_.filled = tree.default_child[plan.at];
    return &split_;
  }

  // The end of a node's subtree; nodes are in pre-order.
  static int end_of(const Tree& tree, int at) {
    int end = at + 1;
    while (end < static_cast<int>(tree.size()) && tree.depth[end] > tree.depth[at]) ++end;
    return end;
  }
  static double leaves_of(const Tree& tree, int at) {
    const int end = end_of(tree, at);
    return static_cast<double>(std::count(tree.kind.begin() + at, tree.kind.begin() + end, 0));
  }

  // The worth of the subtree's best pruning; a leaf on ties.
  Worth worth(const Tree& tree, int at) const {
    const int end = end_of(tree, at);
    std::vector<Worth> below(static_cast<std::size_t>(end - at));
    for (int v = end; v-- > at;) {
      const double risk = tree.weight[v] > 0.0 ? risk_(tree, v) : 0.0;
      Worth& here = below[static_cast<std::size_t>(v - at)] = {risk + stop_.leaf_price, 1.0};
      if (tree.kind[v] == 0) continue;
      Worth sum;
      double weight = 0.0;
      for (int j = 0; j < tree.n_children[v]; ++j) {
        const int child = child_of(tree, v, j);
        sum.loss += below[static_cast<std::size_t>(child - at)].loss;
        sum.leaves += below[static_cast<std::size_t>(child - at)].leaves;
        weight += tree.weight[child];
      }
      sum.loss += StopRule::risk_of_stopped(risk, tree.weight[v], weight, missing_.rows);
      if (sum.loss < here.loss - slack_) here = sum;
    }
    return below.front();
  }

  StopRule stop_;
  const MissingPolicy& missing_;
  NodeRisk risk_;
  int n_classes_;
  std::size_t pass_on_at_, wait_at_;
  bool risks_add_up_;
  double slack_ = 0.0;   // smaller differences of losses are ties
  double leaves_ = 1.0;  // of the whole plan
  std::shared_ptr<const Tree> whole_;
  Winner split_;
  std::vector<double> share_;
};

}  // namespace tectree

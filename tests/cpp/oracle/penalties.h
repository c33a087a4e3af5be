// Penalties per leaf, by their definitions: weakest links, and rpart's rule.
#pragma once

#include "oracle/prune.h"

namespace oracle {

// The risk of a node as a leaf: its loss, or its impurity times its weight.
inline Value risk_by(const Problem& problem, bool impurity) {
  return [&problem, impurity](const Node& node) {
    if (impurity || problem.table.n_classes == 0) return node.weight * node.impurity;
    return loss_over(problem, node, node.rows);
  };
}

// One of the nested trees of weakest-link cutting.
struct Nested {
  double penalty, leaves, risk;  // from this penalty down it is the cheapest
};

// The saving of a node per additional leaf.
inline double saved_per_leaf(const Node& node, const Value& risk) {
  return (risk(node) - over_leaves(node, risk)) / (leaves_of(node) - 1);
}
inline double weakest(const Node& node, const Value& risk) {
  if (node.child.empty()) return HUGE_VAL;
  double least = saved_per_leaf(node, risk);
  for (const Node& child : node.child) least = std::min(least, weakest(child, risk));
  return least;
}
inline void cut_links(Node& node, const Value& risk, double penalty) {
  if (node.child.empty()) return;
  if (saved_per_leaf(node, risk) <= penalty) return make_leaf(node);
  for (Node& child : node.child) cut_links(child, risk, penalty);
}

// Penalties that differ by rounding are equal.
inline double rounded_up(double penalty, double root_risk) {
  return penalty + 1e-11 * std::fabs(penalty) + 1e-14 * root_risk;
}

// The tree at a penalty: cuts links, the weakest first, until none is left at or below it.
inline Node prune_weakest_links(Node node, const Value& risk, double penalty) {
  const double root_risk = risk(node);
  for (;;) {
    const double least = weakest(node, risk);
    if (!(least <= rounded_up(penalty, root_risk))) return node;
    cut_links(node, risk, rounded_up(least, root_risk));
  }
}

// The nested trees from the root alone down to that at penalty 0.
inline std::vector<Nested> weakest_links(Node node, const Value& risk) {
  const double root_risk = risk(node);
  node = prune_weakest_links(node, risk, 0.0);
  std::vector<Nested> out{{0.0, leaves_of(node), over_leaves(node, risk)}};
  while (!node.child.empty()) {
    const double least = weakest(node, risk);
    node = prune_weakest_links(node, risk, least);
    const Nested next{least, leaves_of(node), over_leaves(node, risk)};
    // A link may be slightly weaker than the previous one, by rounding.
    if (least <= rounded_up(out.back().penalty, root_risk)) {
      out.back() = {out.back().penalty, next.leaves, next.risk};
    } else {
      out.push_back(next);
    }
  }
  return {out.rbegin(), out.rend()};
}

// The result of rpart's rule for a node grown at the penalty `least`.
struct Kept {
  Node node;
  double penalty = -HUGE_VAL;  // -Inf for a leaf
  double own = 0, risk = 0, splits = 0;
  std::vector<Kept> child;
};

class RpartRule {
 public:
  RpartRule(const Value& risk, double least, double root_risk)
      : risk_(risk), least_(least), root_risk_(root_risk) {}

  // `bound`: the bound on the penalty when the node is made.
  Kept grow(const Node& node, double bound = HUGE_VAL) const {
    Kept leaf;
    leaf.node = node;
    make_leaf(leaf.node);
    leaf.own = leaf.risk = risk_(node);
    if (node.child.empty() || !exceeds(std::min(leaf.own, bound), least_)) return leaf;
    Kept out = leaf;
    out.node = node;
    for (const Node& child : node.child)
      out.child.push_back(grow(child, bound_of_next(out, bound) - least_));
    out.penalty = penalty_of(out);
    if (!exceeds(out.penalty, least_)) return leaf;
    for (std::size_t j = 0; j < out.child.size(); ++j) out.node.child[j] = out.child[j].node;
    return out;
  }

 private:
  bool exceeds(double penalty, double bound) const {
    if (std::isinf(bound)) return penalty > bound;
    return penalty > bound + 1e-11 * std::fabs(bound) + 1e-15 * root_risk_;
  }

  // A split into b branches counts as b - 1.
  static double splits_here(const Kept& kept) {
    return static_cast<double>(kept.node.child.size()) - 1;
  }

  // The maximum saving of the node per split, when some of its children are grown.
  double bound_of_next(const Kept& kept, double bound) const {
    if (kept.child.empty()) return std::min(kept.own, bound);
    double by_subtrees = kept.own, by_leaves = kept.own, splits = splits_here(kept);
    for (const Kept& child : kept.child) {
      by_subtrees -= child.risk;
      by_leaves -= child.own;
      splits += child.splits;
    }
    return std::min(std::max(by_subtrees / splits, by_leaves / splits_here(kept)), bound);
  }

  // A child whose penalty the node's exceeds counts as a leaf: the child with the smallest penalty
  // first.
  double penalty_of(Kept& kept) const {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t j = 0; j < kept.child.size(); ++j) order.push_back({kept.child[j].penalty, j});
    std::sort(order.begin(), order.end());
    const auto sum = [&] {
      kept.risk = 0.0;
      kept.splits = splits_here(kept);
      for (const Kept& child : kept.child) {
        kept.risk += child.risk;
        kept.splits += child.splits;
      }
      return (kept.own - kept.risk) / kept.splits;
    };
    double penalty = sum();
    for (const auto& [of_child, j] : order) {
      if (!exceeds(penalty, of_child)) break;
      kept.child[j].risk = kept.child[j].own;
      kept.child[j].splits = 0.0;
      penalty = sum();
    }
    return penalty;
  }

  const Value& risk_;
  const double least_, root_risk_;
};

inline void cut_at_penalty(const Kept& kept, Node& node, double penalty, double root_risk) {
  if (node.child.empty()) return;
  if (kept.penalty <= rounded_up(penalty, root_risk)) return make_leaf(node);
  for (std::size_t j = 0; j < node.child.size(); ++j)
    cut_at_penalty(kept.child[j], node.child[j], penalty, root_risk);
}

// No split is left that costs so much, or is below one that does.
inline Node prune_by_rpart(const Node& node, const Value& risk, double least, double penalty) {
  const double root_risk = risk(node);
  const Kept kept = RpartRule(risk, least, root_risk).grow(node);
  Node out = kept.node;
  cut_at_penalty(kept, out, penalty, root_risk);
  return out;
}

}  // namespace oracle

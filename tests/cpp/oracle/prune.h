// The pruning rules by their definitions, on the oracle's tree.
#pragma once

#include <functional>

#include "oracle/tree.h"

namespace oracle {

// The loss of a node's prediction, over some rows with the weights of node facts.
inline double loss_over(const Problem& problem, const Node& node, const Rows& rows) {
  const Table& table = problem.table;
  double sum = 0.0;
  for (const Row& r : rows) {
    if (table.n_classes == 0) {
      const double off = table.number[r.at] - node.yval;
      sum += r.w * (problem.setting.criterion == "l1" ? std::fabs(off) : off * off);
      continue;
    }
    const auto s = static_cast<std::size_t>(table.y[r.at] - 1);
    const auto said = static_cast<std::size_t>(node.yval);
    const auto& cost = problem.loss.cost;
    const double one = cost.empty() ? 1.0 : cost[s * node.share.size() + said];
    if (s != said) sum += r.w * factor_of(problem, Counting::facts, s) * one;
  }
  return sum;
}

// Errors of its own training rows, in units of the largest loss.
inline double errors_of(const Problem& problem, const Node& node) {
  const auto& cost = problem.loss.cost;
  const double unit = cost.empty() ? 1.0 : *std::max_element(cost.begin(), cost.end());
  return loss_over(problem, node, node.rows) / unit;
}

using Value = std::function<double(const Node&)>;

inline double over_leaves(const Node& node, const Value& value) {
  if (node.child.empty()) return value(node);
  double sum = 0.0;
  for (const Node& child : node.child) sum += over_leaves(child, value);
  return sum;
}
inline double leaves_of(const Node& node) {
  return over_leaves(node, [](const Node&) { return 1.0; });
}

inline void make_leaf(Node& node) {
  node.child.clear();
  node.surrogates.clear();
  node.split = {};
}

// The rows without a branch.
inline Rows stopped(const Rows& rows, const std::vector<Rows>& parts) {
  Rows out;
  for (const Row& r : rows) {
    const auto is_it = [&](const Row& other) { return other.at == r.at; };
    const bool goes_on = std::any_of(parts.begin(), parts.end(), [&](const Rows& part) {
      return std::any_of(part.begin(), part.end(), is_it);
    });
    if (!goes_on) out.push_back(r);
  }
  return out;
}

inline Node prune_pessimistic(const Problem& problem, Node node) {
  if (node.child.empty()) return node;
  const Value errors = [&](const Node& leaf) { return errors_of(problem, leaf); };
  const double n = node.weight, as_leaf = errors(node) + 0.5;
  const double mean = over_leaves(node, errors) + 0.5 * leaves_of(node), r = mean / n;
  if (mean + std::sqrt(n * r * std::max(0.0, 1 - r)) >= as_leaf - 1e-9 * std::max(1.0, as_leaf)) {
    make_leaf(node);
  } else {
    for (Node& child : node.child) child = prune_pessimistic(problem, child);
  }
  return node;
}

// A subtree that saves no training error.
inline Node collapse(const Problem& problem, Node node) {
  if (node.child.empty()) return node;
  const Value errors = [&](const Node& leaf) { return errors_of(problem, leaf); };
  if (over_leaves(node, errors) >= errors(node) - 1e-3) {
    make_leaf(node);
  } else {
    for (Node& child : node.child) child = collapse(problem, child);
  }
  return node;
}

// C4.5's pruning by expected errors of leaves.
class ErrorBased {
 public:
  ErrorBased(const Problem& problem, double cf, bool raise)
      : problem_(problem), cf_(cf), raise_(raise) {}

  Node prune(Node node) const {
    if (node.child.empty()) return node;
    for (Node& child : node.child) child = prune(child);
    std::size_t largest = 0;
    for (std::size_t j = 1; j < node.child.size(); ++j) {
      if (node.child[j].weight > node.child[largest].weight - 1e-6) largest = j;
    }
    const Node branch = raise_ ? with_rows(node.child[largest], node) : Node();
    const double leaf = expected_of_leaf(node), subtree = expected(node);
    const double raised = raise_ ? expected_when_raised(branch) : HUGE_VAL;
    constexpr double slack = 0.1 + 1e-6;
    if (leaf < subtree + slack && leaf < raised + slack) {
      make_leaf(node);
      return node;
    }
    return raised < subtree + slack ? prune(branch) : node;
  }

 private:
  double extra(double n, double e) const {
    if (e < 1) {
      const double none = n * (1 - std::pow(cf_, 1 / n));
      return e <= 0 ? none : none + e * (extra(n, 1) - none);
    }
    if (e + 0.5 >= n) return std::max(n - e, 0.0);
    const double z = normal_quantile(cf_), f = (e + 0.5) / n;
    const double root = std::sqrt(f / n - f * f / n + z * z / (4 * n * n));
    return n * (f + z * z / (2 * n) + z * root) / (1 + z * z / n) - e;
  }

  // z with P(Z > z) = cf, by Newton's method.
  static double normal_quantile(double cf) {
    double z = 0.0;
    for (int i = 0; i < 60; ++i) {
      const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0));
      z += (std::erfc(z / std::sqrt(2.0)) / 2 - cf) / density;
    }
    return z;
  }

  double expected_of_leaf(const Node& node) const {
    if (node.weight < 1e-6) return 0.0;
    const double e = errors_of(problem_, node);
    return e + extra(node.weight, e);
  }
  double expected(const Node& node) const {
    return over_leaves(node, [&](const Node& leaf) { return expected_of_leaf(leaf); });
  }
  // If a branch is raised, rows that stop at its splits count there.
  double expected_when_raised(const Node& branch) const {
    if (branch.child.empty()) return expected_of_leaf(branch);
    std::vector<Rows> parts;
    double sum = 0.0;
    for (const Node& child : branch.child) {
      parts.push_back(child.rows);
      sum += expected_when_raised(child);
    }
    const Rows rest = stopped(branch.rows, parts);
    return rest.empty() ? sum : sum + expected_of_leaf(leaf_of(problem_, rest, 0));
  }

  // Replaces a node by one of its branches: all rows of the node pass through it.
  Node with_rows(const Node& branch, const Node& above) const {
    return described(branch, above.rows, above.depth, above);
  }
  Node described(const Node& node, const Rows& rows, int depth, const Node& parent) const {
    Node out = rows.empty() ? empty_leaf(parent) : leaf_of(problem_, rows, depth);
    out.depth = depth;
    out.split = node.split;
    out.gain = node.gain;
    out.score = node.score;
    out.missing = node.missing;
    out.surrogates = node.surrogates;
    if (node.child.empty()) return out;
    const std::vector<Rows> parts = deal(problem_, rows, out);
    for (std::size_t j = 0; j < parts.size(); ++j)
      out.child.push_back(described(node.child[j], parts[j], depth + 1, out));
    return out;
  }

  const Problem& problem_;
  const double cf_;
  const bool raise_;
};

// Where rows go that the tree was not grown from: parts by the training weights of the branches.
inline std::vector<Rows> lead(const Problem& problem, const Rows& rows, const Node& node) {
  if (problem.missing != "fractional") return deal(problem, rows, node);
  std::vector<Rows> out = known_by_branch(problem, rows, node.split);
  double total = 0.0;
  for (const Node& child : node.child) total += child.weight;
  for (const Row& r : rows) {
    if (branch_of(node.split, problem.table, r) >= 0) continue;
    for (std::size_t j = 0; j < out.size(); ++j) {
      const double share = node.child[j].weight / total;
      if (share > 0.0) out[j].push_back({r.at, r.w * share, r.size * share});
    }
  }
  return out;
}

// Prunes by the loss over other rows, bottom up; returns the remaining loss.
inline double prune_reduced_error(const Problem& problem, Node& node, const Rows& rows) {
  const double as_leaf = loss_over(problem, node, rows);
  if (node.child.empty()) return as_leaf;
  const std::vector<Rows> parts = lead(problem, rows, node);
  double below = loss_over(problem, node, stopped(rows, parts));
  for (std::size_t j = 0; j < parts.size(); ++j)
    below += prune_reduced_error(problem, node.child[j], parts[j]);
  if (as_leaf > below * (1 + 1e-12)) return below;
  make_leaf(node);
  return as_leaf;
}

}  // namespace oracle

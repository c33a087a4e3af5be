// Cost-complexity pruning (Breiman et al. 1984): of all prunings the one with the smallest risk +
// alpha x leaves, the smallest tree on ties, for every alpha at once.
//
// With a penalty alpha for each leaf, the best pruning below node t costs
//     f_t(alpha) = min(R(t) + alpha, sum over children of f_c(alpha)),
// which is concave and piecewise linear, with the number of leaves as slope. R(t) + alpha is the
// flattest piece, so it is the minimum from one alpha on: alpha_t, the penalty at which t becomes a
// leaf. To find it, start from the sum's last piece (every child a leaf) and go left over the sum's
// breaks, each of which restores a split below, until the crossing. The breaks passed lie above
// alpha_t, where t is a leaf, and never matter again. So each node's break enters a heap once and
// leaves it at most once, and the smaller heaps of children are merged into the largest: O(nodes
// log^2 nodes).
//
// The root's remaining breaks are the table that rpart prints: nested trees, each the cheapest for
// the penalties between two breaks.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "fold.hpp"

namespace tectree {

// Penalties that differ by rounding are equal.
inline bool reaches_penalty(double penalty, double bound, double root_risk) {
  return penalty <= bound + 1e-11 * std::fabs(bound) + 1e-15 * root_risk;
}

// The penalty at which each node, or one of its ancestors, becomes a leaf; -Inf for leaves.
inline std::vector<double> leaf_penalties(const Tree& tree, const NodeRisk& risk) {
  std::vector<double> penalty(tree.size(), -HUGE_VAL);
  // What a node's break restores: risk saved, leaves added.
  std::vector<double> saved(tree.size(), 0.0), added(tree.size(), 0.0), at_leaf(tree.size());
  std::vector<std::vector<int>> breaks(tree.size());  // in a node's subtree: a heap by penalty
  const auto cheaper = [&](int a, int b) { return penalty[a] < penalty[b]; };
  const auto put = [&](int v, std::vector<int>& heap) {
    heap.push_back(v);
    std::push_heap(heap.begin(), heap.end(), cheaper);
  };
  fold_up(tree, [&](int v) {
    at_leaf[v] = risk(tree, v);
    if (tree.kind[v] == 0) return;
    double below = 0.0, leaves = tree.n_children[v];
    std::vector<int>& open = breaks[v];
    for (int j = 0; j < tree.n_children[v]; ++j) {
      const int c = child_of(tree, v, j);
      below += at_leaf[c];
      if (open.size() < breaks[c].size()) open.swap(breaks[c]);
      for (int more : breaks[c]) put(more, open);
      breaks[c] = {};
    }
    while (!open.empty() && at_leaf[v] - below <= penalty[open.front()] * (leaves - 1)) {
      below -= saved[open.front()];
      leaves += added[open.front()];
      std::pop_heap(open.begin(), open.end(), cheaper);
      open.pop_back();
    }
    penalty[v] = (at_leaf[v] - below) / (leaves - 1);
    saved[v] = at_leaf[v] - below;
    added[v] = leaves - 1;
    put(v, open);
  });
  for (std::size_t v = 1; v < tree.size(); ++v)
    penalty[v] = std::min(penalty[v], penalty[tree.parent[v]]);
  return penalty;
}

// One row per nested tree, the smallest first: the smallest penalty at which it is the cheapest.
struct PenaltyTable {
  std::vector<double> penalty, leaves, splits, risk;
};

// The trees from the root alone to the one at the penalty `floor`.
inline PenaltyTable penalty_table(const Tree& tree, const NodeRisk& risk,
                                  const std::vector<double>& penalties, double floor) {
  const double root_risk = risk(tree, 0);
  std::vector<double> breaks;
  for (std::size_t v = 0; v < tree.size(); ++v) {
    if (tree.kind[v] != 0 && !reaches_penalty(penalties[v], floor, root_risk)) {
      breaks.push_back(penalties[v]);
    }
  }
  std::sort(breaks.begin(), breaks.end(), std::greater<double>());
  PenaltyTable out;
  for (double b : breaks) {
    if (out.penalty.empty() || !reaches_penalty(out.penalty.back(), b, root_risk))
      out.penalty.push_back(b);
  }
  const std::size_t m = out.penalty.size();
  out.penalty.push_back(floor);
  // The first row whose penalty is so low that a node with this penalty is split.
  const auto splits_at = [&](double penalty) {
    if (reaches_penalty(penalty, floor, root_risk)) return m + 1;
    const auto below = [&](double p, double row_penalty) {
      return !reaches_penalty(p, row_penalty, root_risk);
    };
    return static_cast<std::size_t>(
        std::upper_bound(out.penalty.begin(), out.penalty.end(), penalty, below) -
        out.penalty.begin());
  };
  for (auto* column : {&out.leaves, &out.splits, &out.risk}) column->assign(m + 2, 0.0);
  for (std::size_t v = 0; v < tree.size(); ++v) {
    const std::size_t from = v == 0 ? 0 : splits_at(penalties[tree.parent[v]]);
    const std::size_t to = tree.kind[v] == 0 ? m + 1 : splits_at(penalties[v]);
    if (tree.kind[v] != 0) out.splits[to] += 1.0;
    if (from == to) continue;  // splits as soon as it is there
    const double here = risk(tree, static_cast<int>(v));
    out.leaves[from] += 1.0;
    out.leaves[to] -= 1.0;
    out.risk[from] += here;
    out.risk[to] -= here;
  }
  for (auto* column : {&out.leaves, &out.splits, &out.risk}) {
    for (std::size_t i = 1; i < column->size(); ++i) (*column)[i] += (*column)[i - 1];
    column->pop_back();
  }
  return out;
}

inline Tree prune_at_penalty(const Tree& tree, const NodeRisk& risk,
                             const std::vector<double>& penalties, double penalty) {
  const double root_risk = risk(tree, 0);
  return cut_at(tree, [&](int v) { return reaches_penalty(penalties[v], penalty, root_risk); });
}

}  // namespace tectree

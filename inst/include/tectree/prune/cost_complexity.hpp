// Cost-complexity pruning (Breiman et al. 1984): of all prunings the one with the least
// risk + alpha x leaves, the smallest among equals, for every alpha at once.
//
// With price alpha a leaf, the best pruning below node t costs
//     f_t(alpha) = min(R(t) + alpha, sum over children of f_c(alpha)),
// concave, of straight pieces whose slope is the number of leaves. R(t) + alpha is the flattest, so
// it is the least from one alpha on: alpha_t, the price at which t becomes a leaf. To find it,
// start from the sum's last piece (every child a leaf) and go left over the sum's breaks, each of
// which brings back a split below, until the crossing. The breaks passed lie above alpha_t, where t
// is a leaf: they never matter again. So each node's break is put into a heap once and taken out at
// most once, the smaller heaps of children go into the largest: O(nodes log^2 nodes).
//
// The root's remaining breaks are the table that rpart prints: nested trees, the cheapest for the
// prices between two breaks.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "fold.hpp"

namespace tectree {

// Two prices that differ by rounding are one.
inline bool reaches_price(double price, double bound, double root_risk) {
  return price <= bound + 1e-11 * std::fabs(bound) + 1e-15 * root_risk;
}

// The price at which each node becomes a leaf, its ancestors' included; -Inf for leaves.
inline std::vector<double> leaf_prices(const Tree& tree, const NodeRisk& risk) {
  std::vector<double> price(tree.size(), -HUGE_VAL);
  // What a node's break brings back: risk saved, leaves added.
  std::vector<double> saved(tree.size(), 0.0), added(tree.size(), 0.0), at_leaf(tree.size());
  std::vector<std::vector<int>> breaks(tree.size());  // in a node's subtree: a heap by price
  const auto cheaper = [&](int a, int b) { return price[a] < price[b]; };
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
    while (!open.empty() && at_leaf[v] - below <= price[open.front()] * (leaves - 1)) {
      below -= saved[open.front()];
      leaves += added[open.front()];
      std::pop_heap(open.begin(), open.end(), cheaper);
      open.pop_back();
    }
    price[v] = (at_leaf[v] - below) / (leaves - 1);
    saved[v] = at_leaf[v] - below;
    added[v] = leaves - 1;
    put(v, open);
  });
  for (std::size_t v = 1; v < tree.size(); ++v)
    price[v] = std::min(price[v], price[tree.parent[v]]);
  return price;
}

// One row a nested tree, the smallest first: the least price at which it is the cheapest.
struct PriceTable {
  std::vector<double> price, leaves, splits, risk;
};

// The trees from the root alone down to the one at the price `floor`.
inline PriceTable price_table(const Tree& tree, const NodeRisk& risk,
                              const std::vector<double>& prices, double floor) {
  const double root_risk = risk(tree, 0);
  std::vector<double> breaks;
  for (std::size_t v = 0; v < tree.size(); ++v) {
    if (tree.kind[v] != 0 && !reaches_price(prices[v], floor, root_risk)) {
      breaks.push_back(prices[v]);
    }
  }
  std::sort(breaks.begin(), breaks.end(), std::greater<double>());
  PriceTable out;
  for (double b : breaks) {
    if (out.price.empty() || !reaches_price(out.price.back(), b, root_risk)) out.price.push_back(b);
  }
  const std::size_t m = out.price.size();
  out.price.push_back(floor);
  // The first row whose price is so low that a node of this price has split.
  const auto splits_at = [&](double price) {
    if (reaches_price(price, floor, root_risk)) return m + 1;
    const auto below = [&](double p, double row_price) {
      return !reaches_price(p, row_price, root_risk);
    };
    return static_cast<std::size_t>(
        std::upper_bound(out.price.begin(), out.price.end(), price, below) - out.price.begin());
  };
  for (auto* column : {&out.leaves, &out.splits, &out.risk}) column->assign(m + 2, 0.0);
  for (std::size_t v = 0; v < tree.size(); ++v) {
    const std::size_t from = v == 0 ? 0 : splits_at(prices[tree.parent[v]]);
    const std::size_t to = tree.kind[v] == 0 ? m + 1 : splits_at(prices[v]);
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

inline Tree prune_at_price(const Tree& tree, const NodeRisk& risk,
                           const std::vector<double>& prices, double price) {
  const double root_risk = risk(tree, 0);
  return cut_at(tree, [&](int v) { return reaches_price(prices[v], price, root_risk); });
}

}  // namespace tectree

// Many trees in a few plain vectors, 16 bytes per node, as read by prediction, Shapley values and
// exports.
//
// Trees are stored one after another, each in pre-order: the left child is the next node. Every
// split is in two; one with more branches is a small tree of such splits on the same predictor, by
// halves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../criterion/loss.hpp"
#include "../data/frame.hpp"
#include "../split/split.hpp"
#include "tree.hpp"

namespace tectree {

// A forest in memory that it or the caller owns.
struct ForestView {
  int n_classes = 0;
  UnknownRows unknown = UnknownRows::branch;  // what happens to rows with a missing value
  std::size_t trees = 0, nodes = 0;
  // By tree, plus one: where it starts.
  const int* start = nullptr;
  // By node. variable: 0 in a leaf, otherwise the predictor from 1; negative if rows with a missing
  // value, or with a level that the node never saw, go right. right: the right child as a distance;
  // for a leaf the pure class from 1, or the weight of a number, or minus the position from 1 in
  // `shares` or `weight`. cut: values up to this go left; for levels: the position in `sides` of
  // the first level; for a leaf the weight, or the number that it predicts.
  const int* variable = nullptr;
  const int* right = nullptr;
  const double* cut = nullptr;
  const unsigned char* sides = nullptr;  // by level: 0 never seen, 1 left, 2 right
  std::size_t n_sides = 0;
  const double* shares = nullptr;  // n_classes per impure leaf
  std::size_t n_shares = 0;        // the number of such leaves
  const double* weight = nullptr;  // of number leaves whose weight is not a small whole number
  std::size_t n_weights = 0;
  // By node, if rows with a missing value stop: its own prediction, a number or n_classes shares.
  // Null: the mean of the leaves below.
  const double* own = nullptr;
  // The costs by which a tree's class is chosen; null: the largest share.
  const Loss* loss = nullptr;

  std::size_t outputs() const { return n_classes > 0 ? static_cast<std::size_t>(n_classes) : 1; }
  bool is_leaf(std::size_t node) const { return variable[node] == 0; }
  std::size_t column(std::size_t node) const {
    return static_cast<std::size_t>(std::llabs(variable[node])) - 1;
  }
  std::size_t left_child(std::size_t node) const { return node + 1; }
  std::size_t right_child(std::size_t node) const { return node + right[node]; }

  // ---- leaves ----
  double leaf_weight(std::size_t node) const {
    if (n_classes > 0) return cut[node];
    return right[node] >= 0 ? right[node] : weight[-static_cast<std::ptrdiff_t>(right[node]) - 1];
  }
  double number(std::size_t node) const { return cut[node]; }
  // The only class in a leaf, counted from 0, or -1.
  int pure_class(std::size_t node) const { return right[node] > 0 ? right[node] - 1 : -1; }
  // The shares of an impure leaf.
  const double* leaf_shares(std::size_t node) const {
    return shares + static_cast<std::size_t>(-static_cast<std::ptrdiff_t>(right[node]) - 1) *
                        static_cast<std::size_t>(n_classes);
  }

  // One of its trees; nodes keep their numbers.
  std::size_t root(std::size_t tree) const { return static_cast<std::size_t>(start[tree]); }
};

// Whether splits on a column are by `sides`.
inline bool by_sides(const Column& column) {
  return column.kind == Kind::nominal;
}

// Where a value goes: 0 if that is unknown, 1 left, 2 right. `code`: of a level.
inline int side_of_level(const unsigned char* sides, double first, double code, int n_levels) {
  const bool known = code >= 1 && code <= n_levels;
  return known ? sides[static_cast<std::size_t>(first) + static_cast<std::size_t>(code) - 1] : 0;
}
inline int side_of(const ForestView& forest, std::size_t node, const Column& column, double value) {
  const double cut = forest.cut[node];
  if (by_sides(column)) return side_of_level(forest.sides, cut, value, column.n_levels);
  return static_cast<int>(value <= cut) + 2 * static_cast<int>(value > cut);
}

struct Forest {
  int n_classes = 0;
  UnknownRows unknown = UnknownRows::branch;
  std::vector<int> start{0};
  std::vector<int> variable, right;
  std::vector<double> cut;
  std::vector<unsigned char> sides;
  std::vector<double> shares, weight;
  std::vector<double> own;  // empty unless rows stop

  std::size_t trees() const { return start.size() - 1; }
  void reserve(std::size_t nodes) {
    variable.reserve(nodes);
    right.reserve(nodes);
    cut.reserve(nodes);
  }

  ForestView view() const {
    ForestView out;
    out.n_classes = n_classes;
    out.unknown = unknown;
    out.trees = trees();
    out.nodes = variable.size();
    out.start = start.data();
    out.variable = variable.data();
    out.right = right.data();
    out.cut = cut.data();
    out.sides = sides.data();
    out.n_sides = sides.size();
    out.shares = shares.data();
    out.n_shares = n_classes > 0 ? shares.size() / static_cast<std::size_t>(n_classes) : 0;
    out.weight = weight.data();
    out.n_weights = weight.size();
    if (!own.empty()) out.own = own.data();
    return out;
  }
};

namespace detail {

constexpr std::size_t most_in_forest = 2147483647;

inline void require_room(std::size_t n) {
  if (n >= most_in_forest) throw std::length_error("the forest has too many nodes");
}

// The value of `right` for a leaf of numbers.
inline int stored_weight(double weight, std::vector<double>& stored) {
  if (weight == std::floor(weight) && weight >= 0.0 && weight < 2147483648.0)
    return static_cast<int>(weight);
  stored.push_back(weight);
  return -static_cast<int>(stored.size());
}

inline void add_leaf(const Tree& tree, int node, Forest& to) {
  to.variable.push_back(0);
  const double weight = tree.weight[node];
  if (to.n_classes == 0) {
    to.cut.push_back(tree.yval[node]);
    to.right.push_back(stored_weight(weight, to.weight));
    return;
  }
  to.cut.push_back(weight);
  const double *share = tree.shares(node), *end = share + to.n_classes;
  const double* pure = std::find(share, end, 1.0);
  const bool is_pure = pure != end && std::count(share, end, 0.0) == to.n_classes - 1;
  if (!is_pure) to.shares.insert(to.shares.end(), share, end);
  const auto impure = to.shares.size() / static_cast<std::size_t>(to.n_classes);
  require_room(impure);
  to.right.push_back(is_pure ? static_cast<int>(pure - share) + 1 : -static_cast<int>(impure));
}

inline void add_own(const Tree& tree, int node, Forest& to) {
  if (tree.n_classes == 0) {
    to.own.push_back(tree.yval[node]);
  } else {
    to.own.insert(to.own.end(), tree.shares(node), tree.shares(node) + tree.n_classes);
  }
}

// Branches [first, last) of a node of a tree, as a split in two after the first half of them.
struct Branches {
  int node, first, last;
  int parent;  // the node of the forest whose right child this is, or -1

  int middle() const { return first + (last - first) / 2; }
};

// Where ordered values continue from the branches before this one: a number, or a level code.
inline double cut_before(const SplitView& split, int branch, int n_levels) {
  if (split.kind == SplitKind::multiway) return branch;
  if (split.kind != SplitKind::subset) return split.breaks[branch - 1];
  int code = 0;
  while (code < n_levels && route_code(split, code + 1) < branch) ++code;
  return code;
}

inline void add_split(const Tree& tree, const Branches& of, const Frame& frame, Forest& to) {
  const SplitView split = tree.split(of.node);
  const int column = tree.variable[of.node], unknown = tree.default_child[of.node];
  const bool goes_right = unknown >= of.middle() && unknown < of.last;
  to.variable.push_back(goes_right ? -column - 1 : column + 1);
  to.right.push_back(0);  // until the right child is added
  if (!by_sides(frame.columns[column])) {
    to.cut.push_back(cut_before(split, of.middle(), frame.columns[column].n_levels));
    return;
  }
  to.cut.push_back(static_cast<double>(to.sides.size()));
  for (int code = 1; code <= frame.columns[column].n_levels; ++code) {
    const int branch = route_code(split, code);
    const bool here = branch >= of.first && branch < of.last;
    to.sides.push_back(here ? branch < of.middle() ? 1 : 2 : 0);
  }
}

}  // namespace detail

// Appends a tree, without its surrogates.
inline void append(const Tree& tree, const Frame& frame, Forest& to) {
  if (to.variable.empty()) {
    to.n_classes = tree.n_classes;
    to.unknown = tree.unknown;
    to.reserve(tree.size());
  }
  const auto all_of = [&](int node, int parent) {
    return detail::Branches{node, 0, tree.n_children[node], parent};
  };
  std::vector<detail::Branches> open{all_of(0, -1)};
  while (!open.empty()) {
    detail::Branches next = open.back();
    open.pop_back();
    while (next.last - next.first == 1) {
      const int child = tree.child[tree.child_start[next.node] + next.first];
      next = all_of(child, next.parent);
    }
    const auto here = to.variable.size();
    detail::require_room(here);
    if (tree.unknown == UnknownRows::stop) detail::add_own(tree, next.node, to);
    if (next.parent >= 0) to.right[next.parent] = static_cast<int>(here) - next.parent;
    if (tree.kind[next.node] == 0) {
      detail::add_leaf(tree, next.node, to);
      continue;
    }
    detail::add_split(tree, next, frame, to);
    open.push_back({next.node, next.middle(), next.last, static_cast<int>(here)});
    open.push_back({next.node, next.first, next.middle(), -1});
  }
  to.start.push_back(static_cast<int>(to.variable.size()));
}

// Appends the trees of another forest.
inline void append(const Forest& from, const Frame& frame, Forest& to) {
  if (to.variable.empty()) {
    to.n_classes = from.n_classes;
    to.unknown = from.unknown;
  }
  const ForestView view = from.view();
  const auto nodes = to.variable.size(), sides = to.sides.size();
  const auto k = static_cast<std::size_t>(std::max(to.n_classes, 1));
  const auto stored = to.n_classes > 0 ? to.shares.size() / k : to.weight.size();
  detail::require_room(nodes + from.variable.size());
  detail::require_room(stored + view.n_shares + view.n_weights);
  to.variable.insert(to.variable.end(), from.variable.begin(), from.variable.end());
  to.right.insert(to.right.end(), from.right.begin(), from.right.end());
  to.cut.insert(to.cut.end(), from.cut.begin(), from.cut.end());
  for (std::size_t i = 0; i < view.nodes; ++i) {
    if (view.is_leaf(i)) {
      if (view.right[i] < 0) to.right[nodes + i] -= static_cast<int>(stored);
    } else if (by_sides(frame.columns[view.column(i)])) {
      to.cut[nodes + i] += static_cast<double>(sides);
    }
  }
  to.sides.insert(to.sides.end(), from.sides.begin(), from.sides.end());
  to.shares.insert(to.shares.end(), from.shares.begin(), from.shares.end());
  to.weight.insert(to.weight.end(), from.weight.begin(), from.weight.end());
  to.own.insert(to.own.end(), from.own.begin(), from.own.end());
  for (std::size_t t = 1; t < from.start.size(); ++t)
    to.start.push_back(static_cast<int>(nodes) + from.start[t]);
}

// Changes the weights of all leaves, and the numbers that nodes predict.
template <class Weight, class Number>
void change_leaves(Forest& forest, Weight weight_of, Number number_of) {
  std::vector<double> stored;
  if (forest.n_classes == 0) {
    for (double& x : forest.own) x = number_of(x);
  }
  for (std::size_t node = 0; node < forest.variable.size(); ++node) {
    if (forest.variable[node] != 0) continue;
    double& cut = forest.cut[node];
    int& right = forest.right[node];
    if (forest.n_classes > 0) {
      cut = weight_of(cut);
      continue;
    }
    cut = number_of(cut);
    const double weight = right >= 0 ? right : forest.weight[-right - 1];
    right = detail::stored_weight(weight_of(weight), stored);
  }
  forest.weight = std::move(stored);
}

// The weights of the nodes [first, end) of a tree, from its root on: for an inner node the sum over
// its leaves.
inline std::vector<double> cover_of(const ForestView& forest, std::size_t first, std::size_t end) {
  std::vector<double> out(end - first);
  for (std::size_t node = end; node-- > first;) {
    out[node - first] = forest.is_leaf(node) ? forest.leaf_weight(node)
                                             : out[forest.left_child(node) - first] +
                                                   out[forest.right_child(node) - first];
  }
  return out;
}

}  // namespace tectree

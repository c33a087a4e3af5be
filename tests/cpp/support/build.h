// Hand-made trees, node by node.
#pragma once

#include <tectree/tree/tree.hpp>

#include <initializer_list>
#include <vector>

namespace support {

// Distinct facts for nodes.
inline tectree::NodeFacts facts(int number) {
  tectree::NodeFacts f;
  f.n = static_cast<std::size_t>(number);
  f.weight = number * 1.5;
  f.yval = number % 3;
  f.impurity = number / 100.0;
  return f;
}

// A leaf of two classes.
inline int add_leaf(tectree::Tree& tree, int parent, int number) {
  const double share[] = {0.25 + number / 1000.0, 0.75 - number / 1000.0};
  tree.n_classes = 2;
  return tree.add_leaf(facts(number), share, parent);
}

inline tectree::Winner winner(tectree::SplitKind kind, int column, int branches,
                              std::vector<double> breaks) {
  tectree::Winner w;
  w.split.kind = kind;
  w.split.column = column;
  w.split.branches = branches;
  w.split.breaks = std::move(breaks);
  w.gain = 0.5 + column;
  w.score = 0.25 + column;
  return w;
}

inline tectree::Winner threshold(int column, double t) {
  return winner(tectree::SplitKind::threshold, column, 2, {t});
}

inline tectree::Winner subset(int column, std::vector<int> level, std::vector<int> child) {
  tectree::Winner w = winner(tectree::SplitKind::subset, column, 2, {});
  w.split.level = std::move(level);
  w.split.level_child = std::move(child);
  return w;
}

// Splits a leaf; the children are numbered from `number`.
inline std::vector<int> split(tectree::Tree& tree, int node, const tectree::Winner& w, int missing,
                              int number) {
  tree.set_split(node, w, missing);
  std::vector<int> children;
  for (int j = 0; j < w.split.branches; ++j) children.push_back(add_leaf(tree, node, number + j));
  tree.set_children(node, children);
  return children;
}

// A node for each kind of split, columns 0 and 1 numbers, 2 and 3 codes:
// 0 threshold -> (1 intervals -> 3, 4, 5), (2 subset -> (6 multiway -> 8, 9, 10, 11), (7 level ->
// 12, 13))
inline tectree::Tree tree_of_all_kinds() {
  using tectree::SplitKind;
  tectree::Tree tree;
  add_leaf(tree, -1, 50);
  const auto root = split(tree, 0, threshold(0, 2.5), 0, 10);
  split(tree, root[0], winner(SplitKind::intervals, 1, 3, {0.0, 1.0}), 2, 20);
  const auto groups = split(tree, root[1], subset(2, {1, 2, 4}, {0, 1, 1}), 1, 30);
  split(tree, groups[0], winner(SplitKind::multiway, 3, 4, {}), 3, 40);
  split(tree, groups[1], winner(SplitKind::level, 3, 2, {2.0}), 0, 60);
  return tree;
}

// Node i is a threshold on column 0 at i: values up to i go to a leaf, larger ones to the next
// node. Nodes 0, 2, 4, ... are the chain.
inline tectree::Tree chain(int length) {
  tectree::Tree tree;
  int at = add_leaf(tree, -1, 0);
  for (int i = 0; i < length; ++i) at = split(tree, at, threshold(0, i), 1, 0)[1];
  return tree;
}

}  // namespace support

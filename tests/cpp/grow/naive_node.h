// A node of the naive tree and what its rows hold.
#pragma once

#include <numeric>

#include "grow/naive_candidates.h"

namespace support {

struct NaiveNode {
  double n = 0, weight = 0, yval = 0, impurity = 0, gain = 0, score = 0;
  Counts share;
  int depth = 0, missing = -1;
  Split split;
  std::vector<NaiveNode> child;
};

using Rows = std::vector<std::size_t>;

inline Rows all_rows(const Table& table) {
  Rows rows(table.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

inline void put(const Table& table, const Setting& setting, std::size_t r, Bag& bag) {
  const double w = table.w(r);
  bag.w += w;
  if (table.n_classes > 0) {
    bag.counts.resize(static_cast<std::size_t>(table.n_classes), 0.0);
    bag.counts[static_cast<std::size_t>(table.y[r] - 1)] += w;
    return;
  }
  const long double d = static_cast<long double>(table.number[r]) - table.number[0];
  bag.s += w * d;
  bag.ss += w * d * d;
  if (setting.criterion != "l2") bag.numbers.push_back({table.number[r], w});
}

// The values of a column among some rows.
inline Groups groups_of(const Table& table, const Setting& setting, Rows rows, std::size_t column) {
  const std::vector<double>& x = table.x[column];
  rows.erase(
      std::remove_if(rows.begin(), rows.end(), [&](std::size_t r) { return std::isnan(x[r]); }),
      rows.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  Groups groups;
  groups.column = column;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == 0 || x[rows[i]] != x[rows[i - 1]]) {
      groups.value.push_back(x[rows[i]]);
      groups.bag.emplace_back();
    }
    put(table, setting, rows[i], groups.bag.back());
  }
  std::vector<char> present(static_cast<std::size_t>(table.n_classes), 0);
  for (std::size_t r : rows) {
    if (table.n_classes > 0) present[static_cast<std::size_t>(table.y[r] - 1)] = 1;
  }
  for (std::size_t s = 0; s < present.size(); ++s) {
    if (present[s]) ++groups.classes_present, groups.last_class = s;
  }
  return groups;
}

inline NaiveNode naive_leaf(const Table& table, const Setting& setting, const Rows& rows,
                            int depth) {
  NaiveNode node;
  Bag bag;
  for (std::size_t r : rows) put(table, setting, r, bag);
  node.n = static_cast<double>(rows.size());
  node.weight = bag.weight();
  node.impurity = impurity_of(setting, bag);
  node.depth = depth;
  for (double c : bag.counts) node.share.push_back(c / sum(bag.counts));
  std::size_t first = 0;
  for (std::size_t s = 0; s < node.share.size(); ++s) {
    if (node.share[s] > node.share[first] * (1 + 1e-12)) first = s;
  }
  node.yval = static_cast<double>(first);
  if (is_regression(setting)) node.yval = static_cast<double>(table.number[0] + bag.s / bag.w);
  if (setting.criterion == "l1") node.yval = naive_median(bag.numbers);
  return node;
}

// A branch without rows predicts as its parent does.
inline NaiveNode naive_empty_leaf(const NaiveNode& parent) {
  NaiveNode node;
  node.depth = parent.depth + 1;
  node.share = parent.share;
  node.yval = parent.yval;
  return node;
}

inline bool is_pure(const Table& table, const Rows& rows) {
  for (std::size_t r : rows) {
    const bool same = table.n_classes > 0 ? table.y[r] == table.y[rows[0]]
                                          : table.number[r] == table.number[rows[0]];
    if (!same) return false;
  }
  return true;
}

}  // namespace support

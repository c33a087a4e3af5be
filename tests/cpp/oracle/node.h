// The oracle's problem, the rows of a node, and their totals.
#pragma once

#include <tectree/missing/policies.hpp>

#include <numeric>
#include <string>

#include "oracle/candidates.h"

namespace oracle {

struct Problem {
  const Table& table;
  const Setting& setting;
  std::string missing = "majority";
  tectree::ClassFactors factors = {};
  tectree::Loss loss = {};
  tectree::SurrogateRule surrogates = {5, true, false};
  bool undecided_stop = false;  // for rows that no surrogate decides

  double min_split() const { return setting.stop.min_split; }
  double least_size() const { return setting.control.min_bucket; }
};

struct Row {
  std::size_t at;
  double w, size;  // its case weight and its size, or its part here
};
using Rows = std::vector<Row>;

// The weight of a row: in the search, or in the facts of a node.
enum class Counting { search, facts };

struct Node {
  double n = 0, weight = 0, yval = 0, impurity = 0, gain = 0, score = 0;
  Counts share;
  int depth = 0, missing = -1;
  Rows rows;
  Split split;
  std::vector<tectree::Surrogate> surrogates;
  std::vector<Node> child;
};

inline Rows all_rows(const Table& table) {
  Rows rows;
  for (std::size_t i = 0; i < table.rows(); ++i) rows.push_back({i, table.w(i), table.size_of(i)});
  return rows;
}

inline double factor_of(const Problem& problem, Counting counting, std::size_t s) {
  const std::vector<double>& factor =
      counting == Counting::search ? problem.factors.split : problem.factors.prior;
  return factor.empty() ? 1.0 : factor[s];
}

inline void put(const Problem& problem, const Row& row, Counting counting, Bag& bag) {
  const Table& table = problem.table;
  bag.size += row.size;
  if (table.n_classes > 0) {
    const auto s = static_cast<std::size_t>(table.y[row.at] - 1);
    const double w = row.w * factor_of(problem, counting, s);
    bag.counts.resize(static_cast<std::size_t>(table.n_classes), 0.0);
    bag.counts[s] += w;
    bag.w += w;
    return;
  }
  const double y = table.number[row.at];
  const long double d = static_cast<long double>(y) - table.number[0];
  bag.w += row.w;
  bag.s += row.w * d;
  bag.ss += row.w * d * d;
  if (problem.setting.criterion != "l2") bag.numbers.push_back({y, row.w});
}

inline Bag bag_of(const Problem& problem, const Rows& rows, Counting counting) {
  Bag bag;
  for (const Row& row : rows) put(problem, row, counting, bag);
  return bag;
}

// The values of a column, by row of the table, among some rows: ascending, with their totals.
inline Groups groups_of(const Problem& problem, Rows rows, std::size_t column,
                        const std::vector<double>& x) {
  rows.erase(
      std::remove_if(rows.begin(), rows.end(), [&](const Row& r) { return std::isnan(x[r.at]); }),
      rows.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Row& a, const Row& b) { return x[a.at] < x[b.at]; });
  Groups groups;
  groups.column = column;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == 0 || x[rows[i].at] != x[rows[i - 1].at]) {
      groups.value.push_back(x[rows[i].at]);
      groups.bag.emplace_back();
    }
    put(problem, rows[i], Counting::search, groups.bag.back());
  }
  find_classes(groups);
  return groups;
}

// The class with the smallest cost, the first on ties.
inline std::size_t cheapest(const Problem& problem, const Counts& counts) {
  std::vector<double> cost(counts.size(), 0.0);
  for (std::size_t said = 0; said < counts.size(); ++said) {
    for (std::size_t s = 0; s < counts.size(); ++s) {
      if (s == said) continue;
      const auto& all = problem.loss.cost;
      cost[said] += counts[s] * (all.empty() ? 1.0 : all[s * counts.size() + said]);
    }
  }
  std::size_t first = 0;
  for (std::size_t s = 1; s < cost.size(); ++s) {
    if (cost[s] < cost[first] * (1 - 1e-12)) first = s;
  }
  return first;
}

inline Node leaf_of(const Problem& problem, const Rows& rows, int depth) {
  const Bag bag = bag_of(problem, rows, Counting::facts);
  Node node;
  node.n = static_cast<double>(rows.size());
  node.weight = bag.weight();
  node.impurity = impurity_of(problem.setting, bag);
  node.depth = depth;
  node.rows = rows;
  for (double c : bag.counts) node.share.push_back(c / bag.weight());
  if (!is_regression(problem.setting)) {
    node.yval = static_cast<double>(cheapest(problem, bag.counts));
  } else if (problem.setting.criterion == "l1") {
    node.yval = weighted_median(bag.numbers);
  } else {
    node.yval = static_cast<double>(problem.table.number[0] + bag.s / bag.w);
  }
  return node;
}

// A branch without rows predicts as its parent does.
inline Node empty_leaf(const Node& parent) {
  Node node;
  node.depth = parent.depth + 1;
  node.share = parent.share;
  node.yval = parent.yval;
  return node;
}

inline bool is_pure(const Table& table, const Rows& rows) {
  for (const Row& r : rows) {
    const bool same = table.n_classes > 0 ? table.y[r.at] == table.y[rows[0].at]
                                          : table.number[r.at] == table.number[rows[0].at];
    if (!same) return false;
  }
  return true;
}

}  // namespace oracle

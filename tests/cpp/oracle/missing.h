// Missing values: how the search of a column sees them, and where these rows go.
#pragma once

#include <limits>
#include <map>

#include "oracle/learned.h"

namespace oracle {

constexpr double not_there = std::numeric_limits<double>::quiet_NaN();

// The value imputed by "mode": the lower weighted median, or the most frequent level, the lowest on
// ties.
inline double fill_of(const Problem& problem, const Rows& rows, std::size_t column) {
  const std::vector<double>& x = problem.table.x[column];
  std::map<double, double> weight;
  double total = 0.0;
  for (const Row& r : rows) {
    if (std::isnan(x[r.at])) continue;
    weight[x[r.at] + 0.0] += r.w;
    total += r.w;
  }
  if (weight.empty()) return not_there;
  if (problem.table.kind[column] == Kind::numeric) {
    double below = 0.0;
    for (const auto& [value, w] : weight) {
      below += w;
      if (below >= total / 2 * (1 - 1e-12)) return value;
    }
  }
  auto best = weight.begin();
  for (auto at = weight.begin(); at != weight.end(); ++at) {
    if (at->second > best->second * (1 + 1e-12)) best = at;
  }
  return best->first;
}

// A column as its search sees it in a node.
inline std::vector<double> searched(const Problem& problem, const Rows& rows, std::size_t column) {
  std::vector<double> x = problem.table.x[column];
  if (problem.missing != "mode") return x;
  const double fill = fill_of(problem, rows, column);
  for (const Row& r : rows) {
    if (std::isnan(x[r.at])) x[r.at] = fill;
  }
  return x;
}

inline Rows unknown_rows(const Rows& rows, const std::vector<double>& x) {
  Rows out;
  for (const Row& r : rows) {
    if (std::isnan(x[r.at])) out.push_back(r);
  }
  return out;
}

// How missing values count in the search of a column: gains are multiplied by the share of the
// weight with a value, and they are one more group in the entropy of the branches' sizes.
struct UnknownCount {
  double share = 1.0, group = 0.0;
};

inline UnknownCount count_unknown(const Problem& problem, const Rows& rows, const Rows& unknown) {
  if (unknown.empty()) return {};
  if (problem.missing != "fractional" && problem.missing != "surrogate") return {};
  const double whole = bag_of(problem, rows, Counting::search).weight();
  const double without = bag_of(problem, unknown, Counting::search).weight();
  return {(whole - without) / whole, problem.missing == "fractional" ? without : 0.0};
}

// The branch of a value; -1 for missing values and unseen levels.
inline int branch_of(const Split& split, double v) {
  if (std::isnan(v)) return -1;
  if (split.kind == SplitKind::multiway) return static_cast<int>(v) - 1;
  if (split.kind == SplitKind::subset) {
    for (std::size_t i = 0; i < split.level.size(); ++i) {
      if (split.level[i] == static_cast<int>(v)) return split.level_child[i];
    }
    return -1;
  }
  int below = 0;
  for (double b : split.breaks) below += b < v;
  return below;
}

inline int branch_of(const Split& split, const Table& table, const Row& row) {
  return branch_of(split, table.x[static_cast<std::size_t>(split.column)][row.at]);
}
inline int branch_of(const tectree::Surrogate& surrogate, const Table& table, const Row& row) {
  const int branch = branch_of(surrogate.split, table, row);
  return branch >= 0 && surrogate.flipped ? 1 - branch : branch;
}

inline int heaviest(const std::vector<double>& weight) {
  std::size_t best = 0;
  for (std::size_t j = 1; j < weight.size(); ++j) {
    if (weight[j] > weight[best] * (1 + 1e-12)) best = j;
  }
  return static_cast<int>(best);
}

// The rows with a value, by branch.
inline std::vector<Rows> known_by_branch(const Problem& problem, const Rows& rows,
                                         const Split& split) {
  std::vector<Rows> out(static_cast<std::size_t>(split.branches));
  for (const Row& r : rows) {
    const int branch = branch_of(split, problem.table, r);
    if (branch >= 0) out[static_cast<std::size_t>(branch)].push_back(r);
  }
  return out;
}

// The branch of the undecided rows; -1 for none. `side`: the learned one, if any.
inline int branch_of_unknown(const Problem& problem, const Rows& rows, const Split& split,
                             int side) {
  if (problem.missing == "drop") return -1;
  if (problem.missing == "surrogate" && problem.undecided_stop) return -1;
  if (problem.missing == "mode")
    return branch_of(split, fill_of(problem, rows, static_cast<std::size_t>(split.column)));
  if (side >= 0) return side;
  std::vector<double> weight;
  for (const Rows& branch : known_by_branch(problem, rows, split)) {
    double sum = 0.0;
    for (const Row& r : branch) sum += r.w;
    weight.push_back(sum);
  }
  return heaviest(weight);
}

// Rows with a missing value go down every branch in parts, by the weights of its rows; in equal
// parts if no row has a value.
inline std::vector<Rows> deal_parts(const Problem& problem, const Rows& rows, const Split& split) {
  std::vector<Rows> out = known_by_branch(problem, rows, split);
  std::vector<double> weight;
  double total = 0.0;
  for (const Rows& branch : out) {
    weight.push_back(bag_of(problem, branch, Counting::facts).weight());
    total += weight.back();
  }
  for (std::size_t j = 0; j < out.size(); ++j) {
    const double share = total > 0.0 ? weight[j] / total : 1.0 / static_cast<double>(out.size());
    if (share == 0.0) continue;
    for (const Row& r : rows) {
      if (branch_of(split, problem.table, r) < 0)
        out[j].push_back({r.at, r.w * share, r.size * share});
    }
  }
  return out;
}

// The rows of each branch, by value, by a surrogate, or all others to the node's own branch.
inline std::vector<Rows> deal(const Problem& problem, const Rows& rows, const Node& node) {
  if (problem.missing == "fractional") return deal_parts(problem, rows, node.split);
  std::vector<Rows> out(static_cast<std::size_t>(node.split.branches));
  for (const Row& r : rows) {
    int branch = branch_of(node.split, problem.table, r);
    for (std::size_t i = 0; problem.surrogates.used && i < node.surrogates.size(); ++i) {
      if (branch < 0) branch = branch_of(node.surrogates[i], problem.table, r);
    }
    if (branch < 0) branch = node.missing;
    if (branch >= 0) out[static_cast<std::size_t>(branch)].push_back(r);
  }
  return out;
}

}  // namespace oracle

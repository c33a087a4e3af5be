// Pruning by the expected errors of a leaf, estimated from its training errors.
//
// Error-based, as in C4.5 release 8 (Quinlan 1993), from the leaves up: a node stays, becomes a
// leaf, or is replaced by its largest branch (raising), whichever has the fewest expected errors. A
// raised branch takes all rows of the node, and is pruned again.
//
// Pessimistic (Quinlan 1987), from the root down: a leaf is charged half an error in addition to
// its errors. A subtree of L leaves with errors e_i makes m = sum e_i + L / 2 of n; it stays if
// that, plus one standard deviation of a binomial count with this mean, is less than the errors of
// the node as a leaf, e + 1/2. Here e are the node's *own* errors as a leaf; the sum of its leaves'
// errors, as in one printed source, would prune every node.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "../base/team.hpp"
#include "fold.hpp"
#include "raising.hpp"

namespace tectree {

inline bool pessimistic_leaf(double n, double as_leaf, double below, double leaves) {
  const double mean = below + leaves / 2, rate = n > 0.0 ? mean / n : 0.0;
  const double sd = std::sqrt(n * rate * std::max(0.0, 1.0 - rate));
  return mean + sd >= as_leaf + 0.5 - 1e-9 * std::max(1.0, as_leaf);
}

inline Tree prune_pessimistic(const Tree& tree, const NodeRisk& risk) {
  const std::vector<double> errors = training_errors(tree, risk);
  const std::vector<double> below = sums_of_leaves(tree, errors), leaves = leaves_below(tree);
  // From the root down or up, the tree is the same: a node's figures do not depend on cuts below.
  return cut_at(tree, [&](int v) {
    return pessimistic_leaf(tree.weight[v], errors[v], below[v], leaves[v]);
  });
}

// C4.5's estimate of the future errors of a leaf: the upper limit, at confidence CF, for a binomial
// count with e of n.

// x with P(Z > x) = tail for a standard normal Z, 0 < tail <= 1/2: bisection to the last digits,
// done once per call.
inline double normal_upper(double tail) {
  double low = 0.0, high = 40.0;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (std::erfc(middle / std::sqrt(2.0)) / 2 > tail ? low : high) = middle;
  }
  return low;
}

class ErrorEstimate {
 public:
  explicit ErrorEstimate(double cf) : cf_(cf), z_(normal_upper(cf)) {}

  // Errors made and additional expected errors.
  double operator()(double n, double e) const { return n < 1e-6 ? 0.0 : e + extra(n, e); }

  double extra(double n, double e) const {
    if (e < 1.0) {
      const double none = n * (1.0 - std::pow(cf_, 1.0 / n));
      return e <= 0.0 ? none : none + e * (extra(n, 1.0) - none);
    }
    if (e + 0.5 >= n) return std::max(n - e, 0.0);
    const double f = (e + 0.5) / n, z2 = z_ * z_;
    const double root = std::sqrt(f / n - f * f / n + z2 / (4 * n * n));
    return n * (f + z2 / (2 * n) + z_ * root) / (1 + z2 / n) - e;
  }

 private:
  double cf_, z_;
};

// Before pruning, from the root down: a subtree that saves no training error becomes a leaf.
inline Tree collapse(const Tree& tree, const NodeRisk& risk) {
  const std::vector<double> errors = training_errors(tree, risk);
  const std::vector<double> below = sums_of_leaves(tree, errors);
  return cut_at(tree, [&](int v) { return below[v] >= errors[v] - 1e-3; });
}

class ErrorBasedPruner {
 public:
  // `rows`: the training rows by node, if branches may be raised; otherwise null.
  ErrorBasedPruner(Tree tree, const NodeRisk& risk, double cf, RaisedRows* rows)
      : tree_(std::move(tree)), risk_(risk), estimate_(cf), rows_(rows), expected_(tree_.size()) {}

  Tree run(Team& team) {
    open_.push_back({0, 0});
    while (!open_.empty()) {
      team.check();
      Open& at = open_.back();
      if (tree_.kind[at.node] != 0 && at.next < tree_.n_children[at.node]) {
        open_.push_back({child_of(tree_, at.node, at.next++), 0});
      } else if (settle(at)) {
        open_.pop_back();
      }
    }
    return assemble(tree_, {}, {}, root_);
  }

 private:
  struct Open {
    int node, next;  // the next branch to prune
  };
  static constexpr double slack = 0.1 + 1e-6;

  double as_leaf(int v) const {
    return estimate_(tree_.weight[v], risk_.errors(tree_, v) / risk_.loss.largest());
  }

  // Decides on a node whose branches are done; false if it has to be pruned again.
  bool settle(Open& at) {
    const int v = at.node;
    const double leaf = as_leaf(v);
    expected_[v] = leaf;
    if (tree_.kind[v] == 0) return true;
    double subtree = 0.0;
    for (int j = 0; j < tree_.n_children[v]; ++j) subtree += expected_[child_of(tree_, v, j)];
    const int large = heaviest_child(v);
    const double raised = rows_ ? raised_errors(v, large) : HUGE_VAL;
    if (leaf - subtree < slack && leaf - raised < slack) {
      make_leaf(tree_, v);
      if (rows_) rows_->gather_at(v);
      return true;
    }
    if (raised - subtree < slack) {
      raise(v, large);
      at = {large, 0};
      return false;
    }
    expected_[v] = subtree;
    return true;
  }

  // The last on ties, as in C4.5's port.
  int heaviest_child(int v) const {
    int best = child_of(tree_, v, 0);
    for (int j = 1; j < tree_.n_children[v]; ++j) {
      const int c = child_of(tree_, v, j);
      if (tree_.weight[c] > tree_.weight[best] - 1e-6) best = c;
    }
    return best;
  }

  double raised_errors(int v, int branch) {
    double sum = 0.0;
    rows_->try_below(tree_, v, branch, [&](double weight, double errors) {
      sum += estimate_(weight, errors / risk_.loss.largest());
    });
    return sum;
  }

  void raise(int v, int branch) {
    rows_->move_below(tree_, v, branch);
    const int parent = tree_.parent[v];
    tree_.parent[branch] = parent;
    if (parent < 0) {
      root_ = branch;
      return;
    }
    int* first = tree_.child.data() + tree_.child_start[parent];
    *std::find(first, first + tree_.n_children[parent], v) = branch;
  }

  Tree tree_;
  const NodeRisk& risk_;
  ErrorEstimate estimate_;
  RaisedRows* rows_;
  std::vector<double> expected_;
  std::vector<Open> open_;
  int root_ = 0;
};

}  // namespace tectree

// Complexity penalties by rpart's rule, found in one pass, children first, as a tree grows.
//
// A split node saves its own risk minus the risks of its subtrees, for as many splits as they have
// and one more; the saving per split is its penalty. If that exceeds the penalty of a child, the
// child would be a leaf by then and counts as one: first the child with the smallest penalty, then
// the next. Weakest links (cost_complexity.hpp) look at all splits below a node, this rule at those
// that the children have kept. On most trees both agree.
//
// `least` is the penalty that the tree is grown at:
// - A split with at most this penalty is undone at once, before the node above it is looked at.
// - A node is not split if its risk is at most `least`, or if its penalty cannot be larger: it is
//   at most the node's risk, and lies by `least` below the best that is still possible for its
//   parent, given the children that are already grown. The second bound is a heuristic: it may
//   give up a split whose penalty is larger.
// A tree that was grown at some penalty keeps its penalties when the rule is applied again at 0.
//
// A split into b branches counts as b - 1 splits.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "cost_complexity.hpp"

namespace tectree {

class RpartPenalties {
 public:
  RpartPenalties(const Tree& tree, const NodeRisk& risk, double least)
      : tree_(tree),
        least_(least),
        root_risk_(risk(tree, 0)),
        own_(tree.size()),
        below_(tree.size()),
        splits_(tree.size(), 0.0),
        bound_(tree.size(), HUGE_VAL),
        grown_(tree.size(), 0),
        penalty_(tree.size(), -HUGE_VAL) {
    for (std::size_t v = 0; v < tree.size(); ++v)
      own_[v] = below_[v] = risk(tree, static_cast<int>(v));
  }

  // -Inf if there is no split, or none was made or kept; never more than the parent's.
  std::vector<double> run() {
    std::vector<int> open;
    if (may_split(0)) open.push_back(0);
    while (!open.empty()) {
      const int v = open.back();
      if (grown_[v] == tree_.n_children[v]) {
        finish(v);
        open.pop_back();
        continue;
      }
      const int child = child_of(tree_, v, grown_[v]);
      bound_[child] = bound_of_next(v) - least_;
      ++grown_[v];
      if (may_split(child)) open.push_back(child);
    }
    for (std::size_t v = 1; v < tree_.size(); ++v)
      penalty_[v] = std::min(penalty_[v], penalty_[tree_.parent[v]]);
    return std::move(penalty_);
  }

 private:
  bool may_split(int v) const {
    return tree_.kind[v] != 0 && exceeds(std::min(own_[v], bound_[v]), least_);
  }

  // By more than rounding; false for NaN.
  bool exceeds(double penalty, double bound) const {
    return penalty > bound && !reaches_penalty(penalty, bound, root_risk_);
  }

  // The maximum saving of node v per split, when some of its children are grown.
  double bound_of_next(int v) const {
    if (grown_[v] == 0) return std::min(own_[v], bound_[v]);
    double leaves = own_[v], subtrees = own_[v], splits = tree_.n_children[v] - 1;
    for (int j = 0; j < grown_[v]; ++j) {
      const int c = child_of(tree_, v, j);
      leaves -= own_[c];
      subtrees -= below_[c];
      splits += splits_[c];
    }
    return std::min(std::max(subtrees / splits, leaves / (tree_.n_children[v] - 1)), bound_[v]);
  }

  void finish(int v) {
    std::vector<int> children(tree_.n_children[v]);
    double below = 0.0, splits = tree_.n_children[v] - 1;
    for (int j = 0; j < tree_.n_children[v]; ++j) {
      const int c = children[j] = child_of(tree_, v, j);
      below += below_[c];
      splits += splits_[c];
    }
    std::sort(children.begin(), children.end(),
              [&](int a, int b) { return penalty_[a] < penalty_[b]; });
    for (int c : children) {
      if (!exceeds((own_[v] - below) / splits, penalty_[c])) break;
      below += own_[c] - below_[c];
      splits -= splits_[c];
    }
    const double penalty = (own_[v] - below) / splits;
    if (!exceeds(penalty, least_)) return;
    penalty_[v] = penalty;
    below_[v] = below;
    splits_[v] = splits;
  }

  const Tree& tree_;
  double least_, root_risk_;
  std::vector<double> own_, below_, splits_;  // risk as a leaf; risk and splits of the subtree
  std::vector<double> bound_;                 // bounds on the penalty before it is found
  std::vector<int> grown_;                    // finished children
  std::vector<double> penalty_;
};

inline std::vector<double> rpart_penalties(const Tree& tree, const NodeRisk& risk,
                                           double least = 0.0) {
  return RpartPenalties(tree, risk, least).run();
}

// ---- the two rules --------------------------------------------------------------------------

enum class PenaltyRule { weakest_link, rpart };

// The penalties of a tree that is grown at the penalty `least`.
inline std::vector<double> penalties_by(PenaltyRule rule, const Tree& tree, const NodeRisk& risk,
                                        double least = 0.0) {
  return rule == PenaltyRule::rpart ? rpart_penalties(tree, risk, least)
                                    : leaf_penalties(tree, risk);
}

}  // namespace tectree

// Many prunings of one tree: the trees that stricter stop rules would have grown, each pruned at a
// penalty per leaf.
//
// Whether a node is a leaf by its depth or its weight depends on that node alone, and so does its
// split. Depth-first growth with a smaller max_depth or a larger min_split therefore makes the same
// nodes down to the new leaves: the upper part of the tree grown by the widest rule, its *shape*. A
// penalty prunes the shape, not the whole tree: splits that only pay off together with deeper ones
// are not worth their penalty if the deeper ones are missing. So a shape has its own leaf
// penalties. The prunings of one shape share those of weakest links; rpart's depend on the penalty
// that a tree is grown at.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "../tally/weights.hpp"
#include "rpart_penalties.hpp"

namespace tectree {

struct Pruning {
  double max_depth = HUGE_VAL;
  double min_split = 0.0;
  bool penalized = false;  // whether the penalty counts
  double penalty = 0.0;
};

// A pruning as a map: for every node of the whole tree the node of the pruning that contains its
// rows, itself or the ancestor that became a leaf.
struct PrunedTo {
  std::vector<int> end;
  int nodes = 0, leaves = 0, depth = 0;
};

// Turns the nodes where the rule stops into leaves. Nodes below them stay, but out of reach.
inline void stop_at(Tree& tree, double max_depth, double min_split) {
  for (std::size_t v = 0; v < tree.size(); ++v) {
    if (tree.kind[v] != 0 && (tree.depth[v] >= max_depth || !reaches(tree.weight[v], min_split)))
      make_leaf(tree, static_cast<int>(v));
  }
}

// `leaf(v)`: whether a node is one if it is reached.
template <class Leaf>
PrunedTo prune_to(const Tree& tree, Leaf leaf) {
  PrunedTo out;
  out.end.resize(tree.size());
  std::vector<char> ends(tree.size());
  for (int v = 0; v < static_cast<int>(tree.size()); ++v) {
    const int up = v == 0 ? -1 : out.end[tree.parent[v]];
    if (up >= 0 && ends[up]) {
      out.end[v] = up;
      continue;
    }
    out.end[v] = v;
    ends[v] = leaf(v);
    ++out.nodes;
    out.leaves += ends[v];
    out.depth = std::max(out.depth, tree.depth[v]);
  }
  return out;
}

// Calls use(i, pruned) once for every pruning, shape by shape.
template <class Use>
void each_pruning(const Tree& tree, const NodeRisk& risk, PenaltyRule rule,
                  const std::vector<Pruning>& prunings, Use use) {
  std::map<std::pair<double, double>, std::vector<std::size_t>> shapes;
  for (std::size_t i = 0; i < prunings.size(); ++i)
    shapes[{prunings[i].max_depth, prunings[i].min_split}].push_back(i);
  const double root_risk = risk(tree, 0);
  Tree shape = tree;
  for (const auto& [bounds, members] : shapes) {
    shape.kind = tree.kind;
    shape.n_children = tree.n_children;
    stop_at(shape, bounds.first, bounds.second);
    std::vector<double> penalties;
    for (std::size_t i : members) {
      const Pruning& p = prunings[i];
      if (p.penalized && (penalties.empty() || rule == PenaltyRule::rpart))
        penalties = penalties_by(rule, shape, risk, p.penalty);
      use(i, prune_to(shape, [&](int v) {
            return shape.kind[v] == 0 ||
                   (p.penalized && reaches_penalty(penalties[v], p.penalty, root_risk));
          }));
    }
  }
}

}  // namespace tectree

// Where a row ends in a tree, or in the part of it below a node: the one way to run rows down a
// tree that pruning and cross-validation use.
#pragma once

#include <cstddef>

#include "../data/frame.hpp"
#include "tree.hpp"

namespace tectree {

// Calls visit(node, weight) for every node at which a part of the row ends, starting at `node`; the
// weights sum to `weight`.
template <class Visit>
void spread(const Tree& tree, const Frame& frame, std::size_t row, double weight, int node,
            Visit visit) {
  while (tree.kind[node] != 0) {
    const int branch = route(tree.split(node), frame.columns[tree.variable[node]], row);
    node = tree.child[tree.child_start[node] +
                      (branch == no_branch ? tree.default_child[node] : branch)];
  }
  visit(node, weight);
}

}  // namespace tectree

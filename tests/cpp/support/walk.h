// One row down one tree of a forest, step by step, without prediction's optimisations.
#pragma once

#include <tectree/tree/forest.hpp>

#include <cmath>

namespace support {

// The leaf that the row ends in.
inline std::size_t leaf_of(const tectree::ForestView& forest, std::size_t tree,
                           const tectree::Frame& frame, std::size_t row) {
  std::size_t node = forest.root(tree);
  while (forest.variable[node] != 0) {
    const int variable = forest.variable[node];
    const tectree::Column& column = frame.columns[static_cast<std::size_t>(std::abs(variable)) - 1];
    const double x = column.value(row);
    int side = 0;
    if (!std::isnan(x)) {
      if (column.kind == tectree::Kind::nominal) {
        side = forest.sides[static_cast<std::size_t>(forest.cut[node] + x) - 1];
      } else {
        side = x <= forest.cut[node] ? 1 : 2;
      }
    }
    if (side == 0) side = variable > 0 ? 1 : 2;
    node = side == 1 ? node + 1 : node + static_cast<std::size_t>(forest.right[node]);
  }
  return node;
}

inline double number_of(const tectree::ForestView& forest, std::size_t tree,
                        const tectree::Frame& frame, std::size_t row) {
  return forest.cut[leaf_of(forest, tree, frame, row)];
}

}  // namespace support

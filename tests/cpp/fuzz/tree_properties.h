// What holds for every grown tree, whatever the problem.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "fuzz/require.h"
#include "roads/problem.h"
#include "tectree/predict/predictor.hpp"

namespace fuzz {

using tectree::Tree;

inline bool is_near(double a, double b) {
  return a == b || std::fabs(a - b) <= 1e-9 * std::max({1.0, std::fabs(a), std::fabs(b)});
}

// Children have the rows and the weight of their parent, except rows that stop there.
inline void require_sums(const Tree& tree, bool parts) {
  for (std::size_t v = 0; v < tree.size(); ++v) {
    if (tree.kind[v] == 0) continue;
    double n = 0.0, weight = 0.0;
    for (int j = 0; j < tree.n_children[v]; ++j) {
      const int child = tectree::child_of(tree, static_cast<int>(v), j);
      require(tree.parent[child] == static_cast<int>(v), "a child has another parent");
      require(tree.depth[child] == tree.depth[v] + 1, "a child is not one level below");
      n += tree.n[child];
      weight += tree.weight[child];
    }
    const bool stop = tree.unknown == tectree::UnknownRows::stop;
    require(stop ? n <= tree.n[v] : parts || n == tree.n[v], "rows of the children");
    require(stop ? weight <= tree.weight[v] * (1 + 1e-9) : is_near(weight, tree.weight[v]),
            "weights of the children");
  }
}

// Classes, shares and numbers are within those of the response.
inline void require_range(const Tree& tree, const support::Table& table) {
  const auto& y = table.number;
  const auto ends = std::minmax_element(y.begin(), y.end());
  for (std::size_t v = 0; v < tree.size(); ++v) {
    const double value = tree.yval[v];
    if (tree.n_classes == 0) {
      const double slack = 1e-9 * std::max({1.0, std::fabs(*ends.first), std::fabs(*ends.second)});
      require(value >= *ends.first - slack && value <= *ends.second + slack,
              "a number is out of range");
      continue;
    }
    require(value >= 0 && value < tree.n_classes && value == std::floor(value), "a class");
    double sum = 0.0;
    for (int s = 0; s < tree.n_classes; ++s) {
      const double share = tree.shares(static_cast<int>(v))[s];
      require(share >= 0.0 && share <= 1.0 + 1e-12, "a share is out of range");
      sum += share;
    }
    require(is_near(sum, 1.0), "shares do not sum to 1");
  }
}

// Each training row is predicted by the leaf that it was in.
inline void require_leaves(const Tree& tree, const tectree::Frame& frame) {
  std::vector<int> leaf(frame.n_rows);
  std::vector<double> n(tree.size(), 0.0);
  tectree::Team team(1);
  tectree::predict_leaves(tree, frame, leaf.data(), team);
  for (int at : leaf) {
    require(at >= 0 && static_cast<std::size_t>(at) < tree.size(), "a leaf");
    ++n[at];
  }
  for (std::size_t v = 0; v < tree.size() && tree.unknown == tectree::UnknownRows::branch; ++v)
    require(n[v] == (tree.kind[v] == 0 ? tree.n[v] : 0.0), "rows predicted by a leaf");
}

inline void require_sound(const Tree& tree, const roads::Case& c, const tectree::Frame& frame) {
  tectree::check_tree(tree, frame.columns.size());
  require_sums(tree, tree.unknown == tectree::UnknownRows::share);
  require_range(tree, c.table);
  require_leaves(tree, frame);
}

}  // namespace fuzz

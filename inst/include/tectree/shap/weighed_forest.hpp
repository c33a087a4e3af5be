// What Shapley values need to know about a forest besides its nodes, found once for all rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../tree/forest.hpp"

namespace tectree {

struct WeighedForest {
  ForestView forest;
  std::size_t n_outputs = 1;            // classes, or 1
  std::vector<double> left;             // by node: the share of its weight that goes left
  std::vector<std::size_t> predictors;  // by tree: the most distinct ones on a path
  std::vector<double> mean;             // by tree and output: weighted mean of its leaves
  // By node and output, if rows with a missing value stop: the prediction for them. Empty if rows
  // never stop.
  std::vector<double> at_stop;

  explicit WeighedForest(const ForestView& of)
      : forest(of), n_outputs(of.outputs()), left(of.nodes, 0.5) {
    if (of.own) at_stop.assign(of.own, of.own + of.nodes * n_outputs);
    const bool fill_stops = of.unknown == UnknownRows::stop && !of.own;
    if (fill_stops) at_stop.resize(of.nodes * n_outputs);
    std::vector<double> below;
    for (std::size_t t = 0; t < of.trees; ++t) {
      const std::size_t first = of.root(t), end = of.root(t + 1);
      const std::vector<double> cover = cover_of(of, first, end);
      weigh(cover, first);
      if (fill_stops || !(cover[0] > 0.0)) {
        means(first, end, below);
      } else {
        mean_of_leaves(cover, first, below);
      }
      mean.insert(mean.end(), below.begin(),
                  below.begin() + static_cast<std::ptrdiff_t>(n_outputs));
      if (fill_stops) {
        std::copy(below.begin(), below.end(),
                  at_stop.begin() + static_cast<std::ptrdiff_t>(first * n_outputs));
      }
      predictors.push_back(most_on_path(first, end));
    }
  }

  double right(std::size_t node) const { return 1.0 - left[node]; }

  // Adds `factor` times the prediction of a leaf.
  void add_leaf(std::size_t leaf, double factor, double* to) const {
    if (forest.n_classes == 0) {
      *to += factor * forest.number(leaf);
    } else if (const int pure = forest.pure_class(leaf); pure >= 0) {
      to[pure] += factor;
    } else {
      const double* share = forest.leaf_shares(leaf);
      for (std::size_t k = 0; k < n_outputs; ++k) to[k] += factor * share[k];
    }
  }

 private:
  void weigh(const std::vector<double>& cover, std::size_t first) {
    for (std::size_t i = 0; i < cover.size(); ++i) {
      const std::size_t node = first + i;
      if (forest.is_leaf(node) || !(cover[i] > 0.0)) continue;
      left[node] = cover[forest.left_child(node) - first] / cover[i];
    }
  }

  void mean_of_leaves(const std::vector<double>& cover, std::size_t first,
                      std::vector<double>& to) const {
    to.assign(n_outputs, 0.0);
    for (std::size_t i = 0; i < cover.size(); ++i) {
      if (forest.is_leaf(first + i) && cover[i] > 0.0)
        add_leaf(first + i, cover[i] / cover[0], to.data());
    }
  }

  // The means of all nodes. Children come after their parents, so one pass backwards sums all.
  void means(std::size_t first, std::size_t end, std::vector<double>& below) const {
    below.assign((end - first) * n_outputs, 0.0);
    for (std::size_t node = end; node-- > first;) {
      double* to = below.data() + (node - first) * n_outputs;
      if (forest.is_leaf(node)) {
        add_leaf(node, 1.0, to);
        continue;
      }
      const double* a = below.data() + (forest.left_child(node) - first) * n_outputs;
      const double* b = below.data() + (forest.right_child(node) - first) * n_outputs;
      for (std::size_t k = 0; k < n_outputs; ++k) to[k] = left[node] * a[k] + right(node) * b[k];
    }
  }

  std::size_t most_on_path(std::size_t first, std::size_t end) const {
    struct Visit {
      std::size_t node, depth;
    };
    std::vector<Visit> open{{first, 0}};
    std::vector<std::size_t> path, times;  // columns of the path; how often each is on it
    std::size_t different = 0, most = 0;
    while (!open.empty() && end > first) {
      const Visit at = open.back();
      open.pop_back();
      for (; path.size() > at.depth; path.pop_back()) different -= --times[path.back()] == 0;
      most = std::max(most, different);
      if (forest.is_leaf(at.node)) continue;
      const std::size_t column = forest.column(at.node);
      if (column >= times.size()) times.resize(column + 1);
      different += times[column]++ == 0;
      path.push_back(column);
      open.push_back({forest.right_child(at.node), path.size()});
      open.push_back({forest.left_child(at.node), path.size()});
    }
    return most;
  }
};

}  // namespace tectree

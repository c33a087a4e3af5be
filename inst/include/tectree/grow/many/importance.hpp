// How much each column matters to the trees of a forest: by what its splits gain; by what they gain
// on the rows out of bag; by what a tree loses when the column's values are permuted among these.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../base/stream.hpp"
#include "../../predict/forest_walk.hpp"
#include "../../tree/spread.hpp"
#include "../problem.hpp"
#include "bag.hpp"

namespace tectree {

enum class Importance { none, gain, corrected, permutation };

// Of one tree: of the columns that it splits on, increasing.
struct TreeImportance {
  bool known = false;  // whether it has what the importance is measured on
  std::vector<std::pair<std::uint32_t, double>> of_column;
};

class ImportanceOfTree {
 public:
  ImportanceOfTree(const Problem& problem, const Tree& tree)
      : problem_(problem), tree_(tree), of_column_(problem.frame.columns.size(), 0.0) {}

  // What the splits gain, by the share of the root's weight.
  TreeImportance by_gain() {
    for (std::size_t v = 0; v < tree_.size(); ++v) {
      if (tree_.kind[v] != 0)
        of_column_[tree_.variable[v]] += tree_.gain[v] * (tree_.weight[v] / tree_.weight[0]);
    }
    return result(true);
  }

  // What the rows out of bag lose less in the children than in the node: what a split on noise
  // gains on the rows that it was found on it does not gain on others.
  TreeImportance corrected(const Bag& bag) {
    const OutsideBag outside = rows_outside(bag);
    std::vector<Part> stack;
    sum_squares();
    for (std::size_t i = 0; i < outside.rows.size(); ++i) {
      const std::size_t row = outside.rows[i];
      follow_row(tree_, problem_.frame, row, Part(), stack, [&](const Part& part, bool) {
        const int parent = tree_.parent[part.node];
        if (parent < 0) return;
        of_column_[tree_.variable[parent]] +=
            outside.weight[i] * part.weight * (loss(parent, row) - loss(part.node, row));
      });
    }
    for (double& x : of_column_) x /= outside.total;
    return result(!outside.rows.empty());
  }

  // How much the error on the rows out of bag increases when a column is permuted. `forest`: of
  // this tree alone; `seed`: its own.
  TreeImportance by_permutation(const Bag& bag, const ForestView& forest, std::uint64_t seed) {
    const OutsideBag outside = rows_outside(bag);
    const std::vector<std::size_t>& rows = outside.rows;
    if (rows.empty()) return result(false);
    TreeWalk walk(problem_.frame, true);
    const auto error = [&](std::size_t permuted, const std::vector<std::size_t>& from) {
      walk.follow(forest, 0, rows.size(), [&](std::size_t i, std::size_t column) {
        return column == permuted ? from[i] : rows[i];
      });
      double sum = 0.0;
      for (std::size_t i = 0; i < rows.size(); ++i)
        sum += outside.weight[i] * error_of(walk, i, rows[i]);
      return sum;
    };
    const std::size_t none = of_column_.size();
    const double usual = error(none, rows);
    for (std::size_t c : columns_used()) {
      std::vector<std::size_t> from = rows;
      Stream(Stream::part(seed, 2 + c)).shuffle(from);
      of_column_[c] = (error(c, from) - usual) / outside.total;
    }
    return result(true);
  }

 private:
  std::vector<std::size_t> columns_used() const {
    std::vector<std::size_t> out;
    for (std::size_t v = 0; v < tree_.size(); ++v) {
      if (tree_.kind[v] != 0) out.push_back(static_cast<std::size_t>(tree_.variable[v]));
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  TreeImportance result(bool known) const {
    TreeImportance out;
    out.known = known;
    for (std::size_t c : columns_used())
      out.of_column.emplace_back(static_cast<std::uint32_t>(c), of_column_[c]);
    return out;
  }

  // The rows of the frame that are out of bag.
  struct OutsideBag {
    std::vector<std::size_t> rows;
    std::vector<double> weight;
    double total = 0.0;
  };
  OutsideBag rows_outside(const Bag& bag) const {
    OutsideBag out;
    auto next = bag.positions.begin();
    for (std::size_t i = 0; i < problem_.sample.size; ++i) {
      if (next != bag.positions.end() && *next == i) {
        ++next;
        continue;
      }
      out.rows.push_back(problem_.sample.row(i));
      out.weight.push_back(problem_.sample.weight(i));
      out.total += out.weight.back();
    }
    return out;
  }

  void sum_squares() {
    squares_.assign(tree_.n_classes > 0 ? tree_.size() : 0, 0.0);
    for (std::size_t v = 0; v < squares_.size(); ++v) {
      const double* share = tree_.shares(static_cast<int>(v));
      for (int s = 0; s < tree_.n_classes; ++s) squares_[v] += share[s] * share[s];
    }
  }

  // Of predicting what a node predicts: the Brier score, or the squared error.
  double loss(int node, std::size_t row) const {
    if (tree_.n_classes > 0)
      return squares_[node] - 2.0 * tree_.shares(node)[problem_.response.code[row] - 1] + 1.0;
    const double off = problem_.response.number[row] - tree_.yval[node];
    return off * off;
  }

  double error_of(TreeWalk& walk, std::size_t i, std::size_t row) {
    if (tree_.n_classes == 0) {
      const double off = problem_.response.number[row] - walk.number(i);
      return off * off;
    }
    shares_.resize(static_cast<std::size_t>(tree_.n_classes));
    return walk.add_class(i, shares_.data(), 1) + 1 == problem_.response.code[row] ? 0.0 : 1.0;
  }

  const Problem& problem_;
  const Tree& tree_;
  std::vector<double> of_column_, squares_, shares_;
};

// By column: the mean over the trees, and its standard error.
struct ForestImportance {
  std::vector<double> mean, error;
};

inline ForestImportance mean_importance(const std::vector<TreeImportance>& trees,
                                        std::size_t columns) {
  ForestImportance out{std::vector<double>(columns, 0.0), std::vector<double>(columns, 0.0)};
  std::vector<double> used(columns, 0.0);
  double n = 0.0;
  for (const TreeImportance& tree : trees) {
    if (!tree.known) continue;
    n += 1.0;
    for (const auto& [c, x] : tree.of_column) out.mean[c] += x;
  }
  for (double& x : out.mean) x /= n;
  for (const TreeImportance& tree : trees) {
    if (!tree.known) continue;
    for (const auto& [c, x] : tree.of_column) {
      used[c] += 1.0;
      out.error[c] += (x - out.mean[c]) * (x - out.mean[c]);
    }
  }
  for (std::size_t c = 0; c < columns; ++c) {
    const double squares = out.error[c] + (n - used[c]) * out.mean[c] * out.mean[c];
    out.error[c] = std::sqrt(squares / (n - 1.0) / n);
  }
  return out;
}

}  // namespace tectree

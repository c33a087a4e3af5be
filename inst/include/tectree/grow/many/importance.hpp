// The importance of each column to the trees of a forest: the gains of its splits; their gains on
// the out-of-bag rows; the increase of a tree's loss when the column's values are permuted among
// these.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "../../base/stream.hpp"
#include "../../predict/forest_walk.hpp"
#include "../../tree/spread.hpp"
#include "../grow_tree.hpp"
#include "bag.hpp"

namespace tectree {

enum class Importance { none, gain, corrected, permutation };

// The importance in one tree: the columns that it splits on, increasing.
struct TreeImportance {
  bool known = false;  // whether it has the rows that the importance is measured on
  std::vector<std::pair<std::uint32_t, double>> of_column;
};

class ImportanceOfTree {
 public:
  ImportanceOfTree(const Problem& problem, const Tree& tree)
      : problem_(problem), tree_(tree), of_column_(problem.frame.columns.size(), 0.0) {}

  // The gains of the splits, times the share of the root's weight.
  TreeImportance by_gain() {
    for (std::size_t v = 0; v < tree_.size(); ++v) {
      if (tree_.kind[v] != 0)
        of_column_[tree_.variable[v]] += tree_.gain[v] * (tree_.weight[v] / tree_.weight[0]);
    }
    return result(true);
  }

  // The gains of the splits on the out-of-bag rows: for each (branch - node) y, where branch and
  // node are the means of the rows in the bag, and y is centred at its mean over the out-of-bag
  // rows; summed over the indicators of classes. In the bag this is the gain of gini and l2.
  // Out-of-bag rows did not choose the split, so a split on noise gains nothing on average. (With y
  // centred at the node's mean it would: the errors of that mean and the branch are correlated.)
  TreeImportance corrected(const Bag& bag) {
    const OutsideBag outside = rows_outside(bag);
    std::vector<Part> stack;
    const std::vector<double> middle = mean_outside(outside);
    sum_products(middle);
    for (std::size_t i = 0; i < outside.rows.size(); ++i) {
      const std::size_t row = outside.rows[i];
      follow_row(tree_, problem_.frame, row, Part(), stack, [&](const Part& part, bool) {
        const int parent = tree_.parent[part.node];
        if (parent < 0) return;
        of_column_[tree_.variable[parent]] +=
            outside.weight[i] * part.weight * gain_of(part.node, parent, row, middle);
      });
    }
    for (double& x : of_column_) x /= outside.total;
    return result(!outside.rows.empty());
  }

  // How much the error on the out-of-bag rows increases when a column is permuted. `forest`: only
  // this tree; `seed`: its own.
  TreeImportance by_permutation(const Bag& bag, const ForestView& forest, std::uint64_t seed) {
    constexpr std::size_t most_kept = std::size_t{1} << 22;  // positions of permuted rows
    const OutsideBag outside = rows_outside(bag);
    if (outside.rows.empty()) return result(false);
    const std::vector<std::size_t> columns = columns_used();
    const std::size_t at_once = 1 + most_kept / outside.rows.size();
    for (std::size_t i = 0; i < columns.size(); i += at_once) {
      const auto first = columns.begin() + static_cast<std::ptrdiff_t>(i);
      permute({first, first + static_cast<std::ptrdiff_t>(std::min(at_once, columns.size() - i))},
              outside, forest, seed);
    }
    for (double& x : of_column_) x /= outside.total;
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

  // Adds the increases of the errors.
  void permute(const std::vector<std::size_t>& columns, const OutsideBag& outside,
               const ForestView& forest, std::uint64_t seed) {
    const std::size_t n = outside.rows.size(), block = rows_of_block(problem_.frame, n);
    std::vector<std::vector<std::uint32_t>> from(columns.size(), all_positions(n));
    for (std::size_t i = 0; i < columns.size(); ++i)
      Stream(Stream::part(seed, 2 + columns[i])).shuffle(from[i]);
    RowBlock rows(problem_.frame);
    TreeWalk walk(rows, true);
    for (std::size_t first = 0; first < n; first += block) {
      const std::vector<std::uint32_t> here = all_positions(std::min(block, n - first));
      const auto row_at = [&](std::size_t i) { return outside.rows[first + i]; };
      const auto errors = [&] {
        walk.follow(forest, 0, here);
        double sum = 0.0;
        for (std::size_t i = 0; i < here.size(); ++i)
          sum += outside.weight[first + i] * error_of(walk, i, row_at(i));
        return sum;
      };
      rows.fill(here.size(), row_at);
      const double usual = errors();
      for (std::size_t i = 0; i < columns.size(); ++i) {
        rows.fill_column(columns[i], here.size(),
                         [&](std::size_t j) { return outside.rows[from[i][first + j]]; });
        of_column_[columns[i]] += errors() - usual;
        rows.fill_column(columns[i], here.size(), row_at);
      }
    }
  }

  // The mean response: a number, or the shares of the classes.
  std::vector<double> mean_outside(const OutsideBag& outside) const {
    const bool by_class = tree_.n_classes > 0;
    std::vector<double> out(by_class ? static_cast<std::size_t>(tree_.n_classes) : 1, 0.0);
    for (std::size_t i = 0; i < outside.rows.size(); ++i) {
      const double share = outside.weight[i] / outside.total;
      if (by_class) {
        out[problem_.response.code[outside.rows[i]] - 1] += share;
      } else {
        out[0] += share * problem_.response.number[outside.rows[i]];
      }
    }
    return out;
  }

  // By node except the root: the sum over classes of (its share - its parent's) x `share`.
  void sum_products(const std::vector<double>& share) {
    products_.assign(tree_.n_classes > 0 ? tree_.size() : 0, 0.0);
    for (std::size_t v = 1; v < products_.size(); ++v) {
      const double *own = tree_.shares(static_cast<int>(v)), *above = tree_.shares(tree_.parent[v]);
      for (int s = 0; s < tree_.n_classes; ++s) products_[v] += (own[s] - above[s]) * share[s];
    }
  }

  double gain_of(int node, int parent, std::size_t row, const std::vector<double>& middle) const {
    if (tree_.n_classes > 0) {
      const int s = problem_.response.code[row] - 1;
      return tree_.shares(node)[s] - tree_.shares(parent)[s] - products_[node];
    }
    return (tree_.yval[node] - tree_.yval[parent]) * (problem_.response.number[row] - middle[0]);
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
  std::vector<double> of_column_, products_, shares_;
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

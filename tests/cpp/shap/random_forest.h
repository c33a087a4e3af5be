// Small random forests in flat pools, rows for them, and Shapley values by all subsets.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/random.h"
#include "tectree/shap/weighed_forest.hpp"

namespace support {

struct ForestCase {
  tectree::Forest forest;
  int depth = 4, levels = 4;
  bool repeats = true;  // whether a predictor may be split on again below
  std::vector<tectree::Kind> kinds;

  double leaf_weight(Random& random) const {
    return random.chance(0.1) ? 0.0 : random.chance(0.5) ? random.between(1, 9) : random.uniform();
  }

  void add_leaf(Random& random) {
    forest.variable.push_back(0);
    if (forest.n_classes == 0) {
      forest.cut.push_back(10.0 * random.uniform() - 3.0);
      forest.weight.push_back(leaf_weight(random));
      forest.right.push_back(-static_cast<int>(forest.weight.size()));
      return;
    }
    forest.cut.push_back(leaf_weight(random));
    if (random.chance(0.5)) {
      forest.right.push_back(random.between(1, forest.n_classes));
      return;
    }
    double sum = 0.0;
    std::vector<double> share(static_cast<std::size_t>(forest.n_classes));
    for (double& x : share) sum += x = random.uniform();
    for (double x : share) forest.shares.push_back(x / sum);
    forest.right.push_back(-static_cast<int>(forest.shares.size()) / forest.n_classes);
  }

  void add_node(Random& random, int down, std::vector<char> free) {
    std::vector<int> columns;
    for (std::size_t j = 0; j < kinds.size(); ++j) {
      if (free[j]) columns.push_back(static_cast<int>(j));
    }
    if (down == 0 || columns.empty() || random.chance(0.1)) return add_leaf(random);
    const int column = random.one_of(columns);
    if (!repeats) free[static_cast<std::size_t>(column)] = 0;
    const std::size_t here = forest.variable.size();
    forest.variable.push_back(random.chance(0.5) ? column + 1 : -column - 1);
    forest.right.push_back(0);
    if (kinds[static_cast<std::size_t>(column)] == tectree::Kind::nominal) {
      forest.cut.push_back(static_cast<double>(forest.sides.size()));
      for (int level = 0; level < levels; ++level)
        forest.sides.push_back(static_cast<unsigned char>(random.below(3)));
    } else {
      forest.cut.push_back(kinds[static_cast<std::size_t>(column)] == tectree::Kind::ordered
                               ? random.between(1, levels)
                               : random.uniform());
    }
    add_node(random, down - 1, free);
    forest.right[here] = static_cast<int>(forest.variable.size() - here);
    add_node(random, down - 1, free);
  }

  // Separate values for nodes where rows stop.
  void add_own_values(Random& random) {
    const std::size_t k = forest.n_classes > 0 ? static_cast<std::size_t>(forest.n_classes) : 1;
    for (std::size_t i = 0; i < forest.variable.size() * k; ++i)
      forest.own.push_back(random.uniform());
  }

  void add_tree(Random& random) {
    add_node(random, depth, std::vector<char>(kinds.size(), 1));
    forest.start.push_back(static_cast<int>(forest.variable.size()));
  }
};

// Columns of `kinds`, a fifth of the values missing.
struct RandomRows {
  std::vector<std::vector<double>> numbers;
  std::vector<std::vector<int>> codes;
  tectree::Frame frame;

  RandomRows(const ForestCase& of, std::size_t n, double missing, Random& random)
      : numbers(of.kinds.size(), std::vector<double>(n)), codes(of.kinds.size()) {
    for (std::size_t j = 0; j < of.kinds.size(); ++j) {
      codes[j].resize(n);
      for (std::size_t i = 0; i < n; ++i) {
        const bool none = random.chance(missing);
        numbers[j][i] = none ? std::numeric_limits<double>::quiet_NaN() : random.uniform();
        codes[j][i] = none ? tectree::missing_code : random.between(1, of.levels);
      }
      if (of.kinds[j] == tectree::Kind::numeric) {
        frame.add_numbers(numbers[j]);
      } else {
        frame.add_levels(codes[j], of.levels, of.kinds[j]);
      }
    }
  }
  RandomRows(const RandomRows&) = delete;
  RandomRows& operator=(const RandomRows&) = delete;
};

// A tree's prediction for a row of which only the columns in the bits of `known` are known; for the
// others a background row decides or, if `other` is null, the weights.
class SubsetOracle {
 public:
  SubsetOracle(const tectree::ForestView& forest, const tectree::Frame& rows,
               const tectree::Frame* background)
      : forest_(forest), rows_(rows), background_(background) {
    weight_.assign(forest.nodes, 0.0);
    for (std::size_t i = forest.nodes; i-- > 0;) {
      weight_[i] = forest.is_leaf(i) ? forest.leaf_weight(i)
                                     : weight_[i + 1] + weight_[forest.right_child(i)];
    }
  }

  std::vector<double> value(std::size_t tree, std::size_t row, std::size_t other,
                            std::uint64_t known) const {
    return below(forest_.root(tree), row, other, known);
  }

  // predictors x outputs, of one row: a mean over trees and background rows.
  std::vector<double> shapley(std::size_t row) const {
    const std::size_t p = rows_.columns.size(), k = outputs();
    std::vector<double> out(p * k);
    const std::size_t n = background_ ? background_->n_rows : 1;
    for (std::size_t tree = 0; tree < forest_.trees; ++tree) {
      for (std::size_t other = 0; other < n; ++other) add(tree, row, other, out);
    }
    for (double& x : out) x /= static_cast<double>(forest_.trees * n);
    return out;
  }

  // predictors x predictors x outputs, of one row: for each pair half of the mean, over the orders
  // in which predictors become known, of their joint change; on the diagonal the rest of the
  // Shapley value.
  std::vector<double> interactions(std::size_t row) const {
    const std::size_t p = rows_.columns.size(), k = outputs();
    std::vector<double> out(p * p * k);
    const std::vector<double> alone = shapley(row);
    for (std::size_t i = 0; i < p; ++i) {
      for (std::size_t s = 0; s < k; ++s) out[(i * p + i) * k + s] += alone[i * k + s];
      for (std::size_t j = 0; j < p; ++j) {
        if (i == j) continue;
        const std::vector<double> both = together(row, i, j);
        for (std::size_t s = 0; s < k; ++s) {
          out[(i * p + j) * k + s] += both[s];
          out[(i * p + i) * k + s] -= both[s];
        }
      }
    }
    return out;
  }

  std::vector<double> mean_value(std::size_t row, std::uint64_t known) const {
    const std::size_t n = background_ ? background_->n_rows : 1;
    std::vector<double> out(outputs());
    for (std::size_t tree = 0; tree < forest_.trees; ++tree) {
      for (std::size_t other = 0; other < n; ++other) {
        const auto v = value(tree, row, other, known);
        for (std::size_t s = 0; s < v.size(); ++s)
          out[s] += v[s] / static_cast<double>(forest_.trees * n);
      }
    }
    return out;
  }

  std::size_t outputs() const {
    return forest_.n_classes > 0 ? static_cast<std::size_t>(forest_.n_classes) : 1;
  }

 private:
  void add(std::size_t tree, std::size_t row, std::size_t other, std::vector<double>& out) const {
    const std::size_t p = rows_.columns.size(), k = outputs();
    for (unsigned set = 0; set < (1u << p); ++set) {
      const auto without = value(tree, row, other, set);
      int size = 0;
      for (unsigned bits = set; bits; bits >>= 1) size += bits & 1u;
      const double factor = 1.0 / (static_cast<double>(p) * choose(static_cast<int>(p) - 1, size));
      for (std::size_t j = 0; j < p; ++j) {
        if (set >> j & 1u) continue;
        const auto with = value(tree, row, other, set | 1u << j);
        for (std::size_t s = 0; s < k; ++s) out[j * k + s] += factor * (with[s] - without[s]);
      }
    }
  }

  std::vector<double> together(std::size_t row, std::size_t i, std::size_t j) const {
    const int p = static_cast<int>(rows_.columns.size());
    const std::uint64_t one = std::uint64_t{1} << i, other = std::uint64_t{1} << j;
    std::vector<double> out(outputs());
    for (std::uint64_t set = 0; set < (std::uint64_t{1} << p); ++set) {
      if ((set & (one | other)) != 0) continue;
      int size = 0;
      for (std::uint64_t bits = set; bits; bits >>= 1) size += bits & 1u;
      const double factor = 0.5 / ((p - 1) * choose(p - 2, size));
      const auto none = mean_value(row, set), a = mean_value(row, set | one),
                 b = mean_value(row, set | other), both = mean_value(row, set | one | other);
      for (std::size_t s = 0; s < out.size(); ++s)
        out[s] += factor * (both[s] - a[s] - b[s] + none[s]);
    }
    return out;
  }

  static double choose(int n, int k) {
    double out = 1.0;
    for (int i = 1; i <= k; ++i) out = out * (n - k + i) / i;
    return out;
  }

  std::vector<double> of_leaf(std::size_t node) const {
    if (forest_.n_classes == 0) return {forest_.number(node)};
    std::vector<double> out(outputs());
    const int pure = forest_.pure_class(node);
    if (pure >= 0) {
      out[static_cast<std::size_t>(pure)] = 1.0;
    } else {
      out.assign(forest_.leaf_shares(node), forest_.leaf_shares(node) + outputs());
    }
    return out;
  }

  std::vector<double> mixed(std::size_t node, const std::vector<double>& a,
                            const std::vector<double>& b) const {
    const double all = weight_[node], left = all > 0.0 ? weight_[node + 1] / all : 0.5;
    std::vector<double> out(a.size());
    for (std::size_t s = 0; s < a.size(); ++s) out[s] = left * a[s] + (1.0 - left) * b[s];
    return out;
  }

  std::vector<double> at_stop(std::size_t node) const {
    if (!forest_.own) return mean_below(node);
    const double* own = forest_.own + node * outputs();
    return {own, own + outputs()};
  }

  // By weight over all leaves below.
  std::vector<double> mean_below(std::size_t node) const {
    if (forest_.is_leaf(node)) return of_leaf(node);
    return mixed(node, mean_below(node + 1), mean_below(forest_.right_child(node)));
  }

  std::vector<double> below(std::size_t node, std::size_t row, std::size_t other,
                            std::uint64_t known) const {
    if (forest_.is_leaf(node)) return of_leaf(node);
    const std::size_t column = forest_.column(node);
    const bool own = (known >> column & 1u) != 0;
    const auto left = [&] { return below(node + 1, row, other, known); };
    const auto right = [&] { return below(forest_.right_child(node), row, other, known); };
    int side = 0;
    if (own || background_) {
      const tectree::Frame& frame = own ? rows_ : *background_;
      const tectree::Column& values = frame.columns[column];
      side = tectree::side_of(forest_, node, values, values.value(own ? row : other));
      if (side == 0 && forest_.unknown == tectree::UnknownRows::stop) return at_stop(node);
      if (side == 0 && forest_.unknown == tectree::UnknownRows::branch)
        side = forest_.variable[node] > 0 ? 1 : 2;
    }
    if (side == 1) return left();
    if (side == 2) return right();
    return mixed(node, left(), right());
  }

  tectree::ForestView forest_;
  const tectree::Frame& rows_;
  const tectree::Frame* background_;
  std::vector<double> weight_;
};

}  // namespace support

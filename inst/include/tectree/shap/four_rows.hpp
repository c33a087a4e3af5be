// Four rows side by side: their values, and which of their parts go where at a node.
#pragma once

#include <cstddef>
#include <vector>

#include "weighed_forest.hpp"

// Compiled once for any processor and once, within a TECTREE_SIMD function, for AVX2. Such
// functions take and return no vectors: how those are passed depends on the processor.
#define TECTREE_WITHIN __attribute__((always_inline)) inline

namespace tectree {

// One number for each of four rows, at any address. (In an alias clang would ignore `aligned`.)
typedef double Four  // NOLINT(modernize-use-using)
    __attribute__((vector_size(32), aligned(8), may_alias));
constexpr std::size_t lanes = 4;

// Numbers by place and row.
class FourVector {
 public:
  explicit FourVector(std::size_t n = 0) : numbers_(n * lanes) {}
  void resize(std::size_t n) { numbers_.resize(n * lanes); }
  double& at(std::size_t i, std::size_t row) { return numbers_[i * lanes + row]; }
  double at(std::size_t i, std::size_t row) const { return numbers_[i * lanes + row]; }
  Four* four() { return reinterpret_cast<Four*>(numbers_.data()); }
  const Four* four() const { return reinterpret_cast<const Four*>(numbers_.data()); }

 private:
  std::vector<double> numbers_;
};

// The parts of the rows that go to the sides of a node, and stop there.
struct Parts {
  Four left, right, stop;
};

// By the rows' values: numbers or level codes by column, NaN if missing.
class ValueParts {
 public:
  ValueParts(const WeighedForest& in, const std::vector<Column>& columns, const FourVector& values)
      : in_(in), columns_(columns), values_(values) {}

  TECTREE_WITHIN void at(std::size_t node, Parts* parts) const {
    const ForestView& forest = in_.forest;
    const std::size_t column = forest.column(node);
    const Four x = values_.four()[column];
    Four left, right;
    if (by_sides(columns_[column])) {
      for (std::size_t i = 0; i < lanes; ++i) {
        const int side = side_of(forest, node, columns_[column], x[i]);
        left[i] = side == 1 ? 1.0 : 0.0;
        right[i] = side == 2 ? 1.0 : 0.0;
      }
    } else {
      const Four one = {1.0, 1.0, 1.0, 1.0}, none = {0.0, 0.0, 0.0, 0.0};
      left = x <= forest.cut[node] ? one : none;
      right = x > forest.cut[node] ? one : none;
    }
    const Four unknown = 1.0 - left - right;
    parts->stop = unknown * 0.0;
    if (forest.unknown == UnknownRows::stop) {
      parts->stop = unknown;
    } else if (forest.unknown == UnknownRows::share) {
      left += unknown * in_.left[node];
      right += unknown * in_.right(node);
    } else if (forest.variable[node] > 0) {
      left += unknown;
    } else {
      right += unknown;
    }
    parts->left = left;
    parts->right = right;
  }

 private:
  const WeighedForest& in_;
  const std::vector<Column>& columns_;
  const FourVector& values_;  // by column
};

// For rows without known values.
class WeightParts {
 public:
  explicit WeightParts(const WeighedForest& in) : in_(in) {}
  TECTREE_WITHIN void at(std::size_t node, Parts* parts) const {
    const Four none = {0.0, 0.0, 0.0, 0.0};
    parts->left = none + in_.left[node];
    parts->right = none + in_.right(node);
    parts->stop = none;
  }

 private:
  const WeighedForest& in_;
};

}  // namespace tectree

// Where the values of a row are added up: by predictor and output; or, for pairs, by two predictors
// and output, where a predictor with itself has the rest of its value. For pairs, only predictors
// that the forest splits on have cells.
#pragma once

#include <cstddef>
#include <vector>

#include "../tree/forest.hpp"

namespace tectree {

class ShapleyCells {
 public:
  ShapleyCells(const ForestView& forest, std::size_t n_columns, std::size_t n_outputs, bool pairs)
      : n_columns_(n_columns), n_outputs_(n_outputs), pairs_(pairs), place_(n_columns, 0) {
    std::vector<char> used(n_columns, pairs ? 0 : 1);
    for (std::size_t node = 0; pairs && node < forest.nodes; ++node) {
      if (!forest.is_leaf(node)) used[forest.column(node)] = 1;
    }
    for (std::size_t c = 0; c < n_columns; ++c) {
      if (used[c] == 0) continue;
      place_[c] = column_.size();
      column_.push_back(c);
    }
  }

  bool pairs() const { return pairs_; }
  std::size_t n_columns() const { return n_columns_; }
  std::size_t size() const { return column_.size() * (pairs_ ? column_.size() : 1) * n_outputs_; }

  // The cell of the first output.
  std::size_t of(std::size_t column) const {
    return pairs_ ? of(column, column) : place_[column] * n_outputs_;
  }
  std::size_t of(std::size_t a, std::size_t b) const {
    return (place_[a] * column_.size() + place_[b]) * n_outputs_;
  }

  // A cell's position in the results of one row: columns (x columns) x outputs, in R's order.
  std::size_t result(std::size_t cell) const {
    const std::size_t output = cell % n_outputs_, at = cell / n_outputs_;
    if (!pairs_) return output * n_columns_ + column_[at];
    const std::size_t a = column_[at / column_.size()], b = column_[at % column_.size()];
    return (output * n_columns_ + b) * n_columns_ + a;
  }

 private:
  std::size_t n_columns_, n_outputs_;
  bool pairs_;
  std::vector<std::size_t> place_, column_;  // by column, among those with cells; and back
};

}  // namespace tectree

// The Shapley values of rows in a forest, or their interactions: the means over its trees.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "../base/team.hpp"
#include "../data/frame.hpp"
#include "pair_walk.hpp"
#include "shapley_walk.hpp"

namespace tectree {

namespace detail {

// Rows as numbers or level codes, row by row; NaN if missing.
struct DenseRows {
  std::size_t n = 0, n_columns = 0;
  bool complete = true;
  std::vector<double> values;

  DenseRows() = default;
  explicit DenseRows(const Frame& frame)
      : n(frame.n_rows),
        n_columns(frame.columns.size()),
        values(n * n_columns, std::numeric_limits<double>::quiet_NaN()) {
    for (std::size_t j = 0; j < n_columns; ++j) {
      const Column& column = frame.columns[j];
      if (!column.present()) continue;
      for (std::size_t i = 0; i < n; ++i) {
        const double x = column.value(i);
        const bool known = by_sides(column) ? x >= 1.0 && x <= column.n_levels : x == x;
        if (known) values[i * n_columns + j] = x;
        complete = complete && known;
      }
    }
  }

  const double* row(std::size_t i) const { return values.data() + i * n_columns; }

  // Four rows from `first` on, `step` (0 or 1) apart; the last of all rows fills up.
  FourVector four(std::size_t first, std::size_t step) const {
    FourVector out(n_columns);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double* from = row(std::min(first + lane * step, n - 1));
      for (std::size_t j = 0; j < n_columns; ++j) out.at(j, lane) = from[j];
    }
    return out;
  }
};

}  // namespace detail

// The values of rows, for one call.
class ShapleyValues {
 public:
  // `rows` and `background` have the columns of the forest; those that it splits on must be
  // present. `background`: rows whose values replace unknown ones, or null: the weights of the
  // training rows decide. `pairs`: whether interactions are wanted.
  ShapleyValues(const WeighedForest& in, const Frame& rows, const Frame* background,
                Outputs outputs, bool pairs = false)
      : in_(in),
        outputs_(outputs),
        cells_(in.forest, rows.columns.size(), outputs.count, pairs),
        columns_(rows.columns),
        rows_(rows) {
    if (background) others_ = detail::DenseRows(*background);
    const unsigned char* sides = in.forest.sides;
    may_divide_ = in.forest.unknown == UnknownRows::share &&
                  !(rows_.complete && others_.complete &&
                    std::find(sides, sides + in.forest.n_sides, 0) == sides + in.forest.n_sides);
  }

  // `to`: rows x columns x outputs, or rows x columns x columns x outputs, rows fastest, initially
  // all 0. The same for any number of threads.
  void find(double* to, Team& team) const {
    if (others_.n > 0) {
      team.each(rows_.n, [&](std::size_t row, Team& inner) {
        if (may_divide_) return against_parts(row, to, inner);
        against_rows(row, to, inner);
      });
      return;
    }
    const std::size_t n = (rows_.n + lanes - 1) / lanes;
    const std::size_t a_thread = n / static_cast<std::size_t>(team.size());
    const std::size_t room = most_sums / (cells_.size() * lanes + 1);
    const std::size_t block =
        std::clamp<std::size_t>(std::min(a_thread, room), 1, ShapleyWalk::most);
    team.each((n + block - 1) / block, [&](std::size_t b, Team& inner) {
      by_weights(b * block, std::min(block, n - b * block), to, inner);
    });
  }

 private:
  static constexpr std::size_t most_sums = 1u << 20;  // of rows that go down together

  // Groups of four rows.
  void by_weights(std::size_t first, std::size_t n, double* to, Team& team) const {
    std::vector<FourVector> own, sums(n, FourVector(cells_.size()));
    for (std::size_t i = 0; i < n; ++i) own.push_back(rows_.four((first + i) * lanes, 1));
    ShapleyWalk walk(in_, outputs_, cells_);
    std::vector<ValueParts> with;
    with.reserve(own.size());
    for (const FourVector& four : own) with.emplace_back(in_, columns_, four);
    const std::vector<WeightParts> without(n, WeightParts(in_));
    for (std::size_t tree = 0; tree < in_.forest.trees; ++tree) {
      team.check();
      walk.add(tree, with.data(), without.data(), sums.data(), n);
    }
    for (std::size_t i = 0; i < n * lanes && first * lanes + i < rows_.n; ++i) {
      for (std::size_t cell = 0; cell < cells_.size(); ++cell)
        put(sums[i / lanes].at(cell, i % lanes), 1, cell, first * lanes + i, to);
    }
  }

  void against_rows(std::size_t row, double* to, Team& team) const {
    PairWalk walk(in_, columns_, outputs_, cells_);
    std::vector<double> sums(cells_.size());
    for (std::size_t tree = 0; tree < in_.forest.trees; ++tree) {
      for (std::size_t other = 0; other < others_.n; ++other) {
        if (other % 64 == 0) team.check();
        walk.add(tree, rows_.row(row), others_.row(other), sums.data());
      }
    }
    for (std::size_t cell = 0; cell < cells_.size(); ++cell)
      put(sums[cell], others_.n, cell, row, to);
  }

  // Against four background rows at a time, if parts of rows may go to both sides.
  void against_parts(std::size_t row, double* to, Team& team) const {
    const FourVector own = rows_.four(row, 0);
    std::vector<FourVector> others;
    for (std::size_t i = 0; i < others_.n; i += lanes) others.push_back(others_.four(i, 1));
    const std::vector<ValueParts> with(ShapleyWalk::most, ValueParts(in_, columns_, own));
    std::vector<ValueParts> without;
    without.reserve(others.size());
    for (const FourVector& four : others) without.emplace_back(in_, columns_, four);
    ShapleyWalk walk(in_, outputs_, cells_);
    const std::size_t full = others.size() - 1;  // the last four may have fewer rows
    std::vector<FourVector> sums(ShapleyWalk::most, FourVector(cells_.size()));
    FourVector last(cells_.size());
    for (std::size_t tree = 0; tree < in_.forest.trees; ++tree) {
      for (std::size_t i = 0; i < full; i += ShapleyWalk::most) {
        team.check();
        walk.add(tree, with.data(), without.data() + i, sums.data(),
                 std::min(ShapleyWalk::most, full - i));
      }
      walk.add(tree, with.data(), without.data() + full, &last, 1);
    }
    const std::size_t in_last = (others_.n - 1) % lanes + 1;
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      double sum = 0.0;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        for (const FourVector& four : sums) sum += four.at(cell, lane);
        if (lane < in_last) sum += last.at(cell, lane);
      }
      put(sum, others_.n, cell, row, to);
    }
  }

  // The mean over the trees and `n` background rows, of a cell of sums.
  void put(double sum, std::size_t n, std::size_t cell, std::size_t row, double* to) const {
    to[cells_.result(cell) * rows_.n + row] =
        sum / (static_cast<double>(in_.forest.trees) * static_cast<double>(n));
  }

  const WeighedForest& in_;
  Outputs outputs_;
  ShapleyCells cells_;
  std::vector<Column> columns_;
  detail::DenseRows rows_, others_;
  bool may_divide_ = false;
};

// The mean over the trees of the weighted mean over their leaves: for a row without known values.
inline std::vector<double> mean_of_leaves(const WeighedForest& in, Outputs outputs) {
  std::vector<double> out(outputs.count);
  for (std::size_t tree = 0; tree < in.forest.trees; ++tree) {
    for (std::size_t k = 0; k < outputs.count; ++k)
      out[k] += in.mean[tree * in.n_outputs + outputs.first + k];
  }
  for (double& x : out) x /= static_cast<double>(in.forest.trees);
  return out;
}

}  // namespace tectree

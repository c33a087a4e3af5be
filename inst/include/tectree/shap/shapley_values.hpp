// The Shapley values of rows in a forest: the means over its trees.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "../base/team.hpp"
#include "../data/frame.hpp"
#include "shapley_walk.hpp"

namespace tectree {

namespace detail {

// Rows as numbers, one after the other; codes that are no level of their column are NaN.
inline std::vector<double> dense_rows(const Frame& frame, const std::vector<char>& by_sides) {
  const std::size_t p = frame.columns.size();
  std::vector<double> out(frame.n_rows * p, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t j = 0; j < p; ++j) {
    const Column& column = frame.columns[j];
    if (!column.present()) continue;
    for (std::size_t i = 0; i < frame.n_rows; ++i) {
      const double x = column.value(i);
      if (!by_sides[j] || (x >= 1.0 && x <= column.n_levels)) out[i * p + j] = x;
    }
  }
  return out;
}

}  // namespace detail

// `rows` and `background` have the columns of the forest, of which those of splits are present.
// `background`: rows that say what is not known, or none: the weights of the training rows do. `to`:
// rows x columns x outputs, rows fastest. All threads give the same values.
inline void shapley_values(const WeighedForest& in, const Frame& rows, const Frame* background,
                           Outputs outputs, double* to, Team& team) {
  const std::size_t p = rows.columns.size(), n = rows.n_rows, trees = in.forest.trees;
  std::vector<char> by_sides;
  for (const Column& column : rows.columns) by_sides.push_back(in.forest.by_sides(column));
  const std::vector<double> values = detail::dense_rows(rows, by_sides);
  const std::vector<double> others =
      background ? detail::dense_rows(*background, by_sides) : std::vector<double>();
  const std::size_t n_others = background ? background->n_rows : 1;
  const double scale = 1.0 / (static_cast<double>(trees) * static_cast<double>(n_others));

  // A tree stays in the cache for all rows of a block.
  const std::size_t cells = p * outputs.count;
  const std::size_t a_thread = n / static_cast<std::size_t>(team.size());
  const std::size_t block = std::clamp<std::size_t>(a_thread, 1, 16);
  team.each((n + block - 1) / block, [&](std::size_t b, Team& inner) {
    const std::size_t first = b * block, count = std::min(block, n - first);
    ShapleyWalk walk(in, outputs, p);
    std::vector<double> sums(count * cells);
    for (std::size_t tree = 0; tree < trees; ++tree) {
      for (std::size_t i = 0; i < count; ++i) {
        const RowParts own(in, by_sides, values.data() + (first + i) * p);
        double* sum = sums.data() + i * cells;
        if (!background) {
          inner.check();
          walk.add(tree, own, WeightParts(in), sum);
          continue;
        }
        for (std::size_t other = 0; other < n_others; ++other) {
          if (other % 64 == 0) inner.check();
          walk.add(tree, own, RowParts(in, by_sides, others.data() + other * p), sum);
        }
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < p; ++j) {
        for (std::size_t k = 0; k < outputs.count; ++k)
          to[(k * p + j) * n + first + i] = sums[i * cells + j * outputs.count + k] * scale;
      }
    }
  });
}

// The mean over the trees of the mean over their leaves, by weight: of a row of which nothing is
// known.
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

// The order of levels along the first principal component of their class shares, levels weighted by
// their rows (Coppersmith, Hong & Hosking 1999): a heuristic for more than two classes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "divisions.hpp"

namespace tectree {

// The eigenvector of the largest eigenvalue of a k x k matrix that is symmetric and has no
// eigenvalue below 0. With each squaring its share of the trace grows, until the matrix is that
// vector times itself; each column is then a multiple of it.
inline std::vector<double> first_eigenvector(std::vector<double> matrix, std::size_t k) {
  std::vector<double> square(k * k);
  const auto trace = [&] {
    double sum = 0.0;
    for (std::size_t i = 0; i < k; ++i) sum += matrix[i * k + i];
    return sum;
  };
  // Sixty squarings tell eigenvalues apart as far as doubles do.
  for (int round = 0; round < 60; ++round) {
    const double scale = trace();
    if (!(scale > 0.0)) break;
    for (double& x : matrix) x /= scale;
    std::fill(square.begin(), square.end(), 0.0);
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t l = 0; l < k; ++l) {
        for (std::size_t j = 0; j < k; ++j)
          square[i * k + j] += matrix[i * k + l] * matrix[l * k + j];
      }
    }
    matrix.swap(square);
    if (trace() > 1.0 - 1e-10) break;
  }
  std::size_t longest = 0;
  for (std::size_t i = 1; i < k; ++i) {
    if (matrix[i * k + i] > matrix[longest * k + longest]) longest = i;
  }
  return {matrix.begin() + longest * k, matrix.begin() + (longest + 1) * k};
}

inline std::vector<std::uint32_t> order_by_component(const Groups& groups,
                                                     const std::vector<int>& present) {
  const std::size_t k = present.size(), m = groups.size();
  std::vector<double> deviation(m * k), scatter(k * k);
  for (std::size_t g = 0; g < m; ++g) {
    double* of_level = &deviation[g * k];
    for (std::size_t s = 0; s < k; ++s) {
      of_level[s] =
          groups.of(g)[present[s]] / groups.weight[g] - groups.total[present[s]] / groups.n;
    }
    for (std::size_t s = 0; s < k; ++s) {
      for (std::size_t t = 0; t < k; ++t)
        scatter[s * k + t] += groups.weight[g] / groups.n * of_level[s] * of_level[t];
    }
  }
  const std::vector<double> first = first_eigenvector(std::move(scatter), k);
  std::vector<double> projection(m);
  for (std::size_t g = 0; g < m; ++g) {
    for (std::size_t s = 0; s < k; ++s) projection[g] += deviation[g * k + s] * first[s];
  }
  return order_by(projection);
}

}  // namespace tectree

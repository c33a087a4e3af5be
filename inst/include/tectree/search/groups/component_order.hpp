// The order of levels along the first principal component of their class shares, with levels
// weighted by their rows (Coppersmith, Hong & Hosking 1999): a heuristic for more than two classes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "../../base/stream.hpp"
#include "divisions.hpp"

namespace tectree {

// The eigenvector of the largest eigenvalue of a symmetric k x k matrix without negative
// eigenvalues. With each squaring its share of the trace grows, until the matrix is that vector
// times itself; each column is then a multiple of it.
inline std::vector<double> first_eigenvector(std::vector<double> matrix, std::size_t k) {
  std::vector<double> square(k * k);
  const auto trace = [&] {
    double sum = 0.0;
    for (std::size_t i = 0; i < k; ++i) sum += matrix[i * k + i];
    return sum;
  };
  // Sixty squarings separate eigenvalues as far as doubles can.
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

// The class shares of levels, as deviations from those of all rows.
struct LevelShares {
  std::size_t k = 0;              // classes
  std::vector<double> deviation;  // by level and class
  std::vector<double> row_share;  // of each level

  LevelShares(const Groups& groups, const std::vector<int>& present)
      : k(present.size()), deviation(groups.size() * k), row_share(groups.size()) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      row_share[g] = groups.weight[g] / groups.n;
      for (std::size_t s = 0; s < k; ++s) {
        deviation[g * k + s] =
            groups.of(g)[present[s]] / groups.weight[g] - groups.total[present[s]] / groups.n;
      }
    }
  }

  const double* of(std::size_t g) const { return &deviation[g * k]; }
  // Each level's deviation times v.
  std::vector<double> along(const std::vector<double>& v) const {
    std::vector<double> out(row_share.size());
    for (std::size_t g = 0; g < out.size(); ++g) {
      for (std::size_t s = 0; s < k; ++s) out[g] += of(g)[s] * v[s];
    }
    return out;
  }
  // The covariances of the classes' shares.
  std::vector<double> scatter() const {
    std::vector<double> out(k * k);
    for (std::size_t g = 0; g < row_share.size(); ++g) {
      for (std::size_t s = 0; s < k; ++s) {
        for (std::size_t t = 0; t < k; ++t) out[s * k + t] += row_share[g] * of(g)[s] * of(g)[t];
      }
    }
    return out;
  }
  // scatter() times v, without the k x k numbers.
  std::vector<double> scattered(const std::vector<double>& v) const {
    std::vector<double> out(k), coordinate = along(v);
    for (std::size_t g = 0; g < coordinate.size(); ++g) {
      for (std::size_t s = 0; s < k; ++s) out[s] += row_share[g] * coordinate[g] * of(g)[s];
    }
    return out;
  }
};

// The cube of the number of classes is too much work for many.
constexpr std::size_t most_classes_squared = 64;

// The first principal component for any number of classes, by Lanczos's method: for a matrix A it
// lies in the space of v, Av, A^2 v, ... up to a remainder that vanishes with their number.
inline std::vector<double> component_of_many(const LevelShares& shares) {
  const auto inner = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  std::vector<std::vector<double>> basis, images;
  std::vector<double> next(shares.k);
  Stream stream(1);  // any start that excludes no direction
  for (double& x : next) x = stream.uniform() - 0.5;
  while (basis.size() < std::min(most_classes_squared, shares.k)) {
    const double before = std::sqrt(inner(next, next));
    for (int round = 0; round < 2; ++round) {
      for (const std::vector<double>& b : basis) {
        const double part = inner(next, b);
        for (std::size_t s = 0; s < shares.k; ++s) next[s] -= part * b[s];
      }
    }
    const double length = std::sqrt(inner(next, next));
    if (!(length > 1e-10 * before)) break;
    for (double& x : next) x /= length;
    basis.push_back(next);
    images.push_back(next = shares.scattered(next));
  }
  const std::size_t size = basis.size();
  std::vector<double> within(size * size), out(shares.k);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      within[i * size + j] = within[j * size + i] = inner(basis[i], images[j]);
  }
  const std::vector<double> first = first_eigenvector(std::move(within), size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t s = 0; s < shares.k; ++s) out[s] += first[i] * basis[i][s];
  }
  return out;
}

inline std::vector<std::uint32_t> order_by_component(const Groups& groups,
                                                     const std::vector<int>& present) {
  const LevelShares shares(groups, present);
  return order_by(shares.along(shares.k > most_classes_squared
                                   ? component_of_many(shares)
                                   : first_eigenvector(shares.scatter(), shares.k)));
}

}  // namespace tectree

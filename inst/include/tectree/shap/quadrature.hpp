// Room shap/: Shapley values: how much each predictor moves a prediction.
//
// Gauss-Legendre quadrature on (0, 1): n points integrate a polynomial of degree 2 n - 1 exactly.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace tectree {

struct Quadrature {
  std::vector<double> point, weight;
  std::vector<double> rest;  // 1 - point, without rounding near 1

  explicit Quadrature(std::size_t n) : point(n), weight(n), rest(n) {
    constexpr double pi = 3.14159265358979323846;
    for (std::size_t i = 0; i < (n + 1) / 2; ++i) {
      double x = std::cos(pi * (static_cast<double>(i) + 0.75) / (static_cast<double>(n) + 0.5));
      double slope = 1.0;
      for (int step = 0; step < 100; ++step) {
        const double move = legendre(n, x, slope) / slope;
        x -= move;
        if (std::fabs(move) < 1e-16) break;
      }
      legendre(n, x, slope);
      const std::size_t j = n - 1 - i;
      point[i] = rest[j] = 0.5 * (1.0 - x);
      point[j] = rest[i] = 0.5 * (1.0 + x);
      weight[i] = weight[j] = 1.0 / ((1.0 - x * x) * slope * slope);
    }
  }

 private:
  // The Legendre polynomial of degree n, and its slope.
  static double legendre(std::size_t n, double x, double& slope) {
    double before = 1.0, value = x;
    for (std::size_t k = 2; k <= n; ++k) {
      const auto m = static_cast<double>(k);
      const double next = ((2.0 * m - 1.0) * x * value - (m - 1.0) * before) / m;
      before = value;
      value = next;
    }
    slope = static_cast<double>(n) * (x * value - before) / (x * x - 1.0);
    return value;
  }
};

}  // namespace tectree

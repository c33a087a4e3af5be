// Room splines/: multivariate adaptive regression splines (Friedman, 1991). Works with columns and
// numbers, and is independent of trees.
//
// The input, and the resulting terms.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "spans.hpp"

namespace tectree {

// Column by column. Weights have mean 1; nullptr: all are 1.
struct SplineData {
  std::size_t rows = 0, columns = 0, responses = 0;
  const double* x = nullptr;
  const double* y = nullptr;
  const double* weights = nullptr;

  const double* column(std::size_t j) const { return x + j * rows; }
  double weight(std::size_t i) const { return weights ? weights[i] : 1.0; }
};

struct SplineRules {
  int degree = 1;
  int terms = 21;  // maximum terms of the forward pass, including the intercept
  double penalty = 2.0;
  double thresh = 0.001;
  int fast_k = 20;
  double fast_beta = 1.0;
  SpanRules spans;
};

// How a column enters a term.
enum class Side : signed char { none = 0, above = 1, below = -1, whole = 2 };

// A product: by column its side and its knot.
struct SplineTerm {
  std::vector<Side> side;
  std::vector<double> cut;
  int degree = 0;
  bool used = false;           // the other place of a pair may stay empty
  std::vector<double> values;  // by row
};

// Why the forward pass ended.
enum class SplineEnd : int {
  constant = 0,  // the response has one value
  terms = 1,     // the requested number of terms
  worse = 2,     // a GCV far above that of the mean
  little = 3,    // the best pair would add less than `thresh` to R squared
  perfect = 4,
  no_term = 5
};

// The mean squared error with a penalty for terms and knots. -1: none.
inline double gcv(double terms, double rows, double rss, double penalty) {
  const double cost = penalty == -1 ? 0 : (terms + penalty * (terms - 1) / 2) / rows;
  return cost >= 1 ? HUGE_VAL : rss / (rows * (1 - cost) * (1 - cost));
}

}  // namespace tectree

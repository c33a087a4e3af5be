// Room ensemble/: models that are sums of trees, either boosted or each grown in its own rotation.
//
// The losses of gradient boosting: gradients and Hessians by score, with one score for numbers and
// two classes, and one per class for more classes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "../search/gradients/gradient_sums.hpp"

namespace tectree {

enum class BoostLoss { squared, logistic, multinomial };

inline BoostLoss boost_loss(const std::string& name) {
  if (name == "squared") return BoostLoss::squared;
  if (name == "logistic") return BoostLoss::logistic;
  if (name == "multinomial") return BoostLoss::multinomial;
  throw std::invalid_argument("no loss is called '" + name + "'");
}

// Rows whose response is known, and the current scores of the model.
struct ScoredRows {
  std::vector<double> y;       // numbers, or classes from 0
  std::vector<double> weight;  // empty: all 1
  std::size_t outputs = 1;
  std::vector<double> score;  // by row, then by output

  std::size_t size() const { return y.size(); }
  double w(std::size_t i) const { return weight.empty() ? 1.0 : weight[i]; }
  double* of(std::size_t i) { return score.data() + i * outputs; }
  const double* of(std::size_t i) const { return score.data() + i * outputs; }
};

// 1 / (1 + exp(-x)), without overflow.
inline double share_of(double score) {
  if (score >= 0.0) return 1.0 / (1.0 + std::exp(-score));
  const double e = std::exp(score);
  return e / (1.0 + e);
}

// The largest score, and the log-sum-exp minus this score.
struct Softmax {
  double most, sum = 0.0;
  Softmax(const double* score, std::size_t k) : most(*std::max_element(score, score + k)) {
    for (std::size_t s = 0; s < k; ++s) sum += std::exp(score[s] - most);
  }
  double share(double score) const { return std::exp(score - most) / sum; }
  double log_sum() const { return most + std::log(sum); }
};

constexpr double least_hessian = 1e-16;

// Of output `k`. Hessians of several classes count twice: this bounds the curvature in any
// direction (Boehning 1992), and xgboost does the same.
inline void find_gradients(BoostLoss loss, const ScoredRows& rows, std::size_t k, Gradients& out) {
  const std::size_t n = rows.size();
  out.g.resize(n);
  out.h.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double* score = rows.of(i);
    const double w = rows.w(i);
    if (loss == BoostLoss::squared) {
      out.g[i] = w * (score[0] - rows.y[i]);
      out.h[i] = w;
      continue;
    }
    const bool binary = loss == BoostLoss::logistic;
    const double p = binary ? share_of(score[0]) : Softmax(score, rows.outputs).share(score[k]);
    const bool is = binary ? rows.y[i] == 1.0 : rows.y[i] == static_cast<double>(k);
    out.g[i] = w * (p - (is ? 1.0 : 0.0));
    out.h[i] = w * std::max(p * (1.0 - p) * (binary ? 1.0 : 2.0), least_hessian);
  }
}

// Weighted: the mean squared error, or minus the mean log probability of the true class.
inline double mean_loss(BoostLoss loss, const ScoredRows& rows) {
  double sum = 0.0, weight = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double* score = rows.of(i);
    double one;
    if (loss == BoostLoss::squared) {
      one = (rows.y[i] - score[0]) * (rows.y[i] - score[0]);
    } else if (loss == BoostLoss::logistic) {
      const double x = rows.y[i] == 1.0 ? score[0] : -score[0];
      one = x > 0.0 ? std::log1p(std::exp(-x)) : -x + std::log1p(std::exp(x));
    } else {
      one = Softmax(score, rows.outputs).log_sum() - score[static_cast<std::size_t>(rows.y[i])];
    }
    sum += rows.w(i) * one;
    weight += rows.w(i);
  }
  return sum / weight;
}

}  // namespace tectree

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

#include "../base/exp_log.hpp"
#include "../base/row_passes.hpp"
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

constexpr double least_hessian = 1e-16;

// Of some rows: the sums for the mean loss, and the largest |g| and h of each output.
struct LossFacts {
  double loss = 0.0, weight = 0.0;
  std::vector<Gradient> most;

  LossFacts& operator+=(const LossFacts& x) {
    loss += x.loss;
    weight += x.weight;
    most.resize(x.most.size());
    for (std::size_t s = 0; s < most.size(); ++s) most[s] = larger(most[s], x.most[s]);
    return *this;
  }
  static Gradient larger(const Gradient& a, const Gradient& b) {
    return {std::max(a.g, b.g), std::max(a.h, b.h)};
  }
  // Weighted: the mean squared error, or minus the mean log probability of the true class.
  double mean() const { return loss / weight; }
};

// Looks at some rows at a time: their gradients if there is room for them, by output; their loss if
// someone asks.
class LossPass {
 public:
  LossPass(BoostLoss loss, const ScoredRows& rows, std::vector<Gradients>* gradients, bool measures)
      : loss_(loss), rows_(rows), gradients_(gradients), measures_(measures) {}

  LossFacts look(std::size_t first, std::size_t end) const {
    LossFacts out;
    out.most.resize(rows_.outputs);
    const std::size_t at_once = std::max<std::size_t>(1, 1024 / rows_.outputs);
    std::vector<double> e(at_once * rows_.outputs), f(at_once);
    for (; first < end; first += at_once) {
      const std::size_t n = std::min(at_once, end - first);
      if (loss_ == BoostLoss::squared) {
        look_at_numbers(first, n, out);
      } else if (loss_ == BoostLoss::logistic) {
        look_at_two_classes(first, n, e, f, out);
      } else {
        look_at_classes(first, n, e, f, out);
      }
    }
    return out;
  }

 private:
  void put(std::size_t output, std::size_t i, double g, double h, LossFacts& out) const {
    out.most[output] = LossFacts::larger(out.most[output], {std::fabs(g), h});
    (*gradients_)[output].of[i] = {g, h};
  }
  void add(std::size_t i, double loss, LossFacts& out) const {
    out.loss += rows_.w(i) * loss;
    out.weight += rows_.w(i);
  }

  void look_at_numbers(std::size_t first, std::size_t n, LossFacts& out) const {
    for (std::size_t i = first; i < first + n; ++i) {
      const double off = rows_.score[i] - rows_.y[i];
      if (gradients_) put(0, i, rows_.w(i) * off, rows_.w(i), out);
      if (measures_) add(i, off * off, out);
    }
  }

  void look_at_two_classes(std::size_t first, std::size_t n, std::vector<double>& e,
                           std::vector<double>& f, LossFacts& out) const {
    const double* score = rows_.score.data() + first;
    for (std::size_t i = 0; i < n; ++i) e[i] = std::max(-std::fabs(score[i]), least_exponent);
    exp_all(e.data(), n);
    if (gradients_) {
      for (std::size_t i = 0; i < n; ++i) {
        const double p = (score[i] >= 0.0 ? 1.0 : e[i]) / (1.0 + e[i]), w = rows_.w(first + i);
        put(0, first + i, w * (p - rows_.y[first + i]), w * std::max(p * (1.0 - p), least_hessian),
            out);
      }
    }
    if (!measures_) return;
    std::copy_n(e.begin(), n, f.begin());
    log1p_all(f.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      const double right = rows_.y[first + i] == 1.0 ? score[i] : -score[i];
      add(first + i, f[i] + std::max(-right, 0.0), out);
    }
  }

  // Hessians of several classes count twice: this bounds the curvature in any direction (Boehning
  // 1992), and xgboost does the same.
  void look_at_classes(std::size_t first, std::size_t n, std::vector<double>& e,
                       std::vector<double>& f, LossFacts& out) const {
    const std::size_t k = rows_.outputs;
    for (std::size_t i = 0; i < n; ++i) {
      const double* score = rows_.of(first + i);
      f[i] = *std::max_element(score, score + k);
      for (std::size_t s = 0; s < k; ++s) e[i * k + s] = std::max(score[s] - f[i], least_exponent);
    }
    exp_all(e.data(), n * k);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t row = first + i;
      const double* own = e.data() + i * k;
      double sum = 0.0;
      for (std::size_t s = 0; s < k; ++s) sum += own[s];
      for (std::size_t s = 0; gradients_ && s < k; ++s) {
        const double p = own[s] / sum, w = rows_.w(row);
        put(s, row, w * (p - (rows_.y[row] == static_cast<double>(s) ? 1.0 : 0.0)),
            w * std::max(p * (1.0 - p) * 2.0, least_hessian), out);
      }
      f[i] = rows_.of(row)[static_cast<std::size_t>(rows_.y[row])] - f[i];
      e[i] = sum - 1.0;  // of row i or one before, which is done
    }
    if (!measures_) return;
    log1p_all(e.data(), n);
    for (std::size_t i = 0; i < n; ++i) add(first + i, e[i] - f[i], out);
  }

  BoostLoss loss_;
  const ScoredRows& rows_;
  std::vector<Gradients>* gradients_;  // by output; null: none
  bool measures_;
};

// One pass over the rows: change(first, end) changes the scores of a block, then their gradients at
// the new scores follow, by output, and the mean loss if `measures`.
template <class Change>
double find_gradients(BoostLoss loss, const ScoredRows& rows, bool measures, Change change,
                      std::vector<Gradients>& out, Team& team) {
  out.resize(rows.outputs);
  for (Gradients& one : out) one.of.resize(rows.size());
  const LossPass pass(loss, rows, &out, measures);
  const auto facts = sum_over(rows.size(), rows.outputs, team, [&](std::size_t a, std::size_t b) {
    change(a, b);
    return pass.look(a, b);
  });
  for (std::size_t s = 0; s < out.size(); ++s) out[s].most = facts.most[s];
  return facts.mean();
}

inline double mean_loss(BoostLoss loss, const ScoredRows& rows, Team& team) {
  const LossPass pass(loss, rows, nullptr, true);
  return sum_over(rows.size(), rows.outputs, team,
                  [&](std::size_t a, std::size_t b) { return pass.look(a, b); })
      .mean();
}

}  // namespace tectree

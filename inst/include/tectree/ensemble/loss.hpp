// Room ensemble/: models that are sums of trees, either boosted or each grown in its own rotation.
//
// The losses of gradient boosting: gradients and Hessians by score, with one score for numbers and
// two classes, and one per class for more classes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
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
    std::vector<double> e(at_once * rows_.outputs), of_row(at_once);
    for (; first < end; first += at_once) {
      const std::size_t n = std::min(at_once, end - first);
      if (loss_ == BoostLoss::squared) {
        look_at_numbers(first, n, out);
      } else if (loss_ == BoostLoss::logistic) {
        look_at_two_classes(first, n, e, out);
      } else {
        look_at_classes(first, n, e, of_row, out);
      }
    }
    return out;
  }

 private:
  // use(i): the gradient of a row of weight 1.
  template <class Use>
  void each_gradient(std::size_t output, std::size_t first, std::size_t n, LossFacts& out,
                     Use use) const {
    Gradient* to = (*gradients_)[output].of.data() + first;
    const double* weight = rows_.weight.empty() ? nullptr : rows_.weight.data() + first;
    Gradient most = out.most[output];
    for (std::size_t i = 0; i < n; ++i) {
      Gradient one = use(i);
      if (weight) one = {one.g * weight[i], one.h * weight[i]};
      to[i] = one;
      most = LossFacts::larger(most, {std::fabs(one.g), one.h});
    }
    out.most[output] = most;
  }

  // loss_of(i) for each row.
  template <class LossOf>
  void add_losses(std::size_t first, std::size_t n, LossFacts& out, LossOf loss_of) const {
    for (std::size_t i = 0; i < n; ++i) {
      const double w = rows_.w(first + i);
      out.loss += w * loss_of(i);
      out.weight += w;
    }
  }

  void look_at_numbers(std::size_t first, std::size_t n, LossFacts& out) const {
    const double *score = rows_.score.data() + first, *y = rows_.y.data() + first;
    const auto off = [=](std::size_t i) { return score[i] - y[i]; };
    if (gradients_)
      each_gradient(0, first, n, out, [&](std::size_t i) { return Gradient{off(i), 1.0}; });
    if (measures_) add_losses(first, n, out, [&](std::size_t i) { return off(i) * off(i); });
  }

  void look_at_two_classes(std::size_t first, std::size_t n, std::vector<double>& e,
                           LossFacts& out) const {
    const double *score = rows_.score.data() + first, *y = rows_.y.data() + first;
    double* exps = e.data();
    for (std::size_t i = 0; i < n; ++i) exps[i] = std::max(-std::fabs(score[i]), least_exponent);
    exp_all(exps, n);
    if (gradients_) {
      each_gradient(0, first, n, out, [=](std::size_t i) {
        const double p = (score[i] >= 0.0 ? 1.0 : exps[i]) / (1.0 + exps[i]);
        return Gradient{p - y[i], std::max(p * (1.0 - p), least_hessian)};
      });
    }
    if (!measures_) return;
    log1p_all(exps, n);
    add_losses(first, n, out, [=](std::size_t i) {
      return exps[i] + std::max(y[i] == 1.0 ? -score[i] : score[i], 0.0);
    });
  }

  // Hessians of several classes count twice: this bounds the curvature in any direction (Boehning
  // 1992), and xgboost does the same. `of_row`: one number per row.
  void look_at_classes(std::size_t first, std::size_t n, std::vector<double>& e,
                       std::vector<double>& of_row, LossFacts& out) const {
    const std::size_t k = rows_.outputs;
    const double *score = rows_.of(first), *y = rows_.y.data() + first;
    double *exps = e.data(), *sum = of_row.data();
    for (std::size_t i = 0; i < n; ++i) {
      const double most = *std::max_element(score + i * k, score + (i + 1) * k);
      for (std::size_t s = i * k; s < (i + 1) * k; ++s)
        exps[s] = std::max(score[s] - most, least_exponent);
    }
    exp_all(exps, n * k);
    for (std::size_t i = 0; i < n; ++i)
      sum[i] = std::accumulate(exps + i * k, exps + (i + 1) * k, 0.0);
    for (std::size_t s = 0; gradients_ && s < k; ++s) {
      const auto own = static_cast<double>(s);
      each_gradient(s, first, n, out, [=](std::size_t i) {
        const double p = exps[i * k + s] / sum[i];
        return Gradient{p - (y[i] == own ? 1.0 : 0.0),
                        std::max(p * (1.0 - p) * 2.0, least_hessian)};
      });
    }
    if (!measures_) return;
    for (std::size_t i = 0; i < n; ++i) sum[i] -= 1.0;  // the exponential of the largest score
    log1p_all(sum, n);
    add_losses(first, n, out, [=](std::size_t i) {
      const double* own = score + i * k;
      const double most = *std::max_element(own, own + k);
      return sum[i] + most - own[static_cast<std::size_t>(y[i])];
    });
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

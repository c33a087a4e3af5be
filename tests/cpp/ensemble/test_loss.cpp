// Gradients and Hessians of the losses, against differences of the loss.
#include "check.h"

#include <tectree/ensemble/loss.hpp>

#include "support/gradients.h"
#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

ScoredRows random_rows(BoostLoss loss, Random& random) {
  ScoredRows out;
  out.outputs = loss == BoostLoss::multinomial ? static_cast<std::size_t>(random.between(3, 5)) : 1;
  const bool weighted = random.chance(0.5);
  for (int i = 0; i < 12; ++i) {
    switch (loss) {
      case BoostLoss::squared:
        out.y.push_back(random.uniform() * 6 - 3);
        break;
      case BoostLoss::logistic:
        out.y.push_back(random.below(2));
        break;
      case BoostLoss::multinomial:
        out.y.push_back(random.below(static_cast<int>(out.outputs)));
    }
    if (weighted) out.weight.push_back(0.1 + random.uniform());
    for (std::size_t k = 0; k < out.outputs; ++k) out.score.push_back(random.uniform() * 6 - 3);
  }
  return out;
}

// The loss of one row; for numbers half the squared error, whose gradient is the error.
double loss_of(BoostLoss loss, const ScoredRows& rows, std::size_t i) {
  ScoredRows one;
  one.outputs = rows.outputs;
  one.y = {rows.y[i]};
  one.score.assign(rows.of(i), rows.of(i) + rows.outputs);
  return rows.w(i) * support::mean_loss_of(loss, one) * (loss == BoostLoss::squared ? 0.5 : 1.0);
}

constexpr BoostLoss losses[] = {BoostLoss::squared, BoostLoss::logistic, BoostLoss::multinomial};

}  // namespace

TEST(gradients_and_hessians_are_the_derivatives_of_the_loss) {
  Random random(21);
  for (BoostLoss loss : losses) {
    for (int turn = 0; turn < 30; ++turn) {
      ScoredRows rows = random_rows(loss, random);
      // Hessians of several classes count twice.
      const double factor = loss == BoostLoss::multinomial ? 2.0 : 1.0;
      for (std::size_t k = 0; k < rows.outputs; ++k) {
        const Gradients out = support::gradients_of(loss, rows)[k];
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const double step = 1e-4, middle = loss_of(loss, rows, i);
          double& score = rows.of(i)[k];
          const double before = score;
          score = before + step;
          const double above = loss_of(loss, rows, i);
          score = before - step;
          const double below = loss_of(loss, rows, i);
          score = before;
          CHECK_NEAR(out.of[i].g, (above - below) / (2 * step), 1e-7);
          CHECK_NEAR(out.of[i].h, factor * (above - 2 * middle + below) / (step * step), 1e-6);
        }
      }
    }
  }
}

TEST(the_mean_loss_is_that_of_the_definition) {
  Random random(22);
  for (BoostLoss loss : losses) {
    for (int turn = 0; turn < 30; ++turn) {
      const ScoredRows rows = random_rows(loss, random);
      double sum = 0, weight = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double* score = rows.of(i);
        double one = (rows.y[i] - score[0]) * (rows.y[i] - score[0]);
        if (loss == BoostLoss::logistic) {
          const double p = 1 / (1 + std::exp(-score[0]));
          one = -std::log(rows.y[i] == 1 ? p : 1 - p);
        }
        if (loss == BoostLoss::multinomial) {
          double all = 0;
          for (std::size_t k = 0; k < rows.outputs; ++k) all += std::exp(score[k]);
          one = -std::log(std::exp(score[static_cast<std::size_t>(rows.y[i])]) / all);
        }
        sum += rows.w(i) * one;
        weight += rows.w(i);
      }
      CHECK_NEAR(support::mean_loss_of(loss, rows), sum / weight, 1e-12 * (1 + sum / weight));
    }
  }
}

TEST(scores_far_away_overflow_nothing) {
  for (double far : {-1e300, -800.0, 800.0, 1e300}) {
    for (BoostLoss loss : {BoostLoss::logistic, BoostLoss::multinomial}) {
      ScoredRows rows;
      rows.outputs = loss == BoostLoss::multinomial ? 3 : 1;
      for (double y : {0.0, 1.0}) {
        rows.y.push_back(y);
        for (std::size_t k = 0; k < rows.outputs; ++k) rows.score.push_back(k == 1 ? 0.0 : far);
      }
      CHECK(std::isfinite(support::mean_loss_of(loss, rows)));
      for (std::size_t k = 0; k < rows.outputs; ++k) {
        const Gradients out = support::gradients_of(loss, rows)[k];
        for (std::size_t i = 0; i < 2; ++i) {
          CHECK(std::fabs(out.of[i].g) <= 1.0);
          CHECK(out.of[i].h > 0.0 && out.of[i].h <= 0.5);
        }
      }
    }
  }
}

TEST(an_unknown_loss_is_refused) {
  CHECK(boost_loss("squared") == BoostLoss::squared);
  CHECK_THROWS(boost_loss("huber"));
}

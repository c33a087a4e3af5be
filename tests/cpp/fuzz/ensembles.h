// Forests and boosted models of a problem.
#pragma once

#include <tectree/ensemble/boost.hpp>
#include <tectree/grow/many/grow_forest.hpp>

#include <atomic>
#include <vector>

#include "fuzz/require.h"
#include "roads/problem.h"

namespace fuzz {

using tectree::Forest;
using tectree::Team;

// A forest of two trees; `how`: its draws and importance.
inline Forest grown_forest(const roads::Case& c, const roads::Posed& posed, int how, int threads) {
  tectree::ForestPlan plan;
  plan.seeds = {c.seed, c.seed + 1};
  plan.draws.replace = (how & 1) != 0;
  plan.draws.of_class = {1 + c.rows() / 2};
  plan.importance = static_cast<tectree::Importance>((how >> 1) % 4);
  Team team(threads);
  std::atomic<std::size_t> done{0};
  tectree::GrownForest grown =
      tectree::grow_trees(posed.problem, posed.stop, posed.missing(), plan, done, team);
  require(done == 2, "trees of a forest");
  return tectree::join(grown.trees, posed.problem.frame);
}

// Three rounds of boosting, for two or more classes or a number; `rows`: their scores.
inline tectree::BoostedTrees boosted(const roads::Case& c, const roads::Posed& posed, int how,
                                     int threads, tectree::ScoredRows& rows) {
  tectree::BoostPlan plan;
  const int k = c.is_class() ? c.table.n_classes : 0;
  plan.loss = k == 0   ? tectree::BoostLoss::squared
              : k == 2 ? tectree::BoostLoss::logistic
                       : tectree::BoostLoss::multinomial;
  plan.seeds = {c.seed, c.seed + 1, c.seed + 2};
  plan.rate = 0.3;
  plan.draws = (how & 1) != 0 ? 1 + c.rows() / 2 : 0;
  plan.columns = (how & 2) != 0 ? 1 : 0;
  plan.rule.lambda = (how & 4) != 0 ? 1.0 : 0.0;
  plan.stop.min_split = plan.stop.min_bucket = 0.0;
  plan.stop.max_depth = 1 + (how >> 4) % 4;
  if ((how & 8) != 0) {
    for (const auto kind : c.table.kind)
      plan.rule.monotone.push_back(kind == tectree::Kind::nominal ? 0 : 1);
  }
  Team team(threads);
  rows.outputs = k > 2 ? static_cast<std::size_t>(k) : 1;
  rows.weight = c.table.weight;
  for (std::size_t i = 0; i < c.rows(); ++i)
    rows.y.push_back(k > 0 ? c.table.y[i] - 1 : c.table.number[i]);
  rows.score.assign(c.rows() * rows.outputs, 0.0);
  tectree::ScoredRows nothing;
  nothing.outputs = rows.outputs;
  const std::vector<int> no_rows;
  tectree::Sample sample;
  sample.size = c.rows();
  sample.weights = c.table.weight.empty() ? nullptr : c.table.weight.data();
  std::atomic<std::size_t> done{0};
  tectree::Booster booster(posed.problem.frame, sample, rows, no_rows, nothing, plan, team);
  return booster.run(done, 0, team);
}

}  // namespace fuzz

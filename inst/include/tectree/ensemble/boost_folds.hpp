// Cross-validation of the number of rounds: one model per fold, all grown round by round, until the
// mean loss on the held-out rows has not fallen for a while.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "boost.hpp"

namespace tectree {

// The rows of a fold: those to grow from, and those that it holds out, with numbers from 1.
struct BoostFold {
  Sample sample;
  std::vector<int> held_out;
  ScoredRows training, validation;
  BoostPlan plan;
};

// The loss of each fold after each round. All plans have the same seeds; `patience` is that of the
// mean.
inline std::vector<std::vector<double>> losses_of_folds(const Frame& frame,
                                                        std::vector<BoostFold>& folds,
                                                        std::size_t patience,
                                                        std::atomic<std::size_t>& done,
                                                        Team& team) {
  constexpr std::size_t at_once = 10;  // rounds between two looks at the mean
  const std::size_t rounds = folds.front().plan.seeds.size(), rows = folds.front().sample.size;
  std::vector<std::unique_ptr<Booster>> runs(folds.size());
  each_of_few(team, folds.size(), rows, [&](std::size_t f, Team& inner) {
    BoostFold& fold = folds[f];
    runs[f] = std::make_unique<Booster>(frame, fold.sample, fold.training, fold.held_out,
                                        fold.validation, fold.plan, inner);
  });
  Patience end(patience);
  bool ended = false;
  std::size_t kept = 0;
  while (kept < rounds && !ended) {
    const std::size_t more = std::min(at_once, rounds - kept);
    each_of_few(team, folds.size(), rows, [&](std::size_t f, Team& inner) {
      for (std::size_t r = 0; r < more; ++r) runs[f]->next_round(done, 0, inner);
    });
    for (const std::size_t last = kept + more; kept < last && !ended; ++kept) {
      double sum = 0.0;
      for (const auto& run : runs) sum += run->curve().validation[kept];
      ended = end.ends(sum);
    }
  }
  std::vector<std::vector<double>> out;
  for (const auto& run : runs) {
    const std::vector<double>& losses = run->curve().validation;
    out.emplace_back(losses.begin(), losses.begin() + static_cast<std::ptrdiff_t>(kept));
  }
  return out;
}

}  // namespace tectree

// The choice among columns under the rules of C4.5, and how a search comes by its own rule of
// choice.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../choose/column_result.hpp"
#include "../choose/ties.hpp"
#include "c45_rules.hpp"

namespace tectree {
namespace c45 {

// Columns whose cut measure is near the mean or above it compete; the first has the best score
// until a later one clearly has a better one. Nothing above 0: no split.
class Choice {
 public:
  Choice(const std::vector<ColumnResult>& results, Eligible rule,
         std::shared_ptr<const Facts> facts)
      : results_(results), rule_(rule), facts_(std::move(facts)) {}

  // `score` scores a list of open columns, of which these rules leave none.
  template <class Score>
  std::optional<std::size_t> among_all(const std::vector<std::uint32_t>& columns,
                                       double /* impurity */, Score) {
    cuts_.clear();
    for (std::uint32_t c : columns) {
      if (wins(c) && !facts_->many_levels[c]) cuts_.push_back(results_[c].winner.cut);
    }
    bound_ = HUGE_VAL;
    if (cuts_.empty()) return std::nullopt;
    bound_ = eligibility_bound(cuts_, rule_);
    if (rule_ == Eligible::mean) bound_ -= near_mean;
    std::optional<std::size_t> winner;
    double best = 0.0;
    for (std::uint32_t c : columns) {
      if (!wins(c) || results_[c].winner.cut < bound_) continue;
      if (!(results_[c].winner.score - best > clearly)) continue;
      best = results_[c].winner.score;
      winner = c;
    }
    return winner;
  }
  // The least cut measure with which an attribute competed.
  double bound() const { return bound_; }

 private:
  // By these rules a split that gains too little is none, and no part of the mean.
  bool wins(std::uint32_t c) const { return results_[c].found && results_[c].enough; }

  const std::vector<ColumnResult>& results_;
  Eligible rule_;
  std::shared_ptr<const Facts> facts_;
  std::vector<double> cuts_;
  double bound_ = -HUGE_VAL;
};

}  // namespace c45
}  // namespace tectree

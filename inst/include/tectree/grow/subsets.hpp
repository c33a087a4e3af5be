// Trees on many subsets of one sample: the folds of a cross-validation.
#pragma once

#include <cstddef>
#include <vector>

#include "fit.hpp"

namespace tectree {

// A partition of the sample: the group of each position, from 0.
struct Folds {
  const int* group = nullptr;
  int count = 0;

  // Rows of the frame, 1-based and increasing: of the group, or of all others.
  std::vector<int> rows(const Sample& sample, int fold, bool of_group) const {
    std::vector<int> out;
    for (std::size_t i = 0; i < sample.size; ++i) {
      if ((group[i] == fold) == of_group) out.push_back(static_cast<int>(sample.row(i)) + 1);
    }
    return out;
  }
};

inline double total_weight(const Sample& sample) {
  double sum = 0.0;
  for (std::size_t i = 0; i < sample.size; ++i) sum += sample.weight(i);
  return sum;
}

// Grows one tree without each fold and calls use(fold, tree, rows left out, share of the weight the
// tree has seen, team). `stop_of(share)`: the rule for a tree that has seen this share.
template <class StopOf, class Use>
void each_fold(const Problem& problem, const MissingPolicy& missing, const Folds& folds,
               StopOf stop_of, Team& team, Use use) {
  const double total = total_weight(problem.sample);
  const auto one = [&](std::size_t fold, Team& inner) {
    const std::vector<int> seen = folds.rows(problem.sample, static_cast<int>(fold), false);
    const std::vector<int> rest = folds.rows(problem.sample, static_cast<int>(fold), true);
    if (seen.empty() || rest.empty()) return;
    Problem part = problem;
    part.sample.rows = seen.data();
    part.sample.size = seen.size();
    const double share = total_weight(part.sample) / total;
    const Tree tree = grow_tree(part, stop_of(share), missing, inner);
    Sample left_out = problem.sample;
    left_out.rows = rest.data();
    left_out.size = rest.size();
    use(fold, tree, left_out, share, inner);
  };
  team.each(folds.count, one);
}

}  // namespace tectree

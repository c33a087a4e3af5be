// One tree without each fold of a sample: what cross-validation grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tree_grower.hpp"

namespace tectree {

// A partition of the sample: the group of each position, from 0.
struct Folds {
  const int* group = nullptr;
  int count = 0;

  std::vector<std::uint32_t> positions(std::size_t n, int fold, bool of_group) const {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < n; ++i) {
      if ((group[i] == fold) == of_group) out.push_back(static_cast<std::uint32_t>(i));
    }
    return out;
  }
};

// A tree grown without a fold.
struct FoldTree {
  std::size_t fold;
  Tree tree;
  const std::vector<std::uint32_t>& seen;  // positions
  Sample rest;                             // the held-out rows
  double share;                            // of the weight that the tree has seen
};

// Grows one tree without each fold and calls use(FoldTree, grower, team). `stop_of(share)`: the
// rule for a tree that has seen this share.
template <class StopOf, class Use>
void each_fold(const Problem& problem, const MissingPolicy& missing, const Folds& folds,
               StopOf stop_of, Team& team, Use use) {
  const TreeGrower grower(problem, missing, team);
  const double total = weigh(problem.sample, team).total;
  const std::size_t n = problem.sample.size;
  team.each(folds.count, [&](std::size_t fold, Team& inner) {
    const auto seen = folds.positions(n, static_cast<int>(fold), false);
    const auto rest = folds.positions(n, static_cast<int>(fold), true);
    if (seen.empty() || rest.empty()) return;
    std::vector<int> rows;
    const double share = weigh(grower.rows_of(seen, rows), inner).total / total;
    Tree tree = grower.grow(seen, stop_of(share), inner);
    use(FoldTree{fold, std::move(tree), seen, grower.rows_of(rest, rows), share}, grower, inner);
  });
}

}  // namespace tectree

// Room grow/after/: what is added to a finished tree, and what the user sees of a search.
//
// Surrogates after growth. Pruning removes most nodes of a tree, and finding surrogates takes as
// long as finding splits. If the sample has no missing values, surrogates can wait.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "../../missing/policies.hpp"
#include "../../tree/spread.hpp"
#include "../grow_tree.hpp"

namespace tectree {

inline bool surrogates_can_wait(const Problem& problem, const MissingPolicy& missing, Team& team) {
  return missing.looks_for_surrogates() && !any_missing(problem.frame, problem.sample, team);
}

// The policy without surrogates, if they can be added to the grown tree.
inline MissingPolicy defer_surrogates(const Problem& problem, const MissingPolicy& missing,
                                      Team& team) {
  return surrogates_can_wait(problem, missing, team) ? missing.without_surrogates() : missing;
}

// Adds surrogates to every two-way split of the tree, found among the rows that it was grown from,
// which have no missing values.
inline void add_surrogates(Tree& tree, const Problem& problem, const SurrogateRule& rule,
                           Team& team) {
  const auto search = sorted_search(problem, set_up(problem, team), team);
  std::vector<std::pair<int, Node>> open{{0, search->root()}};
  std::vector<Node> children;
  while (!open.empty()) {
    team.check();
    const auto [at, node] = std::move(open.back());
    open.pop_back();
    if (tree.kind[at] == 0 || node.n_rows == 0) continue;
    const Split split = tree.split_at(at);
    if (split.branches == 2)
      tree.set_surrogates(at, search->find_surrogates(node, split, rule, team));
    search->divide_rows(node, split, MissingRoute(), children);
    search->divide_columns(node, children, std::vector<char>(children.size(), 1), team);
    for (std::size_t j = children.size(); j-- > 0;)
      open.emplace_back(child_of(tree, at, static_cast<int>(j)), children[j]);
  }
  tree.by_surrogate = rule.used && rule.most > 0;
}

}  // namespace tectree

// AdaBoost for any number of classes: SAMME (Zhu, Zou, Rosset & Hastie 2009). Misclassified rows
// get more weight in the next tree.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "../grow/grow_tree.hpp"
#include "../tree/forest.hpp"
#include "boost.hpp"

namespace tectree {

struct AdaBoosted {
  Forest trees;
  std::vector<double> vote;    // by tree
  std::vector<double> error;   // by tree: the misclassified share of the weight
  std::vector<double> weight;  // by position, after the last tree; sums to the case weights
};

// `rounds`: the maximum number of trees. Ends early with a tree without an error, whose vote is 1,
// or before a tree that is no better than chance.
inline AdaBoosted boost_by_weights(const Problem& whole, const StopRule& stop,
                                   const MissingPolicy& missing, std::size_t rounds, double rate,
                                   std::atomic<std::size_t>& done, Team& team) {
  Problem problem = whole;
  const std::size_t n = problem.sample.size;
  const auto k = static_cast<double>(problem.response.n_classes);
  AdaBoosted out;
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) out.weight.push_back(whole.sample.weight(i));
  for (double w : out.weight) total += w;
  problem.sample.own = out.weight.data();
  std::vector<double> sizes;
  for (std::size_t i = 0; i < n; ++i) sizes.push_back(whole.sample.size_at(i));
  problem.sample.own_sizes = sizes.data();
  problem.control.unknown = missing.search;
  if (n > problem.pass_on_at)
    problem.codes = std::make_shared<const Codes>(make_codes(problem.frame, problem.sample, team));
  const RowBlocks rows(problem.frame, n, [&](std::size_t i) { return whole.sample.row(i); });
  std::vector<char> wrong(n);
  for (std::size_t r = 0; r < rounds; ++r, ++done) {
    team.check();
    problem.seed = Stream::part(whole.seed, r);
    const Tree tree = grow_tree(problem, stop, missing, team);
    Forest one;
    append(tree, problem.frame, one);
    rows.classes(one.view(), team, [&](std::size_t i, int said) {
      wrong[i] = said + 1 != problem.response.code[whole.sample.row(i)];
    });
    double missed = 0.0;
    for (std::size_t i = 0; i < n; ++i) missed += wrong[i] ? out.weight[i] : 0.0;
    const double error = missed / total;
    if (error >= 1.0 - 1.0 / k) break;
    const bool perfect = !(error > 0.0);
    const double vote =
        perfect ? 1.0 : rate * (std::log((1.0 - error) / error) + std::log(k - 1.0));
    append(one, problem.frame, out.trees);
    out.vote.push_back(vote);
    out.error.push_back(error);
    if (perfect) break;
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      if (wrong[i]) out.weight[i] *= std::exp(vote);
      sum += out.weight[i];
    }
    for (double& w : out.weight) w *= total / sum;
  }
  return out;
}

}  // namespace tectree

// A forest: every tree grown from a bag of its own, by one thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "out_of_bag.hpp"
#include "tree_grower.hpp"

namespace tectree {

struct ForestPlan {
  std::vector<std::uint64_t> seeds;  // one a tree: of all that is drawn for it
  Draws draws;
};

// The classes of a sample's rows from 0, where they have draws of their own.
inline std::vector<std::uint16_t> classes_to_draw(const Problem& problem, const Draws& draws) {
  std::vector<std::uint16_t> out;
  if (draws.of_class.size() < 2) return out;
  for (std::size_t i = 0; i < problem.sample.size; ++i)
    out.push_back(static_cast<std::uint16_t>(problem.response.code[problem.sample.row(i)] - 1));
  return out;
}

// The largest weight that a bag may have.
inline TreeGrower::Limits limits_of(const Problem& problem, const Urns& urns) {
  if (!urns.replace()) return {weigh(problem.sample).total, false};
  double most = 0.0;
  for (std::size_t i = 0; i < problem.sample.size; ++i)
    most = std::max(most, problem.sample.weight(i));
  return {most * static_cast<double>(urns.draws()), true};
}

// `done`: how many trees are there, for other threads to read. The rows of each bag are kept.
inline std::vector<GrownTree> grow_trees(const Problem& problem, const StopRule& stop,
                                         const MissingPolicy& missing, const ForestPlan& plan,
                                         std::atomic<std::size_t>& done, Team& team) {
  const std::size_t n = problem.sample.size, trees = plan.seeds.size();
  const Urns urns(n, plan.draws, classes_to_draw(problem, plan.draws));
  if (urns.draws() == 0) throw std::invalid_argument("no rows are to be drawn");
  const TreeGrower grower(problem, missing, limits_of(problem, urns), team);
  std::vector<std::unique_ptr<Drawer>> drawers(static_cast<std::size_t>(team.size()));
  std::vector<GrownTree> out(trees);
  const auto grow = [&](std::size_t t, Team& inner) {
    auto& drawer = drawers[static_cast<std::size_t>(inner.worker())];
    if (!drawer) drawer = std::make_unique<Drawer>(urns);
    const Bag bag = drawer->draw(plan.seeds[t]);
    const Tree tree = grower.grow(bag, Stream::part(plan.seeds[t], 1), stop, inner);
    append(tree, problem.frame, out[t].tree);
    out[t].bag = BagBits(n, bag);
    ++done;
  };
  if (trees == 1) {
    grow(0, team);  // by all threads
  } else {
    team.each(trees, grow);
  }
  return out;
}

// The trees as one forest, in their order; each is freed once it is there.
inline Forest join(std::vector<GrownTree>& trees, const Frame& frame) {
  Forest out;
  for (GrownTree& one : trees) {
    append(one.tree, frame, out);
    one = GrownTree();
  }
  return out;
}

}  // namespace tectree

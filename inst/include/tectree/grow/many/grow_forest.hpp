// A forest: every tree grown from its own bag, by one thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "importance.hpp"
#include "out_of_bag.hpp"
#include "tree_grower.hpp"

namespace tectree {

struct ForestPlan {
  std::vector<std::uint64_t> seeds;  // one per tree, for all random numbers of the tree
  Draws draws;
  Importance importance = Importance::none;
};

// A forest's trees, separate until they are joined.
struct GrownForest {
  std::vector<GrownTree> trees;
  std::vector<TreeImportance> importance;  // by tree, if wanted
};

// The classes of a sample's rows from 0, if they have their own draws.
inline std::vector<std::uint16_t> classes_to_draw(const Problem& problem, const Draws& draws) {
  std::vector<std::uint16_t> out;
  if (draws.of_class.size() < 2) return out;
  for (std::size_t i = 0; i < problem.sample.size; ++i)
    out.push_back(static_cast<std::uint16_t>(problem.response.code[problem.sample.row(i)] - 1));
  return out;
}

// The largest possible weight of a bag.
inline TreeGrower::Limits limits_of(const Problem& problem, const Urns& urns, Team& team) {
  if (!urns.replace()) return {weigh(problem.sample, team).total, false};
  double most = 0.0;
  for (std::size_t i = 0; i < problem.sample.size; ++i)
    most = std::max(most, problem.sample.weight(i));
  return {most * static_cast<double>(urns.draws()), true};
}

inline TreeImportance importance_of(const Problem& problem, const ForestPlan& plan, std::size_t t,
                                    const Tree& tree, const Bag& bag, const Forest& as_forest) {
  ImportanceOfTree of(problem, tree);
  if (plan.importance == Importance::gain) return of.by_gain();
  if (plan.importance == Importance::corrected) return of.corrected(bag);
  return of.by_permutation(bag, view_of(problem, as_forest), plan.seeds[t]);
}

// `done`: the number of finished trees, for other threads to read. The rows of each bag are kept.
inline GrownForest grow_trees(const Problem& problem, const StopRule& stop,
                              const MissingPolicy& missing, const ForestPlan& plan,
                              std::atomic<std::size_t>& done, Team& team) {
  const std::size_t n = problem.sample.size, trees = plan.seeds.size();
  const Urns urns(n, plan.draws, classes_to_draw(problem, plan.draws));
  if (urns.draws() == 0) throw std::invalid_argument("no rows are to be drawn");
  const TreeGrower grower(problem, missing, limits_of(problem, urns, team), team);
  const auto workers = static_cast<std::size_t>(team.size());
  std::vector<std::unique_ptr<Drawer>> drawers(workers);
  std::vector<std::shared_ptr<TreeMemory>> memory(workers);
  const bool rates = plan.importance != Importance::none;
  GrownForest out{std::vector<GrownTree>(trees), std::vector<TreeImportance>(rates ? trees : 0)};
  const auto grow = [&](std::size_t t, Team& inner) {
    const auto worker = static_cast<std::size_t>(inner.worker());
    auto& drawer = drawers[worker];
    if (!drawer) {
      drawer = std::make_unique<Drawer>(urns);
      memory[worker] = std::make_shared<TreeMemory>();
    }
    const Bag bag = drawer->draw(plan.seeds[t]);
    Tree tree = grower.grow(bag, Stream::part(plan.seeds[t], 1), stop, inner, memory[worker]);
    GrownTree& kept = out.trees[t];
    append(tree, problem.frame, kept.tree);
    kept.bag = BagBits(n, bag);
    if (rates) out.importance[t] = importance_of(problem, plan, t, tree, bag, kept.tree);
    std::swap(tree, memory[worker]->whole);
    ++done;
  };
  if (trees == 1) {
    grow(0, team);  // by all threads
  } else {
    team.each(trees, grow);
  }
  return out;
}

// The trees as one forest, in their order; each is freed once it is copied.
inline Forest join(std::vector<GrownTree>& trees, const Frame& frame) {
  Forest out;
  std::size_t nodes = 0;
  for (const GrownTree& one : trees) nodes += one.tree.variable.size();
  out.reserve(nodes);
  for (GrownTree& one : trees) {
    append(one.tree, frame, out);
    one = GrownTree();
  }
  return out;
}

}  // namespace tectree

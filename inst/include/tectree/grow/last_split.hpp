// What growth needs to compare several ways to finish a tree: the loss of the final leaves, and the
// split of a node whose branches are leaves.
#pragma once

#include <atomic>
#include <cmath>
#include <vector>

#include "../missing/policies.hpp"
#include "../search/door/node_search.hpp"
#include "stop.hpp"

namespace tectree {

// The maximum loss of a tree, and the loss of its final leaves so far; shared by threads.
class LossLimit {
 public:
  explicit LossLimit(double most) : most_(most) {}
  void add(double loss) {
    double before = spent_.load(std::memory_order_relaxed);
    while (!spent_.compare_exchange_weak(before, before + loss, std::memory_order_relaxed)) {
    }
  }
  bool exceeded() const { return spent_.load(std::memory_order_relaxed) > most_; }

 private:
  double most_;
  std::atomic<double> spent_{0.0};
};

// Where rows with a missing value go at a split; `surrogates` stores the deciding surrogates.
inline MissingRoute route_of(const MissingPolicy& missing, NodeSearch& search, const Node& node,
                             const Winner& winner, std::vector<Surrogate>& surrogates, Team& team) {
  MissingRoute out;
  out.branch = missing.rows == UnknownRows::stop ? no_branch : missing.branch(winner);
  if (winner.split.branches == 2 && missing.looks_for_surrogates()) {
    surrogates = search.find_surrogates(node, winner.split, missing.surrogates, team);
    if (missing.surrogates.used) out.surrogates = &surrogates;
  }
  return out;
}

// Among the splits tried, the one whose leaves lose least.
class LastSplit {
 public:
  explicit LastSplit(int n_classes) : share_(static_cast<std::size_t>(n_classes)) {}

  // Null if none gains.
  const Winner* of(const StopRule& stop, const MissingPolicy& missing, NodeSearch& search,
                   Node& node, Team& team) {
    const Tried tried = search.promising(node, stop.most_tried(), team);
    if (!tried.first_is_best) return nullptr;
    const NodeFacts whole = search.describe(node, share_.data());
    const double slack = 1e-10 * stop.risk(whole);
    double least = HUGE_VAL;
    best_ = tried.splits.front();
    for (const Winner& winner : tried.splits) {
      team.check();
      if (!stop.worth(winner.gain, whole.weight)) continue;
      const double loss = loss_of_leaves(stop, missing, search, node, whole, winner, team);
      if (!(loss < least - slack)) continue;
      least = loss;
      best_ = winner;
    }
    return &best_;
  }

 private:
  double loss_of_leaves(const StopRule& stop, const MissingPolicy& missing, NodeSearch& search,
                        const Node& node, const NodeFacts& whole, const Winner& winner,
                        Team& team) {
    double loss = 0.0, weight = 0.0;
    const auto add = [&](NodeSearch& of, const Node& leaf) {
      if (leaf.n_rows == 0) return;
      const NodeFacts facts = of.describe(leaf, share_.data());
      loss += stop.risk(facts);
      weight += facts.weight;
    };
    if (missing.rows == UnknownRows::share) {
      const auto parts = search.divide_into_parts(node, winner, team);
      for (const auto& part : parts) {
        if (part) add(*part, part->root());
      }
      if (!parts.empty()) return loss;
    }
    std::vector<Surrogate> surrogates;
    search.divide_rows(node, winner.split,
                       route_of(missing, search, node, winner, surrogates, team), children_);
    for (const Node& child : children_) add(search, child);
    return loss + stop.risk_of_stopped(stop.risk(whole), whole.weight, weight, missing.rows);
  }

  Winner best_;
  std::vector<double> share_;
  std::vector<Node> children_;
};

}  // namespace tectree

// Forests on many subsets of one sample: what a tuning run grows. Columns are coded, or sorted, and
// the kernels' tables made once for all subsets; see forest.hpp for what the criteria share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../data/subset_arena.hpp"
#include "fit.hpp"
#include "forest.hpp"

namespace tectree {

struct CriterionChoice {
  std::string name;
  double parameter = 0.0;
};

// Whether forests can be grown: depth-first, without rows to share out, surrogates, rules of C4.5,
// losses (a row that ends in parts gets the class of the largest share) or classes that count
// differently.
inline bool suits_forest(const Problem& problem, const StopRule& stop, const MissingPolicy& missing,
                         Team& team) {
  return problem.response.is_class() && problem.factors.plain() && problem.loss.empty() &&
         !by_c45(problem) && std::isinf(stop.max_leaves) && stop.by_size_alone() &&
         missing.surrogates().most == 0 &&
         (missing.rows() != UnknownRows::share ||
          !any_missing(problem.frame, problem.sample, team));
}

class ForestGrower {
 public:
  // What is passed must outlive the grower; the criterion of `whole` is not looked at.
  ForestGrower(const Problem& whole, const std::vector<CriterionChoice>& criteria,
               const StopRule& stop, const MissingPolicy& missing, Team& team)
      : whole_(whole),
        plan_{whole_.frame, stop, missing, passed_on(CoarseSearch::pass_on, whole, stop, 1),
              whole.response.n_classes} {
    whole_.control.unknown = missing.search();
    const bool plain = plain_missing(whole_, missing, team);
    for (const CriterionChoice& c : criteria) add_lane(c, plain, team);
    if (!coarse_.empty())
      coded_ = std::make_shared<CoarseSearch::Coded>(*lane_[coarse_.front()], label_, team);
    if (!sorted_lanes_.empty())
      sorted_.emplace(whole_.frame, whole_.sample, whole_.sample.size <= whole_.small_node, true,
                      team);
  }

  std::size_t n_lanes() const { return lane_.size(); }

  // Grows from the rows at the positions `kept` of the whole sample, increasing; may be called by
  // several threads at once.
  void grow(const std::vector<std::uint32_t>& kept, Outcome& outcome, Team& team) const {
    if (!coarse_.empty()) {
      auto first = std::make_unique<CoarseSearch>(lane_[coarse_.front()], coded_, kept, plan_.small,
                                                  team.size());
      grow_lanes(coarse_, std::move(first), outcome, team);
    }
    if (sorted_lanes_.empty()) return outcome.settle();
    if (kept.size() <= whole_.small_node) {
      grow_sorted<std::uint16_t>(kept, outcome, team);
    } else {
      grow_sorted<std::uint32_t>(kept, outcome, team);
    }
    outcome.settle();
  }

 private:
  void add_lane(const CriterionChoice& criterion, bool plain_missing, Team& team) {
    Problem problem = whole_;
    problem.criterion = criterion.name;
    problem.parameter = criterion.parameter;
    ClassSetup setup = set_up_classes(problem, team);
    setup.shared->frame = &whole_.frame;
    setup.shared->sample = &whole_.sample;
    const bool coarse = plain_missing && suits_coarse(problem, setup);
    (coarse ? coarse_ : sorted_lanes_).push_back(static_cast<std::uint32_t>(lane_.size()));
    // Whole numbers other than 1 take the road of fractions here.
    if (setup.weights.whole && !setup.weights.unit)
      setup.shared->curve =
          PhiCurve::of(setup.shared->criterion->kernel(), setup.weights.least, setup.weights.total);
    lane_.push_back(setup.shared);
    weights_ = setup.weights;
    label_ = std::move(setup.label);
    weight_ = std::move(setup.weight);
  }

  template <class Index>
  void grow_sorted(const std::vector<std::uint32_t>& kept, Outcome& outcome, Team& team) const {
    if (weights_.unit) {
      grow_weighted<Index, UnitWeight>(kept, outcome, team);
    } else {
      grow_weighted<Index, RealWeight>(kept, outcome, team);
    }
  }

  template <class Index, class W>
  void grow_weighted(const std::vector<std::uint32_t>& kept, Outcome& outcome, Team& team) const {
    auto arena = sorted_->arena<Index>(kept, sizeof(Index) > 2, team);
    arena.origin = kept;
    std::vector<std::uint16_t> label;
    std::vector<double> weight;
    for (std::uint32_t position : kept) {
      label.push_back(label_[position]);
      if (!weight_.empty()) weight.push_back(weight_[position]);
    }
    using Task = ClassTask<Index, W>;
    Task task(lane_[sorted_lanes_.front()], std::move(label), std::move(weight));
    auto first = std::make_unique<PresortedSearch<Index, Task>>(
        whole_.frame, whole_.sample, std::move(arena), std::move(task), team.size());
    grow_lanes(sorted_lanes_, std::move(first), outcome, team);
  }

  template <class Search>
  void grow_lanes(const Lanes& lanes, std::unique_ptr<Search> first, Outcome& outcome,
                  Team& team) const {
    const Range root = first->root();
    std::vector<double> share(plan_.n_classes);
    const NodeFacts facts = first->describe(root, share.data());
    std::vector<std::uint32_t> test(outcome.size());
    std::iota(test.begin(), test.end(), 0u);
    outcome.add_node(lanes, 0);
    if (plan_.stop.is_leaf(facts, 0)) {
      outcome.add_leaf(lanes);
      return outcome.predict(lanes, facts.yval, share.data(), test, 0, test.size());
    }
    std::vector<std::unique_ptr<Search>> searches(lane_.size());
    for (std::size_t i = 1; i < lanes.size(); ++i) searches[lanes[i]] = first->by(lane_[lanes[i]]);
    searches[lanes.front()] = std::move(first);
    Forest<Search> forest(std::move(searches), plan_, outcome);
    forest.grow(lanes, root, 0, std::move(test), {}, team);
  }

  ForestGrower(const ForestGrower&) = delete;  // what is shared points into it

  Problem whole_;
  ForestPlan plan_;
  std::vector<std::shared_ptr<const ClassProblem>> lane_;
  Lanes coarse_, sorted_lanes_;
  WeightFacts weights_;
  std::vector<std::uint16_t> label_;  // by position
  std::vector<double> weight_;        // likewise; empty where all are 1
  std::shared_ptr<const CoarseSearch::Coded> coded_;
  std::optional<SortedColumns> sorted_;
};

}  // namespace tectree

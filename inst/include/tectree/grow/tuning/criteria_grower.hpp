// Room grow/tuning/: many trees from one sample: folds, criteria.
//
// Trees of many criteria on many subsets of one sample: what a tuning run grows. Columns are coded,
// or sorted, and the kernels' tables made once for all subsets; see criteria_run.hpp for what the
// criteria share.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../grow_tree.hpp"
#include "criteria_run.hpp"

namespace tectree {

struct CriterionChoice {
  std::string name;
  double parameter = 0.0;
};

// Whether criteria can be grown together: depth-first, without parts of rows, surrogates, C4.5's
// rules, losses (a row that ends in parts gets the class of the largest share) or class factors.
inline bool suits_criteria_run(const Problem& problem, const StopRule& stop,
                               const MissingPolicy& missing, Team& team) {
  return problem.response.is_class() && problem.factors.plain() && problem.loss.empty() &&
         !by_c45(problem) && !by_p_value(problem) && std::isinf(stop.max_leaves) &&
         stop.by_size_alone() && !stop.looks_ahead() && !missing.looks_for_surrogates() &&
         (missing.rows != UnknownRows::share || !any_missing(problem.frame, problem.sample, team));
}

class CriteriaGrower {
 public:
  // The arguments must outlive the grower; the criterion of `whole` is not used.
  CriteriaGrower(const Problem& whole, const std::vector<CriterionChoice>& criteria,
                 const StopRule& stop, const MissingPolicy& missing, Team& team)
      : whole_(whole),
        plan_{whole_.frame, stop, missing, whole.pass_on_at, whole.response.n_classes, {}} {
    whole_.control.unknown = missing.search;
    const auto codes = code_columns(whole_, missing, team);
    for (const CriterionChoice& c : criteria) add_criterion(c, codes, team);
    if (coded_) plan_.pass_on_at = pick_pass_on_at(coded_->may_pass_on_at, *codes, whole, stop, 1);
    if (!sorted_criteria_.empty())
      sorted_ = make_arena<std::uint32_t>(whole_.frame, whole_.sample, team);
  }

  std::size_t n_criteria() const { return plan_.problems.size(); }

  // Grows from the rows at the positions `kept` of the whole sample, increasing; may be called by
  // several threads at once. `trace`: where the nodes are recorded, if wanted.
  void grow(const std::vector<std::uint32_t>& kept, Outcome& outcome, Team& team,
            TracedTrees* trace = nullptr) const {
    if (coded_) {
      grow_set(coded_criteria_, coded_->search(kept, plan_.pass_on_at, team.size()), outcome, trace,
               team);
    }
    if (!sorted_criteria_.empty()) {
      const SortedPart part{sorted_, kept, true};
      grow_set(sorted_criteria_, sorted_search(whole_, setup_of(kept), team, &part), outcome, trace,
               team);
    }
    outcome.settle();
  }

 private:
  void add_criterion(const CriterionChoice& criterion, const std::shared_ptr<const Codes>& codes,
                     Team& team) {
    Problem problem = whole_;
    problem.criterion = criterion.name;
    problem.parameter = criterion.parameter;
    Setup setup = set_up_classes(problem, team);
    auto& of = std::get<ClassSetup>(setup);
    of.shared->frame = &whole_.frame;
    of.shared->sample = &whole_.sample;
    const auto at = static_cast<std::uint32_t>(plan_.problems.size());
    plan_.problems.push_back(of.shared);
    if (codes && suits_histogram(problem, setup)) {
      coded_criteria_.push_back(at);
      if (!coded_) coded_ = coded(problem, std::move(setup), codes);
    } else {
      if (sorted_criteria_.empty()) setup_ = std::move(of);
      sorted_criteria_.push_back(at);
    }
  }

  // That of the first of the sorting criteria, for some rows.
  ClassSetup setup_of(const std::vector<std::uint32_t>& kept) const {
    ClassSetup out;
    out.weights = setup_.weights;
    out.cases = setup_.cases;
    out.shared = setup_.shared;
    out.rows.has_sizes = setup_.rows.has_sizes;
    for (std::uint32_t position : kept) {
      out.label.push_back(setup_.label[position]);
      if (!setup_.rows.weight.empty()) out.rows.weight.push_back(setup_.rows.weight[position]);
      if (!setup_.rows.size.empty()) out.rows.size.push_back(setup_.rows.size[position]);
    }
    return out;
  }

  void grow_set(const CriteriaSet& criteria, std::unique_ptr<NodeSearch> first, Outcome& outcome,
                TracedTrees* trace, Team& team) const {
    const Node root = root_of(*first, whole_.seed);
    std::vector<double> share(plan_.n_classes);
    const NodeFacts facts = first->describe(root, share.data());
    std::vector<std::uint32_t> test(outcome.size());
    std::iota(test.begin(), test.end(), 0u);
    outcome.add_node(criteria, 0);
    const int traced = trace ? trace->add_node(-1, 0, facts, share.data(),
                                               std::make_shared<const CriteriaSet>(criteria))
                             : -1;
    if (plan_.stop.is_leaf(facts, 0)) {
      outcome.add_leaf(criteria);
      return outcome.predict(criteria, facts.yval, share.data(), facts.weight, test, 0,
                             test.size());
    }
    CriteriaRun(plan_, outcome, trace)
        .grow(criteria, std::move(first), root, 0, traced, std::move(test), {}, team);
  }

  CriteriaGrower(const CriteriaGrower&) = delete;  // shared data points into it

  Problem whole_;
  RunPlan plan_;
  CriteriaSet coded_criteria_, sorted_criteria_;
  std::unique_ptr<CodedProblem> coded_;  // by the first of the coded criteria
  ClassSetup setup_;                     // of the first of the sorting criteria
  Arena<std::uint32_t> sorted_;          // of the whole sample, if any criterion sorts
};

}  // namespace tectree

// Room grow/tuning/: many trees from one sample: folds, criteria.
//
// Trees of many criteria on many subsets of one sample: what a tuning run grows. Columns are coded,
// or sorted, and the kernels' tables made once for all subsets; see criteria_run.hpp for what the
// criteria share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../data/subset_arena.hpp"
#include "../grow_tree.hpp"
#include "criteria_run.hpp"

namespace tectree {

struct CriterionChoice {
  std::string name;
  double parameter = 0.0;
};

// Whether criteria can be grown together: depth-first, without rows to share out, surrogates, rules
// of C4.5, losses (a row that ends in parts gets the class of the largest share) or classes that
// count differently.
inline bool suits_criteria_run(const Problem& problem, const StopRule& stop,
                               const MissingPolicy& missing, Team& team) {
  return problem.response.is_class() && problem.factors.plain() && problem.loss.empty() &&
         !by_c45(problem) && std::isinf(stop.max_leaves) && stop.by_size_alone() &&
         missing.surrogates().most == 0 &&
         (missing.rows() != UnknownRows::share ||
          !any_missing(problem.frame, problem.sample, team));
}

class CriteriaGrower {
 public:
  // What is passed must outlive the grower; the criterion of `whole` is not looked at.
  CriteriaGrower(const Problem& whole, const std::vector<CriterionChoice>& criteria,
                 const StopRule& stop, const MissingPolicy& missing, Team& team)
      : whole_(whole),
        plan_{whole_.frame, stop, missing, whole.small_node, whole.response.n_classes} {
    whole_.control.unknown = missing.search();
    codes_ = code_columns(whole_, missing, team);
    if (codes_) {
      const PassOn rows = ClassHistogram<WholeWeight>::pass_on(weigh(whole.sample).unit);
      plan_.small = passed_on(rows, *codes_, whole, stop, 1);
    }
    for (const CriterionChoice& c : criteria) add_criterion(c, team);
    if (!sorted_criteria_.empty())
      sorted_.emplace(whole_.frame, whole_.sample, whole_.sample.size <= whole_.small_node, team);
  }

  std::size_t n_criteria() const { return problems_.size(); }

  // Grows from the rows at the positions `kept` of the whole sample, increasing; may be called by
  // several threads at once.
  void grow(const std::vector<std::uint32_t>& kept, Outcome& outcome, Team& team) const {
    if (!coded_criteria_.empty()) {
      if (weights_.whole) {
        grow_coded<WholeWeight>(kept, outcome, team);
      } else {
        grow_coded<RealWeight>(kept, outcome, team);
      }
    }
    if (sorted_criteria_.empty()) return outcome.settle();
    if (kept.size() <= whole_.small_node) {
      grow_sorted<std::uint16_t>(kept, outcome, team);
    } else {
      grow_sorted<std::uint32_t>(kept, outcome, team);
    }
    outcome.settle();
  }

 private:
  void add_criterion(const CriterionChoice& criterion, Team& team) {
    Problem problem = whole_;
    problem.criterion = criterion.name;
    problem.parameter = criterion.parameter;
    ClassSetup setup = set_up_classes(problem, team);
    setup.shared->frame = &whole_.frame;
    setup.shared->sample = &whole_.sample;
    const bool coded = codes_ && (suits_histograms<WholeWeight>(problem, setup) ||
                                  suits_histograms<RealWeight>(problem, setup));
    (coded ? coded_criteria_ : sorted_criteria_)
        .push_back(static_cast<std::uint32_t>(problems_.size()));
    problems_.push_back(setup.shared);
    weights_ = setup.weights;
    label_ = std::move(setup.label);
    weight_ = std::move(setup.weight);
  }

  template <class W>
  void grow_coded(const std::vector<std::uint32_t>& kept, Outcome& outcome, Team& team) const {
    using Stat = ClassHistogram<W>;
    typename Stat::Task task(problems_[coded_criteria_.front()], label_, weight_);
    auto first = std::make_unique<HistogramSearch<RowSource<Stat>>>(
        RowSource<Stat>(std::move(task), codes_, kept), plan_.small, team.size());
    grow_set(coded_criteria_, std::move(first), outcome, team);
  }

  template <class Index>
  void grow_sorted(const std::vector<std::uint32_t>& kept, Outcome& outcome, Team& team) const {
    if (weights_.whole) {
      grow_weighted<Index, WholeWeight>(kept, outcome, team);
    } else {
      grow_weighted<Index, RealWeight>(kept, outcome, team);
    }
  }

  template <class Index, class W>
  void grow_weighted(const std::vector<std::uint32_t>& kept, Outcome& outcome, Team& team) const {
    auto arena = sorted_->arena<Index>(kept, team);
    arena.origin = kept;
    std::vector<std::uint16_t> label;
    std::vector<double> weight;
    for (std::uint32_t position : kept) {
      label.push_back(label_[position]);
      if (!weight_.empty()) weight.push_back(weight_[position]);
    }
    using Task = SortedTask<ClassStat<Index, W>>;
    Task task(problems_[sorted_criteria_.front()], std::move(label), std::move(weight));
    auto first = std::make_unique<SortedSearch<Index, Task>>(
        whole_.frame, whole_.sample, std::move(arena), std::move(task), team.size());
    grow_set(sorted_criteria_, std::move(first), outcome, team);
  }

  template <class Search>
  void grow_set(const CriteriaSet& criteria, std::unique_ptr<Search> first, Outcome& outcome,
                Team& team) const {
    Range root = first->root();
    root.stream = whole_.seed;
    std::vector<double> share(plan_.n_classes);
    const NodeFacts facts = first->describe(root, share.data());
    std::vector<std::uint32_t> test(outcome.size());
    std::iota(test.begin(), test.end(), 0u);
    outcome.add_node(criteria, 0);
    if (plan_.stop.is_leaf(facts, 0)) {
      outcome.add_leaf(criteria);
      return outcome.predict(criteria, facts.yval, share.data(), test, 0, test.size());
    }
    std::vector<std::unique_ptr<Search>> searches(problems_.size());
    for (std::size_t i = 1; i < criteria.size(); ++i)
      searches[criteria[i]] = first->by(problems_[criteria[i]]);
    searches[criteria.front()] = std::move(first);
    CriteriaRun<Search> run(std::move(searches), plan_, outcome);
    run.grow(criteria, root, 0, std::move(test), {}, team);
  }

  CriteriaGrower(const CriteriaGrower&) = delete;  // what is shared points into it

  Problem whole_;
  RunPlan plan_;
  std::vector<std::shared_ptr<const ClassProblem>> problems_;
  CriteriaSet coded_criteria_, sorted_criteria_;
  WeightFacts weights_;
  std::vector<std::uint16_t> label_;  // by position
  std::vector<double> weight_;        // likewise; empty where all are 1
  std::shared_ptr<const Codes> codes_;
  std::optional<SortedColumns> sorted_;
};

}  // namespace tectree

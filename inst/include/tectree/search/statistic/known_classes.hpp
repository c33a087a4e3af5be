// What is known about a node of which only the class counts are known.
#pragma once

#include <cstddef>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "../groups/class_groups.hpp"
#include "class_counts.hpp"

namespace tectree {

template <class W>
class KnownClasses {
 public:
  using Count = typename ClassScale<W>::Count;

  explicit KnownClasses(std::shared_ptr<const ClassProblem> problem)
      : problem_(std::move(problem)) {
    context_ = ClassMeasure<W>(*problem_).context;
  }

  const std::shared_ptr<const ClassProblem>& problem() const { return problem_; }
  const SearchControl& control() const { return problem_->control; }
  Eligible eligible() const { return problem_->eligible(); }
  bool best_cut_wins() const { return problem_->best_cut_wins(); }
  bool may_gain() const { return true; }
  const ClassContext& context() const { return context_; }
  double impurity() const { return impurity_; }
  // Measures the cuts of columns without missing values.
  const CutValue& value() const { return value_; }

  // A node whose classes have these counts.
  void begin(const std::vector<Count>& total, std::size_t n_rows, const ClassScale<W>& scale) {
    std::vector<double> mass;
    for (std::size_t s = 0; s < total.size(); ++s) mass.push_back(scale.mass(s, total[s]));
    const double n = std::accumulate(mass.begin(), mass.end(), 0.0);
    const Criterion& criterion = *problem_->criterion;
    impurity_ = criterion.impurity(mass.data(), problem_->n_classes, n);
    value_ = CutValue(criterion, impurity_ / criterion.unit(), n, n_rows, W::whole,
                      problem_->control.min_gain, {}, eligible() != Eligible::all);
  }

 private:
  std::shared_ptr<const ClassProblem> problem_;
  ClassContext context_;
  double impurity_ = 0.0;
  CutValue value_;
};

// A node's facts from its class counts, with class factors.
template <class W>
NodeFacts facts_of_counts(const ClassProblem& problem, const ClassScale<W>& scale,
                          const std::vector<typename ClassScale<W>::Count>& total, double* share) {
  std::vector<double> weight;
  double all = 0.0;
  for (std::size_t s = 0; s < total.size(); ++s) {
    const double size = scale.size(total[s]);
    weight.push_back(size * problem.factors.prior_of(s));
    all += size;
  }
  NodeFacts facts = class_facts(problem, weight, static_cast<std::size_t>(all), share);
  if (!problem.factors.plain()) facts.size = all;
  return facts;
}

}  // namespace tectree

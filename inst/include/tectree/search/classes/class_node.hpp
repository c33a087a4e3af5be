// What is known about the node being searched, how its cuts are measured, and how those that may be
// the best are scored.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "../groups/class_worth.hpp"
#include "class_problem.hpp"

namespace tectree {

// What a search needs from the criterion and the settings of a problem.
template <class W>
class ClassMeasure {
 public:
  using Count = typename W::Count;

  ClassContext context;
  Form form = Form::linear;
  bool phi_decreases = false;  // then sums are recomputed at every cut
  bool joint = false;          // both sides of a cut have the same alpha
  Count least{};               // minimum case weight of a side
  double uncertainty = 0.0;    // the error of a gain by interpolated phi

  ClassMeasure() = default;
  explicit ClassMeasure(const ClassProblem& problem)
      : context{problem.criterion.get(), &problem.control, {}},
        form(problem.criterion->form()),
        least(least_count<W>(problem.control.min_bucket)),
        all_count_(problem.eligible() != Eligible::all) {
    const Kernel& kernel = problem.criterion->kernel();
    context.counts = {&kernel, problem.table.empty() ? nullptr : &problem.table,
                      problem.half_least};
    phi_decreases = kernel.q() <= 0.0;
    joint = !phi_decreases && (form == Form::power || kernel.q() == 1.0);
    if (!W::whole && problem.curve) uncertainty = problem.curve->error(problem.n_classes);
  }

  // Measures cuts of rows with this weight and impurity, in a scan with `steps` cuts.
  CutValue cut_value(double n, double impurity, std::size_t steps,
                     const UnknownWeight& unknown = {}) const {
    const Criterion& criterion = *context.criterion;
    CutValue value(criterion, impurity / criterion.unit(), n, steps, W::whole,
                   context.control->min_gain, unknown, all_count_);
    value.add_uncertainty(uncertainty);
    return value;
  }

 private:
  bool all_count_ = false;  // in a rule of eligibility, whatever their gain
};

template <class W>
struct ClassNode {
  using Count = typename W::Count;
  std::vector<Count> total;        // weight by class
  std::vector<double> counts;      // the same numbers
  std::vector<double> case_total;  // case weight by class, if class factors differ
  double weight = 0.0, impurity = 0.0;
  CutValue value;  // measures the cuts of columns without missing values

  // From `total`.
  void measure(const ClassMeasure<W>& by, std::size_t n_rows) {
    counts.assign(total.begin(), total.end());
    weight = std::accumulate(counts.begin(), counts.end(), 0.0);
    impurity =
        by.context.criterion->impurity(counts.data(), static_cast<int>(counts.size()), weight);
    value = by.cut_value(weight, impurity, n_rows);
  }
};

// Scores cuts of a column exactly, from their class counts.
class CutScorer {
 public:
  // `total`: the class counts of the column's rows with a value.
  template <class Count>
  void start(const ClassContext& context, const std::vector<Count>& total,
             const UnknownWeight& unknown) {
    whole_ = context.counts.table != nullptr;
    exact_.set(context, static_cast<int>(total.size()), unknown);
    total_.assign(total.begin(), total.end());
  }

  // use(at, exact) for cuts of `n` sorted entries, the lowest first.
  template <class Cuts, class ClassOf, class WeightOf, class Use>
  void each(const Cuts& cuts, std::size_t n, ClassOf class_of, WeightOf weight_of, Use use) {
    const std::size_t k = total_.size();
    // A difference of sums of fractions would have the rounding of the larger sum, so rows are
    // added.
    right_.assign(whole_ ? k : k * cuts.size(), 0.0);
    if (!whole_) {
      std::size_t i = n;
      for (std::size_t c = cuts.size(); c-- > 0;) {
        double* right = right_.data() + c * k;
        if (c + 1 < cuts.size()) std::copy(right + k, right + 2 * k, right);
        while (i > cuts[c].at) {
          --i;
          right[class_of(i)] += weight_of(i);
        }
      }
    }
    left_.assign(k, 0.0);
    std::size_t i = 0, c = 0;
    for (const auto& cut : cuts) {
      for (; i < cut.at; ++i) left_[class_of(i)] += weight_of(i);
      if (whole_) {
        for (std::size_t s = 0; s < k; ++s) right_[s] = total_[s] - left_[s];
      }
      use(cut.at, measured(right_.data() + (whole_ ? 0 : c++ * k)));
    }
  }

 private:
  const ClassExact& measured(const double* right) {
    double n_left = 0.0, n_right = 0.0;
    for (std::size_t s = 0; s < total_.size(); ++s) {
      n_left += left_[s];
      n_right += right[s];
    }
    exact_.start();
    exact_.add(left_.data(), n_left);
    exact_.add(right, n_right);
    return exact_;
  }

  bool whole_ = false;
  ClassExact exact_;
  std::vector<double> total_, left_;
  std::vector<double> right_;  // by cut, if rows do not count whole numbers
};

}  // namespace tectree

// What is known of the node that is searched, and how cuts there are measured.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

#include "../groups/class_groups.hpp"
#include "class_problem.hpp"

namespace tectree {

// What a search needs of the criterion and the settings of a problem.
template <class W>
class ClassMeasure {
 public:
  using Count = typename W::Count;

  ClassContext context;
  Form form = Form::linear;
  bool phi_decreases = false;  // then sums are made afresh at every cut
  bool joint = false;          // both sides of a cut have the same alpha
  Count least{};               // case weight of a side
  double uncertainty = 0.0;    // how far off a gain is by interpolated phi

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

  // Measures cuts of rows with this weight and impurity, of which a scan makes `steps`.
  CutValue cut_value(double n, double impurity, std::size_t steps,
                     const UnknownWeight& unknown = {}) const {
    const Criterion& criterion = *context.criterion;
    CutValue value(criterion, impurity / criterion.unit(), n, steps, W::whole,
                   context.control->min_gain, unknown, all_count_);
    value.add_uncertainty(uncertainty);
    return value;
  }

 private:
  bool all_count_ = false;  // in a rule of eligibility, whatever they gain
};

template <class W>
struct ClassNode {
  using Count = typename W::Count;
  std::vector<Count> total;        // weight by class
  std::vector<double> counts;      // the same numbers
  std::vector<double> case_total;  // case weight by class, where classes count differently
  double weight = 0.0, impurity = 0.0;
  CutValue value;  // measures the cuts of columns in which all rows have a value

  // From `total`.
  void measure(const ClassMeasure<W>& by, std::size_t n_rows) {
    counts.assign(total.begin(), total.end());
    weight = std::accumulate(counts.begin(), counts.end(), 0.0);
    impurity =
        by.context.criterion->impurity(counts.data(), static_cast<int>(counts.size()), weight);
    value = by.cut_value(weight, impurity, n_rows);
  }
};

}  // namespace tectree

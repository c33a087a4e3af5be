// A problem made ready for its searches: labels or numbers and weights by position, the criterion
// and its kernel's table.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../search/classes/class_problem.hpp"
#include "../search/numbers/number_problem.hpp"
#include "problem.hpp"

namespace tectree {

// A classification problem as its searches take it.
struct ClassSetup {
  WeightFacts weights, cases;  // of rows as they count, and of case weights
  std::shared_ptr<ClassProblem> shared = std::make_shared<ClassProblem>();
  std::vector<std::uint16_t> label;  // by position in the sample
  std::vector<double> weight;        // likewise; empty where all are 1
  std::vector<double> case_weight;   // likewise, where `weight` is more than that
  bool by_class = false;             // classes count differently
};

inline void apply_factors(const ClassFactors& factors, const Sample& sample, ClassSetup& setup) {
  setup.by_class = true;
  setup.shared->factors = factors;
  setup.case_weight = std::move(setup.weight);
  setup.weight.resize(sample.size);
  setup.weights = WeightFacts();
  setup.weights.whole = setup.weights.unit = false;
  for (std::size_t i = 0; i < sample.size; ++i) {
    const double w = sample.weight(i) * factors.split_of(setup.label[i]);
    setup.weight[i] = w;
    setup.weights.total += w;
    setup.weights.least = std::min(setup.weights.least, w);
  }
}

inline ClassSetup set_up_classes(const Problem& problem, Team& team) {
  ClassSetup out;
  out.weights = out.cases = weigh(problem.sample);
  ClassProblem& shared = *out.shared;
  shared.frame = &problem.frame;
  shared.sample = &problem.sample;
  shared.n_classes = problem.response.n_classes;
  shared.control = problem.control;
  shared.loss = problem.loss;
  out.label.resize(problem.sample.size);
  out.weight.resize(out.weights.unit ? 0 : problem.sample.size);
  for (std::size_t i = 0; i < problem.sample.size; ++i) {
    out.label[i] = static_cast<std::uint16_t>(problem.response.code[problem.sample.row(i)] - 1);
    if (!out.weights.unit) out.weight[i] = problem.sample.weight(i);
  }
  if (!problem.factors.plain()) apply_factors(problem.factors, problem.sample, out);
  shared.criterion =
      make_criterion(problem.criterion, problem.parameter, out.weights.total, out.weights.least);
  shared.half_least = out.weights.whole ? 0.5 : out.weights.least / 2;
  if (out.weights.whole) {
    shared.table =
        KernelTable(shared.criterion->kernel(), static_cast<std::size_t>(out.weights.total), team);
  } else if (!by_c45(problem) && shared.criterion->form() != Form::ratio) {
    // C4.5's scan decides by running sums, and a ratio is no sum of errors.
    shared.curve = PhiCurve::of(shared.criterion->kernel(), out.weights.least, out.weights.total);
  }
  return out;
}

// A regression problem as its searches take it.
struct NumberSetup {
  WeightFacts weights;
  std::shared_ptr<NumberProblem> shared = std::make_shared<NumberProblem>();
  Numbers numbers;  // by position in the sample
};

inline NumberSetup set_up_numbers(const Problem& problem) {
  NumberSetup out;
  out.weights = weigh(problem.sample);
  out.shared->frame = &problem.frame;
  out.shared->sample = &problem.sample;
  out.shared->control = problem.control;
  for (std::size_t i = 0; i < problem.sample.size; ++i) {
    out.numbers.y.push_back(problem.response.number[problem.sample.row(i)]);
    if (!out.weights.unit) out.numbers.weight.push_back(problem.sample.weight(i));
  }
  return out;
}

}  // namespace tectree

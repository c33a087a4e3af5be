// A regression problem made ready for its searches: numbers and weights by position.
#pragma once

#include <memory>
#include <utility>

#include "../search/number_problem.hpp"
#include "problem.hpp"

namespace tectree {

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

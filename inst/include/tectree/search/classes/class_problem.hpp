// A classification problem as its searches see it, and what is said of a node from its class
// counts.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "../../criterion/loss.hpp"
#include "../../data/frame.hpp"
#include "../../tally/phi_curve.hpp"
#include "../../tally/weights.hpp"
#include "../../tree/records.hpp"
#include "../choose/ties.hpp"
#include "../door/search_control.hpp"

namespace tectree {

// What all searches of one fit share.
struct ClassProblem {
  const Frame* frame = nullptr;
  const Sample* sample = nullptr;
  int n_classes = 0;
  std::shared_ptr<const Criterion> criterion;
  SearchControl control;
  KernelTable table;                      // empty where weights are fractions
  std::shared_ptr<const PhiCurve> curve;  // null where weights are whole, or the kernel is asked
  double half_least = 0.5;
  Loss loss;
  ClassFactors factors;

  Eligible eligible() const { return effective(control.eligible, criterion->eligible()); }

  // Whether the column of the best cut wins, so that the others need no exact score. A split in
  // more than two may have another score for the same cut measure; a ratio of too small a gain may
  // lift the mean above the best of the others.
  bool best_cut_wins() const {
    if (criterion->form() == Form::ratio && control.min_gain > 0.0 && eligible() != Eligible::all)
      return false;
    const bool in_two =
        control.intervals <= 2 && control.nominal != SearchControl::Nominal::multiway;
    return criterion->score_is_cut() || (in_two && criterion->best_cut_wins());
  }
};

// A node's facts from its class counts; `share`: room for its class shares. The class is the one
// that costs least: without a loss that of the largest share, the first among equals.
template <class Count>
NodeFacts class_facts(const ClassProblem& problem, const std::vector<Count>& total, std::size_t n,
                      double* share) {
  NodeFacts facts;
  facts.n = n;
  const int k = static_cast<int>(total.size());
  int present = 0;
  for (int s = 0; s < k; ++s) {
    share[s] = static_cast<double>(total[s]);
    facts.weight += share[s];
    present += total[s] > 0;
  }
  facts.pure = present <= 1;
  facts.impurity = problem.criterion->impurity(share, k, facts.weight);
  const int chosen = problem.loss.best(share, k);
  facts.yval = chosen;
  facts.risk = problem.loss.of(share, k, chosen);
  for (int s = 0; s < k; ++s) share[s] /= facts.weight;
  return facts;
}

}  // namespace tectree

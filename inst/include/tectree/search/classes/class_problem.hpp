// A classification problem as its searches see it; the facts of a node from its class counts; and
// bounds on the measure and the score of a column before it is scored exactly.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "../../criterion/loss.hpp"
#include "../../data/ranks.hpp"
#include "../../tally/phi_curve.hpp"
#include "../../tally/weights.hpp"
#include "../../tree/records.hpp"
#include "../choose/best_cut.hpp"
#include "../choose/column_result.hpp"
#include "../door/search_control.hpp"
#include "../scan/cut_value.hpp"

namespace tectree {

// The curve of weights that are whole until rows go down several branches in parts: made once, and
// only if they do.
class CurveOfParts {
 public:
  // As of PhiCurve::of().
  CurveOfParts(const Kernel& kernel, double least, double most)
      : kernel_(kernel), least_(least), most_(most) {}

  std::shared_ptr<const PhiCurve> get() {
    std::call_once(made_, [&] { curve_ = PhiCurve::of(kernel_, least_, most_); });
    return curve_;
  }

 private:
  Kernel kernel_;
  double least_, most_;
  std::once_flag made_;
  std::shared_ptr<const PhiCurve> curve_;
};

// Whether the column with the best cut wins, so that the others need no exact score. Splits in more
// than two branches may have different scores for the same cut measure; a ratio whose gain is too
// small may raise the mean above the best of the others.
inline bool best_cut_wins(const Criterion& criterion, const SearchControl& control) {
  if (criterion.form() == Form::ratio && control.min_gain > 0.0 &&
      effective(control.eligible, criterion.eligible()) != Eligible::all)
    return false;
  const bool in_two = control.intervals <= 2 && control.nominal != SearchControl::Nominal::multiway;
  return criterion.score_is_cut() || (in_two && criterion.best_cut_wins());
}

// What all searches of one fit share.
struct ClassProblem {
  const Frame* frame = nullptr;
  const Sample* sample = nullptr;
  int n_classes = 0;
  std::shared_ptr<const Criterion> criterion;
  SearchControl control;
  std::shared_ptr<const Ranks> ranks;     // if columns are sorted when drawn
  KernelTable table;                      // empty if weights are fractions
  std::shared_ptr<const PhiCurve> curve;  // null if weights are whole, or phi is the kernel's
  // If rows with a missing value go down all branches in parts: the curve of their weights, null if
  // phi is the kernel's; and the unit of these.
  std::shared_ptr<CurveOfParts> curve_of_parts;
  double part_unit = 0.0;   // a power of two; 0: any weights
  double half_least = 0.5;  // half the smallest weight of a row
  Loss loss;
  ClassFactors factors;

  Eligible eligible() const { return effective(control.eligible, criterion->eligible()); }

  bool best_cut_wins() const { return tectree::best_cut_wins(*criterion, control); }
};

// The same problem for rows with fractional weights, of which the smallest is twice `half_least`.
inline std::shared_ptr<const ClassProblem> with_fractions(const ClassProblem& problem,
                                                          double half_least) {
  auto out = std::make_shared<ClassProblem>();
  out->frame = problem.frame;
  out->sample = problem.sample;
  out->n_classes = problem.n_classes;
  out->criterion = problem.criterion;
  out->control = problem.control;
  out->ranks = problem.ranks;
  out->curve = problem.curve_of_parts ? problem.curve_of_parts->get() : problem.curve;
  out->curve_of_parts = problem.curve_of_parts;
  out->part_unit = problem.part_unit;
  out->half_least = half_least;
  out->loss = problem.loss;
  out->factors = problem.factors;
  return out;
}

// A node's facts from its class counts; `share`: room for its class shares. Its class has the
// smallest loss: without a loss matrix the largest share, the first on ties.
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

// ---- spans of a column that is not scored -------------------------------------------------------

// The span of the measure of a contender.
inline Span span_of(const Contender& cut, const CutValue& value, double unit) {
  const double measure = (cut.high - value.slack) * unit,
               error = value.drift * unit * (1 + 1e-12) + 1e-15 * measure;
  return {measure - error, measure + error};
}

inline void widen(Span& span, const Span& by) {
  span = {std::min(span.low, by.low), std::max(span.high, by.high)};
}

// The span of the measure of the best contender; false if that may be no gain at all: then the
// column must be scored.
inline bool find_cut_span(const ClassProblem& problem, const CutValue& value,
                          ColumnResult& result) {
  result.cut = {HUGE_VAL, -HUGE_VAL};
  for (const Contender& c : result.contenders.settle()) {
    const Span measure = span_of(c, value, problem.criterion->unit());
    if (!surely_gains(measure.low, problem.control.min_gain, result.impurity)) return false;
    widen(result.cut, measure);
  }
  return true;
}

// After a preview has found a unique position of the best cut: its span, from the bounds of its
// measure, if the gain is surely enough.
inline void preview_cut(const ClassProblem& problem, std::uint32_t at, ColumnResult& result) {
  const double unit = problem.criterion->unit();
  result.cut = {result.low * unit, result.high * unit};
  if (!surely_gains(result.cut.low, problem.control.min_gain, result.impurity)) return;
  result.state = ColumnResult::State::previewed;
  result.at = at;
}

// The span of the score, if rows count 1 and none is missing: the position of a cut is then the
// weight of its left side.
inline void find_score_span(const ClassProblem& problem, const CutValue& value,
                            ColumnResult& result) {
  const Shared<double>& phi = problem.table.phi;
  const Criterion& criterion = *problem.criterion;
  const auto score = [&](std::uint32_t at, const Span& measure) {
    const CutValue::Estimate split = value.split_entropy(phi[at], phi[result.known - at]);
    return Span{measure.low * criterion.score_per_cut(split.high, problem.n_classes),
                measure.high * criterion.score_per_cut(split.low, problem.n_classes)};
  };
  if (result.state == ColumnResult::State::previewed) {
    result.score = score(result.at, result.cut);
    return;
  }
  result.score = {HUGE_VAL, -HUGE_VAL};
  for (const Contender& c : result.contenders.settle())
    widen(result.score, score(c.at, span_of(c, value, criterion.unit())));
}

}  // namespace tectree

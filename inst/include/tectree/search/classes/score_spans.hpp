// What the best of a column's contenders may measure and score, before any is scored exactly.
#pragma once

#include <algorithm>
#include <cmath>

#include "../choose/ties.hpp"
#include "../scan/cut_value.hpp"

namespace tectree {

// A contender's cut measure lies in a span.
inline Span span_of(const Contenders::Cut& cut, const CutValue& value, double unit) {
  const double measure = (cut.high - value.slack) * unit,
               error = value.drift * unit * (1 + 1e-12) + 1e-15 * measure;
  return {measure - error, measure + error};
}

inline void widen(Span& span, const Span& by) {
  span = {std::min(span.low, by.low), std::max(span.high, by.high)};
}

// The span of the best cut measure; false where only scoring can tell, as it does of what may be no
// gain at all.
inline bool span_of_cut(double unit, double min_gain, const CutValue& value, ColumnResult& result) {
  result.cut = {HUGE_VAL, -HUGE_VAL};
  for (const Contenders::Cut& c : result.contenders.settle()) {
    const Span measure = span_of(c, value, unit);
    if (!surely_gains(measure.low, min_gain, result.impurity)) return false;
    widen(result.cut, measure);
  }
  return true;
}

// The same of what a preview told of a column in the units of `value`: a cut in one place.
inline bool span_of_cut(double unit, double min_gain, ColumnResult& result) {
  result.cut = {result.low * unit, result.high * unit};
  return surely_gains(result.cut.low, min_gain, result.impurity);
}

// After it, the span of the score. For rows that count 1, all with a value: a cut tells its sizes
// by its place. `phi` by rows.
inline void span_of_score(const Criterion& criterion, int n_classes, const CutValue& value,
                          const std::vector<double>& phi, ColumnResult& result) {
  const auto score = [&](std::uint32_t at, const Span& measure) {
    const CutValue::Estimate split = value.split_entropy(phi[at], phi[result.known - at]);
    return Span{measure.low * criterion.score_per_cut(split.high, n_classes),
                measure.high * criterion.score_per_cut(split.low, n_classes)};
  };
  if (result.told_at > 0) {
    result.score = score(result.told_at, result.cut);
    return;
  }
  result.score = {HUGE_VAL, -HUGE_VAL};
  for (const Contenders::Cut& c : result.contenders.settle())
    widen(result.score, score(c.at, span_of(c, value, criterion.unit())));
}

}  // namespace tectree

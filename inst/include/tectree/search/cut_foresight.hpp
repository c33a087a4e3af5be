// What the best of a column's contenders may measure and score, before any is scored exactly.
#pragma once

#include <algorithm>
#include <cmath>

#include "choose.hpp"
#include "class_scan.hpp"

namespace tectree {

// For rows that count 1, all with a value: a cut tells its sizes by its place. False where only
// scoring can tell.
inline bool foresee_cuts(const Criterion& criterion, double min_gain, int n_classes,
                         const CutValue& value, Slot& slot) {
  slot.cut = slot.score = {HUGE_VAL, -HUGE_VAL};
  for (const Contenders::Cut& c : slot.contenders.settle()) {
    const double measure = (c.high - value.slack) * criterion.unit(),
                 error = value.drift * criterion.unit() * (1 + 1e-12) + 1e-15 * measure;
    if (!enough_gain(measure - error, min_gain, slot.impurity)) return false;
    const double n_l = c.at, n_r = slot.known - c.at,
                 rate = criterion.score_per_cut(n_l, n_r, n_classes);
    slot.cut = {std::min(slot.cut.low, measure - error), std::max(slot.cut.high, measure + error)};
    slot.score = {std::min(slot.score.low, (measure - error) * rate),
                  std::max(slot.score.high, (measure + error) * rate)};
  }
  return true;
}

}  // namespace tectree

// Regression: how far the numbers of a node lie from its centre. Both are scored inside their own
// search (the tallies differ), so a criterion here is a name with its place in the list, and the
// centre that says which search that is.
#pragma once

#include "contract.hpp"

namespace tectree {

// What the numbers of a node are held against.
enum class About { mean, median };

struct LeastSquares {
  static constexpr About about = About::mean;
  static CriterionInfo info() {
    CriterionInfo i;
    i.name = "l2";
    i.classification = false;
    i.cut = "score";
    i.eligible = "all";
    i.score = "reduction of the mean squared error around the mean";
    i.units = "squared units of the response";
    i.reference = "Breiman et al. 1984";
    return i;
  }
};

struct LeastAbsolute {
  static constexpr About about = About::median;
  static CriterionInfo info() {
    CriterionInfo i = LeastSquares::info();
    i.name = "l1";
    i.score = "reduction of the mean absolute error around the median";
    i.units = "units of the response";
    return i;
  }
};

}  // namespace tectree

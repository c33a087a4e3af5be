// A criterion for numbers: how much a split reduces the deviations from the centres.
//
// It has
//   info()                       its CriterionInfo, from which R's list of criteria comes
//   about                        the centre of the deviations; it determines how rows are counted
//                                (search/numbers/)
//   loss(y, centre, weight)      of a row
//   power                        of the response's unit in the losses
// and about the mean
//   part(sum, n, mean)           the reduction of the losses of the n rows of a branch, whose
//                                deviations from the node's mean have this sum, up to a sum over
//                                rows that is the same for every split. The gain is that of all
//                                branches minus that of the node, per row. `n` is a double or a
//                                RowCount.
#pragma once

#include <cmath>

#include "../base/contract.hpp"
#include "contract.hpp"

namespace tectree {

// The centre of a node's numbers.
enum class About { mean, median };

// A number of rows with its inverse, so that dividing by it is a multiplication.
struct RowCount {
  double n, inverse;
  operator double() const { return n; }
  friend double operator/(double x, RowCount by) { return x * by.inverse; }
};

template <class C>
constexpr bool is_deviation() {
  static_assert(meets<C&>(TECTREE_CAN(c, CriterionInfo{c.info()})),
                "a criterion for numbers must have info(), a CriterionInfo");
  static_assert(meets<C&>(TECTREE_CAN(c, About{c.about})),
                "a criterion for numbers must have about, the centre of a node's numbers");
  static_assert(meets<C&>(TECTREE_CAN(c, double{c.loss(double{}, double{}, double{})})),
                "a criterion for numbers must have loss(y, centre, weight)");
  static_assert(meets<C&>(TECTREE_CAN(c, int{c.power})),
                "a criterion for numbers must have power, of the unit in the losses");
  if constexpr (C::about == About::mean) {
    static_assert(meets<C&>(TECTREE_CAN(c, double{c.part(double{}, double{}, double{})},
                                        double{c.part(double{}, RowCount{}, double{})})),
                  "a criterion about the mean must have part(sum, n, mean)");
  }
  return true;
}

struct LeastSquares {
  static constexpr About about = About::mean;
  static constexpr int power = 2;
  static CriterionInfo info() {
    return {"l2",
            "score",
            "all",
            "reduction of the mean squared error around the mean",
            "squared units of the response",
            "Breiman et al. 1984",
            false};
  }
  static double loss(double y, double centre, double weight) {
    const double d = y - centre;
    return weight * d * d;
  }
  // With s_j the sum of a branch, the mean squared error falls by (sum_j s_j^2 / n_j - s^2 / n) /
  // n: rpart's identity.
  template <class N>
  static double part(double sum, N n, double) {
    return sum * sum / n;
  }
};

struct LeastAbsolute {
  static constexpr About about = About::median;
  static constexpr int power = 1;
  static CriterionInfo info() {
    return {"l1",
            "score",
            "all",
            "reduction of the mean absolute error around the median",
            "units of the response",
            "Breiman et al. 1984",
            false};
  }
  static double loss(double y, double centre, double weight) {
    return weight * std::fabs(y - centre);
  }
};

}  // namespace tectree

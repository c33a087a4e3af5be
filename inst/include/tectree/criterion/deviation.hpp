// A criterion for numbers: by how much what a split leaves deviates less from its own centres.
//
// It has
//   info()                       its CriterionInfo, from which R's list of criteria comes
//   about                        the centre that numbers deviate from; it says how rows are counted
//                                (search/numbers/)
//   loss(y, centre, weight)      of a row
//   power                        of the unit of the response in which losses are
// and about the mean
//   part(sum, n, mean)           what a branch takes off the losses of its n rows, whose deviations
//                                from the node's mean have this sum; but for a sum over rows that
//                                is the same for every split. The gain is that of all branches less
//                                that of the node, by row. `n` is a double or a RowCount.
#pragma once

#include <cmath>

#include "../base/contract.hpp"
#include "contract.hpp"

namespace tectree {

// The centre of a node's numbers.
enum class About { mean, median };

// A number of rows, to divide by which is a product.
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
                "a criterion for numbers must have power, of the unit in which losses are");
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
  // With s_j the sum of a branch the mean squared error falls by (sum_j s_j^2 / n_j - s^2 / n) / n:
  // rpart's identity.
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

// Criteria for numbers: by how much what a split leaves deviates less from its own centres.
//
// A criterion has: info(); about, what its numbers deviate from, which says how rows are counted
// (search/numbers/); loss(y, centre, weight), of a row; power, of the unit of the response in which
// losses are. About the mean it also has part(sum, n, mean), what a branch of n rows whose
// deviations from the node's mean have this sum takes off the losses of its rows, but for a sum
// over rows that is the same for every split: the gain is that of all branches less that of the
// node, a row. `n` is a double or a RowCount.
#pragma once

#include <cmath>

#include "contract.hpp"

namespace tectree {

// What the numbers of a node are held against.
enum class About { mean, median };

// A number of rows, to divide by which is a product.
struct RowCount {
  double n, inverse;
  operator double() const { return n; }
  friend double operator/(double x, RowCount by) { return x * by.inverse; }
};

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

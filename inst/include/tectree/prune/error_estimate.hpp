// C4.5's estimate of the errors a leaf will make: the upper limit, at confidence CF, of a binomial
// count that came out as e of n.
#pragma once

#include <algorithm>
#include <cmath>

namespace tectree {

// x with P(Z > x) = tail for a standard normal Z, 0 < tail <= 1/2: bisection to the last digits,
// done once a call.
inline double normal_upper(double tail) {
  double low = 0.0, high = 40.0;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (std::erfc(middle / std::sqrt(2.0)) / 2 > tail ? low : high) = middle;
  }
  return low;
}

class ErrorEstimate {
 public:
  explicit ErrorEstimate(double cf) : cf_(cf), z_(normal_upper(cf)) {}

  // Errors made and to be expected on top of them.
  double operator()(double n, double e) const { return n < 1e-6 ? 0.0 : e + extra(n, e); }

  double extra(double n, double e) const {
    if (e < 1.0) {
      const double none = n * (1.0 - std::pow(cf_, 1.0 / n));
      return e <= 0.0 ? none : none + e * (extra(n, 1.0) - none);
    }
    if (e + 0.5 >= n) return std::max(n - e, 0.0);
    const double f = (e + 0.5) / n, z2 = z_ * z_;
    const double root = std::sqrt(f / n - f * f / n + z2 / (4 * n * n));
    return n * (f + z2 / (2 * n) + z_ * root) / (1 + z2 / n) - e;
  }

 private:
  double cf_, z_;
};

}  // namespace tectree

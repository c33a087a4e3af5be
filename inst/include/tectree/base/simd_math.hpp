// Logarithms and powers of eight numbers at once, in single precision.
#pragma once

#include <algorithm>
#include <cmath>

#include "simd.hpp"

#ifdef TECTREE_VECTORS

namespace tectree {
namespace simd {

// For normal numbers above 0; the error is at most log2_off and a rounding. Finite for 0.
constexpr double log2_off = 1e-7;
TECTREE_LANES Floats log2(Floats a) {
  const Ints half = all(0x3F3504F3u);  // the bits of sqrt(1/2), the smallest mantissa
  const Ints bits = bits_of(a), one = all(127u << 23);
  const Ints exponent = down<23>(bits - half + one);  // and 127
  const Floats m = of_bits(bits - up<23>(exponent) + one);
  const Floats s = (m - all(1.0f)) / (m + all(1.0f)), z = s * s;
  Floats sum = mul_add(all(0.5989738858f), z, all(0.9614708090f));
  sum = mul_add(sum, z, all(2.885391289f));
  return mul_add(s, sum, float_of(exponent - all(127u)));
}

// x^q, q from 0 to 4, for x from 2^-55 to 2 and for 0: a polynomial for the mantissa, tables for
// the exponent.
class Power {
 public:
  Power() = default;
  explicit Power(double q) {
    fit(q);
    for (int i = 0; i < 8; ++i) {
      low_[i] = static_cast<float>(std::exp2(q * i));
      high_[i] = i == 0 ? 0.0f : static_cast<float>(std::exp2(q * (8 * (i + 8) - 127)));
    }
  }
  // Maximum relative error of a power.
  double off() const { return off_; }

  TECTREE_LANES Floats of(Floats x) const {
    const Ints bits = bits_of(x), exponent = down<23>(bits), seven = all(7u);
    const Floats m = of_bits((bits & all(0x7FFFFFu)) | all(127u << 23));
    const Floats t = m - all(1.5f);
    Floats sum = all(c_[degree]);
    for (int i = degree - 1; i >= 0; --i) sum = mul_add(sum, t, all(c_[i]));
    const Floats high = pick(high_, down<3>(exponent) & seven);
    return high * pick(low_, exponent & seven) * sum;
  }

 private:
  static constexpr int degree = 5;

  // The polynomial in m - 1.5 through (m, m^q) at Chebyshev's points of [1, 2].
  void fit(double q) {
    constexpr double pi = 3.14159265358979323846;
    double at[degree + 1], difference[degree + 1], c[degree + 1] = {};
    for (int i = 0; i <= degree; ++i) {
      at[i] = 0.5 * std::cos(pi * (i + 0.5) / (degree + 1));
      difference[i] = std::pow(at[i] + 1.5, q);
    }
    for (int j = 1; j <= degree; ++j) {
      for (int i = degree; i >= j; --i)
        difference[i] = (difference[i] - difference[i - 1]) / (at[i] - at[i - j]);
    }
    for (int i = degree; i >= 0; --i) {  // c = c (t - at[i]) + difference[i]
      for (int j = degree; j > 0; --j) c[j] = c[j - 1] - at[i] * c[j];
      c[0] = difference[i] - at[i] * c[0];
    }
    for (int i = 0; i <= degree; ++i) c_[i] = static_cast<float>(c[i]);
    constexpr int points = 256;
    for (int i = 0; i <= points; ++i) {
      const double t = static_cast<double>(i) / points - 0.5, exact = std::pow(t + 1.5, q);
      double sum = 0.0;
      for (int j = degree; j >= 0; --j) sum = sum * t + static_cast<double>(c_[j]);
      off_ = std::max(off_, std::fabs(sum / exact - 1.0));
    }
    off_ = 1.25 * off_ + 24.0 * 0x1p-24;  // the last term is for its roundings
  }

  float c_[degree + 1] = {}, low_[8] = {}, high_[8] = {};
  double off_ = 0.0;
};

}  // namespace simd
}  // namespace tectree

#endif

// Upper tails of the chi-square and the F distribution, as logarithms: the p values of large
// samples are smaller than the smallest double.
#pragma once

#include <algorithm>
#include <cmath>

namespace tectree {

// For positive numbers; std::lgamma() may write a global variable.
inline double log_gamma(double x) {
  double shift = 0.0;
  while (x < 15.0) {
    shift += std::log(x);
    x += 1.0;
  }
  const double r = 1.0 / x, r2 = r * r;
  const double series =
      r * (1.0 / 12 - r2 * (1.0 / 360 - r2 * (1.0 / 1260 - r2 * (1.0 / 1680 - r2 / 1188))));
  return (x - 0.5) * std::log(x) - x + 0.91893853320467274178 + series - shift;
}

// log(exp(a) + exp(b))
inline double log_add(double a, double b) {
  const double high = std::max(a, b), low = std::min(a, b);
  return low == -HUGE_VAL ? high : high + std::log1p(std::exp(low - high));
}

namespace detail {

// log(erfc(z)) for z >= 0.
inline double log_erfc(double z) {
  if (z < 5.0) return std::log(std::erfc(z));
  // Laplace's continued fraction, from its end.
  double tail = z;
  for (int k = 60; k > 0; --k) tail = z + 0.5 * k / tail;
  return -z * z - std::log(tail) - 0.57236494292470008707;
}

// log I_x(a, b), the regularised incomplete beta function, for x < (a + 1) / (a + b + 2): its
// continued fraction by Lentz's method.
inline double log_beta_fraction(double x, double a, double b) {
  constexpr double tiny = 1e-300;
  const auto away = [](double v) { return std::fabs(v) < tiny ? tiny : v; };
  double c = 1.0, d = 1.0 / away(1.0 - (a + b) * x / (a + 1.0)), h = d;
  for (int m = 1; m <= 10000; ++m) {
    const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
    d = 1.0 / away(1.0 + even * d);
    c = away(1.0 + even / c);
    h *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
    d = 1.0 / away(1.0 + odd * d);
    c = away(1.0 + odd / c);
    h *= d * c;
    if (std::fabs(d * c - 1.0) < 1e-15) break;
  }
  return a * std::log(x) + b * std::log1p(-x) - std::log(a) - log_gamma(a) - log_gamma(b) +
         log_gamma(a + b) + std::log(h);
}

}  // namespace detail

// log P(X > x) for integer degrees of freedom: a finite sum of positive terms.
inline double log_p_chi_square(double x, int df) {
  if (df < 1 || !(x > 0.0)) return 0.0;
  const double y = x / 2, log_y = std::log(y);
  const bool odd = df % 2 == 1;
  // Terms y^k / Gamma(k + 1) exp(-y), k = 0, 1, ... or 1/2, 3/2, ...
  double k = odd ? 0.5 : 0.0, sum = odd ? detail::log_erfc(std::sqrt(y)) : -HUGE_VAL;
  double term = odd ? 0.5 * log_y - y + 0.12078223763524522235 : -y;
  for (; 2 * k + 2 <= df; k += 1.0) {
    sum = log_add(sum, term);
    term += log_y - std::log(k + 1.0);
  }
  return std::min(sum, 0.0);
}

// log P(X > f)
inline double log_p_f(double f, double df, double df2) {
  if (!(df > 0.0) || !(df2 > 0.0) || !(f > 0.0)) return 0.0;
  const double a = df2 / 2, b = df / 2, at = df * f;
  const double x = df2 / (df2 + at);
  if (x < (a + 1) / (a + b + 2)) return std::min(detail::log_beta_fraction(x, a, b), 0.0);
  const double rest = std::exp(detail::log_beta_fraction(at / (df2 + at), b, a));
  return rest < 1.0 ? std::log1p(-rest) : -HUGE_VAL;
}

}  // namespace tectree

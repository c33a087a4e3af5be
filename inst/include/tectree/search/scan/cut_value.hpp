// The measure of a cut, from the kernel's sums over its sides.
#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>

#include "../../criterion/contract.hpp"
#include "../missing/unknown.hpp"

namespace tectree {

// use(form), a std::integral_constant.
template <class Use>
auto with_form(Form form, Use use) {
  if (form == Form::power) return use(std::integral_constant<Form, Form::power>());
  if (form == Form::ratio) return use(std::integral_constant<Form, Form::ratio>());
  return use(std::integral_constant<Form, Form::linear>());
}

// The cut measure over the kernel's sums, in units of S_q, for the known rows of one node.
struct CutValue {
  double s = 0.0;            // S_q(D)
  double inverse = 0.0;      // 1/n, or 1/n^q, of the scaled n
  double per_gain = 0.0;     // 1/inverse
  double power_n = 0.0;      // n^q
  double phi_n = 0.0;        // if missing values are one more group: phi of all minus theirs
  double drift = 0.0;        // bound on the error of a gain
  double slack = 0.0;        // the same, including ties
  double uncertainty = 0.0;  // additional error from interpolated phi
  double least = 0.0;        // minimum gain of the split of a ratio
  double offered = 0.0;      // minimum gain for offering a ratio

  CutValue() = default;
  // `all`: ratios are offered whatever their gain, since eligibility takes the mean of all columns.
  CutValue(const Criterion& criterion, double s_q, double n, std::size_t steps, bool whole,
           double min_gain, const UnknownWeight& unknown = {}, bool all = false) {
    const Kernel& kernel = criterion.kernel();
    s = s_q;
    power_n = kernel.power(n);
    phi_n = kernel.phi(n);
    const bool power_form = criterion.form() == Form::power;
    inverse = power_form ? 1.0 / power_n : 1.0 / (n * kernel.scale());
    per_gain = 1.0 / inverse;
    const double largest =
        std::fmax(std::fabs(phi_n) * (power_form ? 1.0 : kernel.alpha(n)) * inverse, std::fabs(s));
    // Above q = 2 a side loses more of its sum before it is recomputed.
    const double loss = kernel.q() > 2.0 ? 4.0 : 1.0;
    drift = 2.2e-16 * (64.0 + 32.0 * std::sqrt(static_cast<double>(steps))) * largest * loss *
            (whole ? 1.0 : 1.0 + std::fabs(kernel.q()));
    slack = drift + 1.2e-10 * std::fabs(s);
    least = min_gain / criterion.unit();
    offered = all ? -HUGE_VAL : least;
    if (unknown.share == 1.0) return;
    slack = slack * unknown.share + 2e-13 * std::fabs(s);
    s *= unknown.share;
    inverse *= unknown.share;
    per_gain /= unknown.share;
    if (unknown.weight > 0.0 && criterion.form() == Form::ratio) {
      power_n = kernel.power(n + unknown.weight);
      phi_n = kernel.phi(n + unknown.weight) - kernel.phi(unknown.weight);
    }
  }

  // Interpolated phi: the additional error of a gain, in units of S_q.
  void add_uncertainty(double error) {
    uncertainty = error;
    slack += error;
  }

  // The gain of a cut in units of S_q, and its cut measure; the error of both is at most the drift.
  template <Form form>
  double gain(double phi_l, double alpha_l, double b_l, double phi_r, double alpha_r,
              double b_r) const {
    if constexpr (form == Form::power) return s - ((phi_l - b_l) + (phi_r - b_r)) * inverse;
    return s - (alpha_l * (phi_l - b_l) + alpha_r * (phi_r - b_r)) * inverse;
  }
  template <Form form>
  double measure(double phi_l, double alpha_l, double b_l, double phi_r, double alpha_r,
                 double b_r) const {
    const double gained = gain<form>(phi_l, alpha_l, b_l, phi_r, alpha_r, b_r);
    return form == Form::ratio ? gained * power_n / (phi_n - phi_l - phi_r) : gained;
  }

  // The interval that contains a candidate's cut measure. The ratio of a cut that cannot gain
  // `offered` is minus infinity. A cut whose gain may be less than `least` may win, but must not
  // exclude others: its low end is minus infinity.
  struct Estimate {
    double low, high;
  };
  template <Form form>
  Estimate estimate(double phi_l, double alpha_l, double b_l, double phi_r, double alpha_r,
                    double b_r) const {
    const Estimate e = around(gain<form>(phi_l, alpha_l, b_l, phi_r, alpha_r, b_r));
    if constexpr (form != Form::ratio) return e;
    const double t = power_n / (phi_n - phi_l - phi_r);
    return {e.low > least ? e.low * t : -HUGE_VAL, e.high > offered ? e.high * t : -HUGE_VAL};
  }
  Estimate around(double gained) const { return {gained - slack, gained + slack}; }

  // The entropy of the weights of a cut's sides.
  Estimate split_entropy(double phi_l, double phi_r) const {
    const double entropy = (phi_n - phi_l - phi_r) / power_n,
                 error = 1e-15 * std::fabs(phi_n) / power_n;
    return {std::fmax(entropy - error, 0.0), entropy + error};
  }

  // The smallest proxy (see ClassCut::proxy()) of a cut whose interval may reach `floor`.
  double bar(double floor) const { return (floor - s - slack - drift) * per_gain; }
};

}  // namespace tectree

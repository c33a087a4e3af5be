// phi and alpha of any weight, by parabolas through the points of a table: an index, two products
// and two sums instead of a power or a logarithm.
//
// There are 256 parabolas per octave. With phi(c) = (c^q - k c) / (q - 1) the third derivative is q
// (q - 2) c^(q-3), so a parabola over the width h c, exact at its ends and in the middle, is off by
// at most h^3 / 124 |q (q - 2)| c^q; likewise alpha = c^(1-q) by h^3 / 124 |q (1 - q) (1 + q)|
// c^(1-q). error() bounds the effect on a cut's gain. Searches rank cuts by the curve and score
// those that may win exactly.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "kernel.hpp"

namespace tectree {

class PhiCurve {
 public:
  // For weights from `least`, and parts of them, to `most`; null if the table would be too long, or
  // the error too large.
  static std::shared_ptr<const PhiCurve> of(const Kernel& kernel, double least, double most) {
    constexpr int parts = 6, longest = 64;  // octaves below the smallest, in total
    if (!(kernel.q() > 0.0 && kernel.q() <= 16.0) || !(least > 0.0) || !(most < 1e300))
      return nullptr;
    const int low = std::ilogb(least) - parts, high = std::ilogb(most) + 2;
    if (low < -1000 || high - low > longest) return nullptr;
    return std::shared_ptr<const PhiCurve>(new PhiCurve(kernel, low, high));
  }

  double phi(double c) const {
    const std::uint64_t bits = bits_of(c), i = (bits >> shift) - first_;
    return i < phi_.size() ? phi_[i].at(bits) : kernel_.phi(c);
  }
  double alpha(double c) const {
    const std::uint64_t bits = bits_of(c), i = (bits >> shift) - first_;
    return i < alpha_.size() ? alpha_[i].at(bits) : kernel_.alpha(c);
  }

  // Maximum error of a cut's gain, in units of S_q: from the phi of both sides and of their
  // classes, and from the alpha of both. If each weight may be off by the part `off` of itself, a
  // share p may be off by 2 off p, and its term in S_q by that times (S_q's term + p^q).
  double error(int classes, double off = 0.0) const {
    const double q = kernel_.q(), k = classes,
                 width = std::ldexp(std::exp2((q + 3.0) * 0x1p-7), -3 * steps) / 124,
                 of_classes = q < 1.0 ? std::pow(k, 1.0 - q) : 1.0,
                 most = q == 1.0 ? std::log(k) : (1.0 - std::pow(k, 1.0 - q)) / (q - 1.0);
    return 1.1 * width * q *
               (2.0 * std::fabs(q - 2.0) * (1.0 + of_classes) +
                std::fabs((1.0 - q) * (1.0 + q)) * most) +
           10.0 * off * std::fmax(1.0, q) * (most + of_classes);
  }

 private:
  static constexpr int steps = 8, shift = 52 - steps;

  struct Parabola {
    double from, rise, bend;
    // Through its values at 0, 1/2 and 1.
    static Parabola through(double first, double middle, double last) {
      const double bend = 2.0 * ((last - middle) - (middle - first));
      return {first, last - first - bend, bend};
    }
    double at(std::uint64_t bits) const {
      constexpr std::uint64_t one = std::uint64_t{1023} << 52;
      const std::uint64_t along = (bits << (12 + steps)) >> 12 | one;
      double x;
      std::memcpy(&x, &along, sizeof x);
      x -= 1.0;
      return from + x * (rise + x * bend);
    }
  };

  PhiCurve(const Kernel& kernel, int low, int high)
      : kernel_(kernel), first_(bits_of(std::ldexp(1.0, low)) >> shift) {
    const std::size_t n = static_cast<std::size_t>(high - low) << steps;
    const auto x = [&](double i) {
      const double octave = std::floor(std::ldexp(i, -steps));
      return std::ldexp(1.0 + std::ldexp(i, -steps) - octave, low + static_cast<int>(octave));
    };
    phi_.resize(n);
    alpha_.resize(n);
    double phi = kernel.phi(x(0.0)), alpha = kernel.alpha(x(0.0));
    for (std::size_t i = 0; i < n; ++i) {
      const double at = static_cast<double>(i), middle = x(at + 0.5), next = x(at + 1.0),
                   next_phi = kernel.phi(next), next_alpha = kernel.alpha(next);
      phi_[i] = Parabola::through(phi, kernel.phi(middle), next_phi);
      alpha_[i] = Parabola::through(alpha, kernel.alpha(middle), next_alpha);
      phi = next_phi;
      alpha = next_alpha;
    }
  }

  static std::uint64_t bits_of(double x) {
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
  }

  Kernel kernel_;
  std::uint64_t first_;
  std::vector<Parabola> phi_, alpha_;
};

}  // namespace tectree

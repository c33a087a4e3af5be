// phi and alpha of any weight, by lines between the points of a table: an index, a product and a
// sum in the place of a power or a logarithm.
//
// The points stand 512 an octave. With phi(c) = (c^q - k c) / (q - 1) the second derivative is q
// c^(q-2), so a line over the width h c is off by at most h^2 / 8 |q| c^q; likewise alpha = c^(1-q)
// by h^2 / 8 |q (1 - q)| c^(1-q). error() is what this makes of a cut's gain. Searches tell cuts
// apart by it and value those that may win exactly.
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
  // For weights from `least`, and parts of it, to `most`; null where the table would be too long,
  // or the error too large.
  static std::shared_ptr<const PhiCurve> of(const Kernel& kernel, double least, double most) {
    constexpr int parts = 6, longest = 64;  // octaves below the least, in all
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

  // How far off a cut's gain may be, in units of S_q: by the phi of both sides and of their
  // classes, and by the alpha of both; and where each weight may be off by the part `off` of
  // itself, so that a share p may be by 2 off p and its term in S_q by that times (S_q's term +
  // p^q).
  double error(int classes, double off = 0.0) const {
    const double q = kernel_.q(), k = classes,
                 width = std::ldexp(std::exp2(std::fabs(q - 2.0) * 0x1p-8), -2 * steps) / 8,
                 of_classes = q < 1.0 ? std::pow(k, 1.0 - q) : 1.0,
                 most = q == 1.0 ? std::log(k) : (1.0 - std::pow(k, 1.0 - q)) / (q - 1.0);
    return 1.1 * width * (2.0 * q * (1.0 + of_classes) + std::fabs(q * (1.0 - q)) * most) +
           10.0 * off * std::fmax(1.0, q) * (most + of_classes);
  }

 private:
  static constexpr int steps = 9, shift = 52 - steps;

  struct Line {
    double from, rise;
    double at(std::uint64_t bits) const {
      constexpr std::uint64_t one = std::uint64_t{1023} << 52;
      const std::uint64_t along = (bits << (12 + steps)) >> 12 | one;
      double x;
      std::memcpy(&x, &along, sizeof x);
      return from + (x - 1.0) * rise;
    }
  };

  PhiCurve(const Kernel& kernel, int low, int high)
      : kernel_(kernel), first_(bits_of(std::ldexp(1.0, low)) >> shift) {
    const std::size_t n = static_cast<std::size_t>(high - low) << steps;
    const auto x = [&](std::size_t i) {
      const double within = static_cast<double>(i & ((1u << steps) - 1)) / (1u << steps);
      return std::ldexp(1.0 + within, low + static_cast<int>(i >> steps));
    };
    phi_.resize(n);
    alpha_.resize(n);
    double phi = kernel.phi(x(0)), alpha = kernel.alpha(x(0));
    for (std::size_t i = 0; i < n; ++i) {
      const double next = x(i + 1), next_phi = kernel.phi(next), next_alpha = kernel.alpha(next);
      phi_[i] = {phi, next_phi - phi};
      alpha_[i] = {alpha, next_alpha - alpha};
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
  std::vector<Line> phi_, alpha_;
};

}  // namespace tectree

// Room search/gradients/: the search of a boosted tree, on codes, by gradients and Hessians.
//
// The totals of rows, in whole units, so sums do not depend on the order, the larger child is
// exactly the parent minus the smaller, and equal cuts tie exactly.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace tectree {

// For some rows: the sum of their gradients; that of their Hessians, with their number in the bits
// above it.
struct GradientCell {
  std::int64_t g = 0, h = 0;

  void add(const GradientCell& x) {
    g += x.g;
    h += x.h;
  }
  void take(const GradientCell& x) {
    g -= x.g;
    h -= x.h;
  }
};

// The first and second derivative of the loss of a row by its score.
struct Gradient {
  double g = 0.0, h = 0.0;

  Gradient& operator+=(const Gradient& x) {
    g += x.g;
    h += x.h;
    return *this;
  }
};

struct Gradients {
  std::vector<Gradient> of;  // by position in the sample
  Gradient most;             // the largest |g| and h
};

// Sums of gradients as numbers, and the number of rows.
struct GradientSums {
  double g = 0.0, h = 0.0;
  std::int64_t n = 0;
};

// The units in which the gradients of one tree are counted: powers of two.
class GradientScale {
 public:
  GradientScale() = default;
  explicit GradientScale(const Gradients& of) {
    const std::size_t n = of.of.size();
    while ((std::size_t{1} << bits_) <= n) ++bits_;
    // A sum of Hessians, and the rows above it, have 62 bits.
    if (2 * bits_ > 56) throw std::length_error("too many rows for boosting");
    sum_bits_ = 62 - bits_;
    const int to_g = exponent(of.most.g, std::min(62 - bits_, 44)),
              to_h = exponent(of.most.h, std::min(sum_bits_ - bits_, 44));
    g_up_ = std::ldexp(1.0, to_g);
    h_up_ = std::ldexp(1.0, to_h);
    g_unit_ = std::ldexp(1.0, -to_g);
    h_unit_ = std::ldexp(1.0, -to_h);
    row_ = std::int64_t{1} << sum_bits_;
  }

  GradientCell of(const Gradient& x) const {
    return {whole(x.g * g_up_), whole(x.h * h_up_) + row_};
  }
  GradientSums sums(const GradientCell& cell) const {
    const std::int64_t n = cell.h >> sum_bits_, h = cell.h & (row_ - 1);
    return {static_cast<double>(cell.g) * g_unit_, static_cast<double>(h) * h_unit_, n};
  }
  // Sums in units, a Hessian in those of Hessians, and a squared gradient by a Hessian as a number.
  Gradient units(const GradientCell& cell) const {
    return {static_cast<double>(cell.g), static_cast<double>(cell.h & (row_ - 1))};
  }
  double hessian_in_units(double h) const { return h * h_up_; }
  double worth(double in_units) const { return in_units * g_unit_ * h_up_ * g_unit_; }
  std::int64_t rows(const GradientCell& cell) const { return cell.h >> sum_bits_; }

 private:
  // The nearest whole number of one with at most 44 bits: the sum has no bits for a fraction.
  static std::int64_t whole(double x) {
    constexpr double shift = 0x1.8p52;
    const double shifted = x + shift;
    std::int64_t bits, none;
    std::memcpy(&bits, &shifted, sizeof bits);
    std::memcpy(&none, &shift, sizeof none);
    return bits - none;
  }

  // The power of two that scales numbers of at most `most` to less than `bits` bits.
  static int exponent(double most, int bits) {
    if (!(most > 0.0)) return 0;
    int e = 0;
    std::frexp(most, &e);
    return std::clamp(bits - 1 - e, -1000, 1000);
  }

  int bits_ = 1, sum_bits_ = 60;
  double g_up_ = 1.0, h_up_ = 1.0, g_unit_ = 1.0, h_unit_ = 1.0;
  std::int64_t row_ = 0;
};

}  // namespace tectree

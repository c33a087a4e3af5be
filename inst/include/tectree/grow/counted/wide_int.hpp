// Integers of 256 bits. Sums of a response's numbers, and of their squares, are whole in some unit,
// so these sums are exact, whatever the order in which a database adds.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tectree {

class WideInt {
 public:
  WideInt() = default;
  // The whole number `value` times 2^shift; fractions are truncated.
  explicit WideInt(double value, int shift = 0) {
    int exponent = 0;
    const double part = std::frexp(std::fabs(value), &exponent);
    auto bits = static_cast<std::uint64_t>(std::ldexp(part, 53));
    int up = exponent - 53 + shift;
    for (; up < 0 && bits != 0; ++up) bits >>= 1;
    const auto first = static_cast<std::size_t>(up > 0 ? up / 32 : 0);
    const int rest = up > 0 ? up % 32 : 0;
    place(first, static_cast<std::uint32_t>(bits << rest));
    place(first + 1, static_cast<std::uint32_t>((bits << rest) >> 32));
    if (rest > 0) place(first + 2, static_cast<std::uint32_t>(bits >> (64 - rest)));
    if (value < 0) negate();
  }

  void operator+=(const WideInt& more) {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < size; ++i) {
      carry += std::uint64_t{digit_[i]} + more.digit_[i];
      digit_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  void operator-=(WideInt less) {
    less.negate();
    *this += less;
  }
  friend WideInt operator*(const WideInt& a, const WideInt& b) {
    WideInt out;
    for (std::size_t i = 0; i < size; ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; i + j < size; ++j) {
        carry += std::uint64_t{a.digit_[i]} * b.digit_[j] + out.digit_[i + j];
        out.digit_[i + j] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
    }
    return out;
  }
  friend bool operator==(const WideInt& a, const WideInt& b) { return a.digit_ == b.digit_; }
  friend bool operator!=(const WideInt& a, const WideInt& b) { return !(a == b); }

  // The nearest double.
  double value() const {
    WideInt positive = *this;
    const bool below = negative();
    if (below) positive.negate();
    const auto& d = positive.digit_;
    std::size_t top = size - 1;
    while (top > 0 && d[top] == 0) --top;
    if (top < 2) {
      const double out = static_cast<double>((std::uint64_t{d[1]} << 32) | d[0]);
      return below ? -out : out;
    }
    // The highest 64 bits, of which the last tells whether any lower bit is set: so they round as
    // all bits would.
    int up = 0;
    while (((d[top] << up) & 0x80000000u) == 0) ++up;
    std::uint64_t bits = (std::uint64_t{d[top]} << 32) | d[top - 1];
    std::uint32_t rest = d[top - 2];
    if (up > 0) {
      bits = (bits << up) | (rest >> (32 - up));
      rest <<= up;
    }
    bool more = rest != 0;
    for (std::size_t i = 0; i + 2 < top; ++i) more = more || d[i] != 0;
    if (more) bits |= 1u;
    const double out = std::ldexp(static_cast<double>(bits), 32 * (static_cast<int>(top) - 1) - up);
    return below ? -out : out;
  }

 private:
  static constexpr std::size_t size = 8;

  void place(std::size_t i, std::uint32_t digit) {
    if (i < size) digit_[i] = digit;
  }
  bool negative() const { return (digit_[size - 1] & 0x80000000u) != 0; }
  void negate() {
    std::uint64_t carry = 1;
    for (std::uint32_t& digit : digit_) {
      carry += static_cast<std::uint32_t>(~digit);
      digit = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }

  std::array<std::uint32_t, size> digit_{};  // two's complement, the lowest first
};

}  // namespace tectree

// exp(x) for x up to 0 and log(1 + x) for x from 0, of many numbers: within one unit in the last
// place, and the same numbers on every machine.
//
// Four at a time, without branches and comparisons. A product and a sum are rounded one by one: a
// processor that can do both at once must not.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simd.hpp"

// Vectors are never passed by value: how depends on the processor.
#ifdef __GNUC__
#define TECTREE_INSIDE __attribute__((always_inline)) inline
#else
#define TECTREE_INSIDE inline
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off")
#endif

namespace tectree {
namespace detail {

#ifdef __GNUC__
using FourNumbers = double __attribute__((vector_size(32)));
using FourBits = std::uint64_t __attribute__((vector_size(32)));
#else
using FourNumbers = double;
using FourBits = std::uint64_t;
#endif

constexpr double log2_high = 0x1.62e42fefa38p-1;  // 42 bits, so some multiples are exact
constexpr double log2_low = 0x1.ef35793c7673p-45;

template <class To, class From>
TECTREE_INSIDE void copy_bits(const From& from, To& to) {
  static_assert(sizeof from == sizeof to);
  std::memcpy(&to, &from, sizeof to);
}

// exp(x) = 2^k exp(r) with |r| at most log(2) / 2.
TECTREE_INSIDE void exp_below(FourNumbers& x) {
#ifdef __clang__
#pragma clang fp contract(off)
#endif
  const FourNumbers shifted = x * 0x1.71547652b82fep+0 + 0x1.8p52;  // k is in the low bits
  const FourNumbers k = shifted - 0x1.8p52;
  const FourNumbers high = x - k * log2_high, low = k * log2_low, r = high - low;
  // Taylor's series up to r^13 / 13!.
  FourNumbers sum = r * (1.0 / 6227020800.0) + 1.0 / 479001600.0;
  sum = sum * r + 1.0 / 39916800.0;
  sum = sum * r + 1.0 / 3628800.0;
  sum = sum * r + 1.0 / 362880.0;
  sum = sum * r + 1.0 / 40320.0;
  sum = sum * r + 1.0 / 5040.0;
  sum = sum * r + 1.0 / 720.0;
  sum = sum * r + 1.0 / 120.0;
  sum = sum * r + 1.0 / 24.0;
  sum = sum * r + 1.0 / 6.0;
  sum = sum * r + 0.5;
  const FourNumbers y = 1.0 + (high - (low - sum * (r * r)));
  FourBits bits, by;
  copy_bits(y, bits);
  copy_bits(shifted, by);
  bits += by << 52;
  copy_bits(bits, x);
}

// log(1 + x) = k log(2) + log(m), m from sqrt(1/2) to sqrt(2); log(m) = 2 atanh((m - 1) / (m + 1)).
TECTREE_INSIDE void log_above(FourNumbers& x) {
#ifdef __clang__
#pragma clang fp contract(off)
#endif
  constexpr std::uint64_t half = 0x3FE6A09E667F3BCD;   // the bits of sqrt(1/2)
  constexpr std::uint64_t shift = 0x4330000000000000;  // and of 2^52
  const FourNumbers u = 1.0 + x, most = u - x, lost = (x - (u - most)) + (1.0 - most);
  FourBits bits;
  copy_bits(u, bits);
  const FourBits exponent = (bits - half) >> 52, large = -((-exponent) >> 63);  // if k > 0
  const FourBits of_k = exponent + shift, of_m = bits - (exponent << 52);
  FourNumbers k, m;
  copy_bits(of_k, k);
  copy_bits(of_m, m);
  k -= 0x1p52;
  // If k = 0, m - 1 is x itself, and nothing is lost.
  const FourNumbers off = m - 1.0, part = lost / u;
  FourBits a, b;
  copy_bits(off, a);
  copy_bits(x, b);
  const FourBits of_f = (a & large) | (b & ~large);
  copy_bits(part, a);
  const FourBits of_c = a & large;
  FourNumbers f, c;
  copy_bits(of_f, f);
  copy_bits(of_c, c);
  const FourNumbers s = f / (2.0 + f), z = s * s, square = 0.5 * f * f;
  FourNumbers sum = z * (2.0 / 25.0) + 2.0 / 23.0;
  sum = sum * z + 2.0 / 21.0;
  sum = sum * z + 2.0 / 19.0;
  sum = sum * z + 2.0 / 17.0;
  sum = sum * z + 2.0 / 15.0;
  sum = sum * z + 2.0 / 13.0;
  sum = sum * z + 2.0 / 11.0;
  sum = sum * z + 2.0 / 9.0;
  sum = sum * z + 2.0 / 7.0;
  sum = sum * z + 2.0 / 5.0;
  sum = sum * z + 2.0 / 3.0;
  // 2 atanh(s) = f - f^2 / 2 + s (f^2 / 2 + z sum), where the first terms are nearly exact.
  const FourNumbers rest = square - (s * (square + z * sum) + (k * log2_low + c));
  x = k * log2_high + (f - rest);
}

// change(four numbers) for all; the last are completed by zeros.
template <class Change>
TECTREE_INSIDE void each_four(double* x, std::size_t n, Change change) {
  constexpr std::size_t width = sizeof(FourNumbers) / sizeof(double);
  FourNumbers four;
  std::size_t i = 0;
  for (; i + width <= n; i += width) {
    std::memcpy(&four, x + i, sizeof four);
    change(four);
    std::memcpy(x + i, &four, sizeof four);
  }
  if (i == n) return;
  double last[width] = {};
  std::memcpy(last, x + i, (n - i) * sizeof(double));
  std::memcpy(&four, last, sizeof four);
  change(four);
  std::memcpy(last, &four, sizeof four);
  std::memcpy(x + i, last, (n - i) * sizeof(double));
}

struct ExpBelow {
  TECTREE_INSIDE void operator()(FourNumbers& x) const { exp_below(x); }
};
struct LogAbove {
  TECTREE_INSIDE void operator()(FourNumbers& x) const { log_above(x); }
};

#ifdef TECTREE_AVX2
__attribute__((target("avx2"))) inline void exp_by_avx2(double* x, std::size_t n) {
  each_four(x, n, ExpBelow());
}
__attribute__((target("avx2"))) inline void log_by_avx2(double* x, std::size_t n) {
  each_four(x, n, LogAbove());
}
#endif

}  // namespace detail

// The smallest number whose exponential is normal.
constexpr double least_exponent = -708.0;

// Each number, from least_exponent to 0, becomes its exponential.
inline void exp_all(double* x, std::size_t n) {
#ifdef TECTREE_AVX2
  if (has_simd()) return detail::exp_by_avx2(x, n);
#endif
  detail::each_four(x, n, detail::ExpBelow());
}

// Each number x, finite and at least 0, becomes log(1 + x).
inline void log1p_all(double* x, std::size_t n) {
#ifdef TECTREE_AVX2
  if (has_simd()) return detail::log_by_avx2(x, n);
#endif
  detail::each_four(x, n, detail::LogAbove());
}

}  // namespace tectree

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
#undef TECTREE_INSIDE

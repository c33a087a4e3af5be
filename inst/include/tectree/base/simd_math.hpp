// Logarithms and powers of eight numbers at once, in single precision.
#pragma once

#include "simd.hpp"

namespace tectree {
namespace simd {

// Of normal numbers above 0, off by at most log2_off and a rounding; finite for 0.
constexpr double log2_off = 1e-7;
TECTREE_LANES Floats log2(Floats a) {
  const Ints half = all(0x3F3504F3u);  // the bits of sqrt(1/2), the least mantissa
  const Ints bits = bits_of(a), one = all(127u << 23);
  const Ints exponent = shift_down<23>(add(sub(bits, half), one));  // and 127
  const Floats m = of_bits(add(sub(bits, shift_up<23>(exponent)), one));
  const Floats s = div(sub(m, all(1.0f)), add(m, all(1.0f))), z = mul(s, s);
  Floats sum = add(mul(all(0.5989738858f), z), all(0.9614708090f));
  sum = add(mul(sum, z), all(2.885391289f));
  return add(mul(s, sum), float_of(sub(exponent, all(127u))));
}

// Of numbers below 127, off by at most this part of it; from -126 downwards next to nothing.
constexpr double exp2_off = 3e-7;
TECTREE_LANES Floats exp2(Floats a) {
  a = best_of(a, all(-126.0f));
  const Ints whole = nearest(a);
  const Floats x = sub(a, float_of(whole));
  Floats sum = add(mul(all(1.327647187e-3f), x), all(9.675541333e-3f));
  sum = add(mul(sum, x), all(5.550713274e-2f));
  sum = add(mul(sum, x), all(2.402211972e-1f));
  sum = add(mul(sum, x), all(6.931469671e-1f));
  sum = add(mul(sum, x), all(1.000000072f));
  return of_bits(add(bits_of(sum), shift_up<23>(whole)));
}

}  // namespace simd
}  // namespace tectree

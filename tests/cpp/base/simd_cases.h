// Each function on eight numbers, against one number at a time. Included once for the processor's
// own vectors and once for the plain ones.
#pragma once

#include "check.h"

#include <tectree/base/simd.hpp>

#include <limits>
#include <vector>

#include "support/random.h"

namespace {

using namespace tectree;

constexpr float nothing = std::numeric_limits<float>::quiet_NaN();

struct Eight {
  float of[8];
};

TECTREE_SIMD Eight told(simd::Floats a) {
  Eight out;
  simd::store(out.of, a);
  return out;
}
struct EightInts {
  std::uint32_t of[8];
};
TECTREE_SIMD EightInts told(simd::Ints a) {
  EightInts out;
  simd::store(out.of, a);
  return out;
}

bool same(float a, float b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

template <class F>
bool each(const Eight& found, F expected) {
  bool right = true;
  for (int i = 0; i < 8; ++i) right = right && same(found.of[i], expected(i));
  return right;
}
template <class F>
bool each(const EightInts& found, F expected) {
  bool right = true;
  for (int i = 0; i < 8; ++i)
    right = right && found.of[i] == static_cast<std::uint32_t>(expected(i));
  return right;
}

constexpr std::uint32_t yes = ~std::uint32_t{0};

TECTREE_SIMD bool floats_right(const float* a, const float* b) {
  const simd::Floats x = simd::load(a), y = simd::load(b);
  bool right = each(told(simd::add(x, y)), [&](int i) { return a[i] + b[i]; });
  right = right && each(told(simd::sub(x, y)), [&](int i) { return a[i] - b[i]; });
  right = right && each(told(simd::mul(x, y)), [&](int i) { return a[i] * b[i]; });
  right = right && each(told(simd::min(x, y)), [&](int i) { return a[i] < b[i] ? a[i] : b[i]; });
  right =
      right && each(told(simd::best_of(x, y)), [&](int i) { return a[i] > b[i] ? a[i] : b[i]; });
  right = right && each(told(simd::size(x)), [&](int i) { return std::fabs(a[i]); });
  right = right && each(told(simd::load_turned(a + 7)), [&](int i) { return a[7 - i]; });
  right = right && each(told(simd::greater(x, y)), [&](int i) { return a[i] > b[i] ? yes : 0; });
  right = right && each(told(simd::at_least(x, y)), [&](int i) { return a[i] >= b[i] ? yes : 0; });
  right = right && each(told(simd::equal(x, y)), [&](int i) { return a[i] == b[i] ? yes : 0; });
  return right && each(told(simd::select(simd::greater(x, y), y, x)),
                       [&](int i) { return a[i] > b[i] ? b[i] : a[i]; });
}

TECTREE_SIMD bool ints_right(const std::uint32_t* a, const std::uint32_t* b,
                             const std::uint8_t* bytes, const float* table) {
  const simd::Ints x = simd::load_first(a, 8), y = simd::load_first(b, 8);
  bool right = each(told(simd::sub(x, y)), [&](int i) { return a[i] - b[i]; }) &&
               each(told(simd::both(x, y)), [&](int i) { return a[i] & b[i]; });
  right = right && each(told(simd::equal(x, y)), [&](int i) { return a[i] == b[i] ? yes : 0; });
  right = right && each(told(simd::shift_up<17>(x)), [&](int i) { return a[i] << 17; });
  right = right && each(told(simd::turned(x)), [&](int i) { return a[(i + 7) % 8]; });
  right = right && each(told(simd::first_of(x, y)), [&](int i) { return i == 0 ? a[0] : b[i]; });
  right = right && each(told(simd::places()), [](int i) { return i; });
  right = right && each(told(simd::widen(bytes)), [&](int i) { return bytes[i]; });
  right = right &&
          each(told(simd::pick(table, simd::widen(bytes))), [&](int i) { return table[bytes[i]]; });
  right = right && each(told(simd::select(simd::equal(x, y), x, simd::all(std::uint32_t{7}))),
                        [&](int i) { return a[i] == b[i] ? a[i] : 7; });
  for (std::uint32_t n = 0; n <= 9; ++n) {
    // No more than those are read: the others may be anybody's.
    const std::vector<std::uint32_t> some(a, a + std::min<std::uint32_t>(n, 8));
    right = right && each(told(simd::load_first(some.data(), n)),
                          [&](int i) { return static_cast<std::uint32_t>(i) < n ? a[i] : 0; });
  }
  unsigned top = 0;
  for (int i = 0; i < 8; ++i) top |= (a[i] >> 31) << i;
  return right && simd::top_bits(x) == top;
}

TECTREE_SIMD float most_of(const float* a) {
  return simd::most(simd::load(a));
}

TECTREE_SIMD bool sums_right(const double* up, const double* down) {
  return each(told(simd::sum_turned(up, down, 0.5)),
              [&](int i) { return static_cast<float>(up[i] + down[-i] - 0.5); });
}

void check_eights() {
  support::Random random(3);
  for (int round = 0; round < 200; ++round) {
    float a[8], b[8], table[8];
    std::uint32_t x[8], y[8];
    std::uint8_t bytes[8];
    double up[8], down[8];
    float most = -HUGE_VALF;
    for (int i = 0; i < 8; ++i) {
      a[i] = static_cast<float>(random.uniform() - 0.5);
      b[i] = random.chance(0.3) ? a[i] : static_cast<float>(random.uniform() - 0.5);
      if (random.chance(0.1)) b[i] = random.chance(0.5) ? HUGE_VALF : -HUGE_VALF;
      most = std::max(most, a[i]);
      table[i] = static_cast<float>(random.uniform());
      x[i] = static_cast<std::uint32_t>(random.below(1 << 30)) * 4u + 3u;
      y[i] = random.chance(0.3) ? x[i] : 5u;
      bytes[i] = static_cast<std::uint8_t>(random.below(8));
      up[i] = random.uniform();
      down[i] = random.uniform();
    }
    CHECK(most_of(a) == most);
    CHECK(floats_right(a, b) && ints_right(x, y, bytes, table) && sums_right(up, down + 7));
    a[random.below(8)] = nothing;
    CHECK(floats_right(a, b));
  }
  for (unsigned bits = 1; bits < 256; ++bits) {
    int first = 0;
    std::uint32_t set = 0;
    while (!((bits >> first) & 1u)) ++first;
    for (int i = 0; i < 8; ++i) set += (bits >> i) & 1u;
    CHECK(first_bit(bits) == first && count_bits(bits) == set);
  }
}

}  // namespace

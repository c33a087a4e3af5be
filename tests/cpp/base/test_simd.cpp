// Each function on eight numbers, against one number at a time.
#include "check.h"

#include <tectree/base/simd_math.hpp>

#include <limits>
#include <vector>

#include "support/random.h"

namespace {

using namespace tectree;

constexpr float nothing = std::numeric_limits<float>::quiet_NaN();

struct Eight {
  float of[8];
};

TECTREE_LANES Eight told(simd::Floats a) {
  Eight out;
  simd::store(out.of, a);
  return out;
}
struct EightInts {
  std::uint32_t of[8];
};
TECTREE_LANES EightInts told(simd::Ints a) {
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
  bool right = each(told(x + y), [&](int i) { return a[i] + b[i]; });
  right = right && each(told(x - y), [&](int i) { return a[i] - b[i]; });
  right = right && each(told(x * y), [&](int i) { return a[i] * b[i]; });
  right = right && each(told(x / y), [&](int i) { return a[i] / b[i]; });
  right = right && each(told(simd::mul_add(x, y, simd::all(0.25f))),
                        [&](int i) { return std::fma(a[i], b[i], 0.25f); });
  right = right && each(told(simd::of_bits(simd::bits_of(x))), [&](int i) { return a[i]; });
  right =
      right && each(told(simd::larger_of(x, y)), [&](int i) { return a[i] > b[i] ? a[i] : b[i]; });
  right = right && each(told(simd::load_turned(a + 7)), [&](int i) { return a[7 - i]; });
  right = right && each(told(x > y), [&](int i) { return a[i] > b[i] ? yes : 0; });
  right = right && each(told(x >= y), [&](int i) { return a[i] >= b[i] ? yes : 0; });
  right = right && each(told(x == y), [&](int i) { return a[i] == b[i] ? yes : 0; });
  return right &&
         each(told(simd::select((x > y), y, x)), [&](int i) { return a[i] > b[i] ? b[i] : a[i]; });
}

TECTREE_SIMD bool ints_right(const std::uint32_t* a, const std::uint32_t* b,
                             const std::uint8_t* bytes, const float* table) {
  const simd::Ints x = simd::load_first(a, 8), y = simd::load_first(b, 8);
  // For numbers that keep their sign.
  const simd::Ints u = simd::down<4>(x), v = simd::down<4>(y);
  const auto less = [](std::uint32_t n) { return n >> 4; };
  bool right = each(told(u - v), [&](int i) { return less(a[i]) - less(b[i]); }) &&
               each(told(u + v), [&](int i) { return less(a[i]) + less(b[i]); }) &&
               each(told(x & y), [&](int i) { return a[i] & b[i]; }) &&
               each(told(x | y), [&](int i) { return a[i] | b[i]; });
  const auto sign = [](std::uint32_t n) { return static_cast<std::int32_t>(n); };
  right = right && each(told(x > y), [&](int i) { return sign(a[i]) > sign(b[i]) ? yes : 0; });
  right = right && each(told(simd::down<17>(x)), [&](int i) { return a[i] >> 17; });
  right =
      right && each(told(simd::float_of(x)), [&](int i) { return static_cast<float>(sign(a[i])); });
  right = right && each(told(simd::running(u)), [&](int i) {
            std::uint32_t sum = 0;
            for (int j = 0; j <= i; ++j) sum += less(a[j]);
            return sum;
          });
  right = right && each(told(simd::last(x)), [&](int) { return a[7]; });
  right =
      right && each(told(simd::load_at(a, simd::widen(bytes))), [&](int i) { return a[bytes[i]]; });
  right = right && each(told(x == y), [&](int i) { return a[i] == b[i] ? yes : 0; });
  right = right && each(told(simd::up<17>(x)), [&](int i) { return a[i] << 17; });
  right = right && each(told(simd::turned(x)), [&](int i) { return a[(i + 7) % 8]; });
  right = right && each(told(simd::first_of(x, y)), [&](int i) { return i == 0 ? a[0] : b[i]; });
  right = right && each(told(simd::places()), [](int i) { return i; });
  right = right && each(told(simd::widen(bytes)), [&](int i) { return bytes[i]; });
  right = right &&
          each(told(simd::pick(table, simd::widen(bytes))), [&](int i) { return table[bytes[i]]; });
  right = right && each(told(simd::select((x == y), x, simd::all(std::uint32_t{7}))),
                        [&](int i) { return a[i] == b[i] ? a[i] : 7; });
  for (std::uint32_t n = 0; n <= 9; ++n) {
    // Reads no more than those: the memory behind may belong to others.
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

struct LogAndPower {
  float log2[8], power[8];
};
TECTREE_SIMD LogAndPower log_and_power(const float* x, const simd::Power& power) {
  LogAndPower out;
  simd::store(out.log2, simd::log2(simd::load(x)));
  simd::store(out.power, power.of(simd::load(x)));
  return out;
}

void check_powers() {
  support::Random random(4);
  for (double q : {0.02, 0.3, 0.98, 1.5, 2.4, 3.0, 4.0}) {
    const simd::Power power(q);
    CHECK(power.off() < 1e-5);
    for (int round = 0; round < 100; ++round) {
      float x[8];
      for (float& one : x) one = static_cast<float>(std::exp2(-30.0 * random.uniform()));
      x[0] = round % 2 == 0 ? 1.0f : 0.0f;
      const LogAndPower found = log_and_power(x, power);
      for (int i = 0; i < 8; ++i) {
        if (x[i] == 0.0f) {
          CHECK(found.power[i] == 0.0f && std::isfinite(found.log2[i]));
          continue;
        }
        const double log2 = std::log2(static_cast<double>(x[i])),
                     raised = std::pow(static_cast<double>(x[i]), q);
        CHECK(std::fabs(found.log2[i] - log2) <= simd::log2_off + 1e-7 * std::fabs(log2));
        // Numbers too close to 0 become 0.
        CHECK(std::fabs(found.power[i] - raised) <= power.off() * raised + 1e-35);
      }
    }
  }
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

TEST(eight_numbers_at_a_time_equal_one_at_a_time) {
  if (has_simd()) check_eights();
}
TEST(powers_stay_within_the_stated_error) {
  if (has_simd()) check_powers();
}

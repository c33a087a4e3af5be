// Eight numbers at a time: all that the scans know of a processor's vectors.
//
// Written for AVX2 (asked for when the program runs), for NEON and plainly. Functions that use it
// are marked TECTREE_SIMD: they alone are compiled for AVX2, in a build for any processor, and are
// called only where has_simd(). Those that are given vectors or return them are TECTREE_LANES, and
// never called: gcc clears the upper halves of registers where a function ends, also of those that
// it takes to be left alone. TECTREE_PLAIN leaves the processors' own versions out.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

// gcc does not align the stack as it would have to on Windows.
#if defined(__GNUC__) && defined(__x86_64__) && !defined(_WIN32) && !defined(TECTREE_PLAIN)
#define TECTREE_AVX2
#define TECTREE_SIMD __attribute__((target("avx2,fma,popcnt")))
#define TECTREE_LANES TECTREE_SIMD __attribute__((always_inline)) inline
#include <immintrin.h>
#elif defined(__aarch64__) && !defined(TECTREE_PLAIN)
#define TECTREE_NEON
#define TECTREE_SIMD
#define TECTREE_LANES inline
#include <arm_neon.h>
#else
#define TECTREE_SIMD
#define TECTREE_LANES inline
#endif

namespace tectree {

// Tests take it away, to compare what is grown without, or give it where vectors are plain, which
// are slower than no vectors. Not while a tree grows.
#if defined(TECTREE_AVX2) || defined(TECTREE_NEON)
inline std::atomic<bool> simd_allowed{true};
#else
inline std::atomic<bool> simd_allowed{false};
#endif

inline bool has_simd() {
#ifdef TECTREE_AVX2
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                          __builtin_cpu_supports("popcnt");
  return has && simd_allowed.load(std::memory_order_relaxed);
#else
  return simd_allowed.load(std::memory_order_relaxed);
#endif
}

inline int first_bit(unsigned bits) {
#ifdef __GNUC__
  return __builtin_ctz(bits);
#else
  int at = 0;
  while (!((bits >> at) & 1u)) ++at;
  return at;
#endif
}
TECTREE_SIMD inline std::uint32_t count_bits(unsigned bits) {
#ifdef __GNUC__
  return static_cast<std::uint32_t>(__builtin_popcount(bits));
#else
  std::uint32_t n = 0;
  for (; bits != 0; bits &= bits - 1) ++n;
  return n;
#endif
}

// Functions of Floats and Ints, each by place: all(x), eight times x; load and store, at any
// address; load_first(p, n), the first n from p and 0 behind them, n <= 8; load_turned(p), p[0],
// p[-1], ..., p[-7]; places(), 0 to 7; widen(p), eight bytes; pick(table, which), table[which] for
// which of 0 to 7; add, sub, mul, div, min; mul_add(a, b, c), a b + c; both(a, b), the bits set in
// both; greater, at_least and equal, a mask; select(mask, a, b), a where it is set; best_of(a, b),
// a where it is greater, so that nothing comes of an a that is NaN; shift_up(a, n), to the left by
// n bits; turned(a), each in the place behind its own, the last one first; first_of(a, b), b with
// the first of a; top_bits(a), a bit each; size(a), without its sign; most(a), the greatest;
// sum_turned(up, down, off), up[i] + down[-i] - off of doubles; load_at(table, which), table[which]
// of any table; running(a), in each place the sum up to it; last(a), the last one in all;
// shift_down(a, n); float_of(a), of whole numbers with a sign; greater(a, b) of such; bits_of(a),
// of_bits(a), the same bits.
namespace simd {

#if defined(TECTREE_AVX2)

struct Floats {
  __m256 v;
};
struct Ints {
  __m256i v;
};

TECTREE_LANES Floats all(float x) {
  return {_mm256_set1_ps(x)};
}
TECTREE_LANES Ints all(std::uint32_t x) {
  return {_mm256_set1_epi32(static_cast<int>(x))};
}
TECTREE_LANES Ints places() {
  return {_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)};
}
TECTREE_LANES Floats load(const float* p) {
  return {_mm256_loadu_ps(p)};
}
TECTREE_LANES Ints load_first(const void* p, std::uint32_t n) {
  if (n >= 8) return {_mm256_loadu_si256(static_cast<const __m256i*>(p))};
  const __m256i there = _mm256_cmpgt_epi32(all(n).v, places().v);
  return {_mm256_maskload_epi32(static_cast<const int*>(p), there)};
}
TECTREE_LANES Floats load_turned(const float* p) {
  const __m256i turned = _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0);
  return {_mm256_permutevar8x32_ps(_mm256_loadu_ps(p - 7), turned)};
}
TECTREE_LANES Ints widen(const std::uint8_t* p) {
  const void* at = p;
  return {_mm256_cvtepu8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(at)))};
}
TECTREE_LANES void store(float* p, Floats a) {
  _mm256_storeu_ps(p, a.v);
}
TECTREE_LANES void store(std::uint32_t* p, Ints a) {
  void* at = p;
  _mm256_storeu_si256(static_cast<__m256i*>(at), a.v);
}
TECTREE_LANES Floats pick(const float* table, Ints which) {
  return {_mm256_permutevar8x32_ps(_mm256_loadu_ps(table), which.v)};
}
TECTREE_LANES Floats add(Floats a, Floats b) {
  return {_mm256_add_ps(a.v, b.v)};
}
TECTREE_LANES Floats sub(Floats a, Floats b) {
  return {_mm256_sub_ps(a.v, b.v)};
}
TECTREE_LANES Floats mul(Floats a, Floats b) {
  return {_mm256_mul_ps(a.v, b.v)};
}
TECTREE_LANES Floats min(Floats a, Floats b) {
  return {_mm256_min_ps(a.v, b.v)};
}
TECTREE_LANES Floats best_of(Floats a, Floats b) {
  return {_mm256_max_ps(a.v, b.v)};
}
TECTREE_LANES Ints sub(Ints a, Ints b) {
  return {_mm256_sub_epi32(a.v, b.v)};
}
TECTREE_LANES Ints both(Ints a, Ints b) {
  return {_mm256_and_si256(a.v, b.v)};
}
TECTREE_LANES Ints greater(Floats a, Floats b) {
  return {_mm256_castps_si256(_mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ))};
}
TECTREE_LANES Ints at_least(Floats a, Floats b) {
  return {_mm256_castps_si256(_mm256_cmp_ps(a.v, b.v, _CMP_GE_OQ))};
}
TECTREE_LANES Ints equal(Floats a, Floats b) {
  return {_mm256_castps_si256(_mm256_cmp_ps(a.v, b.v, _CMP_EQ_OQ))};
}
TECTREE_LANES Ints equal(Ints a, Ints b) {
  return {_mm256_cmpeq_epi32(a.v, b.v)};
}
TECTREE_LANES Floats select(Ints mask, Floats a, Floats b) {
  return {_mm256_blendv_ps(b.v, a.v, _mm256_castsi256_ps(mask.v))};
}
TECTREE_LANES Ints select(Ints mask, Ints a, Ints b) {
  return {_mm256_blendv_epi8(b.v, a.v, mask.v)};
}
template <int n>
TECTREE_LANES Ints shift_up(Ints a) {
  return {_mm256_slli_epi32(a.v, n)};
}
TECTREE_LANES Ints turned(Ints a) {
  return {_mm256_permutevar8x32_epi32(a.v, _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6))};
}
TECTREE_LANES Ints first_of(Ints a, Ints b) {
  return {_mm256_blend_epi32(b.v, a.v, 1)};
}
TECTREE_LANES unsigned top_bits(Ints a) {
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(a.v)));
}
TECTREE_LANES float most(Floats a) {
  const __m128 four = _mm_max_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
}
TECTREE_LANES Floats size(Floats a) {
  return {_mm256_andnot_ps(all(-0.0f).v, a.v)};
}
TECTREE_LANES __m128 four_turned(const double* up, const double* down, double off) {
  const __m256d turned = _mm256_permute4x64_pd(_mm256_loadu_pd(down - 3), 0x1B);
  const __m256d sum = _mm256_add_pd(_mm256_loadu_pd(up), turned);
  return _mm256_cvtpd_ps(_mm256_sub_pd(sum, _mm256_set1_pd(off)));
}
TECTREE_LANES Floats sum_turned(const double* up, const double* down, double off) {
  return {_mm256_set_m128(four_turned(up + 4, down - 4, off), four_turned(up, down, off))};
}
TECTREE_LANES Floats div(Floats a, Floats b) {
  return {_mm256_div_ps(a.v, b.v)};
}
TECTREE_LANES Floats mul_add(Floats a, Floats b, Floats c) {
  return {_mm256_fmadd_ps(a.v, b.v, c.v)};
}
TECTREE_LANES Ints add(Ints a, Ints b) {
  return {_mm256_add_epi32(a.v, b.v)};
}
TECTREE_LANES Ints either(Ints a, Ints b) {
  return {_mm256_or_si256(a.v, b.v)};
}
TECTREE_LANES Ints greater(Ints a, Ints b) {
  return {_mm256_cmpgt_epi32(a.v, b.v)};
}
template <int n>
TECTREE_LANES Ints shift_down(Ints a) {
  return {_mm256_srli_epi32(a.v, n)};
}
TECTREE_LANES Ints load_at(const std::uint32_t* table, Ints which) {
  const void* at = table;
  return {_mm256_i32gather_epi32(static_cast<const int*>(at), which.v, 4)};
}
TECTREE_LANES Ints running(Ints a) {
  __m256i sum = _mm256_add_epi32(a.v, _mm256_slli_si256(a.v, 4));
  sum = _mm256_add_epi32(sum, _mm256_slli_si256(sum, 8));
  const __m256i low = _mm256_permute2x128_si256(sum, sum, 0x08);  // 0, and the lower half
  return {_mm256_add_epi32(sum, _mm256_shuffle_epi32(low, 0xFF))};
}
TECTREE_LANES Ints last(Ints a) {
  return {_mm256_permutevar8x32_epi32(a.v, _mm256_set1_epi32(7))};
}
TECTREE_LANES Floats float_of(Ints a) {
  return {_mm256_cvtepi32_ps(a.v)};
}
TECTREE_LANES Ints bits_of(Floats a) {
  return {_mm256_castps_si256(a.v)};
}
TECTREE_LANES Floats of_bits(Ints a) {
  return {_mm256_castsi256_ps(a.v)};
}

#elif defined(TECTREE_NEON)

struct Floats {
  float32x4_t v, w;
};
struct Ints {
  uint32x4_t v, w;
};

inline Floats all(float x) {
  return {vdupq_n_f32(x), vdupq_n_f32(x)};
}
inline Ints all(std::uint32_t x) {
  return {vdupq_n_u32(x), vdupq_n_u32(x)};
}
inline Ints load_all(const std::uint32_t* p) {
  return {vld1q_u32(p), vld1q_u32(p + 4)};
}
inline Ints places() {
  static const std::uint32_t place[] = {0, 1, 2, 3, 4, 5, 6, 7};
  return load_all(place);
}
inline Floats load(const float* p) {
  return {vld1q_f32(p), vld1q_f32(p + 4)};
}
inline Ints load_first(const void* p, std::uint32_t n) {
  const auto* from = static_cast<const std::uint8_t*>(p);
  if (n >= 8)
    return {vreinterpretq_u32_u8(vld1q_u8(from)), vreinterpretq_u32_u8(vld1q_u8(from + 16))};
  std::uint8_t some[32] = {};
  for (std::uint32_t i = 0; i < 4 * n; ++i) some[i] = from[i];
  return load_first(some, 8);
}
inline float32x4_t turned_four(float32x4_t a) {
  const float32x4_t pairs = vrev64q_f32(a);
  return vextq_f32(pairs, pairs, 2);
}
inline Floats load_turned(const float* p) {
  const Floats a = load(p - 7);
  return {turned_four(a.w), turned_four(a.v)};
}
inline Ints widen(const std::uint8_t* p) {
  const uint16x8_t a = vmovl_u8(vld1_u8(p));
  return {vmovl_u16(vget_low_u16(a)), vmovl_u16(vget_high_u16(a))};
}
inline void store(float* p, Floats a) {
  vst1q_f32(p, a.v);
  vst1q_f32(p + 4, a.w);
}
inline void store(std::uint32_t* p, Ints a) {
  vst1q_u32(p, a.v);
  vst1q_u32(p + 4, a.w);
}
inline Floats pick(const float* table, Ints which) {
  const Floats t = load(table);
  const uint8x16x2_t bytes = {{vreinterpretq_u8_f32(t.v), vreinterpretq_u8_f32(t.w)}};
  const auto four = [&](uint32x4_t at) {
    // Of each number its four bytes.
    const uint32x4_t from = vmlaq_u32(vdupq_n_u32(0x03020100u), at, vdupq_n_u32(0x04040404u));
    return vreinterpretq_f32_u8(vqtbl2q_u8(bytes, vreinterpretq_u8_u32(from)));
  };
  return {four(which.v), four(which.w)};
}
inline Floats add(Floats a, Floats b) {
  return {vaddq_f32(a.v, b.v), vaddq_f32(a.w, b.w)};
}
inline Floats sub(Floats a, Floats b) {
  return {vsubq_f32(a.v, b.v), vsubq_f32(a.w, b.w)};
}
inline Floats mul(Floats a, Floats b) {
  return {vmulq_f32(a.v, b.v), vmulq_f32(a.w, b.w)};
}
inline Ints sub(Ints a, Ints b) {
  return {vsubq_u32(a.v, b.v), vsubq_u32(a.w, b.w)};
}
inline Ints both(Ints a, Ints b) {
  return {vandq_u32(a.v, b.v), vandq_u32(a.w, b.w)};
}
inline Ints greater(Floats a, Floats b) {
  return {vcgtq_f32(a.v, b.v), vcgtq_f32(a.w, b.w)};
}
inline Ints at_least(Floats a, Floats b) {
  return {vcgeq_f32(a.v, b.v), vcgeq_f32(a.w, b.w)};
}
inline Ints equal(Floats a, Floats b) {
  return {vceqq_f32(a.v, b.v), vceqq_f32(a.w, b.w)};
}
inline Ints equal(Ints a, Ints b) {
  return {vceqq_u32(a.v, b.v), vceqq_u32(a.w, b.w)};
}
inline Floats select(Ints mask, Floats a, Floats b) {
  return {vbslq_f32(mask.v, a.v, b.v), vbslq_f32(mask.w, a.w, b.w)};
}
inline Ints select(Ints mask, Ints a, Ints b) {
  return {vbslq_u32(mask.v, a.v, b.v), vbslq_u32(mask.w, a.w, b.w)};
}
inline Floats best_of(Floats a, Floats b) {
  return select(greater(a, b), a, b);
}
inline Floats min(Floats a, Floats b) {
  return select(greater(b, a), a, b);
}
template <int n>
inline Ints shift_up(Ints a) {
  return {vshlq_n_u32(a.v, n), vshlq_n_u32(a.w, n)};
}
inline Ints turned(Ints a) {
  return {vextq_u32(a.w, a.v, 3), vextq_u32(a.v, a.w, 3)};
}
inline Ints first_of(Ints a, Ints b) {
  return {vsetq_lane_u32(vgetq_lane_u32(a.v, 0), b.v, 0), b.w};
}
inline unsigned top_bits(Ints a) {
  static const std::int32_t by[] = {0, 1, 2, 3};
  const int32x4_t low = vld1q_s32(by), high = vaddq_s32(low, vdupq_n_s32(4));
  return vaddvq_u32(vshlq_u32(vshrq_n_u32(a.v, 31), low)) +
         vaddvq_u32(vshlq_u32(vshrq_n_u32(a.w, 31), high));
}
inline float most(Floats a) {
  return vmaxvq_f32(vmaxq_f32(a.v, a.w));
}
inline Floats size(Floats a) {
  return {vabsq_f32(a.v), vabsq_f32(a.w)};
}
inline Floats sum_turned(const double* up, const double* down, double off) {
  const float64x2_t less = vdupq_n_f64(off);
  const auto two = [&](int from) {
    const float64x2_t other = vld1q_f64(down - from - 1);
    const float64x2_t sum = vaddq_f64(vld1q_f64(up + from), vextq_f64(other, other, 1));
    return vcvt_f32_f64(vsubq_f64(sum, less));
  };
  return {vcombine_f32(two(0), two(2)), vcombine_f32(two(4), two(6))};
}
inline Floats div(Floats a, Floats b) {
  return {vdivq_f32(a.v, b.v), vdivq_f32(a.w, b.w)};
}
inline Floats mul_add(Floats a, Floats b, Floats c) {
  return {vfmaq_f32(c.v, a.v, b.v), vfmaq_f32(c.w, a.w, b.w)};
}
inline Ints add(Ints a, Ints b) {
  return {vaddq_u32(a.v, b.v), vaddq_u32(a.w, b.w)};
}
inline Ints either(Ints a, Ints b) {
  return {vorrq_u32(a.v, b.v), vorrq_u32(a.w, b.w)};
}
inline Ints greater(Ints a, Ints b) {
  const auto of = [](uint32x4_t x, uint32x4_t y) {
    return vcgtq_s32(vreinterpretq_s32_u32(x), vreinterpretq_s32_u32(y));
  };
  return {of(a.v, b.v), of(a.w, b.w)};
}
template <int n>
inline Ints shift_down(Ints a) {
  return {vshrq_n_u32(a.v, n), vshrq_n_u32(a.w, n)};
}
inline Ints load_at(const std::uint32_t* table, Ints which) {
  std::uint32_t at[8], there[8];
  store(at, which);
  for (int i = 0; i < 8; ++i) there[i] = table[at[i]];
  return load_all(there);
}
inline Ints running(Ints a) {
  const uint32x4_t none = vdupq_n_u32(0);
  const auto of = [&](uint32x4_t x) {
    x = vaddq_u32(x, vextq_u32(none, x, 3));
    return vaddq_u32(x, vextq_u32(none, x, 2));
  };
  const uint32x4_t low = of(a.v);
  return {low, vaddq_u32(of(a.w), vdupq_laneq_u32(low, 3))};
}
inline Ints last(Ints a) {
  return {vdupq_laneq_u32(a.w, 3), vdupq_laneq_u32(a.w, 3)};
}
inline Floats float_of(Ints a) {
  return {vcvtq_f32_s32(vreinterpretq_s32_u32(a.v)), vcvtq_f32_s32(vreinterpretq_s32_u32(a.w))};
}
inline Ints bits_of(Floats a) {
  return {vreinterpretq_u32_f32(a.v), vreinterpretq_u32_f32(a.w)};
}
inline Floats of_bits(Ints a) {
  return {vreinterpretq_f32_u32(a.v), vreinterpretq_f32_u32(a.w)};
}

#else

struct Floats {
  float v[8];
};
struct Ints {
  std::uint32_t v[8];
};

template <class F>
Floats floats(F f) {
  Floats out;
  for (int i = 0; i < 8; ++i) out.v[i] = f(i);
  return out;
}
template <class F>
Ints ints(F f) {
  Ints out;
  for (int i = 0; i < 8; ++i) out.v[i] = f(i);
  return out;
}
template <class F>
Ints mask(F f) {
  return ints([&](int i) { return f(i) ? ~std::uint32_t{0} : 0u; });
}

inline Floats all(float x) {
  return floats([&](int) { return x; });
}
inline Ints all(std::uint32_t x) {
  return ints([&](int) { return x; });
}
inline Ints places() {
  return ints([](int i) { return static_cast<std::uint32_t>(i); });
}
inline Floats load(const float* p) {
  return floats([&](int i) { return p[i]; });
}
inline Ints load_first(const void* p, std::uint32_t n) {
  Ints out{};
  const auto* from = static_cast<const unsigned char*>(p);
  auto* to = reinterpret_cast<unsigned char*>(out.v);
  for (std::uint32_t i = 0; i < 4 * (n < 8 ? n : 8); ++i) to[i] = from[i];
  return out;
}
inline Floats load_turned(const float* p) {
  return floats([&](int i) { return p[-i]; });
}
inline Ints widen(const std::uint8_t* p) {
  return ints([&](int i) { return p[i]; });
}
inline void store(float* p, const Floats& a) {
  for (int i = 0; i < 8; ++i) p[i] = a.v[i];
}
inline void store(std::uint32_t* p, const Ints& a) {
  for (int i = 0; i < 8; ++i) p[i] = a.v[i];
}
inline Floats pick(const float* table, const Ints& which) {
  return floats([&](int i) { return table[which.v[i]]; });
}
inline Floats add(const Floats& a, const Floats& b) {
  return floats([&](int i) { return a.v[i] + b.v[i]; });
}
inline Floats sub(const Floats& a, const Floats& b) {
  return floats([&](int i) { return a.v[i] - b.v[i]; });
}
inline Floats mul(const Floats& a, const Floats& b) {
  return floats([&](int i) { return a.v[i] * b.v[i]; });
}
inline Floats min(const Floats& a, const Floats& b) {
  return floats([&](int i) { return a.v[i] < b.v[i] ? a.v[i] : b.v[i]; });
}
inline Floats best_of(const Floats& a, const Floats& b) {
  return floats([&](int i) { return a.v[i] > b.v[i] ? a.v[i] : b.v[i]; });
}
inline Ints sub(const Ints& a, const Ints& b) {
  return ints([&](int i) { return a.v[i] - b.v[i]; });
}
inline Ints both(const Ints& a, const Ints& b) {
  return ints([&](int i) { return a.v[i] & b.v[i]; });
}
inline Ints greater(const Floats& a, const Floats& b) {
  return mask([&](int i) { return a.v[i] > b.v[i]; });
}
inline Ints at_least(const Floats& a, const Floats& b) {
  return mask([&](int i) { return a.v[i] >= b.v[i]; });
}
inline Ints equal(const Floats& a, const Floats& b) {
  return mask([&](int i) { return a.v[i] == b.v[i]; });
}
inline Ints equal(const Ints& a, const Ints& b) {
  return mask([&](int i) { return a.v[i] == b.v[i]; });
}
inline Floats select(const Ints& of, const Floats& a, const Floats& b) {
  return floats([&](int i) { return of.v[i] ? a.v[i] : b.v[i]; });
}
inline Ints select(const Ints& of, const Ints& a, const Ints& b) {
  return ints([&](int i) { return of.v[i] ? a.v[i] : b.v[i]; });
}
template <int n>
inline Ints shift_up(const Ints& a) {
  return ints([&](int i) { return a.v[i] << n; });
}
inline Ints turned(const Ints& a) {
  return ints([&](int i) { return a.v[(i + 7) % 8]; });
}
inline Ints first_of(const Ints& a, const Ints& b) {
  return ints([&](int i) { return i == 0 ? a.v[0] : b.v[i]; });
}
inline unsigned top_bits(const Ints& a) {
  unsigned out = 0;
  for (int i = 0; i < 8; ++i) out |= (a.v[i] >> 31) << i;
  return out;
}
inline float most(const Floats& a) {
  float out = a.v[0];
  for (float x : a.v) out = x > out ? x : out;
  return out;
}
inline Floats size(const Floats& a) {
  return floats([&](int i) { return std::fabs(a.v[i]); });
}
inline Floats sum_turned(const double* up, const double* down, double off) {
  return floats([&](int i) { return static_cast<float>(up[i] + down[-i] - off); });
}
inline Floats div(const Floats& a, const Floats& b) {
  return floats([&](int i) { return a.v[i] / b.v[i]; });
}
inline Floats mul_add(const Floats& a, const Floats& b, const Floats& c) {
  return floats([&](int i) { return a.v[i] * b.v[i] + c.v[i]; });
}
inline Ints add(const Ints& a, const Ints& b) {
  return ints([&](int i) { return a.v[i] + b.v[i]; });
}
inline Ints either(const Ints& a, const Ints& b) {
  return ints([&](int i) { return a.v[i] | b.v[i]; });
}
inline Ints greater(const Ints& a, const Ints& b) {
  return mask(
      [&](int i) { return static_cast<std::int32_t>(a.v[i]) > static_cast<std::int32_t>(b.v[i]); });
}
template <int n>
inline Ints shift_down(const Ints& a) {
  return ints([&](int i) { return a.v[i] >> n; });
}
inline Ints load_at(const std::uint32_t* table, const Ints& which) {
  return ints([&](int i) { return table[which.v[i]]; });
}
inline Ints running(Ints a) {
  for (int i = 1; i < 8; ++i) a.v[i] += a.v[i - 1];
  return a;
}
inline Ints last(const Ints& a) {
  return all(a.v[7]);
}
inline Floats float_of(const Ints& a) {
  return floats([&](int i) { return static_cast<float>(static_cast<std::int32_t>(a.v[i])); });
}
inline Ints bits_of(const Floats& a) {
  Ints out;
  std::memcpy(out.v, a.v, sizeof out.v);
  return out;
}
inline Floats of_bits(const Ints& a) {
  Floats out;
  std::memcpy(out.v, a.v, sizeof out.v);
  return out;
}

#endif

}  // namespace simd
}  // namespace tectree

// Eight numbers at a time: the vector operations of the scans.
//
// Implemented for AVX2 (detected at run time) and NEON. Other processors have no vectors, and
// TECTREE_PLAIN leaves them out. Functions that use vectors are marked TECTREE_SIMD: only they are
// compiled for AVX2, in a build for any processor, and they are called only if has_simd().
// Functions that take or return vectors are TECTREE_LANES and always inlined: gcc clears the upper
// halves of registers when a function ends, even of registers that the caller expects to be
// preserved.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

// gcc does not align the stack as Windows would require.
#if defined(__GNUC__) && defined(__x86_64__) && !defined(_WIN32) && !defined(TECTREE_PLAIN)
#define TECTREE_AVX2
#define TECTREE_VECTORS
#define TECTREE_SIMD __attribute__((target("avx2,fma,popcnt")))
#define TECTREE_LANES TECTREE_SIMD __attribute__((always_inline)) inline
#include <immintrin.h>
#elif defined(__aarch64__) && !defined(TECTREE_PLAIN)
#define TECTREE_VECTORS
#define TECTREE_SIMD
#define TECTREE_LANES __attribute__((always_inline)) inline
#include <arm_neon.h>
#endif

namespace tectree {

// Tests disable it to compare the results without vectors. Not to be changed while a tree grows.
inline std::atomic<bool> simd_allowed{true};

inline bool has_simd() {
#if defined(TECTREE_AVX2)
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                          __builtin_cpu_supports("popcnt");
  return has && simd_allowed.load(std::memory_order_relaxed);
#elif defined(TECTREE_VECTORS)
  return simd_allowed.load(std::memory_order_relaxed);
#else
  return false;
#endif
}

#ifdef TECTREE_VECTORS

inline int first_bit(unsigned bits) {
  return __builtin_ctz(bits);
}
TECTREE_SIMD inline std::uint32_t count_bits(unsigned bits) {
  return static_cast<std::uint32_t>(__builtin_popcount(bits));
}

// Floats, and Ints, which are signed, have element-wise operators; a comparison gives a mask of
// Ints. Functions:
// all(x): eight times x; load, store: at any address; load_first(p, n): the first n <= 8 from p,
// then 0; load_turned(p): p[0], p[-1], ..., p[-7]; load_at(table, which): table[which];
// places(): 0 to 7; widen(p): eight bytes; pick(table, which): table[which] for which in 0 to 7;
// select(mask, a, b): a where the mask is set; larger_of(a, b): a where it is greater, so a NaN in
// a is ignored; mul_add(a, b, c): a b + c, rounded once; up<n>(a), down<n>(a): bits shifted by n,
// with zeros shifted in; turned(a): each element one place later, the last one first; first_of(a,
// b): b with the first element of a; running(a): prefix sums; last(a): the last element in all
// places; float_of(a): conversion; bits_of(a), of_bits(a): the same bits; top_bits(a): one bit per
// element; most(a): the greatest; sum_turned(up, down, off): up[i] + down[-i] - off of doubles.
namespace simd {

#ifdef TECTREE_AVX2

using Floats = __m256;
using Ints = std::int32_t __attribute__((vector_size(32)));

TECTREE_LANES Floats all(float x) {
  return _mm256_set1_ps(x);
}
TECTREE_LANES Ints all(std::uint32_t x) {
  return Ints(_mm256_set1_epi32(static_cast<int>(x)));
}
TECTREE_LANES Ints places() {
  return Ints{0, 1, 2, 3, 4, 5, 6, 7};
}
TECTREE_LANES Floats load(const float* p) {
  return _mm256_loadu_ps(p);
}
TECTREE_LANES Ints load_first(const void* p, std::uint32_t n) {
  if (n >= 8) return Ints(_mm256_loadu_si256(static_cast<const __m256i*>(p)));
  const Ints there = all(n) > places();
  return Ints(_mm256_maskload_epi32(static_cast<const int*>(p), __m256i(there)));
}
TECTREE_LANES Floats load_turned(const float* p) {
  return _mm256_permutevar8x32_ps(load(p - 7), __m256i(Ints{7, 6, 5, 4, 3, 2, 1, 0}));
}
TECTREE_LANES Ints load_at(const std::uint32_t* table, Ints which) {
  const void* at = table;
  return Ints(_mm256_i32gather_epi32(static_cast<const int*>(at), __m256i(which), 4));
}
TECTREE_LANES Ints widen(const std::uint8_t* p) {
  const void* at = p;
  return Ints(_mm256_cvtepu8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(at))));
}
TECTREE_LANES void store(float* p, Floats a) {
  _mm256_storeu_ps(p, a);
}
TECTREE_LANES void store(std::uint32_t* p, Ints a) {
  void* at = p;
  _mm256_storeu_si256(static_cast<__m256i*>(at), __m256i(a));
}
TECTREE_LANES Floats pick(const float* table, Ints which) {
  return _mm256_permutevar8x32_ps(load(table), __m256i(which));
}
TECTREE_LANES Floats select(Ints mask, Floats a, Floats b) {
  return _mm256_blendv_ps(b, a, __m256(mask));
}
TECTREE_LANES Ints select(Ints mask, Ints a, Ints b) {
  return Ints(_mm256_blendv_epi8(__m256i(b), __m256i(a), __m256i(mask)));
}
TECTREE_LANES Floats larger_of(Floats a, Floats b) {
  return _mm256_max_ps(a, b);
}
TECTREE_LANES Floats mul_add(Floats a, Floats b, Floats c) {
  return _mm256_fmadd_ps(a, b, c);
}
template <int n>
TECTREE_LANES Ints up(Ints a) {
  return Ints(_mm256_slli_epi32(__m256i(a), n));
}
template <int n>
TECTREE_LANES Ints down(Ints a) {
  return Ints(_mm256_srli_epi32(__m256i(a), n));
}
TECTREE_LANES Ints turned(Ints a) {
  return Ints(_mm256_permutevar8x32_epi32(__m256i(a), __m256i(Ints{7, 0, 1, 2, 3, 4, 5, 6})));
}
TECTREE_LANES Ints first_of(Ints a, Ints b) {
  return Ints(_mm256_blend_epi32(__m256i(b), __m256i(a), 1));
}
TECTREE_LANES Ints running(Ints a) {
  Ints sum = a + Ints(_mm256_slli_si256(__m256i(a), 4));
  sum += Ints(_mm256_slli_si256(__m256i(sum), 8));
  const __m256i low = _mm256_permute2x128_si256(__m256i(sum), __m256i(sum), 0x08);  // 0, and that
  return sum + Ints(_mm256_shuffle_epi32(low, 0xFF));
}
TECTREE_LANES Ints last(Ints a) {
  return Ints(_mm256_permutevar8x32_epi32(__m256i(a), __m256i(all(7u))));
}
TECTREE_LANES Floats float_of(Ints a) {
  return _mm256_cvtepi32_ps(__m256i(a));
}
TECTREE_LANES Ints bits_of(Floats a) {
  return Ints(a);
}
TECTREE_LANES Floats of_bits(Ints a) {
  return Floats(a);
}
TECTREE_LANES unsigned top_bits(Ints a) {
  return static_cast<unsigned>(_mm256_movemask_ps(__m256(a)));
}
TECTREE_LANES float most(Floats a) {
  const __m128 four = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
}
TECTREE_LANES __m128 four_turned(const double* up, const double* down, double off) {
  const __m256d turned = _mm256_permute4x64_pd(_mm256_loadu_pd(down - 3), 0x1B);
  return _mm256_cvtpd_ps(_mm256_loadu_pd(up) + turned - _mm256_set1_pd(off));
}
TECTREE_LANES Floats sum_turned(const double* up, const double* down, double off) {
  return _mm256_set_m128(four_turned(up + 4, down - 4, off), four_turned(up, down, off));
}

#else

template <class Four>
struct Eight {
  Four v, w;
};
using Floats = Eight<float32x4_t>;
using Ints = Eight<int32x4_t>;

template <class Four>
TECTREE_LANES Eight<Four> operator+(Eight<Four> a, Eight<Four> b) {
  return {a.v + b.v, a.w + b.w};
}
template <class Four>
TECTREE_LANES Eight<Four> operator-(Eight<Four> a, Eight<Four> b) {
  return {a.v - b.v, a.w - b.w};
}
TECTREE_LANES Floats operator*(Floats a, Floats b) {
  return {a.v * b.v, a.w * b.w};
}
TECTREE_LANES Floats operator/(Floats a, Floats b) {
  return {a.v / b.v, a.w / b.w};
}
TECTREE_LANES Ints operator&(Ints a, Ints b) {
  return {a.v & b.v, a.w & b.w};
}
TECTREE_LANES Ints operator|(Ints a, Ints b) {
  return {a.v | b.v, a.w | b.w};
}
template <class Four>
TECTREE_LANES Ints operator>(Eight<Four> a, Eight<Four> b) {
  return {int32x4_t(a.v > b.v), int32x4_t(a.w > b.w)};
}
template <class Four>
TECTREE_LANES Ints operator>=(Eight<Four> a, Eight<Four> b) {
  return {int32x4_t(a.v >= b.v), int32x4_t(a.w >= b.w)};
}
template <class Four>
TECTREE_LANES Ints operator==(Eight<Four> a, Eight<Four> b) {
  return {int32x4_t(a.v == b.v), int32x4_t(a.w == b.w)};
}

TECTREE_LANES Floats all(float x) {
  return {vdupq_n_f32(x), vdupq_n_f32(x)};
}
TECTREE_LANES Ints all(std::uint32_t x) {
  const int32x4_t four = vdupq_n_s32(static_cast<std::int32_t>(x));
  return {four, four};
}
TECTREE_LANES Ints places() {
  return {int32x4_t{0, 1, 2, 3}, int32x4_t{4, 5, 6, 7}};
}
TECTREE_LANES Floats load(const float* p) {
  return {vld1q_f32(p), vld1q_f32(p + 4)};
}
TECTREE_LANES Ints load_first(const void* p, std::uint32_t n) {
  const auto* from = static_cast<const std::uint8_t*>(p);
  std::uint8_t some[32] = {};
  if (n < 8) {
    for (std::uint32_t i = 0; i < 4 * n; ++i) some[i] = from[i];
    from = some;
  }
  return {vreinterpretq_s32_u8(vld1q_u8(from)), vreinterpretq_s32_u8(vld1q_u8(from + 16))};
}
TECTREE_LANES float32x4_t turned_four(float32x4_t a) {
  const float32x4_t pairs = vrev64q_f32(a);
  return vextq_f32(pairs, pairs, 2);
}
TECTREE_LANES Floats load_turned(const float* p) {
  return {turned_four(vld1q_f32(p - 3)), turned_four(vld1q_f32(p - 7))};
}
TECTREE_LANES Ints widen(const std::uint8_t* p) {
  const uint16x8_t a = vmovl_u8(vld1_u8(p));
  return {int32x4_t(vmovl_u16(vget_low_u16(a))), int32x4_t(vmovl_u16(vget_high_u16(a)))};
}
TECTREE_LANES void store(float* p, Floats a) {
  vst1q_f32(p, a.v);
  vst1q_f32(p + 4, a.w);
}
TECTREE_LANES void store(std::uint32_t* p, Ints a) {
  vst1q_u32(p, uint32x4_t(a.v));
  vst1q_u32(p + 4, uint32x4_t(a.w));
}
TECTREE_LANES Ints load_at(const std::uint32_t* table, Ints which) {
  std::uint32_t at[8], there[8];
  store(at, which);
  for (int i = 0; i < 8; ++i) there[i] = table[at[i]];
  return {int32x4_t(vld1q_u32(there)), int32x4_t(vld1q_u32(there + 4))};
}
TECTREE_LANES float32x4_t pick_four(uint8x16x2_t bytes, int32x4_t which) {
  // The four bytes of each number.
  const uint8x16_t from = uint8x16_t(which * vdupq_n_s32(0x04040404) + vdupq_n_s32(0x03020100));
  return float32x4_t(vqtbl2q_u8(bytes, from));
}
TECTREE_LANES Floats pick(const float* table, Ints which) {
  const Floats t = load(table);
  const uint8x16x2_t bytes = {{uint8x16_t(t.v), uint8x16_t(t.w)}};
  return {pick_four(bytes, which.v), pick_four(bytes, which.w)};
}
TECTREE_LANES Floats select(Ints mask, Floats a, Floats b) {
  return {vbslq_f32(uint32x4_t(mask.v), a.v, b.v), vbslq_f32(uint32x4_t(mask.w), a.w, b.w)};
}
TECTREE_LANES Ints select(Ints mask, Ints a, Ints b) {
  return {vbslq_s32(uint32x4_t(mask.v), a.v, b.v), vbslq_s32(uint32x4_t(mask.w), a.w, b.w)};
}
TECTREE_LANES Floats larger_of(Floats a, Floats b) {
  return select(a > b, a, b);
}
TECTREE_LANES Floats mul_add(Floats a, Floats b, Floats c) {
  return {vfmaq_f32(c.v, a.v, b.v), vfmaq_f32(c.w, a.w, b.w)};
}
template <int n>
TECTREE_LANES Ints up(Ints a) {
  return {vshlq_n_s32(a.v, n), vshlq_n_s32(a.w, n)};
}
template <int n>
TECTREE_LANES Ints down(Ints a) {
  return {int32x4_t(uint32x4_t(a.v) >> n), int32x4_t(uint32x4_t(a.w) >> n)};
}
TECTREE_LANES Ints turned(Ints a) {
  return {vextq_s32(a.w, a.v, 3), vextq_s32(a.v, a.w, 3)};
}
TECTREE_LANES Ints first_of(Ints a, Ints b) {
  return {vsetq_lane_s32(vgetq_lane_s32(a.v, 0), b.v, 0), b.w};
}
TECTREE_LANES int32x4_t running_four(int32x4_t a) {
  const int32x4_t none = vdupq_n_s32(0);
  a += vextq_s32(none, a, 3);
  return a + vextq_s32(none, a, 2);
}
TECTREE_LANES Ints running(Ints a) {
  const int32x4_t low = running_four(a.v);
  return {low, running_four(a.w) + vdupq_laneq_s32(low, 3)};
}
TECTREE_LANES Ints last(Ints a) {
  return {vdupq_laneq_s32(a.w, 3), vdupq_laneq_s32(a.w, 3)};
}
TECTREE_LANES Floats float_of(Ints a) {
  return {vcvtq_f32_s32(a.v), vcvtq_f32_s32(a.w)};
}
TECTREE_LANES Ints bits_of(Floats a) {
  return {int32x4_t(a.v), int32x4_t(a.w)};
}
TECTREE_LANES Floats of_bits(Ints a) {
  return {float32x4_t(a.v), float32x4_t(a.w)};
}
TECTREE_LANES unsigned top_bits(Ints a) {
  const Ints top = down<31>(a), by = places();
  return static_cast<unsigned>(vaddvq_s32(vshlq_s32(top.v, by.v) + vshlq_s32(top.w, by.w)));
}
TECTREE_LANES float most(Floats a) {
  return vmaxvq_f32(vmaxq_f32(a.v, a.w));
}
TECTREE_LANES float32x2_t two_turned(const double* up, const double* down, double off) {
  const float64x2_t other = vld1q_f64(down - 1);
  return vcvt_f32_f64(vld1q_f64(up) + vextq_f64(other, other, 1) - vdupq_n_f64(off));
}
TECTREE_LANES Floats sum_turned(const double* up, const double* down, double off) {
  return {vcombine_f32(two_turned(up, down, off), two_turned(up + 2, down - 2, off)),
          vcombine_f32(two_turned(up + 4, down - 4, off), two_turned(up + 6, down - 6, off))};
}

#endif

}  // namespace simd

#endif

}  // namespace tectree

// Tables read from both ends at once, where has_avx2(): what both sides of a cut have to do with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd_lanes.hpp"

namespace tectree {

#ifdef TECTREE_HAS_AVX2

namespace detail {

// table[n - l - i] for i = 0, ..., 7.
TECTREE_AVX2 inline __m256 mirrored(const float* table, std::uint32_t n, std::uint32_t l) {
  const __m256i turned = _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0);
  return _mm256_permutevar8x32_ps(
      _mm256_loadu_ps(table + (static_cast<std::ptrdiff_t>(n) - static_cast<std::ptrdiff_t>(l)) -
                      7),
      turned);
}

}  // namespace detail

// to[l] = table[n - l] for 0 <= l <= n; `table` has eight places before 0, `to` eight behind n.
TECTREE_AVX2 inline void mirror(const float* table, std::uint32_t n, float* to) {
  for (std::uint32_t l = 0; l <= n; l += 8) _mm256_storeu_ps(to + l, detail::mirrored(table, n, l));
}

// to[l] = table[l] + table[n - l] - off likewise; returns at least the largest of them in size.
TECTREE_AVX2 inline float add_mirrored(const double* table, std::uint32_t n, double off,
                                       float* to) {
  const __m128 sign = _mm_set1_ps(-0.0f);
  const __m256d less = _mm256_set1_pd(off);
  __m128 most = _mm_setzero_ps();
  const std::uint32_t end = (n / 8 + 1) * 8;
  for (std::uint32_t l = 0; l < end; l += 4) {
    const std::ptrdiff_t other = static_cast<std::ptrdiff_t>(n) - l - 3;
    const __m256d turned = _mm256_permute4x64_pd(_mm256_loadu_pd(table + other), 0x1B);
    const __m256d sum = _mm256_add_pd(_mm256_loadu_pd(table + l), turned);
    const __m128 four = _mm256_cvtpd_ps(_mm256_sub_pd(sum, less));
    most = _mm_max_ps(most, _mm_andnot_ps(sign, four));
    _mm_storeu_ps(to + l, four);
  }
  return detail::most_of(_mm256_set_m128(most, most));
}

#else

inline void mirror(const float*, std::uint32_t, float*) {}
inline float add_mirrored(const double*, std::uint32_t, double, float*) {
  return 0.0f;
}

#endif

}  // namespace tectree

// The best of numbers that come eight at a time, and where it is.
#pragma once

#include <cstdint>

#include "../../base/avx2.hpp"

namespace tectree {

// The highest proxy of a column's cuts; -Inf without a cut.
struct SimdBest {
  float most;
  // Where it is asked for: with how many rows on the left, and the highest proxy of another cut.
  std::uint32_t at;
  float next;
};

#ifdef TECTREE_HAS_AVX2

namespace detail {

TECTREE_AVX2 inline float most_of(__m256 eight) {
  const __m128 four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
}

// The best of the cuts looked at so far in every eighth place, and where it is where that is
// wanted.
template <bool placed>
struct SimdLanes {
  __m256 most, next;
  __m256i at;

  TECTREE_AVX2 SimdLanes()
      : most(_mm256_set1_ps(-__builtin_inff())), next(most), at(_mm256_setzero_si256()) {}

  // Nothing comes of a NaN: where one is compared, the second number is taken.
  TECTREE_AVX2 void look_at(__m256 proxy, std::uint32_t l) {
    if (placed) {
      const __m256 better = _mm256_cmp_ps(proxy, most, _CMP_GT_OQ);
      next = _mm256_max_ps(_mm256_min_ps(most, proxy), next);
      at = _mm256_blendv_epi8(at, _mm256_set1_epi32(static_cast<int>(l)),
                              _mm256_castps_si256(better));
    }
    most = _mm256_max_ps(proxy, most);
  }

  TECTREE_AVX2 SimdBest best() const {
    SimdBest out{most_of(most), 0, 0.0f};
    if (!placed) return out;
    const __m256 top = _mm256_cmp_ps(most, _mm256_set1_ps(out.most), _CMP_EQ_OQ);
    const auto criteria = static_cast<unsigned>(_mm256_movemask_ps(top));
    const int criterion = __builtin_ctz(criteria);
    alignas(32) std::uint32_t from[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(from), at);
    out.at = from[criterion] + static_cast<std::uint32_t>(criterion);
    const __m256 others = _mm256_blendv_ps(most, next, top);
    out.next = (criteria & (criteria - 1)) != 0 ? out.most : most_of(others);
    return out;
  }
};

}  // namespace detail

#endif

}  // namespace tectree

// Eight counts of classes side by side, each below 2^15: one register where the processor has SSE2.
#pragma once

#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tectree {

// Sums over the counts on both sides of a cut.
struct SideSums {
  double squares_left, squares_right;
  std::uint32_t n_left;
};

#if defined(__SSE2__) && !defined(TECTREE_PLAIN_COUNTS)

class EightCounts {
 public:
  EightCounts() : lanes_(_mm_setzero_si128()) {}
  explicit EightCounts(const std::uint16_t* from)
      : lanes_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))) {}
  void store(std::uint16_t* to) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), lanes_); }
  void operator+=(const EightCounts& b) { lanes_ = _mm_add_epi16(lanes_, b.lanes_); }

  static SideSums sums(const EightCounts& left, const EightCounts& total) {
    const __m128i right = _mm_sub_epi16(total.lanes_, left.lanes_),
                  l = _mm_madd_epi16(left.lanes_, left.lanes_), r = _mm_madd_epi16(right, right),
                  n = _mm_madd_epi16(left.lanes_, _mm_set1_epi16(1)),
                  half = _mm_add_epi32(_mm_unpacklo_epi32(l, r), _mm_unpackhi_epi32(l, r)),
                  both = _mm_add_epi32(half, _mm_unpackhi_epi64(half, half)),
                  n_half = _mm_add_epi32(n, _mm_unpackhi_epi64(n, n));
    SideSums out;
    _mm_storeu_pd(&out.squares_left, _mm_cvtepi32_pd(both));
    out.n_left = static_cast<std::uint32_t>(_mm_cvtsi128_si32(n_half) +
                                            _mm_cvtsi128_si32(_mm_srli_epi64(n_half, 32)));
    return out;
  }

 private:
  __m128i lanes_;
};

#else

class EightCounts {
 public:
  EightCounts() = default;
  explicit EightCounts(const std::uint16_t* from) {
    for (int s = 0; s < 8; ++s) lanes_[s] = from[s];
  }
  void store(std::uint16_t* to) const {
    for (int s = 0; s < 8; ++s) to[s] = lanes_[s];
  }
  void operator+=(const EightCounts& b) {
    for (int s = 0; s < 8; ++s) lanes_[s] = static_cast<std::uint16_t>(lanes_[s] + b.lanes_[s]);
  }

  static SideSums sums(const EightCounts& left, const EightCounts& total) {
    std::uint32_t l = 0, r = 0, n = 0;
    for (int s = 0; s < 8; ++s) {
      const std::uint32_t a = left.lanes_[s], b = total.lanes_[s] - a;
      l += a * a;
      r += b * b;
      n += a;
    }
    return {static_cast<double>(l), static_cast<double>(r), n};
  }

 private:
  std::uint16_t lanes_[8] = {};
};

#endif

}  // namespace tectree

// Dividing a list in two, eight items of four bytes at a time, where has_avx2(): those of a branch
// are moved together by one shuffle, looked up by the pattern of eight bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../base/avx2.hpp"

#ifdef TECTREE_HAS_AVX2

namespace tectree {
namespace detail {

// The places of the bits that are set.
struct PlacesOfBits {
  alignas(8) std::uint8_t of[256][8];
  constexpr PlacesOfBits() : of() {
    for (int bits = 0; bits < 256; ++bits) {
      int n = 0;
      for (int i = 0; i < 8; ++i) {
        if ((bits >> i) & 1) of[bits][n++] = static_cast<std::uint8_t>(i);
      }
    }
  }
};
inline constexpr PlacesOfBits places_of_bits;

// Of the eight items those whose bits are set, to `to`; some more are written behind them.
TECTREE_AVX2 inline void pack(__m256i items, unsigned bits, void* to) {
  const void* places = places_of_bits.of[bits];
  const __m256i which = _mm256_cvtepu8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(places)));
  _mm256_storeu_si256(static_cast<__m256i*>(to), _mm256_permutevar8x32_epi32(items, which));
}

// Which of eight items go right.
template <class Item, class Row>
TECTREE_AVX2 inline unsigned bits_of(const Item* items, const std::uint8_t* right, Row row) {
  unsigned bits = 0;
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) bits |= static_cast<unsigned>(right[row(items[i])]) << i;
  return bits;
}

}  // namespace detail

// The items of the left branch come first, those of the right one to `spare`, which has room for 8
// more; returns how many of the n go left. right[row(item)] is 0 or 1.
template <class Item, class Row>
TECTREE_AVX2 std::size_t part_by_eights(Item* items, std::size_t n, Item* spare,
                                        const std::uint8_t* right, Row row) {
  static_assert(sizeof(Item) == 4);
  std::size_t left = 0, i = 0;
  for (; i + 8 <= n; i += 8) {
    const unsigned bits = detail::bits_of(items + i, right, row);
    const void* from = items + i;
    const __m256i eight = _mm256_loadu_si256(static_cast<const __m256i*>(from));
    detail::pack(eight, bits ^ 255, items + left);
    detail::pack(eight, bits, spare + (i - left));
    left += 8 - static_cast<std::size_t>(__builtin_popcount(bits));
  }
  for (; i < n; ++i) {
    const Item item = items[i];
    items[left] = item;
    spare[i - left] = item;
    left += 1 - right[row(item)];
  }
  return left;
}

// Those of one branch alone come first; returns how many.
template <class Item, class Row>
TECTREE_AVX2 std::size_t keep_by_eights(int branch, Item* items, std::size_t n,
                                        const std::uint8_t* right, Row row) {
  static_assert(sizeof(Item) == 4);
  const unsigned other = branch == 0 ? 255 : 0;
  std::size_t kept = 0, i = 0;
  for (; i + 8 <= n; i += 8) {
    const unsigned bits = detail::bits_of(items + i, right, row) ^ other;
    const void* from = items + i;
    detail::pack(_mm256_loadu_si256(static_cast<const __m256i*>(from)), bits, items + kept);
    kept += static_cast<std::size_t>(__builtin_popcount(bits));
  }
  for (; i < n; ++i) {
    const Item item = items[i];
    items[kept] = item;
    kept += right[row(item)] == branch;
  }
  return kept;
}

}  // namespace tectree

#endif

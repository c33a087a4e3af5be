// The proxy of every cut of a sorted column (see cut_proxies.hpp), eight cuts at a time and in
// single precision, where has_avx2().
//
// Of eight rows in a row those of a class are told by their tags. How many of them stand before
// each of the eight is looked up by the pattern of eight bits, and phi of the counts on either side
// of each cut, eight neighbouring numbers of a table, is picked by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../base/avx2.hpp"
#include "../../data/arena.hpp"
#include "simd_lanes.hpp"

namespace tectree {

constexpr std::size_t most_simd_classes = Entry<std::uint16_t>::tags;

using SimdEntries = const Entry<std::uint16_t>*;  // of a column, tagged by their classes

// What the proxies of a node's cuts are made of. What is read at place l of a table may reach
// l + 7.
struct SimdNode {
  std::uint32_t n, least, end;  // cuts with [least, end] rows on the left have a proxy
  // By a class's rows on the left: phi of those, and of those on the right; where both sides weigh
  // the same, in `other` the sum over both, less phi of all.
  const float *left, *other[most_simd_classes];
  const float *weight_left, *weight_right;  // by rows on the left
  const float* less;                        // likewise: what is taken off them; Inf for no cut
};

// By rows on the left; what stands before `least` is nothing or -Inf.
struct SimdProxies {
  float* proxy;           // NaN between equal values
  std::uint64_t* counts;  // of every eight: the classes' on the left of the first, 16 bits each
};

#ifdef TECTREE_HAS_AVX2

namespace detail {

// How many of the bits below each of eight are set.
struct BitsBelow {
  alignas(8) std::uint8_t of[256][8];
  constexpr BitsBelow() : of() {
    for (int bits = 0; bits < 256; ++bits) {
      for (int i = 1; i < 8; ++i)
        of[bits][i] = static_cast<std::uint8_t>(of[bits][i - 1] + ((bits >> (i - 1)) & 1));
    }
  }
};
inline constexpr BitsBelow bits_below;

// Those of eight entries that are there, the others 0.
TECTREE_AVX2 inline __m256i load_entries(const Entry<std::uint16_t>* from, std::uint32_t there) {
  const void* at = from;
  if (there >= 8) return _mm256_loadu_si256(static_cast<const __m256i*>(at));
  const __m256i place = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i before = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(there)), place);
  return _mm256_maskload_epi32(static_cast<const int*>(at), before);
}

TECTREE_AVX2 inline unsigned top_bits(__m256i eight) {
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(eight)));
}

// The rows of each class but the first among eight, a bit each. The tag, a row's class, is the
// upper two bits of an entry's lower half.
template <int classes>
TECTREE_AVX2 inline void rows_by_class(__m256i entries, unsigned* bits) {
  constexpr int to_top = 31 - Entry<std::uint16_t>::rank_bits;  // the tag's lower bit
  const unsigned odd = top_bits(_mm256_slli_epi32(entries, to_top));
  bits[1] = odd;
  if (classes <= 2) return;
  const unsigned upper = top_bits(_mm256_slli_epi32(entries, to_top - 1));
  bits[2] = upper;
  if (classes == 3) return;
  bits[1] = odd & ~upper;
  bits[2] = upper & ~odd;
  bits[3] = odd & upper;
}

TECTREE_AVX2 inline __m256i count_below(unsigned bits) {
  const void* of = bits_below.of[bits];
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(of)));
}

TECTREE_AVX2 inline __m256 pick(const float* table, __m256i which) {
  return _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), which);
}

// Writes to `out` where all is wanted, and returns the best cut. All but the first class are
// counted, which has what is left of the rows. `joint`: both sides weigh the same.
template <int classes, bool joint, bool all, bool placed>
TECTREE_AVX2 inline SimdBest value_column(const SimdNode& c, SimdEntries entries,
                                          const SimdProxies& out) {
  std::uint32_t count[classes] = {};  // on the left of the first of eight
  unsigned bits[classes];
  std::uint32_t l = 0;
  for (; l + 8 < c.least; l += 8) {  // a row before the first cut is looked at too
    rows_by_class<classes>(load_entries(entries + l, 8), bits);
    for (int s = 1; s < classes; ++s)
      count[s] += static_cast<std::uint32_t>(__builtin_popcount(bits[s]));
  }
  const __m256i one_back = _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6);
  __m256i last = _mm256_setzero_si256();
  SimdLanes<placed> best;
  for (; l <= c.end; l += 8) {
    const __m256i e = load_entries(entries + l, c.n - l);
    rows_by_class<classes>(e, bits);
    __m256i rest = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256 b_left = _mm256_setzero_ps(), b_other = _mm256_setzero_ps();
    count[0] = l;
    std::uint64_t counts = 0;
#pragma GCC unroll 4
    for (int s = classes - 1; s >= 0; --s) {
      const std::uint32_t here = count[s];
      if (all) counts |= std::uint64_t{here} << (16 * s);
      __m256i below = rest;
      if (s > 0) {
        below = count_below(bits[s]);
        rest = _mm256_sub_epi32(rest, below);
        count[s] = here + static_cast<std::uint32_t>(__builtin_popcount(bits[s]));
        count[0] -= here;
      }
      b_other = _mm256_add_ps(b_other, pick(c.other[s] + here, below));
      if (!joint) b_left = _mm256_add_ps(b_left, pick(c.left + here, below));
    }
    if (all) out.counts[l / 8] = counts;
    __m256 proxy = b_other;
    if (!joint) {
      const __m256 weighed = _mm256_mul_ps(b_left, _mm256_loadu_ps(c.weight_left + l));
      proxy = _mm256_mul_ps(b_other, _mm256_loadu_ps(c.weight_right + l));
      proxy = _mm256_add_ps(proxy, weighed);
    }
    proxy = _mm256_sub_ps(proxy, _mm256_loadu_ps(c.less + l));
    // Each entry's rank, the last bits of its lower half, beside the one before it.
    const __m256i rank = _mm256_slli_epi32(e, 32 - Entry<std::uint16_t>::rank_bits);
    const __m256i turned = _mm256_permutevar8x32_epi32(rank, one_back);
    const __m256i tied = _mm256_cmpeq_epi32(rank, _mm256_blend_epi32(turned, last, 1));
    last = turned;
    proxy = _mm256_or_ps(proxy, _mm256_castsi256_ps(tied));
    if (all) _mm256_storeu_ps(out.proxy + l, proxy);
    best.look_at(proxy, l);
  }
  return best.best();
}

template <int classes, bool joint, bool placed>
TECTREE_AVX2 std::size_t best_of_columns(const SimdNode& node, const SimdEntries* columns,
                                         std::size_t n, float enough, SimdBest* best) {
  const SimdNode c = node;  // which nothing that is written changes
  for (std::size_t i = 0; i < n; ++i) {
    best[i] = value_column<classes, joint, false, placed>(c, columns[i], {});
    if (best[i].most >= enough) return i + 1;
  }
  return n;
}

template <int classes, bool joint>
TECTREE_AVX2 float value_cuts(const SimdNode& node, SimdEntries entries, const SimdProxies& out) {
  const SimdNode c = node;
  const SimdProxies to = out;
  return value_column<classes, joint, true, false>(c, entries, to).most;
}

// use(classes, joint), both std::integral_constant.
template <class Use>
auto with_shape(std::size_t classes, bool joint, Use use) {
  const auto of = [&](auto k) {
    return joint ? use(k, std::true_type()) : use(k, std::false_type());
  };
  if (classes <= 2) return of(std::integral_constant<int, 2>());
  return classes == 3 ? of(std::integral_constant<int, 3>()) : of(std::integral_constant<int, 4>());
}

}  // namespace detail

// The best cuts of the columns up to the first whose proxy reaches `enough`; how many these are.
// With their places where `placed`, for sides that weigh the same.
template <bool placed>
std::size_t best_of_columns(const SimdNode& node, std::size_t classes, bool joint,
                            const SimdEntries* columns, std::size_t n, float enough,
                            SimdBest* best) {
  return detail::with_shape(classes, joint || placed, [&](auto k, auto both) {
    return detail::best_of_columns < decltype(k)::value, placed || decltype(both)::value,
           placed > (node, columns, n, enough, best);
  });
}

// The proxy of every cut of a column; returns the highest.
inline float simd_proxies(const SimdNode& node, std::size_t classes, bool joint,
                          SimdEntries entries, const SimdProxies& out) {
  return detail::with_shape(classes, joint, [&](auto k, auto both) {
    return detail::value_cuts<decltype(k)::value, decltype(both)::value>(node, entries, out);
  });
}

// The cuts of [least, end] whose proxy is at least `bar`, rising; returns how many.
TECTREE_AVX2 inline std::uint32_t cuts_that_reach(const float* proxy, std::uint32_t least,
                                                  std::uint32_t end, float bar,
                                                  std::uint32_t* cuts) {
  const __m256 needed = _mm256_set1_ps(bar);
  std::uint32_t n = 0;
  for (std::uint32_t l = least / 8 * 8; l <= end; l += 8) {
    const __m256 reach = _mm256_cmp_ps(_mm256_loadu_ps(proxy + l), needed, _CMP_GE_OQ);
    unsigned bits = static_cast<unsigned>(_mm256_movemask_ps(reach));
    for (; bits != 0; bits &= bits - 1)
      cuts[n++] = l + static_cast<std::uint32_t>(__builtin_ctz(bits));
  }
  return n;
}

#else

template <bool placed>
std::size_t best_of_columns(const SimdNode&, std::size_t, bool, const SimdEntries*, std::size_t,
                            float, SimdBest*) {
  return 0;
}
inline float simd_proxies(const SimdNode&, std::size_t, bool, SimdEntries, const SimdProxies&) {
  return 0.0f;
}
inline std::uint32_t cuts_that_reach(const float*, std::uint32_t, std::uint32_t, float,
                                     std::uint32_t*) {
  return 0;
}

#endif

}  // namespace tectree

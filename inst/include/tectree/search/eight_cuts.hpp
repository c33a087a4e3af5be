// What every cut of a sorted column promises, eight cuts at a time and in single precision, where
// has_avx2().
//
// Of eight rows in a row those of a class are told by their tags. How many of them stand before
// each of the eight is looked up by the pattern of eight bits, and phi of the counts on either side
// of each cut, eight neighbouring numbers of a table, is picked by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../base/avx2.hpp"
#include "../data/arena.hpp"

namespace tectree {

constexpr std::size_t most_eight_classes = Entry<std::uint16_t>::tags;

using EightEntries = const Entry<std::uint16_t>*;  // of a column, tagged by their classes

// What the promises of a node's cuts are made of. What is read at place l of a table may reach
// l + 7.
struct EightCutsNode {
  std::uint32_t n, least, end;  // cuts with [least, end] rows on the left promise something
  // By a class's rows on the left: phi of those, and of those on the right; where both sides weigh
  // the same, in `other` the sum over both, less phi of all.
  const float *left, *other[most_eight_classes];
  const float *weight_left, *weight_right;  // by rows on the left
  const float* less;                        // likewise: what is taken off them; Inf for no cut
};

// By rows on the left; what stands before `least` is nothing or -Inf.
struct EightCutsResult {
  float* promise;         // NaN between equal values
  std::uint64_t* counts;  // of every eight: the classes' on the left of the first, 16 bits each
};

// What a column's cuts promise at most; -Inf without a cut.
struct EightBest {
  float most;
  // Where it is asked for: with how many rows on the left, and the most that another cut promises.
  std::uint32_t at;
  float next;
};

#ifdef TECTREE_HAS_AVX2

namespace detail {

// Where an entry's first two bytes hold its rank, and where its tag.
constexpr int rank_mask = Entry<std::uint16_t>::most_rows - 1, tag_mask = 0xFFFF ^ rank_mask;

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

// The rows of one class among eight: a bit each.
TECTREE_AVX2 inline unsigned rows_of_class(__m256i entries, int s) {
  const __m256i tag = _mm256_and_si256(entries, _mm256_set1_epi32(tag_mask));
  const __m256i same =
      _mm256_cmpeq_epi32(tag, _mm256_set1_epi32(s << Entry<std::uint16_t>::rank_bits));
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(same)));
}

TECTREE_AVX2 inline __m256i count_below(unsigned bits) {
  const void* of = bits_below.of[bits];
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(of)));
}

TECTREE_AVX2 inline __m256 pick(const float* table, __m256i which) {
  return _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), which);
}

TECTREE_AVX2 inline float most_of(__m256 eight) {
  const __m128 four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
}

// The best of the cuts looked at so far in every eighth place, and where it is where that is
// wanted.
template <bool placed>
struct EightLanes {
  __m256 most, next;
  __m256i at;

  TECTREE_AVX2 EightLanes()
      : most(_mm256_set1_ps(-__builtin_inff())), next(most), at(_mm256_setzero_si256()) {}

  // Nothing comes of a NaN: where one is compared, the second number is taken.
  TECTREE_AVX2 void look_at(__m256 promise, std::uint32_t l) {
    if (placed) {
      const __m256 better = _mm256_cmp_ps(promise, most, _CMP_GT_OQ);
      next = _mm256_max_ps(_mm256_min_ps(most, promise), next);
      at = _mm256_blendv_epi8(at, _mm256_set1_epi32(static_cast<int>(l)),
                              _mm256_castps_si256(better));
    }
    most = _mm256_max_ps(promise, most);
  }

  TECTREE_AVX2 EightBest best() const {
    EightBest out{most_of(most), 0, 0.0f};
    if (!placed) return out;
    const __m256 top = _mm256_cmp_ps(most, _mm256_set1_ps(out.most), _CMP_EQ_OQ);
    const auto lanes = static_cast<unsigned>(_mm256_movemask_ps(top));
    const int lane = __builtin_ctz(lanes);
    alignas(32) std::uint32_t from[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(from), at);
    out.at = from[lane] + static_cast<std::uint32_t>(lane);
    const __m256 others = _mm256_blendv_ps(most, next, top);
    out.next = (lanes & (lanes - 1)) != 0 ? out.most : most_of(others);
    return out;
  }
};

// Writes to `out` where all is wanted, and returns the best cut. All but the last class are
// counted, which has what is left of the rows. `joint`: both sides weigh the same.
template <int classes, bool joint, bool all, bool placed>
TECTREE_AVX2 inline EightBest value_column(const EightCutsNode& c, EightEntries entries,
                                           const EightCutsResult& out) {
  std::uint32_t count[classes] = {};  // on the left of the first of eight
  std::uint32_t l = 0;
  for (; l + 8 < c.least; l += 8) {  // a row before the first cut is looked at too
    const __m256i e = load_entries(entries + l, 8);
    for (int s = 0; s + 1 < classes; ++s)
      count[s] += static_cast<std::uint32_t>(__builtin_popcount(rows_of_class(e, s)));
  }
  const __m256i one_back = _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6);
  __m256i last = _mm256_setzero_si256();
  EightLanes<placed> best;
  for (; l <= c.end; l += 8) {
    const __m256i e = load_entries(entries + l, c.n - l);
    __m256i rest = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256 b_left = _mm256_setzero_ps(), b_other = _mm256_setzero_ps();
    count[classes - 1] = l;
    std::uint64_t counts = 0;
#pragma GCC unroll 4
    for (int s = 0; s < classes; ++s) {
      const std::uint32_t here = count[s];
      if (all) counts |= std::uint64_t{here} << (16 * s);
      __m256i below = rest;
      if (s + 1 < classes) {
        const unsigned bits = rows_of_class(e, s);
        below = count_below(bits);
        rest = _mm256_sub_epi32(rest, below);
        count[s] = here + static_cast<std::uint32_t>(__builtin_popcount(bits));
        count[classes - 1] -= here;
      }
      b_other = _mm256_add_ps(b_other, pick(c.other[s] + here, below));
      if (!joint) b_left = _mm256_add_ps(b_left, pick(c.left + here, below));
    }
    if (all) out.counts[l / 8] = counts;
    __m256 promise = b_other;
    if (!joint) {
      const __m256 weighed = _mm256_mul_ps(b_left, _mm256_loadu_ps(c.weight_left + l));
      promise = _mm256_mul_ps(b_other, _mm256_loadu_ps(c.weight_right + l));
      promise = _mm256_add_ps(promise, weighed);
    }
    promise = _mm256_sub_ps(promise, _mm256_loadu_ps(c.less + l));
    // Each entry beside the one before it.
    const __m256i turned = _mm256_permutevar8x32_epi32(e, one_back);
    const __m256i before = _mm256_blend_epi32(turned, last, 1);
    last = turned;
    const __m256i rank =
        _mm256_and_si256(_mm256_xor_si256(e, before), _mm256_set1_epi32(rank_mask));
    const __m256i tied = _mm256_cmpeq_epi32(rank, _mm256_setzero_si256());
    promise = _mm256_or_ps(promise, _mm256_castsi256_ps(tied));
    if (all) _mm256_storeu_ps(out.promise + l, promise);
    best.look_at(promise, l);
  }
  return best.best();
}

template <int classes, bool joint, bool placed>
TECTREE_AVX2 std::size_t best_of_columns(const EightCutsNode& node, const EightEntries* columns,
                                         std::size_t n, float enough, EightBest* best) {
  const EightCutsNode c = node;  // which nothing that is written changes
  for (std::size_t i = 0; i < n; ++i) {
    best[i] = value_column<classes, joint, false, placed>(c, columns[i], {});
    if (best[i].most >= enough) return i + 1;
  }
  return n;
}

template <int classes, bool joint>
TECTREE_AVX2 float value_cuts(const EightCutsNode& node, EightEntries entries,
                              const EightCutsResult& out) {
  const EightCutsNode c = node;
  const EightCutsResult to = out;
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

// The best cuts of the columns up to the first that promises `enough`, with their places where
// `placed`; how many these are.
template <bool placed>
std::size_t best_of_columns(const EightCutsNode& node, std::size_t classes, bool joint,
                            const EightEntries* columns, std::size_t n, float enough,
                            EightBest* best) {
  return detail::with_shape(classes, joint, [&](auto k, auto both) {
    return detail::best_of_columns<decltype(k)::value, decltype(both)::value, placed>(
        node, columns, n, enough, best);
  });
}

// What every cut of a column promises; returns the most.
inline float value_eight_cuts(const EightCutsNode& node, std::size_t classes, bool joint,
                              EightEntries entries, const EightCutsResult& out) {
  return detail::with_shape(classes, joint, [&](auto k, auto both) {
    return detail::value_cuts<decltype(k)::value, decltype(both)::value>(node, entries, out);
  });
}

// The cuts of [least, end] that promise at least `bar`, rising; returns how many.
TECTREE_AVX2 inline std::uint32_t cuts_that_reach(const float* promise, std::uint32_t least,
                                                  std::uint32_t end, float bar,
                                                  std::uint32_t* cuts) {
  const __m256 needed = _mm256_set1_ps(bar);
  std::uint32_t n = 0;
  for (std::uint32_t l = least / 8 * 8; l <= end; l += 8) {
    const __m256 reach = _mm256_cmp_ps(_mm256_loadu_ps(promise + l), needed, _CMP_GE_OQ);
    unsigned bits = static_cast<unsigned>(_mm256_movemask_ps(reach));
    for (; bits != 0; bits &= bits - 1)
      cuts[n++] = l + static_cast<std::uint32_t>(__builtin_ctz(bits));
  }
  return n;
}

#else

inline void mirror(const float*, std::uint32_t, float*) {}
inline float add_mirrored(const double*, std::uint32_t, double, float*) {
  return 0.0f;
}
template <bool placed>
std::size_t best_of_columns(const EightCutsNode&, std::size_t, bool, const EightEntries*,
                            std::size_t, float, EightBest*) {
  return 0;
}
inline float value_eight_cuts(const EightCutsNode&, std::size_t, bool, EightEntries,
                              const EightCutsResult&) {
  return 0.0f;
}
inline std::uint32_t cuts_that_reach(const float*, std::uint32_t, std::uint32_t, float,
                                     std::uint32_t*) {
  return 0;
}

#endif

}  // namespace tectree

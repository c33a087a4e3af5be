// The proxy of every cut of a sorted column (see cut_proxies.hpp), eight cuts at a time and in
// single precision, where has_simd().
//
// Of eight rows in a row those of a class are told by their tags. How many of them stand before
// each of the eight is looked up by the pattern of eight bits, and phi of the counts on either side
// of each cut, eight neighbouring numbers of a table, is picked by it.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../base/simd.hpp"
#include "../../data/arena.hpp"

namespace tectree {

// The highest proxy of a column's cuts; -Inf without a cut.
struct SimdBest {
  float most;
  // Where it is asked for: with how many rows on the left, and the highest proxy of another cut.
  std::uint32_t at;
  float next;
};

namespace detail {

// The best of the cuts looked at so far in every eighth place, and where it is where that is
// wanted.
template <bool placed>
struct SimdLanes {
  simd::Floats most, next;
  simd::Ints at;

  TECTREE_SIMD SimdLanes()
      : most(simd::all(-HUGE_VALF)), next(most), at(simd::all(std::uint32_t{0})) {}

  TECTREE_SIMD void look_at(simd::Floats proxy, std::uint32_t l) {
    if (placed) {
      next = simd::best_of(simd::min(most, proxy), next);
      at = simd::select(simd::greater(proxy, most), simd::all(l), at);
    }
    most = simd::best_of(proxy, most);
  }

  TECTREE_SIMD SimdBest best() const {
    SimdBest out{simd::most(most), 0, 0.0f};
    if (!placed) return out;
    const simd::Ints top = simd::equal(most, simd::all(out.most));
    const unsigned lanes = simd::top_bits(top);
    const int lane = first_bit(lanes);
    std::uint32_t from[8];
    simd::store(from, at);
    out.at = from[lane] + static_cast<std::uint32_t>(lane);
    const simd::Floats others = simd::select(top, next, most);
    out.next = (lanes & (lanes - 1)) != 0 ? out.most : simd::most(others);
    return out;
  }
};

}  // namespace detail

constexpr std::size_t most_simd_classes = Entry<std::uint16_t>::tags;

using SimdEntries = const Entry<std::uint16_t>*;  // of a column, tagged by their classes

// What the proxies of a node's cuts are made of. What is read at place l of a table may reach
// l + 7.
struct SimdNode {
  std::uint32_t n, least, end;  // cuts with [least, end] rows on the left have a proxy
  int classes;                  // that have rows
  // By class: its tag, where it stands in an entry; and by its rows on the left phi of those on the
  // right or, where both sides weigh the same, the sum over both, less phi of all.
  std::uint32_t tag[most_simd_classes];
  const float* other[most_simd_classes];
  const float* left;                        // phi of the rows on the left
  const float *weight_left, *weight_right;  // by rows on the left
  const float* less;                        // likewise: what is taken off them; Inf for no cut
};

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

constexpr int rank_bits = Entry<std::uint16_t>::bits;
constexpr std::uint32_t tag_mask = (Entry<std::uint16_t>::tags - 1) << rank_bits;

// Which of eight rows are of a class, a bit each.
TECTREE_SIMD inline unsigned rows_of(std::uint32_t tag, simd::Ints entries) {
  return simd::top_bits(simd::equal(simd::both(entries, simd::all(tag_mask)), simd::all(tag)));
}

// Writes the proxies, NaN between equal values, where all are wanted, and returns the best cut;
// before `least` stands nothing or -Inf. All classes but the first are counted, which has what is
// left of the rows. `classes`: their number where it is known to the compiler, else 0. `joint`:
// both sides weigh the same.
template <int classes, bool joint, bool all, bool placed>
TECTREE_SIMD inline SimdBest value_column(const SimdNode& c, SimdEntries entries, float* proxies) {
  const int k = classes > 0 ? classes : c.classes;
  std::uint32_t count[classes > 0 ? classes : most_simd_classes] =
      {};  // left of the first of eight
  std::uint32_t l = 0;
  for (; l + 8 < c.least; l += 8) {  // a row before the first cut is looked at too
    const simd::Ints e = simd::load_first(entries + l, 8);
    for (int s = 1; s < k; ++s) count[s] += count_bits(rows_of(c.tag[s], e));
  }
  simd::Ints last = simd::all(std::uint32_t{0});
  const simd::Floats no_cut = simd::all(std::nanf(""));
  SimdLanes<placed> best;
  for (; l <= c.end; l += 8) {
    const simd::Ints e = simd::load_first(entries + l, c.n - l);
    simd::Ints rest = simd::places();
    simd::Floats b_left = simd::all(0.0f), b_other = simd::all(0.0f);
    std::uint32_t first = l;
#pragma GCC unroll 4
    for (int s = k - 1; s > 0; --s) {
      const unsigned bits = rows_of(c.tag[s], e);
      const simd::Ints below = simd::widen(bits_below.of[bits]);
      const std::uint32_t here = count[s];
      rest = simd::sub(rest, below);
      first -= here;
      count[s] = here + count_bits(bits);
      b_other = simd::add(b_other, simd::pick(c.other[s] + here, below));
      if (!joint) b_left = simd::add(b_left, simd::pick(c.left + here, below));
    }
    simd::Floats proxy = simd::add(b_other, simd::pick(c.other[0] + first, rest));
    if (!joint) {
      b_left = simd::add(b_left, simd::pick(c.left + first, rest));
      const simd::Floats weighed = simd::mul(b_left, simd::load(c.weight_left + l));
      proxy = simd::add(simd::mul(proxy, simd::load(c.weight_right + l)), weighed);
    }
    proxy = simd::sub(proxy, simd::load(c.less + l));
    // Each entry's rank, its last bits, beside the one before it.
    const simd::Ints rank = simd::shift_up<32 - rank_bits>(e);
    const simd::Ints turned = simd::turned(rank);
    proxy = simd::select(simd::equal(rank, simd::first_of(last, turned)), no_cut, proxy);
    last = turned;
    if (all) simd::store(proxies + l, proxy);
    best.look_at(proxy, l);
  }
  return best.best();
}

template <int classes, bool joint, bool placed>
TECTREE_SIMD std::size_t best_of_columns(const SimdNode& node, const SimdEntries* columns,
                                         std::size_t n, float enough, SimdBest* best) {
  const SimdNode c = node;  // which nothing that is written changes
  for (std::size_t i = 0; i < n; ++i) {
    best[i] = value_column<classes, joint, false, placed>(c, columns[i], nullptr);
    if (best[i].most >= enough) return i + 1;
  }
  return n;
}

template <int classes, bool joint>
TECTREE_SIMD float value_cuts(const SimdNode& node, SimdEntries entries, float* proxies) {
  const SimdNode c = node;
  return value_column<classes, joint, true, false>(c, entries, proxies).most;
}

// use(classes, joint), both std::integral_constant.
template <class Use>
auto with_shape(int classes, bool joint, Use use) {
  const auto of = [&](auto k) {
    return joint ? use(k, std::true_type()) : use(k, std::false_type());
  };
  if (classes <= 2) return of(std::integral_constant<int, 2>());
  return classes == 3 ? of(std::integral_constant<int, 3>()) : of(std::integral_constant<int, 0>());
}

}  // namespace detail

// The best cuts of the columns up to the first whose proxy reaches `enough`; how many these are.
// With their places where `placed`, for sides that weigh the same.
template <bool placed>
std::size_t best_of_columns(const SimdNode& node, bool joint, const SimdEntries* columns,
                            std::size_t n, float enough, SimdBest* best) {
  return detail::with_shape(node.classes, joint || placed, [&](auto k, auto both) {
    return detail::best_of_columns < decltype(k)::value, placed || decltype(both)::value,
           placed > (node, columns, n, enough, best);
  });
}

// The proxy of every cut of a column; returns the highest.
inline float simd_proxies(const SimdNode& node, bool joint, SimdEntries entries, float* proxies) {
  return detail::with_shape(node.classes, joint, [&](auto k, auto both) {
    return detail::value_cuts<decltype(k)::value, decltype(both)::value>(node, entries, proxies);
  });
}

// The cuts of [least, end] whose proxy is at least `bar`, rising; returns how many.
TECTREE_SIMD inline std::uint32_t cuts_that_reach(const float* proxy, std::uint32_t least,
                                                  std::uint32_t end, float bar,
                                                  std::uint32_t* cuts) {
  const simd::Floats needed = simd::all(bar);
  std::uint32_t n = 0;
  for (std::uint32_t l = least / 8 * 8; l <= end; l += 8) {
    unsigned bits = simd::top_bits(simd::at_least(simd::load(proxy + l), needed));
    for (; bits != 0; bits &= bits - 1) cuts[n++] = l + static_cast<std::uint32_t>(first_bit(bits));
  }
  return n;
}

// Tables read from both ends at once: what both sides of a cut have to do with.
//
// to[l] = table[n - l] for 0 <= l <= n; `table` has eight places before 0, `to` eight behind n.
TECTREE_SIMD inline void mirror(const float* table, std::uint32_t n, float* to) {
  for (std::uint32_t l = 0; l <= n; l += 8)
    simd::store(to + l, simd::load_turned(table + (static_cast<std::ptrdiff_t>(n) - l)));
}

// to[l] = table[l] + table[n - l] - off likewise; returns at least the largest of them in size.
TECTREE_SIMD inline float add_mirrored(const double* table, std::uint32_t n, double off,
                                       float* to) {
  simd::Floats most = simd::all(0.0f);
  for (std::uint32_t l = 0; l <= n; l += 8) {
    const simd::Floats sum =
        simd::sum_turned(table + l, table + (static_cast<std::ptrdiff_t>(n) - l), off);
    most = simd::best_of(simd::size(sum), most);
    simd::store(to + l, sum);
  }
  return simd::most(most);
}

}  // namespace tectree

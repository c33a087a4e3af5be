// Room search/simd/: all cuts of a sorted column for classes, eight at a time and in single
// precision, where has_simd().
//
// The walk over a column, whatever its rows weigh. Lanes value eight cuts by their proxies (see
// MovingCut::proxy()), NaN for no cut; they are made from a node that all its columns share, of n
// rows, in which cuts have [least, end] rows on the left:
//   Lanes(node)            with no rows on the left
//   pass(e)                eight rows before the first cut
//   proxies(e, l)          of l to l + 7 rows on the left, and moves these eight over
//   sure()                 whether each cut that was valued is surely a cut
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "../../base/simd.hpp"
#include "../../data/arena.hpp"

namespace tectree {

using SimdEntries = const Entry<std::uint16_t>*;  // of a column, tagged by their classes

constexpr std::size_t most_simd_classes = Entry<std::uint16_t>::tags;

// The highest proxy of a column's cuts; -Inf without a cut.
struct SimdBest {
  float most;
  // Where it is asked for: with how many rows on the left, and the highest proxy of another cut.
  std::uint32_t at;
  float next;
  bool sure = true;  // that it is a cut
};

namespace detail {

constexpr int rank_bits = Entry<std::uint16_t>::bits;
constexpr std::uint32_t tag_mask = (Entry<std::uint16_t>::tags - 1) << rank_bits;

// Which of eight rows are of a class.
TECTREE_LANES simd::Ints rows_of(std::uint32_t tag, simd::Ints entries) {
  return (entries & simd::all(tag_mask)) == simd::all(tag);
}

// The best of the cuts looked at so far in every eighth place, and where it is where that is
// wanted.
template <bool placed>
struct SimdLanes {
  simd::Floats most, next;
  simd::Ints at;

  TECTREE_LANES SimdLanes()
      : most(simd::all(-HUGE_VALF)), next(most), at(simd::all(std::uint32_t{0})) {}

  TECTREE_LANES void look_at(simd::Floats proxy, std::uint32_t l) {
    if (placed) {
      const simd::Ints above = proxy > most;
      next = simd::best_of(simd::select(above, most, proxy), next);
      at = simd::select(above, simd::all(l), at);
    }
    most = simd::best_of(proxy, most);
  }

  TECTREE_LANES SimdBest best() const {
    SimdBest out{simd::most(most), 0, 0.0f};
    if (!placed) return out;
    const simd::Ints top = most == simd::all(out.most);
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

// Writes the proxies, NaN between equal values, where all are wanted, and returns the best cut;
// before `least` stands nothing or -Inf.
template <class Lanes, bool all, bool placed, class Node>
TECTREE_SIMD inline SimdBest value_column(const Node& c, SimdEntries entries, float* proxies) {
  Lanes lanes(c);
  std::uint32_t l = 0;
  for (; l + 8 < c.least; l += 8) {  // a row before the first cut is looked at too
    lanes.pass(simd::load_first(entries + l, 8));
  }
  simd::Ints last = simd::all(std::uint32_t{0});
  const simd::Floats no_cut = simd::all(std::nanf(""));
  SimdLanes<placed> best;
  for (; l <= c.end; l += 8) {
    const simd::Ints e = simd::load_first(entries + l, c.n - l);
    simd::Floats proxy = lanes.proxies(e, l);
    // Each entry's rank, its last bits, beside the one before it.
    const simd::Ints rank = simd::up<32 - rank_bits>(e);
    const simd::Ints turned = simd::turned(rank);
    proxy = simd::select(rank == simd::first_of(last, turned), no_cut, proxy);
    last = turned;
    if (all) simd::store(proxies + l, proxy);
    best.look_at(proxy, l);
  }
  SimdBest out = best.best();
  out.sure = lanes.sure();
  return out;
}

// The best cuts of the columns up to the first whose proxy reaches `enough`; how many these are.
// With their places where `placed`.
template <class Lanes, bool placed, class Node>
TECTREE_SIMD std::size_t best_of_columns(const Node& node, const SimdEntries* columns,
                                         std::size_t n, float enough, SimdBest* best) {
  const Node c = node;  // which nothing that is written changes
  for (std::size_t i = 0; i < n; ++i) {
    best[i] = value_column<Lanes, false, placed>(c, columns[i], nullptr);
    if (best[i].most >= enough) return i + 1;
  }
  return n;
}

// The proxy of every cut of a column; returns the best.
template <class Lanes, class Node>
TECTREE_SIMD SimdBest value_cuts(const Node& node, SimdEntries entries, float* proxies) {
  const Node c = node;
  return value_column<Lanes, true, false>(c, entries, proxies);
}

}  // namespace detail

// The cuts of [least, end] whose proxy is at least `bar`, rising; returns how many.
TECTREE_SIMD inline std::uint32_t cuts_that_reach(const float* proxy, std::uint32_t least,
                                                  std::uint32_t end, float bar,
                                                  std::uint32_t* cuts) {
  const simd::Floats needed = simd::all(bar);
  std::uint32_t n = 0;
  for (std::uint32_t l = least / 8 * 8; l <= end; l += 8) {
    unsigned bits = simd::top_bits(simd::load(proxy + l) >= needed);
    for (; bits != 0; bits &= bits - 1) cuts[n++] = l + static_cast<std::uint32_t>(first_bit(bits));
  }
  return n;
}

}  // namespace tectree

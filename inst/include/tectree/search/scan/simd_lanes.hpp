// The best of numbers that come eight at a time, and where it is.
#pragma once

#include <cmath>
#include <cstdint>

#include "../../base/simd.hpp"

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
}  // namespace tectree

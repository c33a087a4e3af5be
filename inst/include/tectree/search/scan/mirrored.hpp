// Tables read from both ends at once, where has_simd(): what both sides of a cut have to do with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../base/simd.hpp"

namespace tectree {

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

// Sorting a column once: LSD radix sort on keys that order as the numbers do.
//
// A double's bits, read as an unsigned integer, already order the positive numbers; flipping the sign
// bit of those, and all bits of the negative ones, orders the whole line, infinities at the ends.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "frame.hpp"

namespace tectree {

inline std::uint64_t order_key(double x) {
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits ^ ((bits >> 63) ? ~std::uint64_t{0} : std::uint64_t{1} << 63);
}

struct Keyed {
  std::uint64_t key;
  std::uint32_t position;
};

// Stable: equal keys stay in the order they came. `spare` is working space of the caller.
inline void radix_sort(std::vector<Keyed>& items, std::vector<Keyed>& spare) {
  constexpr int digit_bits = 11, digits = 6, buckets = 1 << digit_bits;
  if (items.size() < 2 * buckets) {
    std::stable_sort(items.begin(), items.end(), [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
    return;
  }
  std::vector<std::array<std::uint32_t, buckets>> counts(digits);
  for (auto& c : counts) c.fill(0);
  for (const Keyed& item : items) {
    for (int d = 0; d < digits; ++d) ++counts[d][(item.key >> (d * digit_bits)) & (buckets - 1)];
  }
  spare.resize(items.size());
  for (int d = 0; d < digits; ++d) {
    auto& count = counts[d];
    const int shift = d * digit_bits;
    // A digit that all keys share (small integers leave most of them so) moves nothing.
    if (count[(items[0].key >> shift) & (buckets - 1)] == items.size()) continue;
    std::uint32_t start = 0;
    for (auto& c : count) {
      const std::uint32_t here = c;
      c = start;
      start += here;
    }
    for (const Keyed& item : items) spare[count[(item.key >> shift) & (buckets - 1)]++] = item;
    items.swap(spare);
  }
}

}  // namespace tectree

// Sorts a column once: LSD radix sort on keys that order like the numbers.
//
// A double's bits, read as an unsigned integer, already order the positive numbers. Flipping the
// sign bit of those, and all bits of the negative ones, orders the whole line, with infinities at
// the ends.
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

// A key's upper half and the position of its number. Sorting by halves moves a quarter of the data
// of whole keys.
struct Keyed {
  std::uint32_t high;
  std::uint32_t position;
};

// Stable, by `high`. `spare` is the caller's working space.
inline void radix_sort(std::vector<Keyed>& items, std::vector<Keyed>& spare) {
  constexpr int digit_bits = 8, digits = 4, buckets = 1 << digit_bits;
  if (items.size() < buckets / 2) {
    std::stable_sort(items.begin(), items.end(),
                     [](const Keyed& a, const Keyed& b) { return a.high < b.high; });
    return;
  }
  std::array<std::array<std::uint32_t, buckets>, digits> counts{};
  for (const Keyed& item : items) {
    for (int d = 0; d < digits; ++d) ++counts[d][(item.high >> (d * digit_bits)) & (buckets - 1)];
  }
  spare.resize(items.size());
  for (int d = 0; d < digits; ++d) {
    auto& count = counts[d];
    const int shift = d * digit_bits;
    // A digit that all keys share (common for small integers) moves nothing.
    if (count[(items[0].high >> shift) & (buckets - 1)] == items.size()) continue;
    std::uint32_t start = 0;
    for (auto& c : count) {
      const std::uint32_t here = c;
      c = start;
      start += here;
    }
    for (const Keyed& item : items) spare[count[(item.high >> shift) & (buckets - 1)]++] = item;
    items.swap(spare);
  }
}

// Sorts the positions by number(position), stably, and calls out(position, is_new) for each in that
// order, is_new if its number differs from the previous one. Runs that agree in the upper half are
// sorted by the whole key.
template <class Number, class Out>
void in_order(std::vector<Keyed>& items, std::vector<Keyed>& spare, Number number, Out out) {
  struct Whole {
    std::uint64_t key;
    std::uint32_t position;
  };
  radix_sort(items, spare);
  std::vector<Whole> run;
  for (std::size_t begin = 0, end; begin < items.size(); begin = end) {
    end = begin + 1;
    while (end < items.size() && items[end].high == items[begin].high) ++end;
    const auto key = [&](std::size_t i) { return order_key(number(items[i].position)); };
    // Most runs are one value.
    std::size_t same = begin + 1;
    const std::uint64_t first = same < end ? key(begin) : 0;
    while (same < end && key(same) == first) ++same;
    if (same == end) {
      for (std::size_t i = begin; i < end; ++i) out(items[i].position, i == begin);
      continue;
    }
    run.clear();
    for (std::size_t i = begin; i < end; ++i) run.push_back({key(i), items[i].position});
    const auto less = [](const Whole& a, const Whole& b) { return a.key < b.key; };
    if (!std::is_sorted(run.begin(), run.end(), less))
      std::stable_sort(run.begin(), run.end(), less);
    for (std::size_t i = 0; i < run.size(); ++i)
      out(run[i].position, i == 0 || run[i].key != run[i - 1].key);
  }
}

inline Keyed keyed(double x, std::size_t position) {
  return {static_cast<std::uint32_t>(order_key(x) >> 32), static_cast<std::uint32_t>(position)};
}

}  // namespace tectree

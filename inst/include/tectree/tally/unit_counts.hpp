// Class counts of rows that count 1.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tectree {

// Adds the classes of rows[0, n) to `total`. Counts of up to four classes share one register, so
// that a row need not wait for the memory of the last one's count.
template <class Index>
void count_units(const Index* rows, std::size_t n, const std::uint16_t* label,
                 std::vector<std::uint32_t>& total) {
  if (total.size() > 4) {
    for (std::size_t i = 0; i < n; ++i) ++total[label[rows[i]]];
    return;
  }
  constexpr std::size_t most = 0xFFFF;  // that 16 bits hold
  for (std::size_t i = 0; i < n;) {
    std::uint64_t counts = 0;
    for (const std::size_t end = std::min(n, i + most); i < end; ++i)
      counts += std::uint64_t{1} << (16 * label[rows[i]]);
    for (std::size_t s = 0; s < total.size(); ++s)
      total[s] += static_cast<std::uint32_t>((counts >> (16 * s)) & most);
  }
}

}  // namespace tectree

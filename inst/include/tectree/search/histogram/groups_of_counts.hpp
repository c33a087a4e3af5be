// A column's groups from counts: of its codes where every code is one value, of its levels where
// they are too many.
#pragma once

#include <cstdint>
#include <vector>

#include "../../data/codes/coded_column.hpp"
#include "../groups/groups.hpp"

namespace tectree {

// `counts`: k class counts a value, values[i] the i-th; those without rows make no group.
template <class ValueOf>
void groups_from_counts(const std::uint32_t* counts, std::size_t n_values, int k, ValueOf value_of,
                        Groups& out) {
  out.start(k);
  for (std::size_t i = 0; i < n_values; ++i) {
    const std::uint32_t* here = counts + i * k;
    double weight = 0.0;
    for (int s = 0; s < k; ++s) weight += here[s];
    if (!(weight > 0.0)) continue;
    out.add(value_of(i));
    out.weight.back() = weight;
    std::copy_n(here, k, out.of(out.size() - 1));
  }
  out.finish();
}

// A factor of more levels than there are codes, counted by its own.
inline void groups_of_levels(const Column& column, const Sample& sample, const std::uint32_t* rows,
                             std::size_t n_rows, const std::uint16_t* label, int k, Groups& out) {
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(column.n_levels) * k, 0);
  for (std::size_t i = 0; i < n_rows; ++i) {
    const int code = column.whole[sample.row(rows[i])];
    if (code != missing_code) ++counts[static_cast<std::size_t>(code - 1) * k + label[rows[i]]];
  }
  groups_from_counts(
      counts.data(), column.n_levels, k, [](std::size_t i) { return static_cast<double>(i + 1); },
      out);
}

}  // namespace tectree

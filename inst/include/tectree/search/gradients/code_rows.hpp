// The codes of up to eight columns side by side, row by row: a row of a node, which may be anywhere
// in memory, is read once for all of them, and the sums of their codes fit the cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../base/row_passes.hpp"
#include "coded_for_gradients.hpp"
#include "gradient_sums.hpp"

namespace tectree {

struct CodeGroup {
  static constexpr std::size_t most = 8;
  std::vector<std::uint32_t> columns;
  std::vector<std::uint8_t> code;  // by row, then by column

  const std::uint8_t* at(std::size_t row) const { return code.data() + row * columns.size(); }

  // Adds the cell of each row to the cells of its codes: to[j] are those of column j.
  void add(const std::uint32_t* row, std::size_t n, const GradientCell* cell,
           GradientCell* const* to) const {
    switch (columns.size()) {
      case 1:
        return add_width<1>(row, n, cell, to);
      case 2:
        return add_width<2>(row, n, cell, to);
      case 3:
        return add_width<3>(row, n, cell, to);
      case 4:
        return add_width<4>(row, n, cell, to);
      case 5:
        return add_width<5>(row, n, cell, to);
      case 6:
        return add_width<6>(row, n, cell, to);
      case 7:
        return add_width<7>(row, n, cell, to);
      default:
        return add_width<8>(row, n, cell, to);
    }
  }

 private:
  template <std::size_t width>
  void add_width(const std::uint32_t* row, std::size_t n, const GradientCell* cell,
                 GradientCell* const* to) const {
    GradientCell* sums[width];
    std::copy_n(to, width, sums);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint8_t* at = code.data() + row[i] * width;
      const GradientCell one = cell[i];
      for (std::size_t j = 0; j < width; ++j) sums[j][at[j]].add(one);
    }
  }
};

// Groups of about equal size of the columns with one byte per row.
inline std::vector<CodeGroup> group_columns(const CodeColumns& columns, std::size_t n, Team& team) {
  std::vector<std::uint32_t> narrow;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].wide.empty()) narrow.push_back(static_cast<std::uint32_t>(c));
  }
  std::vector<CodeGroup> out((narrow.size() + CodeGroup::most - 1) / CodeGroup::most);
  for (std::size_t g = 0; g < out.size(); ++g) {
    const auto at = [&](std::size_t group) {
      return narrow.begin() + static_cast<std::ptrdiff_t>(group * narrow.size() / out.size());
    };
    out[g].columns.assign(at(g), at(g + 1));
    out[g].code.resize(n * out[g].columns.size());
  }
  pass_over(n, columns.size(), team, [&](std::size_t first, std::size_t end, Team&) {
    for (CodeGroup& group : out) {
      const std::size_t width = group.columns.size();
      for (std::size_t j = 0; j < width; ++j) {
        const std::uint8_t* from = columns[group.columns[j]].code.data();
        for (std::size_t i = first; i < end; ++i) group.code[i * width + j] = from[i];
      }
    }
  });
  return out;
}

}  // namespace tectree

// A column as boosting sees it: one byte per row, and the smallest and the largest value of each
// code. A column with few values has one code per value; the cuts of other columns lie between
// quantile bins. A factor with more levels than a byte can hold has two bytes per row.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../../data/codes/coded_column.hpp"
#include "../../split/split.hpp"

namespace tectree {

struct CodeColumn {
  Kind kind = Kind::numeric;
  int codes = 0;  // the code of a missing value follows them
  std::vector<std::uint8_t> code;
  std::vector<std::uint16_t> wide;  // instead, for a factor of more than 255 levels
  std::vector<double> least, most;  // by code; infinite for one without rows

  // use(the codes by position), of either width.
  template <class Use>
  void with_codes(Use use) const {
    if (wide.empty()) {
      use(code.data());
    } else {
      use(wide.data());
    }
  }
};

namespace detail {

inline CodeColumn code_many_levels(const Column& column, const Sample& sample) {
  if (column.n_levels > 65535) throw std::length_error("a factor has too many levels");
  CodeColumn out;
  out.codes = column.n_levels;
  out.wide.resize(sample.size);
  for (std::size_t i = 0; i < sample.size; ++i) {
    const int level = column.level(sample.row(i));
    out.wide[i] = static_cast<std::uint16_t>(level == missing_code ? out.codes : level - 1);
  }
  return out;
}

inline CodeColumn code_values(const Column& column, const Sample& sample) {
  CodedColumn coded = make_codes(column, sample);
  if (!coded.coded) return code_many_levels(column, sample);
  CodeColumn out;
  out.codes = coded.codes;
  out.code = std::move(coded.binned.code);
  return out;
}

}  // namespace detail

inline CodeColumn code_column(const Column& column, const Sample& sample) {
  CodeColumn out = detail::code_values(column, sample);
  out.kind = column.kind;
  const auto n = static_cast<std::size_t>(out.codes);
  out.least.assign(n, HUGE_VAL);
  out.most.assign(n, -HUGE_VAL);
  out.with_codes([&](const auto* code) {
    each_value(column, sample, [&](std::size_t i, double x) {
      if (std::isnan(x)) return true;
      out.least[code[i]] = std::min(out.least[code[i]], x);
      out.most[code[i]] = std::max(out.most[code[i]], x);
      return true;
    });
  });
  return out;
}

// The codes of a sample's columns, made once for all trees, as they do not depend on the response.
using CodeColumns = std::vector<CodeColumn>;

inline CodeColumns code_for_gradients(const Frame& frame, const Sample& sample, Team& team) {
  CodeColumns out(frame.columns.size());
  team.each(out.size(),
            [&](std::size_t c, Team&) { out[c] = code_column(frame.columns[c], sample); });
  return out;
}

// The branch of each code at a split in two; `missing`: that of rows with a missing value. Codes
// without rows go anywhere.
inline void side_of_codes(const SplitView& split, const CodeColumn& column, int missing,
                          std::vector<std::uint8_t>& out) {
  const auto n = static_cast<std::size_t>(column.codes);
  out.resize(n + 1);
  for (std::size_t b = 0; b < n; ++b) out[b] = route_value(split, column.most[b]) == 1;
  out[n] = missing == 1;
}

}  // namespace tectree

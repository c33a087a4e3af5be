// A column as boosting sees it: a byte a row, and the least and the largest value of each code. A
// column of few values has a code for each; the cuts of another lie between quantile bins.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "../../data/codes/coded_column.hpp"

namespace tectree {

struct CodeColumn {
  Kind kind = Kind::numeric;
  int codes = 0;  // the code of a missing value comes after them
  std::vector<std::uint8_t> code;
  std::vector<double> least, most;  // by code; NaN of one without rows
};

inline CodeColumn code_column(const Column& column, const Sample& sample) {
  CodedColumn coded = make_codes(column, sample);
  if (!coded.coded) throw std::length_error("a factor has too many levels");
  CodeColumn out;
  out.kind = column.kind;
  out.codes = coded.codes;
  out.code = std::move(coded.binned.code);
  const auto n = static_cast<std::size_t>(out.codes);
  out.least.assign(n, HUGE_VAL);
  out.most.assign(n, -HUGE_VAL);
  each_value(column, sample, [&](std::size_t i, double x) {
    if (std::isnan(x)) return true;
    out.least[out.code[i]] = std::min(out.least[out.code[i]], x);
    out.most[out.code[i]] = std::max(out.most[out.code[i]], x);
    return true;
  });
  return out;
}

// Of a sample's columns, made once for all trees: codes know no response.
using CodeColumns = std::vector<CodeColumn>;

inline CodeColumns code_for_gradients(const Frame& frame, const Sample& sample, Team& team) {
  CodeColumns out(frame.columns.size());
  team.each(out.size(),
            [&](std::size_t c, Team&) { out[c] = code_column(frame.columns[c], sample); });
  return out;
}

}  // namespace tectree

// Room data/codes/: columns as one byte per row, made once per data set. Codes do not depend on the
// response.
//
// A column with at most 255 codes, one byte per row: one code per value if there are few values,
// quantile bins otherwise. Bins only say where to look closely; a result never depends on the
// positions of their edges.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "../arena.hpp"
#include "bin_edges.hpp"
#include "binned.hpp"

namespace tectree {

struct CodedColumn {
  Binned binned;       // its codes; values only if `exact`
  int codes = 0;       // without the code of missing values, which is `codes`
  bool exact = false;  // one value per code
  BinEdges edges;      // if codes are bins
  // If codes are bins: the position of a row's value inside its bin, see BinEdges.
  std::vector<std::uint8_t> within;
  bool coded = false;        // false: a factor with more levels than codes
  bool has_missing = false;  // whether a row has the code of missing values
  // If the search of the column counts rows with a missing value, which codes cannot: it is
  // searched by value, in this order if it needs one.
  bool by_value = false;
  ArenaColumn<std::uint32_t> order;

  std::uint8_t missing() const { return static_cast<std::uint8_t>(codes); }

  // Whether the number of a row, not missing, is above another, whose position is known. The number
  // itself, value(), which may be anywhere in memory, is read only if the positions are equal.
  template <class Value>
  bool above(std::size_t row, double other, const BinEdges::Place& place, Value value) const {
    const std::uint8_t bin = binned.code[row];
    if (bin != place.bin) return bin > place.bin;
    if (within[row] != place.within) return within[row] > place.within;
    return value() > other;
  }
};

namespace detail {

// Edges that divide the column into bins of about equal size, with smaller and smaller bins towards
// both ends, where a few rows of one class can gain most: bin b contains edge[b-1] < x <= edge[b].
inline std::vector<double> quantile_edges(const Column& column, const Sample& sample) {
  constexpr std::size_t wanted = 16384;
  const std::size_t stride = sample.size / wanted + 1;
  std::vector<Keyed> items, spare;
  for (std::size_t i = 0; i < sample.size; i += stride) {
    const double x = column.value(sample.row(i));
    if (!std::isnan(x)) items.push_back(keyed(x, i));
  }
  // By the upper half of the numbers' bits: edges need not be exact quantiles.
  radix_sort(items, spare);
  std::vector<double> edges;
  if (items.empty()) return edges;
  const auto add = [&](std::size_t at) {
    const double x = column.value(sample.row(items[at].position));
    if (edges.empty() || x > edges.back()) edges.push_back(x);
  };
  constexpr std::size_t halvings = 6;
  constexpr std::size_t bins = Binned::most - 2 * halvings;
  const std::size_t last = items.size() - 1;
  for (std::size_t h = halvings; h > 0; --h) add((last / bins) >> h);
  for (std::size_t b = 1; b < bins; ++b) add(b * last / bins);
  for (std::size_t h = 1; h <= halvings; ++h) add(last - ((last / bins) >> h));
  return edges;
}

inline void code_by_quantile(const Column& column, const Sample& sample, CodedColumn& out) {
  out.edges = BinEdges(quantile_edges(column, sample));
  out.codes = static_cast<int>(out.edges.bins());
  out.binned.code.resize(sample.size);
  out.within.resize(sample.size);
  const std::uint8_t missing = out.missing();
  each_value(column, sample, [&](std::size_t i, double x) {
    const BinEdges::Place place = out.edges.place(x);
    out.binned.code[i] = std::isnan(x) ? missing : place.bin;
    out.within[i] = place.within;
    return true;
  });
}

}  // namespace detail

// The column restricted to some of its rows, without their order.
inline CodedColumn take_rows(const CodedColumn& from, const std::vector<std::uint32_t>& rows) {
  const auto take = [&](const std::vector<std::uint8_t>& all) {
    std::vector<std::uint8_t> some(all.empty() ? 0 : rows.size());
    for (std::size_t i = 0; i < some.size(); ++i) some[i] = all[rows[i]];
    return some;
  };
  return {{take(from.binned.code), from.binned.values},
          from.codes,
          from.exact,
          from.edges,
          take(from.within),
          from.coded,
          from.has_missing,
          from.by_value,
          {}};
}

inline CodedColumn make_codes(const Column& column, const Sample& sample) {
  CodedColumn out;
  if (column.kind != Kind::numeric && column.n_levels > static_cast<int>(Binned::most)) return out;
  out.coded = true;
  out.exact = true;
  if (column.kind != Kind::numeric) {
    detail::bin_levels(column, sample, out.binned);
  } else if (!detail::bin_numbers(column, sample, out.binned)) {
    out.binned = Binned();
    out.exact = false;
    detail::code_by_quantile(column, sample, out);
  }
  if (out.exact) out.codes = static_cast<int>(out.binned.values.size());
  const std::vector<std::uint8_t>& code = out.binned.code;
  out.has_missing = std::find(code.begin(), code.end(), out.missing()) != code.end();
  return out;
}

// A column that is searched by value.
inline void search_by_value(const Column& column, const Sample& sample, bool needs_order,
                            CodedColumn& out) {
  out.by_value = true;
  if (needs_order) detail::sort_column(column, sample, out.order);
}

// The codes of these ascending values, if no rows are in memory; for level codes all levels.
inline CodedColumn exact_codes(std::vector<double> values) {
  CodedColumn out;
  out.codes = static_cast<int>(values.size());
  out.binned.values = std::move(values);
  out.coded = out.exact = true;
  return out;
}

// The codes of a data set, made once and shared by responses, folds, criteria and settings.
using Codes = std::vector<CodedColumn>;

// Whether every column has one code per value.
inline bool are_exact(const Codes& codes) {
  return std::all_of(codes.begin(), codes.end(), [](const CodedColumn& c) { return c.exact; });
}

inline Codes make_codes(const Frame& frame, const Sample& sample, Team& team) {
  Codes out(frame.columns.size());
  team.each(out.size(),
            [&](std::size_t c, Team&) { out[c] = make_codes(frame.columns[c], sample); });
  return out;
}

}  // namespace tectree

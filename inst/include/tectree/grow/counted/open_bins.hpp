// Which bins must be looked into before a node's split is known to be the best: those beside its
// cut, and those that may have a better one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../grow_from_counts.hpp"
#include "ledger_entry.hpp"

namespace tectree {

namespace detail {

template <class Cell>
bool was_looked_into(const std::vector<ValueCell<Cell>>& inside, std::uint32_t column, int code) {
  const auto at =
      std::lower_bound(inside.begin(), inside.end(), std::make_pair(column, code),
                       [](const ValueCell<Cell>& v, const std::pair<std::uint32_t, int>& key) {
                         return std::make_pair(v.cell.column, v.cell.code) < key;
                       });
  return at != inside.end() && at->cell.column == column && at->cell.code == code;
}

inline void add(const std::vector<double>& more, std::vector<double>& total) {
  for (std::size_t s = 0; s < total.size(); ++s) total[s] += more[s];
}
inline void add(const NumberTotal& more, NumberTotal& total) {
  total += more;
}

template <class Chooser>
double impurity_of(const Chooser& chooser, const LedgerEntry<Chooser>& e) {
  std::vector<double> share(static_cast<std::size_t>(chooser.problem().response.n_classes));
  return chooser.facts(e.total, e.rows, share.data()).impurity;
}

// The cells of a column, by bin.
template <class Chooser>
struct BinTotals {
  struct Bin {
    int code;
    typename Chooser::Total total;
  };
  std::vector<Bin> bins;
  typename Chooser::Total all;
  bool missing = false;

  template <class Iterator>
  BinTotals(const Chooser& chooser, const CodedColumn& coded, Iterator first, Iterator last)
      : all(chooser.none()) {
    for (auto cell = first; cell != last; ++cell) {
      if (cell->code == coded.codes) {
        missing = true;
        continue;
      }
      if (bins.empty() || bins.back().code != cell->code)
        bins.push_back({cell->code, chooser.none()});
      Chooser::add(*cell, bins.back().total);
      Chooser::add(*cell, all);
    }
  }
};

// Adds those of column c, of which these are the cells. `enough`: the cut to reach.
template <class Chooser, class Iterator>
void add_open_bins(const Chooser& chooser, const LedgerEntry<Chooser>& e, std::uint32_t c,
                   Iterator first, Iterator last, double enough, std::vector<OpenBin>& out) {
  const CodedColumn& coded = chooser.codes()[c];
  const BinTotals<Chooser> of(chooser, coded, first, last);
  const auto& bins = of.bins;
  const bool splits = e.winner && e.winner->split.column == static_cast<int>(c);
  // A bound within rounding of the best cut may tie with it.
  const double slack =
      std::isfinite(enough) ? 1e-9 * (std::fabs(enough) + impurity_of(chooser, e)) : 0.0;
  auto left = chooser.none();
  for (std::size_t b = 0; b < bins.size(); ++b) {
    const auto& bin = bins[b];
    const double size = Chooser::size_of(bin.total);
    if (!was_looked_into(e.inside, c, bin.code)) {
      const std::vector<double>& edge = coded.binned.values;
      const double at = edge[bin.code], cut = splits ? e.winner->split.breaks[0] : 0.0;
      const bool above = b + 1 < bins.size() && at <= cut && cut < edge[bins[b + 1].code];
      const int below_prev = b > 0 ? bins[b - 1].code - 1 : -1;
      const bool below = b > 0 && cut < at && (below_prev < 0 || edge[below_prev] <= cut);
      const bool beside = splits && (above || below);
      const bool open = size > 1.0 && ((of.missing && chooser.unknown_count()) ||
                                       !(chooser.bound(left, bin.total, of.all) < enough - slack));
      if (beside || open) out.push_back({c, bin.code});
    }
    add(bin.total, left);
  }
}

}  // namespace detail

// Of a node that was searched by its bins: none where its winner is its best split.
template <class Chooser>
std::vector<OpenBin> open_bins(const Chooser& chooser, const LedgerEntry<Chooser>& e) {
  std::vector<OpenBin> out;
  // Of columns drawn one after the other, the first with any split wins.
  const bool drawn = chooser.problem().control.max_columns > 0;
  const double enough = e.winner && !drawn ? e.winner->cut : -HUGE_VAL;
  auto cell = e.cells.begin();
  while (cell != e.cells.end()) {
    const std::uint32_t c = cell->column;
    auto end = cell;
    while (end != e.cells.end() && end->column == c) ++end;
    if (!chooser.codes()[c].exact) detail::add_open_bins(chooser, e, c, cell, end, enough, out);
    cell = end;
  }
  return out;
}

// Bins alone: a threshold is the edge of a bin.
inline void cut_at_edges(Winner& winner, const Codes& codes) {
  const CodedColumn& coded = codes[winner.split.column];
  if (coded.exact) return;
  const std::vector<double>& edges = coded.binned.values;
  for (double& t : winner.split.breaks) t = *(std::upper_bound(edges.begin(), edges.end(), t) - 1);
}

}  // namespace tectree

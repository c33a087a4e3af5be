// The bins that must be looked into before a node's split is known to be the best: those beside its
// cut, and those that may contain a better one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "ledger_entry.hpp"
#include "sum_cell.hpp"

namespace tectree {

namespace detail {

template <class Cell>
bool in_bin(const ValueCell<Cell>& part, std::uint32_t column, int code) {
  return part.cell.column == column && part.cell.code == code;
}

// Removes what is known about a part that was looked into.
template <class Cell>
void drop_part(const OpenBin& bin, std::vector<ValueCell<Cell>>& inside) {
  const auto of_it = [&](const ValueCell<Cell>& v) {
    return in_bin(v, bin.column, bin.code) && v.value == bin.most;
  };
  inside.erase(std::remove_if(inside.begin(), inside.end(), of_it), inside.end());
}

inline void add(const std::vector<double>& more, std::vector<double>& total) {
  for (std::size_t s = 0; s < total.size(); ++s) total[s] += more[s];
}
inline void add(const SumTotal& more, SumTotal& total) {
  total += more;
}

template <class Chooser>
double impurity_of(const Chooser& chooser, const LedgerEntry<Chooser>& e) {
  std::vector<double> share(static_cast<std::size_t>(chooser.problem().response.n_classes));
  return chooser.facts(e.total, e.rows, share.data()).impurity;
}

// The bins of a column, in order, with the parts of those that were looked into.
template <class Chooser>
struct BinParts {
  struct Part {
    OpenBin bin;
    double upper;
    bool single;  // value
    typename Chooser::Total total;
  };
  std::vector<Part> parts;
  typename Chooser::Total all;
  bool missing = false;

  // The cells of column c.
  template <class Iterator>
  BinParts(const Chooser& chooser, const LedgerEntry<Chooser>& e, std::uint32_t c, Iterator first,
           Iterator last)
      : all(chooser.none()) {
    const CodedColumn& coded = chooser.codes()[c];
    auto inside = e.inside.begin();
    for (auto cell = first; cell != last; ++cell) {
      if (cell->code == coded.codes) {
        missing = true;
        continue;
      }
      Chooser::add(*cell, all);
      const bool begins = cell == first || (cell - 1)->code != cell->code;
      if (begins) {
        while (inside != e.inside.end() &&
               (inside->cell.column < c ||
                (inside->cell.column == c && inside->cell.code < cell->code)))
          ++inside;
        if (inside != e.inside.end() && in_bin(*inside, c, cell->code)) {
          for (; inside != e.inside.end() && in_bin(*inside, c, cell->code); ++inside) {
            if (parts.empty() || parts.back().upper != inside->value)
              start(c, cell->code, inside->least, inside->value, inside->value, chooser);
            Chooser::add(inside->cell, parts.back().total);
          }
        } else {
          constexpr double none = std::numeric_limits<double>::quiet_NaN();
          start(c, cell->code, none, none, coded.binned.values[cell->code], chooser);
        }
      }
      if (parts.back().bin.whole()) Chooser::add(*cell, parts.back().total);
    }
    for (Part& part : parts) part.bin.size = Chooser::size_of(part.total);
  }

 private:
  void start(std::uint32_t c, int code, double least, double most, double upper,
             const Chooser& chooser) {
    const int place = static_cast<int>(parts.size());
    parts.push_back({{c, code, least, most, place, 0.0}, upper, least == most, chooser.none()});
  }
};

// Adds those of column c, which has these cells. `enough`: the cut to reach.
template <class Chooser, class Iterator>
void add_open_bins(const Chooser& chooser, const LedgerEntry<Chooser>& e, std::uint32_t c,
                   Iterator first, Iterator last, double enough, std::vector<OpenBin>& out) {
  const BinParts<Chooser> of(chooser, e, c, first, last);
  const auto& parts = of.parts;
  const bool splits = e.winner && e.winner->split.column == static_cast<int>(c);
  const double cut = splits ? e.winner->split.breaks[0] : 0.0;
  // A bound within rounding of the best cut may tie with it.
  const double slack =
      std::isfinite(enough) ? 1e-9 * (std::fabs(enough) + impurity_of(chooser, e)) : 0.0;
  auto left = chooser.none();
  for (std::size_t b = 0; b < parts.size(); ++b) {
    const auto& part = parts[b];
    if (!part.single) {
      // The values beside a cut must be known; those of a part are.
      const bool above = b + 1 < parts.size() && part.upper <= cut &&
                         cut<parts[b + 1].upper, below = b> 0 && parts[b - 1].upper <= cut &&
                         cut < part.upper,
                 beside = splits && part.bin.whole() && (above || below),
                 open = part.bin.size > 1.0 &&
                        ((of.missing && chooser.unknown_count()) ||
                         !(chooser.bound(left, part.total, of.all) < enough - slack));
      if (beside || open) out.push_back(part.bin);
    }
    add(part.total, left);
  }
}

}  // namespace detail

// The open bins of a node that was searched by bins: none if the winner is its best split.
template <class Chooser>
std::vector<OpenBin> open_bins(const Chooser& chooser, const LedgerEntry<Chooser>& e) {
  std::vector<OpenBin> out;
  // If columns are drawn one after another, the first with any split wins.
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

// The search used the largest value of a part for all of it: the threshold is halfway to the
// smallest value of the part above it.
template <class Cell>
void cut_between_parts(const KnownCells<Cell>& cells, const Codes& codes, Winner& winner) {
  const auto c = static_cast<std::uint32_t>(winner.split.column);
  if (codes[c].exact) return;
  double& cut = winner.split.breaks[0];
  double below = -HUGE_VAL, above = HUGE_VAL;
  cells.each(codes, [&](const Cell& cell, double value) {
    if (cell.column != c || std::isnan(value)) return;
    if (value <= cut) below = std::max(below, value);
    if (value > cut) above = std::min(above, value);
  });
  for (const ValueCell<Cell>& part : cells.inside) {
    if (part.cell.column == c && part.value == above && part.least < above) {
      cut = between(below, part.least);
      return;
    }
  }
}

// Without looking inside bins, a threshold is the edge of a bin.
inline void cut_at_edges(Winner& winner, const Codes& codes) {
  const CodedColumn& coded = codes[winner.split.column];
  if (coded.exact) return;
  const std::vector<double>& edges = coded.binned.values;
  for (double& t : winner.split.breaks) t = *(std::upper_bound(edges.begin(), edges.end(), t) - 1);
}

}  // namespace tectree

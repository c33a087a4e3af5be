// Checks that answers add up: the cells of a node, in every column, to what the split of its parent
// promised; those of its branches to its own; those of parts to their bin's.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "ledger_entry.hpp"
#include "sum_cell.hpp"

namespace tectree {

// Counts that contradict the parent split, if the rows have not changed.
struct Conflict {
  int node;
  std::uint32_t column;
  int label;  // -1: all
  double promised, found;
};

namespace detail {

inline auto place(const ClassCell& c) {
  return std::make_tuple(c.column, c.code, c.label);
}
inline auto place(const SumCell& c) {
  return std::make_tuple(c.column, c.code);
}

template <class Cell>
void sort_cells(std::vector<Cell>& cells) {
  std::sort(cells.begin(), cells.end(),
            [](const Cell& a, const Cell& b) { return place(a) < place(b); });
}
template <class Cell>
void sort_cells(std::vector<ValueCell<Cell>>& cells) {
  std::sort(cells.begin(), cells.end(), [](const auto& a, const auto& b) {
    return std::make_tuple(a.cell.column, a.cell.code, a.value, place(a.cell)) <
           std::make_tuple(b.cell.column, b.cell.code, b.value, place(b.cell));
  });
}

inline std::optional<Conflict> compare(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t s = 0; s < a.size(); ++s) {
    if (a[s] != b[s]) return Conflict{0, 0, static_cast<int>(s), a[s], b[s]};
  }
  return std::nullopt;
}
inline std::optional<Conflict> compare(const SumTotal& a, const SumTotal& b) {
  if (a.n != b.n) return Conflict{0, 0, -1, a.n, b.n};
  if (a.sum != b.sum) return Conflict{0, 0, -2, a.sum.value(), b.sum.value()};
  if (a.squares != b.squares) return Conflict{0, 0, -2, a.squares.value(), b.squares.value()};
  return std::nullopt;
}

inline void subtract(const ClassCell& part, ClassCell& cell) {
  cell.n -= part.n;
  cell.rows -= part.rows;
}
inline void subtract(const SumCell& part, SumCell& cell) {
  cell.n -= part.n;
  cell.rows -= part.rows;
  cell.sum -= part.sum;
  cell.squares -= part.squares;
}

}  // namespace detail

// In every column the cells, which are sorted, must add up to what the split of the node's parent
// promised.
template <class Chooser>
std::optional<Conflict> check_cells(const Chooser& chooser, const LedgerEntry<Chooser>& e, int id,
                                    const std::vector<typename Chooser::Cell>& cells) {
  auto cell = cells.begin();
  for (std::uint32_t c = 0; c < chooser.codes().size(); ++c) {
    auto total = chooser.none();
    double rows = 0.0;
    for (; cell != cells.end() && cell->column == c; ++cell) {
      Chooser::add(*cell, total);
      rows += cell->rows;
    }
    const auto conflict = detail::compare(e.total, total);
    if (conflict) return Conflict{id, c, conflict->label, conflict->promised, conflict->found};
    if (rows != e.rows) return Conflict{id, c, -1, e.rows, rows};
  }
  return std::nullopt;
}

// The cells of the parts of a node's bin, or of a part of it, must add up to its own.
template <class Chooser>
std::optional<Conflict> check_bin(const Chooser& chooser, const LedgerEntry<Chooser>& e, int id,
                                  const OpenBin& bin,
                                  const std::vector<ValueCell<typename Chooser::Cell>>& found) {
  auto promised = chooser.none(), total = chooser.none();
  const auto within = [&](const auto& v) {
    return v.cell.column == bin.column && v.cell.code == bin.code &&
           (bin.whole() || (bin.least <= v.least && v.value <= bin.most));
  };
  for (const auto& cell : e.cells) {
    if (bin.whole() && cell.column == bin.column && cell.code == bin.code)
      Chooser::add(cell, promised);
  }
  for (const auto& v : e.inside) {
    if (!bin.whole() && within(v)) Chooser::add(v.cell, promised);
  }
  for (const auto& v : found) {
    if (within(v)) Chooser::add(v.cell, total);
  }
  auto conflict = detail::compare(promised, total);
  if (conflict) {
    conflict->node = id;
    conflict->column = bin.column;
  }
  return conflict;
}

// Subtracts the cells of node `id` from those of its parent; both are sorted.
template <class Cell>
std::optional<Conflict> take_off(int id, const std::vector<Cell>& part, std::vector<Cell>& cells) {
  auto at = cells.begin();
  for (const Cell& less : part) {
    while (at != cells.end() && detail::place(*at) < detail::place(less)) ++at;
    const bool there = at != cells.end() && detail::place(*at) == detail::place(less);
    if (!there || less.n > at->n || less.rows > at->rows)
      return Conflict{id, less.column, -1, there ? at->n : 0.0, less.n};
    detail::subtract(less, *at);
  }
  return std::nullopt;
}

}  // namespace tectree

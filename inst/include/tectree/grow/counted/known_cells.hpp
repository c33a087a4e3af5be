// Room grow/counted/: trees of rows that are elsewhere, level by level: what is not known yet is
// asked for, of all nodes that wait together.
//
// What is known of a node: how many rows each value of a column has, and of which class, or what
// their numbers sum to.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "../../data/codes/coded_column.hpp"

namespace tectree {

// The rows of a bin that have one value there, where a bin was looked into.
template <class Cell>
struct ValueCell {
  Cell cell;
  double value;
};

// What is known of a node's rows: their cells by code, and, of bins that were looked into, by
// value. Both by column, then code.
template <class Cell>
struct KnownCells {
  const std::vector<Cell>& cells;
  const std::vector<ValueCell<Cell>>& inside;

  // use(cell, value): a bin that was not looked into has its code's value. `no_value`: of rows
  // without one.
  template <class Use>
  void each(const Codes& codes, Use use) const {
    auto at = inside.begin();
    for (const Cell& cell : cells) {
      const CodedColumn& coded = codes[cell.column];
      const auto before = [&](const Cell& c) {
        return c.column != cell.column ? c.column < cell.column : c.code < cell.code;
      };
      while (at != inside.end() && before(at->cell)) ++at;
      const bool known =
          at != inside.end() && at->cell.column == cell.column && at->cell.code == cell.code;
      if (!known) {
        use(cell, cell.code < coded.codes ? coded.binned.values[cell.code]
                                          : std::numeric_limits<double>::quiet_NaN());
        continue;
      }
      if (&cell != cells.data() && (&cell)[-1].column == cell.column &&
          (&cell)[-1].code == cell.code)
        continue;  // its values were used with the first class
      for (auto v = at;
           v != inside.end() && v->cell.column == cell.column && v->cell.code == cell.code; ++v)
        use(v->cell, v->value);
    }
  }
};

// A bin that may have the best cut in it.
struct OpenBin {
  std::uint32_t column;
  int code;
};

}  // namespace tectree

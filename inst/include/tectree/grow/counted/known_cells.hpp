// Room grow/counted/: trees of rows that are elsewhere, grown level by level: unknown counts are
// requested for all waiting nodes together.
//
// What is known about a node: how many rows of each class each value of a column has, or the sums
// of their numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "../../data/codes/coded_column.hpp"

namespace tectree {

// How many rows have a value, by its code in the column (missing: after the last), and a class,
// from 0.
struct ClassCell {
  std::uint32_t column;
  int code, label;
  double n;
  double rows = 0.0;  // the number of rows, if they have weights
};

// The rows of a part of a bin that was looked into: their values go from `least` to `value`, which
// are equal if the part has a single value.
template <class Cell>
struct ValueCell {
  Cell cell;
  double value;
  double least;
};

// What is known about a node's rows: their cells by code and, for bins that were looked into, by
// part. Both by column, then code.
template <class Cell>
struct KnownCells {
  const std::vector<Cell>& cells;
  const std::vector<ValueCell<Cell>>& inside;

  // use(cell, value): the largest possible value; NaN for missing values.
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

// A bin that may contain the best cut, or a part of one.
struct OpenBin {
  std::uint32_t column;
  int code;
  double least, most;  // the values of the part; NaN: the whole bin
  int place;           // among the node's bins and parts in the column
  double size;         // sum of case weights

  bool whole() const { return std::isnan(least); }
};

}  // namespace tectree

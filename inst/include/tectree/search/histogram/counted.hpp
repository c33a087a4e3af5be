// A counted column: one column of a node whose rows are counted by code, and a cut that moves up it
// from code to code. CountedClasses, SummedNumbers and SummedCodes are the three.
//
// A counted column is a BinView and has
//   may_cut()                    whether there may be a cut at all
//   weight()                     of all rows, without the factors of their classes
//   in_bin(b), is_empty(b)       the cell of a code; whether it has no rows
//   pass(cell)                   moves a cell's rows to the left of the cut; whether there are any
//   admissible()                 whether the cut here is
//   offer(b, below, above)       offers the cut here to its Contenders; without values if it is at
//                                the upper edge of code b
//   may_have_bins                whether codes may be bins of many values
// and if they may, for the cuts inside bins
//   Cells, width()               totals of the rows of a bin, or of a part of one (see
//                                bin_parts.hpp); the argument passed to these
//   what(row)                    what they store about a row
//   start()                      puts the cut below all rows
//   skip(cell), sum_up()         like pass(): many cells, and then their sums
//   pass_row(what)               moves one row to the left of the cut
//   bound(cell, closed, enough)  upper bound of the cuts among the cell's rows, and of the one
//                                above them if `closed`; any number from `enough` on if larger
//   place(b, most)               the bin above the cut, as a BinPlace
//   floor()                      what the best cut offered measures at least
#pragma once

#include <cstdint>
#include <type_traits>

#include "../../base/contract.hpp"
#include "../choose/column_result.hpp"
#include "histogram_rows.hpp"

namespace tectree {

namespace detail {

template <class Column>
constexpr bool looks_into_bins() {
  using Cell = decltype(some<const Column&>().in_bin(0));
  using What = typename Column::Cells::What;
  static_assert(meets<Column&>(
                    TECTREE_CAN(column, typename plain<decltype(column)>::Cells(), column.width())),
                "a counted column with bins must have Cells, and width(), which is passed to them");
  static_assert(meets<Column&>(TECTREE_CAN(column, What(column.what(std::uint32_t{})))),
                "a counted column with bins must have what(row), which its Cells hold");
  static_assert(meets<Column&>(TECTREE_CAN(column, column.start())),
                "a counted column with bins must have start(), which puts the cut below all rows");
  static_assert(meets<Column&>(TECTREE_CAN(column, column.skip(some<Cell>()), column.sum_up())),
                "a counted column with bins must have skip(cell), and sum_up() after the last");
  static_assert(meets<Column&>(TECTREE_CAN(column, column.pass_row(some<const What&>()))),
                "a counted column with bins must have pass_row(what)");
  static_assert(
      meets<Column&>(TECTREE_CAN(column, double{column.bound(some<Cell>(), true, double{})})),
      "a counted column with bins must have bound(cell, closed, enough)");
  static_assert(meets<Column&>(TECTREE_CAN(column, BinPlace{column.place(0, double{})})),
                "a counted column with bins must have place(b, most), a BinPlace");
  static_assert(meets<Column&>(TECTREE_CAN(column, double{column.floor()})),
                "a counted column with bins must have floor(), the least of the best cut offered");
  return true;
}

}  // namespace detail

template <class Column>
constexpr bool is_counted() {
  static_assert(std::is_base_of_v<BinView, Column>, "a counted column must be a BinView");
  static_assert(meets<Column&>(TECTREE_CAN(column, bool{column.may_cut()})),
                "a counted column must have may_cut(), whether there may be a cut");
  static_assert(meets<Column&>(TECTREE_CAN(column, double{column.weight()})),
                "a counted column must have weight(), of its rows");
  static_assert(meets<Column&>(TECTREE_CAN(column, *column.in_bin(0), bool{column.is_empty(0)})),
                "a counted column must have in_bin(b) and is_empty(b), the cell of a code");
  static_assert(meets<Column&>(TECTREE_CAN(column, bool{column.pass(column.in_bin(0))})),
                "a counted column must have pass(cell), which moves the cut");
  static_assert(meets<Column&>(TECTREE_CAN(column, bool{column.admissible()})),
                "a counted column must have admissible(), whether the cut here is");
  static_assert(
      meets<Column&>(TECTREE_CAN(column, column.offer(0), column.offer(0, double{}, double{}))),
      "a counted column must have offer(b) and offer(b, below, above), which offer the cut here");
  static_assert(meets<Column&>(TECTREE_CAN(column, bool{column.may_have_bins})),
                "a counted column must have may_have_bins, whether codes may be bins");
  if constexpr (Column::may_have_bins) return detail::looks_into_bins<Column>();
  return true;
}

}  // namespace tectree

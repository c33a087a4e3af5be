// The bins of a counted column that may contain the best cut, sorted and scanned cut by
// cut.
//
// A counted column: one column of a node whose rows are counted by code, and a cut that moves up it
// from code to code. CountedClasses, SummedNumbers and SummedColumn
// are the three.
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

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "../../base/contract.hpp"
#include "../choose/column_result.hpp"
#include "../sorted/rows.hpp"
#include "bin_parts.hpp"

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

// Offers every admissible cut between codes, and bounds those inside each code that is a bin.
template <class Counted>
void offer_edges(Counted& column, std::vector<BinPlace>& places) {
  static_assert(is_counted<Counted>());
  for (int b = 0; b < column.coded.codes; ++b) {
    const auto* in_bin = column.in_bin(b);
    if constexpr (Counted::may_have_bins) {
      const double most = column.coded.exact ? -HUGE_VAL : column.bound(in_bin, false, HUGE_VAL);
      if (most > -HUGE_VAL) places.push_back(column.place(b, most));
    }
    if (column.pass(in_bin) && column.admissible()) column.offer(b);
  }
}

// Every admissible cut between codes, from the lowest up.
template <class Counted>
std::vector<Contender> all_edges(Counted& column, Contenders& contenders) {
  std::vector<Contender> all;
  for (int b = 0; b < column.coded.codes; ++b) {
    contenders.clear();  // so none is out
    if (column.pass(column.in_bin(b)) && column.admissible()) column.offer(b);
    for (const Contender& cut : contenders.settle()) all.push_back(cut);
  }
  return all;
}

// use(i) with the column's cut moved to each of the cuts, from the lowest up; one pass over the
// rows serves all. `parts` is working space.
template <class Counted, class Use>
void at_each_cut(Counted& column, const std::vector<Contender>& cuts,
                 typename Counted::Cells& parts, Use use) {
  const auto n = static_cast<std::uint32_t>(cuts.size());
  std::array<std::uint32_t, 256> first;  // of the cuts inside a bin
  first.fill(n);
  std::size_t rows = 0;  // to visit
  for (std::uint32_t i = n; i-- > 0;) {
    if (cuts[i].at_edge()) continue;
    first[cuts[i].bin] = i;
    rows = column.n_rows;
  }
  // What lies between a cut inside a bin and the one below it in the bin.
  parts.start(n, column.width());
  const auto inside = [&](std::uint32_t i, int bin) {
    return i < n && cuts[i].bin == bin && !cuts[i].at_edge();
  };
  for (std::size_t i = 0; i < rows; ++i) {
    const int bin = column.code(i);
    std::uint32_t at = first[bin];
    if (at == n) continue;
    const double value = column.value(i);
    while (inside(at, bin) && value > cuts[at].below) ++at;
    if (inside(at, bin)) parts.add(at, column.what(column.rows[i]));
  }
  int passed = 0;  // bins below the cut
  for (std::uint32_t i = 0; i < n; ++i) {
    const Contender& cut = cuts[i];
    const bool at_edge = cut.at_edge();
    if (i == 0 || !at_edge || !cuts[i - 1].at_edge()) {
      column.start();
      passed = 0;
    }
    for (; passed < cut.bin + at_edge; ++passed) column.skip(column.in_bin(passed));
    for (std::uint32_t part = at_edge ? n : first[cut.bin]; part <= i; ++part)
      column.skip(parts.of(part));
    column.sum_up();
    use(i);
  }
}

template <class Counted>
class LookInside {
  using Item = BinItem<typename Counted::Cells::What>;

 public:
  // Offers every cut inside those places that may reach `floor`.
  void scan_places(Counted& column, const std::vector<BinPlace>& places, double floor) {
    selected_.assign(256, 0);
    bins_.clear();
    for (const BinPlace& place : places) {
      if (!(place.most >= floor)) continue;
      bins_.push_back(place.bin);
      selected_[place.bin] = static_cast<std::uint8_t>(bins_.size());
    }
    scan_selected(column, floor);
  }

 private:
  void scan_selected(Counted& column, double floor) {
    if (bins_.empty()) return;
    collect(column);
    column.start();
    int next = 0;  // the bin after the cut
    for (std::size_t i = 0; i < bins_.size(); ++i) {
      if (next < bins_[i]) {
        for (; next < bins_[i]; ++next) column.skip(column.in_bin(next));
        column.sum_up();
      }
      scan_bin(column, i, floor);
      ++next;
    }
  }

  // First the rows of the selected bins, without a branch that could not be predicted; then what is
  // known about each without its value.
  void collect(const Counted& column) {
    rows_.resize(std::max(rows_.size(), column.n_rows + 1));
    std::size_t n = 0;
    for (std::size_t i = 0; i < column.n_rows; ++i) {
      rows_[n] = column.rows[i];
      n += selected_[column.code(i)] != 0;
    }
    const std::uint8_t* code = column.coded.binned.code.data();
    start_.assign(bins_.size() + 1, 0);
    for (std::size_t i = 0; i < n; ++i) ++start_[selected_[code[rows_[i]]]];
    for (std::size_t b = 0; b < bins_.size(); ++b) start_[b + 1] += start_[b];
    if (items_.size() < n) items_.resize(n);
    to_.assign(start_.begin(), start_.end() - 1);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t row = rows_[i];
      items_[to_[selected_[code[row]] - 1]++] = {0.0, row, column.coded.within[row],
                                                 column.what(row)};
    }
  }

  // The items' values, which may be anywhere in memory and are prefetched together.
  static void fetch(const BinView& view, Item* first, Item* last) {
    for (const Item* item = first; item < last; ++item) view.fetch(item->row);
    for (Item* item = first; item < last; ++item) item->value = view.value_of(item->row);
  }

  // The cut is below the bin, and is moved above it. A bin with many rows is divided into parts,
  // which are bounded too: few are sorted.
  void scan_bin(Counted& column, std::size_t selected, double floor) {
    constexpr std::ptrdiff_t few = 64;
    const int bin = bins_[selected];
    Item *first = items_.data() + start_[selected], *last = items_.data() + start_[selected + 1];
    if (last - first > few && parts_.divide(first, last, column.width()))
      return scan_parts(column, bin, floor);
    fetch(column, first, last);
    scan_items(bin, first, last, std::nan(""), column);
  }

  void scan_parts(Counted& column, int bin, double floor) {
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      Item *first = parts_.begin(part), *last = parts_.end(part);
      if (first == last) continue;
      const bool closed = !parts_.is_last(part);
      const double enough = std::max(floor, column.floor());
      if (column.bound(parts_.cell(part), closed, enough) >= enough) {
        fetch(column, first, last);
        scan_items(bin, first, last, closed ? least_behind(column, part) : std::nan(""), column);
      } else {
        column.pass(parts_.cell(part));
      }
    }
  }

  // The smallest value after a part that is not the last.
  double least_behind(const BinView& view, std::size_t part) {
    do {
      ++part;
    } while (parts_.begin(part) == parts_.end(part));
    Item *first = parts_.begin(part), *last = parts_.end(part);
    fetch(view, first, last);
    const auto less = [](const Item& a, const Item& b) { return a.value < b.value; };
    return std::min_element(first, last, less)->value;
  }

  // Every cut after one of the items, which follow the cut here and are passed by it; `above` is
  // the value that follows the last, NaN if the cut there is not wanted.
  static void scan_items(int bin, Item* first, Item* last, double above, Counted& column) {
    const auto less = [](const Item& x, const Item& y) { return x.value < y.value; };
    // Many may have the same value.
    if (!std::is_sorted(first, last, less)) std::sort(first, last, less);
    for (const Item* item = first; item < last; ++item) {
      column.pass_row(item->what);
      const double next = item + 1 < last ? item[1].value : above;
      if (item->value < next && column.admissible()) column.offer(bin, item->value, next);
    }
  }

  std::vector<std::uint8_t> selected_;  // by code: 1 + its position among the selected, or 0
  std::vector<int> bins_;               // the selected, increasing
  std::vector<std::uint32_t> start_, to_, rows_;
  std::vector<Item> items_;
  BinParts<typename Counted::Cells> parts_;
};

// The node's values on both sides of the upper edge of a bin: the largest in the last bin with rows
// up to it, the smallest in the first one after it.
template <class Counted>
void values_beside(const Counted& column, int bin, double& below, double& above) {
  int last = bin, first = bin + 1;
  while (column.is_empty(last)) --last;
  while (column.is_empty(first)) ++first;
  if (column.coded.exact) {
    below = column.coded.binned.values[last];
    above = column.coded.binned.values[first];
    return;
  }
  below = -HUGE_VAL;
  above = HUGE_VAL;
  for (std::size_t i = 0; i < column.n_rows; ++i) {
    const int at = column.code(i);
    if (at == last) below = std::max(below, column.value(i));
    if (at == first) above = std::min(above, column.value(i));
  }
}

}  // namespace tectree

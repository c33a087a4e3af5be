// The bins of a column in which the best cut may lie, sorted and scanned cut by cut.
//
// What the search wants of the column's rows (their classes, say) is known to a Cursor, a place
// that moves up the column. It has: Cells, of the rows of a bin or a part of one (see BinParts),
// and width(), what they want to know; what(row); in_bin(b), the cell of a bin, and is_empty(cell);
// start(), pass(cell) and pass_row(what), which take rows to its left; admissible(), whether the
// cut here is; offer(bin, at_edge, below, above), which offers it; bound(cell, closed, enough),
// what a cut among the cell's rows may reach, or the one after them where `closed`, any number from
// `enough` on where it is more; place(bin, most), which describes the bin behind it; low(), what
// the best cut offered reaches.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "bin_cuts.hpp"
#include "bin_parts.hpp"
#include "histogram_rows.hpp"

namespace tectree {

// Offers every admissible cut between codes, and bounds those inside each that is a bin; how many
// codes the node has.
template <class Cursor>
int offer_edges(const BinView& view, Cursor& cursor, std::vector<BinPlace>& places) {
  int present = 0;
  cursor.start();
  for (int b = 0; b < view.column.codes; ++b) {
    const auto in_bin = cursor.in_bin(b);
    if (cursor.is_empty(in_bin)) continue;
    ++present;
    if (!view.column.exact) {
      const double most = cursor.bound(in_bin, false, HUGE_VAL);
      if (most > -HUGE_VAL) places.push_back(cursor.place(b, most));
    }
    cursor.pass(in_bin);
    if (cursor.admissible()) cursor.offer(b, true, 0.0, 0.0);
  }
  return present;
}

template <class Cells>
class LookInside {
  using Item = BinItem<typename Cells::What>;

 public:
  // Offers every cut inside those places that may reach `floor`.
  template <class Cursor>
  void scan_places(const BinView& view, const std::vector<BinPlace>& places, double floor,
                   Cursor& cursor) {
    selected_.assign(256, 0);
    bins_.clear();
    for (const BinPlace& place : places) {
      if (!(place.most >= floor)) continue;
      bins_.push_back(place.bin);
      selected_[place.bin] = static_cast<std::uint8_t>(bins_.size());
    }
    scan_selected(view, floor, cursor);
  }

 private:
  template <class Cursor>
  void scan_selected(const BinView& view, double floor, Cursor& cursor) {
    if (bins_.empty()) return;
    collect(view, cursor);
    cursor.start();
    int next = 0;  // the bin behind the cursor
    for (std::size_t i = 0; i < bins_.size(); ++i) {
      for (; next < bins_[i]; ++next) cursor.pass(cursor.in_bin(next));
      scan_bin(view, i, floor, cursor);
      ++next;
    }
  }

  // First the rows of the bins selected, without a branch that could not be predicted; then what is
  // known of each without its value.
  template <class Cursor>
  void collect(const BinView& view, const Cursor& cursor) {
    rows_.resize(std::max(rows_.size(), view.n_rows + 1));
    std::size_t n = 0;
    for (std::size_t i = 0; i < view.n_rows; ++i) {
      rows_[n] = view.rows[i];
      n += selected_[view.code(i)] != 0;
    }
    const std::uint8_t* code = view.column.binned.code.data();
    start_.assign(bins_.size() + 1, 0);
    for (std::size_t i = 0; i < n; ++i) ++start_[selected_[code[rows_[i]]]];
    for (std::size_t b = 0; b < bins_.size(); ++b) start_[b + 1] += start_[b];
    if (items_.size() < n) items_.resize(n);
    to_.assign(start_.begin(), start_.end() - 1);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t row = rows_[i];
      items_[to_[selected_[code[row]] - 1]++] = {0.0, row, view.column.within[row],
                                                 cursor.what(row)};
    }
  }

  // The items' values, which stand anywhere in memory and are asked for together.
  static void fetch(const BinView& view, Item* first, Item* last) {
    for (const Item* item = first; item < last; ++item)
      view.values.fetch(view.sample.row(item->row));
    for (Item* item = first; item < last; ++item)
      item->value = view.values.value(view.sample.row(item->row));
  }

  // The cursor stands before the bin, and is moved behind it. A bin of many rows is dealt out into
  // smaller ones, which are bounded in their turn: few are sorted.
  template <class Cursor>
  void scan_bin(const BinView& view, std::size_t selected, double floor, Cursor& cursor) {
    constexpr std::ptrdiff_t few = 64;
    const int bin = bins_[selected];
    Item *first = items_.data() + start_[selected], *last = items_.data() + start_[selected + 1];
    if (last - first > few && parts_.deal(first, last, cursor.width()))
      return scan_parts(view, bin, floor, cursor);
    fetch(view, first, last);
    scan_items(bin, first, last, std::nan(""), cursor);
  }

  template <class Cursor>
  void scan_parts(const BinView& view, int bin, double floor, Cursor& cursor) {
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      Item *first = parts_.begin(part), *last = parts_.end(part);
      if (first == last) continue;
      const bool closed = !parts_.is_last(part);
      const double enough = std::max(floor, cursor.low());
      if (cursor.bound(parts_.cell(part), closed, enough) >= enough) {
        fetch(view, first, last);
        scan_items(bin, first, last, closed ? least_behind(view, part) : std::nan(""), cursor);
      } else {
        cursor.pass(parts_.cell(part));
      }
    }
  }

  // The least value behind a part that is not the last.
  double least_behind(const BinView& view, std::size_t part) {
    do {
      ++part;
    } while (parts_.begin(part) == parts_.end(part));
    Item *first = parts_.begin(part), *last = parts_.end(part);
    fetch(view, first, last);
    const auto less = [](const Item& a, const Item& b) { return a.value < b.value; };
    return std::min_element(first, last, less)->value;
  }

  // Every cut after one of the items, which follow the cursor and are passed by it; `above` is the
  // value that follows the last, NaN where the cut there is not asked for.
  template <class Cursor>
  static void scan_items(int bin, Item* first, Item* last, double above, Cursor& cursor) {
    const auto less = [](const Item& x, const Item& y) { return x.value < y.value; };
    // Many may be one value.
    if (!std::is_sorted(first, last, less)) std::sort(first, last, less);
    for (const Item* item = first; item < last; ++item) {
      cursor.pass_row(item->what);
      const double next = item + 1 < last ? item[1].value : above;
      if (item->value < next && cursor.admissible()) cursor.offer(bin, false, item->value, next);
    }
  }

  std::vector<std::uint8_t> selected_;  // by code: 1 + its place among the selected, or 0
  std::vector<int> bins_;               // the selected, increasing
  std::vector<std::uint32_t> start_, to_, rows_;
  std::vector<Item> items_;
  BinParts<Cells> parts_;
};

// The node's values on both sides of the upper edge of a bin: the largest in the last bin up to it
// that has rows, the least in the first behind it. The view tells is_empty(b).
template <class View>
void values_beside(const View& view, int bin, double& below, double& above) {
  int last = bin, first = bin + 1;
  while (view.is_empty(last)) --last;
  while (view.is_empty(first)) ++first;
  if (view.column.exact) {
    below = view.column.binned.values[last];
    above = view.column.binned.values[first];
    return;
  }
  below = -HUGE_VAL;
  above = HUGE_VAL;
  for (std::size_t i = 0; i < view.n_rows; ++i) {
    const int at = view.code(i);
    if (at == last) below = std::max(below, view.value(i));
    if (at == first) above = std::min(above, view.value(i));
  }
}

}  // namespace tectree

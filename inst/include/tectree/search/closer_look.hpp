// The bins of a coarse column in which the best cut may lie, sorted and scanned cut by cut.
//
// What the search wants of the column's rows (their classes, say) is known to a Cursor, a place
// that moves up the column. It has: Cells, of the rows of a bin or a part of one (see BinParts),
// and width(), what they want to know; whats(), by row; in_bin(b), the cell of a bin, in_bins(b,
// end) of several, until it is asked for the next such, and rows(cell); start(), pass(cell) and
// pass_row(what), which take rows to its left; admissible(), whether the cut here is; offer(bin,
// at_edge, below, above), which offers it; may_reach(cell, closed, enough), whether a cut among the
// cell's rows may, or the one after them where `closed`; low(), what the best cut offered reaches.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../data/coarse.hpp"
#include "bin_parts.hpp"

namespace tectree {

// A node as a coarse column sees it.
struct CoarseView {
  const Column& values;
  const Sample& sample;
  const CoarseColumn& column;
  const std::uint32_t* rows;  // of the node
  std::size_t n_rows;

  std::uint8_t code(std::size_t i) const { return column.binned.code[rows[i]]; }
  double value(std::size_t i) const { return values.value(sample.row(rows[i])); }
};

// Bins are looked at in groups of as many first: few groups have a cut that matters.
constexpr int bins_together = 4;

// Offers every admissible cut between groups of bins.
template <class Cursor>
void offer_edges(int codes, Cursor& cursor) {
  cursor.start();
  for (int b = 0; b < codes; b += bins_together) {
    const int end = std::min(b + bins_together, codes);
    const auto group = cursor.in_bins(b, end);
    cursor.pass(group);
    if (cursor.rows(group) > 0 && cursor.admissible()) cursor.offer(end - 1, true, 0.0, 0.0);
  }
}

// Calls visit(b), the cursor before it, for the bins with rows in those groups in which a cut may
// reach `floor`, and offers the cuts between them.
template <class Cursor, class Visit>
void open_groups(int codes, double floor, Cursor& cursor, Visit visit) {
  cursor.start();
  for (int first = 0; first < codes; first += bins_together) {
    const int end = std::min(first + bins_together, codes);
    const auto group = cursor.in_bins(first, end);
    if (!cursor.may_reach(group, false, floor)) {
      cursor.pass(group);
      continue;
    }
    std::uint32_t rows = cursor.rows(group);
    for (int b = first; rows > 0; ++b) {
      const auto in_bin = cursor.in_bin(b);
      const std::uint32_t here = cursor.rows(in_bin);
      if (here == 0) continue;
      visit(b);
      cursor.pass(in_bin);
      rows -= here;
      if (rows > 0 && cursor.admissible()) cursor.offer(b, true, 0.0, 0.0);
    }
  }
}

template <class Cells>
class CloserLook {
  using Item = CoarseItem<typename Cells::What>;

 public:
  // Offers every cut inside a group of bins that may reach `floor`.
  template <class Cursor>
  void scan_bins(const CoarseView& view, double floor, Cursor& cursor) {
    start_selection();
    open_groups(view.column.codes, floor, cursor, [&](int b) {
      if (cursor.may_reach(cursor.in_bin(b), false, floor)) select(b, cursor);
    });
    scan_selected(view, floor, cursor);
  }

  // Likewise the cuts inside the bins marked that may reach the best known one.
  template <class Cursor>
  void scan_marked(const CoarseView& view, const std::vector<char>& marked, Cursor& cursor) {
    start_selection();
    for (int b = 0; b < view.column.codes; ++b) {
      if (marked[b]) select(b, cursor);
    }
    scan_selected(view, cursor.low(), cursor);
  }

 private:
  void start_selection() {
    selected_.assign(256, 0);
    bins_.clear();
    start_.assign(1, 0);
  }
  // Keeps the bin and makes room for its items.
  template <class Cursor>
  void select(int b, const Cursor& cursor) {
    bins_.push_back(b);
    selected_[b] = static_cast<std::uint8_t>(bins_.size());
    start_.push_back(start_.back() + cursor.rows(cursor.in_bin(b)));
  }

  template <class Cursor>
  void scan_selected(const CoarseView& view, double floor, Cursor& cursor) {
    if (bins_.empty()) return;
    collect(view, cursor.whats());
    for (std::size_t i = 0; i < bins_.size(); ++i) scan_bin(view, i, floor, cursor);
  }

  // First the rows, without a branch that could not be predicted; then what is known of each
  // without its value.
  void collect(const CoarseView& view, const typename Cells::What* what) {
    rows_.resize(start_.back() + 1);
    std::size_t n = 0;
    for (std::size_t i = 0; i < view.n_rows; ++i) {
      rows_[n] = view.rows[i];
      n += selected_[view.code(i)] > 0;
    }
    items_.resize(n);
    to_.assign(start_.begin(), start_.end() - 1);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t row = rows_[i];
      const std::size_t bin = selected_[view.column.binned.code[row]] - 1u;
      items_[to_[bin]++] = {0.0, row, view.column.within[row], what[row]};
    }
  }

  // The items' values, which stand anywhere in memory and are asked for together.
  static void fetch(const CoarseView& view, Item* first, Item* last) {
    for (const Item* item = first; item < last; ++item)
      view.values.fetch(view.sample.row(item->row));
    for (Item* item = first; item < last; ++item)
      item->value = view.values.value(view.sample.row(item->row));
  }

  // A bin of many rows is dealt out into smaller ones, which are bounded in their turn: few are
  // sorted.
  template <class Cursor>
  void scan_bin(const CoarseView& view, std::size_t selected, double floor, Cursor& cursor) {
    constexpr std::ptrdiff_t few = 64;
    const int bin = static_cast<int>(bins_[selected]);
    Item *first = items_.data() + start_[selected], *last = items_.data() + start_[selected + 1];
    cursor.start();
    for (int b = 0; b < bin; ++b) cursor.pass(cursor.in_bin(b));
    if (last - first > few && parts_.deal(first, last, cursor.width()))
      return scan_parts(view, bin, floor, cursor);
    fetch(view, first, last);
    scan_items(bin, first, last, std::nan(""), cursor);
  }

  template <class Cursor>
  void scan_parts(const CoarseView& view, int bin, double floor, Cursor& cursor) {
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      Item *first = parts_.begin(part), *last = parts_.end(part);
      if (first == last) continue;
      const bool closed = !parts_.is_last(part);
      if (cursor.may_reach(parts_.cell(part), closed, std::max(floor, cursor.low()))) {
        fetch(view, first, last);
        scan_items(bin, first, last, closed ? least_behind(view, part) : std::nan(""), cursor);
      } else {
        cursor.pass(parts_.cell(part));
      }
    }
  }

  // The least value behind a part that is not the last.
  double least_behind(const CoarseView& view, std::size_t part) {
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

  std::vector<std::uint8_t> selected_;  // by code: 1 + its place among the selected bins
  std::vector<std::uint32_t> bins_, start_, to_, rows_;
  std::vector<Item> items_;
  BinParts<Cells> parts_;
};

// The node's largest value in the bins up to the cut's, its least above.
inline void values_beside(const CoarseView& view, int bin, double& below, double& above) {
  below = -HUGE_VAL;
  above = HUGE_VAL;
  for (std::size_t i = 0; i < view.n_rows; ++i) {
    if (view.code(i) == view.column.missing()) continue;
    if (view.code(i) <= bin) {
      below = std::max(below, view.value(i));
    } else {
      above = std::min(above, view.value(i));
    }
  }
}

}  // namespace tectree

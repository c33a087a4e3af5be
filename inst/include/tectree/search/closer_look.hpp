// The bins of a coarse column in which the best cut may lie, sorted and scanned cut by cut. In a
// sample of many rows bins are counted in slices, and all that is said of a bin holds for a slice.
//
// What the search wants of the column's rows (their classes, say) is known to a Cursor, a place
// that moves up the column. It has: Cells, of the rows of a bin or a part of one (see BinParts),
// and width(), what they want to know; whats(), by row; in_bin(b), the cell of a bin, in_bins(b,
// end) of several, until it is asked for the next such, and rows(cell); start(), pass(cell) and
// pass_row(what), which take rows to its left; admissible(), whether the cut here is; offer(bin,
// at_edge, below, above), which offers it; bound(cell, closed, enough), what a cut among the cell's
// rows may reach, or the one after them where `closed`, any number from `enough` on where it is
// more; n_left(), the rows on its left; low(), what the best cut offered reaches.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../data/coarse.hpp"
#include "bin_parts.hpp"
#include "coarse_cuts.hpp"

namespace tectree {

// A node as a coarse column sees it.
struct CoarseView {
  const Column& values;
  const Sample& sample;
  const CoarseColumn& column;
  const std::uint32_t* rows;  // of the node
  std::size_t n_rows;
  int fine = 0;  // bins are counted in 2^fine slices

  int slices() const { return column.codes << fine; }
  // Of as many slices, four bins, a group is looked at first: few groups have a cut that matters.
  int together() const { return 4 << fine; }
  std::uint8_t code(std::size_t i) const { return column.binned.code[rows[i]]; }
  double value(std::size_t i) const { return values.value(sample.row(rows[i])); }
};

// Offers every admissible cut between groups of bins, and bounds the cuts inside each.
template <class Cursor>
void offer_edges(const CoarseView& view, Cursor& cursor, std::vector<BinPlace>& groups) {
  cursor.start();
  for (int b = 0; b < view.slices(); b += view.together()) {
    const int end = std::min(b + view.together(), view.slices());
    const auto group = cursor.in_bins(b, end);
    const std::uint32_t rows = cursor.rows(group);
    const double most = cursor.bound(group, false, HUGE_VAL);
    groups.push_back({b, end, cursor.n_left(), rows, most, false});
    cursor.pass(group);
    if (rows > 0 && cursor.admissible()) cursor.offer(end - 1, true, 0.0, 0.0);
  }
}

// Offers the cuts between some bins, which hold `rows`.
template <class Cursor>
void offer_between(int first, std::uint32_t rows, Cursor& cursor) {
  for (int b = first; rows > 0; ++b) {
    const auto in_bin = cursor.in_bin(b);
    const std::uint32_t here = cursor.rows(in_bin);
    cursor.pass(in_bin);
    rows -= here;
    if (here > 0 && rows > 0 && cursor.admissible()) cursor.offer(b, true, 0.0, 0.0);
  }
}

// Calls visit(first, end) for the bins in those groups of `together` between `begin` and `end` in
// which a cut may reach `floor`, the cursor before them, and offers the cuts between bins or
// groups, which hold `rows`. A group is opened into four, unless its rows are few.
template <class Cursor, class Visit>
void open_bins(int begin, int end, int together, std::uint32_t rows, double floor, Cursor& cursor,
               Visit visit) {
  constexpr std::uint32_t few = 16;
  for (int first = begin; rows > 0; first += together) {
    const int last = std::min(first + together, end);
    const auto group = cursor.in_bins(first, last);
    const std::uint32_t here = cursor.rows(group);
    if (here == 0) continue;
    if (together == 1 || here <= few) {
      visit(first, last);
      offer_between(first, here, cursor);
    } else if (cursor.bound(group, false, floor) >= floor) {
      open_bins(first, last, std::max(together / 4, 1), here, floor, cursor, visit);
    } else {
      cursor.pass(group);
    }
    rows -= here;
    if (rows > 0 && cursor.admissible()) cursor.offer(last - 1, true, 0.0, 0.0);
  }
}

// The same for those of some groups that are `wanted`; the cuts between these are known.
template <class Cursor, class Wanted, class Visit>
void open_groups(const CoarseView& view, const std::vector<BinPlace>& groups, Wanted wanted,
                 double floor, Cursor& cursor, Visit visit) {
  cursor.start();
  int next = 0;  // the bin behind the cursor
  for (const BinPlace& group : groups) {
    if (!wanted(group)) continue;
    if (next < group.first) cursor.pass(cursor.in_bins(next, group.first));
    next = group.end;
    open_bins(group.first, group.end, std::max(view.together() / 4, 1), group.rows, floor, cursor,
              visit);
  }
}

template <class Cells>
class CloserLook {
  using Item = CoarseItem<typename Cells::What>;

 public:
  // Offers every cut inside a group of bins that may reach `floor`.
  template <class Cursor>
  void scan_bins(const CoarseView& view, const std::vector<BinPlace>& groups, double floor,
                 Cursor& cursor) {
    start_selection(view);
    const auto wanted = [&](const BinPlace& group) { return group.most >= floor; };
    open_groups(view, groups, wanted, floor, cursor, [&](int first, int end) {
      if (cursor.bound(cursor.in_bins(first, end), false, floor) < floor) return;
      for (int b = first; b < end; ++b) select(b, view, cursor);
    });
    scan_selected(view, floor, cursor);
  }

  // Likewise the cuts inside some bins that may reach the best known one.
  template <class Cursor>
  void scan_places(const CoarseView& view, const std::vector<BinPlace>& places, Cursor& cursor) {
    start_selection(view);
    for (const BinPlace& place : places) {
      for (int b = place.first; b < place.end; ++b) select(b, view, cursor);
    }
    scan_selected(view, cursor.low(), cursor);
  }

 private:
  void start_selection(const CoarseView& view) {
    has_selected_.assign(256, 0);
    selected_.assign(static_cast<std::size_t>(256) << view.fine, 0);
    bins_.clear();
    start_.assign(1, 0);
  }
  // Keeps the bin and makes room for its items.
  template <class Cursor>
  void select(int b, const CoarseView& view, const Cursor& cursor) {
    bins_.push_back(b);
    has_selected_[b >> view.fine] = 1;
    selected_[b] = static_cast<std::uint16_t>(bins_.size());
    start_.push_back(start_.back() + cursor.rows(cursor.in_bin(b)));
  }

  template <class Cursor>
  void scan_selected(const CoarseView& view, double floor, Cursor& cursor) {
    if (bins_.empty()) return;
    collect(view, cursor.whats());
    cursor.start();
    int next = 0;  // the bin behind the cursor
    for (std::size_t i = 0; i < bins_.size(); ++i) {
      for (; next < bins_[i]; ++next) cursor.pass(cursor.in_bin(next));
      scan_bin(view, i, floor, cursor);
      ++next;
    }
  }

  // First the rows of bins with a slice that is selected, without a branch that could not be
  // predicted; then what is known without its value of each that lies in such a slice.
  void collect(const CoarseView& view, const typename Cells::What* what) {
    rows_.resize(std::max(rows_.size(), view.n_rows + 1));
    std::size_t n = 0;
    for (std::size_t i = 0; i < view.n_rows; ++i) {
      rows_[n] = view.rows[i];
      n += has_selected_[view.code(i)];
    }
    items_.resize(start_.back());
    to_.assign(start_.begin(), start_.end() - 1);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t row = rows_[i];
      const std::size_t bin = selected_[view.column.slice(row, view.fine)];
      if (bin > 0) items_[to_[bin - 1]++] = {0.0, row, view.column.within[row], what[row]};
    }
  }

  // The items' values, which stand anywhere in memory and are asked for together.
  static void fetch(const CoarseView& view, Item* first, Item* last) {
    for (const Item* item = first; item < last; ++item)
      view.values.fetch(view.sample.row(item->row));
    for (Item* item = first; item < last; ++item)
      item->value = view.values.value(view.sample.row(item->row));
  }

  // The cursor stands before the bin, and is moved behind it. A bin of many rows is dealt out into
  // smaller ones, which are bounded in their turn: few are sorted.
  template <class Cursor>
  void scan_bin(const CoarseView& view, std::size_t selected, double floor, Cursor& cursor) {
    constexpr std::ptrdiff_t few = 64;
    const int bin = bins_[selected];
    Item *first = items_.data() + start_[selected], *last = items_.data() + start_[selected + 1];
    if (last - first > few && parts_.deal(first, last, view.fine, cursor.width()))
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

  std::vector<std::uint8_t> has_selected_;  // by code: whether one of its slices is selected
  std::vector<std::uint16_t> selected_;     // by slice: 1 + its place among the selected
  std::vector<int> bins_;                   // the selected, increasing
  std::vector<std::uint32_t> start_, to_, rows_;
  std::vector<Item> items_;
  BinParts<Cells> parts_;
};

// The node's values on both sides of the upper edge of a bin: the largest in the last bin up to it
// that has rows, the least in the first behind it. The view tells rows_in(b).
template <class View>
void values_beside(const View& view, int bin, double& below, double& above) {
  int last = bin, first = bin + 1;
  while (view.rows_in(last) == 0) --last;
  while (view.rows_in(first) == 0) ++first;
  below = -HUGE_VAL;
  above = HUGE_VAL;
  for (std::size_t i = 0; i < view.n_rows; ++i) {
    const int at = view.column.slice(view.rows[i], view.fine);
    if (at == last) below = std::max(below, view.value(i));
    if (at == first) above = std::min(above, view.value(i));
  }
}

}  // namespace tectree

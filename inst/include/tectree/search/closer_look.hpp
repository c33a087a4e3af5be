// The bins of a coarse column in which the best cut may lie, sorted and scanned cut by cut.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "bin_parts.hpp"
#include "coarse_scan.hpp"

namespace tectree {

// A node as a coarse column sees it.
struct CoarseView {
  const Column& values;
  const Sample& sample;
  const CoarseColumn& column;
  const std::uint32_t* rows;  // of the node
  std::size_t n_rows;
  const std::uint16_t* label;               // by row
  const std::uint32_t* counts;              // class counts by code
  const std::vector<std::uint32_t>& total;  // class counts of the rows with a value
  std::uint32_t n;                          // their number
  const KernelTable& table;
  std::uint32_t least;  // rows a side

  std::size_t k() const { return total.size(); }
  const std::uint32_t* in_bin(std::size_t b) const { return counts + b * k(); }
  std::uint8_t code(std::size_t i) const { return column.binned.code[rows[i]]; }
  double value(std::size_t i) const { return values.value(sample.row(rows[i])); }
};

class CloserLook {
  using Item = CoarseItem;

 public:
  // Offers to `scan` every cut inside a bin that may reach `floor`.
  template <Form form>
  void scan_bins(const CoarseView& view, double floor, const CutValue& value, CoarseScan& scan) {
    std::vector<std::uint32_t> left(view.k(), 0);
    select(view, [&](int b) {
      const std::uint32_t* in_bin = view.in_bin(b);
      const double most = scan.bound<form>(floor, false, left.data(), in_bin, view.total, view.n,
                                           view.table, value, view.least);
      for (std::size_t s = 0; s < view.k(); ++s) left[s] += in_bin[s];
      return most >= floor;
    });
    scan_selected<form>(view, floor, value, scan);
  }

  // Likewise the cuts inside the bins marked, which then are no longer among scan.bins.
  void scan_marked(const CoarseView& view, const std::vector<char>& marked, const CutValue& value,
                   CoarseScan& scan) {
    select(view, [&](int b) { return marked[b] != 0; });
    scan_selected<Form::linear>(view, scan.low, value, scan);
    for (std::uint32_t b : bins_) scan.bins[b] = -HUGE_VAL;
  }

 private:
  // Keeps the bins that are wanted and makes room for their items.
  template <class Wanted>
  void select(const CoarseView& view, Wanted wanted) {
    selected_.assign(256, 0);
    bins_.clear();
    start_.assign(1, 0);
    for (int b = 0; b < view.column.codes; ++b) {
      if (!wanted(b)) continue;
      bins_.push_back(b);
      selected_[b] = static_cast<std::uint8_t>(bins_.size());
      start_.push_back(start_.back() + std::accumulate(view.in_bin(b), view.in_bin(b + 1), 0u));
    }
  }

  template <Form form>
  void scan_selected(const CoarseView& view, double floor, const CutValue& value,
                     CoarseScan& scan) {
    if (bins_.empty()) return;
    collect(view);
    for (std::size_t b = 0; b < bins_.size(); ++b) scan_bin<form>(view, b, floor, value, scan);
  }

  // First the rows, without a branch that could not be predicted; then what is known of each
  // without its value.
  void collect(const CoarseView& view) {
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
      items_[to_[bin]++] = {0.0, row, view.label[row], view.column.within[row]};
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
  template <Form form>
  void scan_bin(const CoarseView& view, std::size_t b, double floor, const CutValue& value,
                CoarseScan& scan) {
    constexpr std::ptrdiff_t few = 64;
    Item *first = items_.data() + start_[b], *last = items_.data() + start_[b + 1];
    left_.assign(view.k(), 0);
    for (std::size_t i = 0; i < bins_[b] * view.k(); ++i) left_[i % view.k()] += view.counts[i];
    if (last - first > few && parts_.deal(first, last, view.k()))
      return scan_parts<form>(view, floor, value, scan);
    fetch(view, first, last);
    scan_items<form>(view, first, last, std::nan(""), value, scan);
  }

  template <Form form>
  void scan_parts(const CoarseView& view, double floor, const CutValue& value, CoarseScan& scan) {
    const std::size_t k = view.k();
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      Item *first = parts_.begin(part), *last = parts_.end(part);
      if (first == last) continue;
      const std::uint32_t* in_part = parts_.counts(part);
      const bool closed = !parts_.is_last(part);
      const double enough = std::max(floor, scan.low);
      if (scan.bound<form>(enough, closed, left_.data(), in_part, view.total, view.n, view.table,
                           value, view.least) >= enough) {
        fetch(view, first, last);
        const double above = closed ? least_behind(view, part) : std::nan("");
        scan_items<form>(view, first, last, above, value, scan);
      } else {
        for (std::size_t s = 0; s < k; ++s) left_[s] += in_part[s];
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

  // Every cut after one of the items, which follow left_; `above` is the value that follows the
  // last, NaN where the cut there is not asked for. Leaves the items in left_.
  template <Form form>
  void scan_items(const CoarseView& view, Item* first, Item* last, double above,
                  const CutValue& value, CoarseScan& scan) {
    const auto less = [](const Item& x, const Item& y) { return x.value < y.value; };
    // Many may be one value.
    if (!std::is_sorted(first, last, less)) std::sort(first, last, less);
    std::uint32_t n_l = std::accumulate(left_.begin(), left_.end(), 0u);
    for (const Item* item = first; item < last; ++item) {
      ++left_[item->label];
      ++n_l;
      const double next = item + 1 < last ? item[1].value : above;
      if (!(item->value < next) || n_l < view.least || view.n - n_l < view.least) continue;
      const auto e =
          CoarseScan::estimate<form>(left_.data(), view.total, n_l, view.n, view.table, value);
      scan.offer(e, n_l, -1, item->value, next, left_);
    }
  }

  std::vector<std::uint8_t> selected_;  // by code: 1 + its place among the selected bins
  std::vector<std::uint32_t> bins_, start_, to_, left_, rows_;
  std::vector<Item> items_;
  BinParts parts_;
};

// The node's largest value in the bins up to the cut's, its least above.
inline void values_beside(const CoarseView& view, CoarseCut& cut) {
  cut.below = -HUGE_VAL;
  cut.above = HUGE_VAL;
  for (std::size_t i = 0; i < view.n_rows; ++i) {
    if (view.code(i) == view.column.missing()) continue;
    if (view.code(i) <= cut.bin) {
      cut.below = std::max(cut.below, view.value(i));
    } else {
      cut.above = std::min(cut.above, view.value(i));
    }
  }
}

}  // namespace tectree

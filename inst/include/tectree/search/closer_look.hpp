// The bins of a coarse column in which the best cut may lie, sorted and scanned cut by cut.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

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
  std::uint8_t code(std::size_t i) const { return column.binned.code[rows[i]]; }
  double value(std::size_t i) const { return values.value(sample.row(rows[i])); }
};

class CloserLook {
 public:
  // Offers to `scan` every cut inside a bin that may reach `floor`.
  template <Form form>
  void scan_bins(const CoarseView& view, double floor, const CutValue& value, CoarseScan& scan) {
    if (!select<form>(view, floor, value, scan)) return;
    collect(view);
    for (std::size_t b = 0; b < bins_.size(); ++b) scan_bin<form>(view, b, value, scan);
  }

 private:
  // Marks the bins and makes room for their items; whether there are any.
  template <Form form>
  bool select(const CoarseView& view, double floor, const CutValue& value, CoarseScan& scan) {
    selected_.assign(256, 0);
    bins_.clear();
    start_.assign(1, 0);
    left_.assign(view.k(), 0);
    for (int b = 0; b < view.column.codes; ++b) {
      const std::uint32_t* in_bin = view.counts + static_cast<std::size_t>(b) * view.k();
      if (scan.may_reach<form>(floor, left_.data(), in_bin, view.total, view.n, view.table, value,
                               view.least)) {
        bins_.push_back(b);
        selected_[b] = static_cast<std::uint8_t>(bins_.size());
        start_.push_back(start_.back() + std::accumulate(in_bin, in_bin + view.k(), 0u));
      }
      for (std::size_t s = 0; s < view.k(); ++s) left_[s] += in_bin[s];
    }
    return !bins_.empty();
  }

  void collect(const CoarseView& view) {
    items_.resize(start_.back());
    std::vector<std::uint32_t> to(start_.begin(), start_.end() - 1);
    for (std::size_t i = 0; i < view.n_rows; ++i) {
      const std::uint8_t place = selected_[view.code(i)];
      if (place > 0) items_[to[place - 1]++] = {view.value(i), view.label[view.rows[i]]};
    }
  }

  template <Form form>
  void scan_bin(const CoarseView& view, std::size_t b, const CutValue& value, CoarseScan& scan) {
    const auto first = items_.begin() + start_[b], last = items_.begin() + start_[b + 1];
    std::sort(first, last, [](const auto& x, const auto& y) { return x.first < y.first; });
    left_.assign(view.k(), 0);
    for (std::size_t i = 0; i < bins_[b] * view.k(); ++i) left_[i % view.k()] += view.counts[i];
    std::uint32_t n_l = std::accumulate(left_.begin(), left_.end(), 0u);
    for (auto item = first; item + 1 < last; ++item) {
      ++left_[item->second];
      ++n_l;
      if (item->first == (item + 1)->first || n_l < view.least || view.n - n_l < view.least)
        continue;
      const auto e =
          CoarseScan::estimate<form>(left_.data(), view.total, n_l, view.n, view.table, value);
      scan.offer(e, n_l, -1, item->first, (item + 1)->first, left_);
    }
  }

  std::vector<std::uint8_t> selected_;  // by code: 1 + its place among the selected bins
  std::vector<std::uint32_t> bins_, start_, left_;
  std::vector<std::pair<double, std::uint16_t>> items_;  // value and class
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

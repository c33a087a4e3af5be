// A cursor (see look_inside.hpp) over the classes of a coarse column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "class_bounds.hpp"
#include "look_inside.hpp"

namespace tectree {

// Class counts, k a cell.
class ClassCells {
 public:
  using What = std::uint16_t;

  void start(std::size_t cells, std::size_t k) {
    k_ = k;
    counts_.assign(cells * k, 0);
  }
  void add(std::size_t cell, What label) { ++counts_[cell * k_ + label]; }
  const std::uint32_t* of(std::size_t cell) const { return counts_.data() + cell * k_; }

 private:
  std::size_t k_ = 0;
  std::vector<std::uint32_t> counts_;
};

struct ClassView : BinView {
  const std::uint16_t* label;               // by row
  const std::uint32_t* counts;              // class counts by code
  const std::vector<std::uint32_t>& total;  // class counts of the rows with a value
  std::uint32_t n;                          // their number
  const KernelTable& table;
  std::uint32_t least;  // rows a side

  std::size_t k() const { return total.size(); }
  const std::uint32_t* in_bin(std::size_t b) const { return counts + b * k(); }
  std::uint32_t rows_in(std::size_t b) const {
    return std::accumulate(in_bin(b), in_bin(b) + k(), 0u);
  }
};

class ClassCursor {
 public:
  using Cells = ClassCells;

  ClassCursor(const ClassView& view, Form form, const CutValue& value, ClassBounds& scan)
      : view_(view), form_(form), value_(value), scan_(scan), left_(view.k(), 0) {}

  std::size_t width() const { return view_.k(); }
  const Cells::What* whats() const { return view_.label; }
  const std::uint32_t* in_bin(int b) const { return view_.in_bin(b); }
  std::uint32_t rows(const std::uint32_t* cell) const {
    return std::accumulate(cell, cell + view_.k(), 0u);
  }

  void start() {
    left_.assign(view_.k(), 0);
    n_l_ = 0;
  }
  void pass(const std::uint32_t* cell) {
    for (std::size_t s = 0; s < left_.size(); ++s) left_[s] += cell[s];
    n_l_ += rows(cell);
  }
  void pass_row(Cells::What label) {
    ++left_[label];
    ++n_l_;
  }

  std::uint32_t n_left() const { return n_l_; }
  bool admissible() const {
    return n_l_ >= view_.least && n_l_ < view_.n && view_.n - n_l_ >= view_.least;
  }
  void offer(int bin, bool at_edge, double below, double above) {
    const CutValue::Estimate e =
        ClassBounds::estimate(form_, left_.data(), view_.total, n_l_, view_.n, view_.table, value_);
    if (scan_.wants(e.high)) scan_.offer(e.low, {n_l_, e.high, bin, at_edge, below, above, left_});
  }
  double bound(const std::uint32_t* cell, bool closed, double enough) {
    return scan_.bound(form_, enough, closed, left_.data(), cell, view_.total, view_.n, view_.table,
                       value_, view_.least);
  }
  double low() const { return scan_.low; }

 private:
  const ClassView& view_;
  Form form_;
  const CutValue& value_;
  ClassBounds& scan_;
  std::vector<std::uint32_t> left_;  // class counts
  std::uint32_t n_l_ = 0;
};

}  // namespace tectree

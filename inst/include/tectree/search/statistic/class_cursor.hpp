// A cursor (see look_inside.hpp) over the classes of a column on bins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "../histogram/look_inside.hpp"
#include "class_bounds.hpp"

namespace tectree {

template <class W>
class ClassCursor {
 public:
  using View = ClassView<W>;
  using Count = typename View::Count;
  using Cells = ClassCells<Count>;
  using What = typename Cells::What;

  ClassCursor(const View& view, ClassBounds<W>& cuts) : view_(view), cuts_(cuts), left_(cuts.left) {
    start();
  }

  std::size_t width() const { return view_.k(); }
  What what(std::uint32_t row) const { return {view_.label[row], view_.bins->of(row)}; }
  const Count* in_bin(int b) const { return view_.in_bin(b); }
  bool is_empty(const Count* cell) const { return view_.count_of(cell) == 0; }

  void start() {
    left_.assign(view_.k(), 0);
    n_l_ = 0;
  }
  void pass(const Count* cell) {
    for (std::size_t s = 0; s < left_.size(); ++s) {
      left_[s] += cell[s];
      n_l_ += cell[s];
    }
  }
  void pass_row(const What& what) {
    left_[what.label] += what.weight;
    n_l_ += what.weight;
  }

  BinPlace place(int bin, double most) const {
    return {bin, static_cast<double>(view_.mass_of(left_.data())),
            static_cast<double>(view_.mass_of(in_bin(bin))), most};
  }
  bool admissible() const {
    return n_l_ >= view_.least && n_l_ < view_.n && view_.n - n_l_ >= view_.least;
  }
  void offer(int bin, bool at_edge, double below, double above) {
    const CutValue::Estimate e = ClassBounds<W>::estimate(view_, left_.data());
    if (!cuts_.wants(e.high)) return;
    const std::size_t left = cuts_.weights.size();
    for (std::size_t s = 0; s < left_.size(); ++s)
      cuts_.weights.push_back(view_.scale.mass(s, left_[s]));
    cuts_.offer(e.low, {view_.scale.size(n_l_), e.high, bin, at_edge, below, above, left});
  }
  double bound(const Count* cell, bool closed, double enough) {
    return cuts_.bound(view_, enough, closed, left_.data(), cell);
  }
  double low() const { return cuts_.low; }

 private:
  const View& view_;
  ClassBounds<W>& cuts_;
  std::vector<Count>& left_;  // by class
  Count n_l_ = 0;
};

}  // namespace tectree

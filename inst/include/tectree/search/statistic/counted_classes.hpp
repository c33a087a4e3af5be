// One column of a node whose classes are counted by code, and a cut that moves up it. A ratio gain
// / T of a cut inside a bin is at most the bound of the gain (see ../scan/class_cut.hpp) over the
// smallest T, at an end of the box.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../choose/column_result.hpp"
#include "../scan/class_cut.hpp"
#include "../sorted/rows.hpp"
#include "class_counts.hpp"

namespace tectree {

// A counted column, see ../histogram/look_inside.hpp.
template <class W>
class CountedClasses : public BinView {
 public:
  static constexpr bool may_have_bins = true;
  using Scale = ClassScale<W>;
  using Count = typename Scale::Count;
  using Mass = typename Scale::Mass;
  using Cells = ClassCells<Count>;
  using What = typename Cells::What;

  struct Scratch {
    std::vector<Count> total;
    std::vector<BothSides<Count>> sides;
  };

  // `cells`: by code; scratch.total: the cell of the rows with a value, whose size is `n`.
  CountedClasses(const BinView& view, const NodeClasses<W>& of, const Count* cells, Count n,
                 const CutValue& value, Scratch& scratch, Contenders& cuts)
      : BinView(view),
        of_(of),
        cells_(cells),
        n_(n),
        mass_(0),
        value_(value),
        total_(scratch.total),
        cuts_(cuts),
        cut_(of.scale, total_.data(), of.bins->k, scratch.sides) {
    mass_ = cut_.n_r;
  }

  std::size_t k() const { return of_.bins->k; }
  Count total(std::size_t s) const { return total_[s]; }
  Count n() const { return n_; }
  Mass mass() const { return mass_; }
  Count least() const { return of_.least; }
  const Scale& scale() const { return of_.scale; }
  const CutValue& cut_value() const { return value_; }
  bool may_cut() const { return n_ >= 2; }
  double weight() const { return of_.scale.size(of_.bins->weight_in(total_.data())); }
  bool has_sizes() const { return of_.bins->has_sizes(); }
  double size_of(Count n) const { return has_sizes() ? static_cast<double>(n) : of_.scale.size(n); }

  std::size_t width() const { return of_.bins->width; }
  What what(std::uint32_t row) const {
    return {of_.label[row], of_.bins->size_of(row), of_.bins->of(row)};
  }
  const Count* in_bin(int b) const { return cells_ + static_cast<std::size_t>(b) * width(); }
  Count count_of(const Count* cell) const { return of_.bins->size_in(cell); }
  bool is_empty(int b) const { return count_of(in_bin(b)) == 0; }

  void start() {
    n_l_ = w_l_ = 0;
    cut_.restart();
  }
  // Moves rows to the left without the kernel's sums, which sum_up() then computes.
  void skip(const Count* cell) {
    cut_.skip(cell);
    count(cell);
  }
  void sum_up() { cut_.sum_up(); }
  // Moves rows to the left; whether there are any.
  bool pass(const Count* cell) {
    cut_.move(cell);
    return count(cell) != 0;
  }
  void pass_row(const What& what) {
    cut_.move(what.label, what.weight);
    w_l_ += what.weight;
    n_l_ += has_sizes() ? what.size : what.weight;
  }
  Count left(std::size_t s) const { return cut_.left(s); }

  BinPlace place(int bin, double most) const {
    double in = 0.0;
    for (std::size_t s = 0; s < k(); ++s) in += of_.scale.mass(s, in_bin(bin)[s]);
    return {bin, static_cast<double>(cut_.n_l), in, most};
  }
  bool admissible() const { return n_l_ >= of_.least && n_l_ < n_ && n_ - n_l_ >= of_.least; }
  void offer(int bin, double below = std::nan(""), double above = std::nan("")) {
    cut_.settle();
    const auto found = with_form(
        of_.form, [&](auto form) { return cut_.template estimate<decltype(form)::value>(value_); });
    cuts_.offer(found.low, {0, found.high, bin, below, above, of_.scale.size(w_l_),
                            static_cast<double>(cut_.n_l)});
  }
  double floor() const { return cuts_.floor(); }

  // An upper bound of the cuts inside the bin after the cut, or inside a part of one.
  double bound(const Count* b, bool closed, double enough) {
    const Count in_bin = count_of(b), end = n_l_ + in_bin + (closed ? 1 : 0);
    if (n_l_ + 1 >= end || end <= of_.least || n_ - n_l_ <= of_.least) return -HUGE_VAL;
    double t = 1.0;
    if (of_.form == Form::ratio) {
      t = std::min(spread(std::max<Count>(n_l_, 1)),
                   spread(std::min<Count>(n_l_ + in_bin, n_ - 1)));
    }
    return cut_.most_inside(b, value_, of_.form, of_.concave, enough * t) / t;
  }

 private:
  Count count(const Count* cell) {
    const Count n = count_of(cell);
    n_l_ += n;
    w_l_ += has_sizes() ? of_.bins->weight_in(cell) : n;
    return n;
  }

  // S_q of the two sides' sizes.
  double spread(Count n_l) const {
    // A ratio is only valued for whole weights.
    const Mass l = static_cast<Mass>(n_l), r = static_cast<Mass>(n_ - n_l);
    return (value_.phi_n - of_.scale.phi(l) - of_.scale.phi(r)) / value_.power_n;
  }

  const NodeClasses<W> of_;
  const Count* cells_;
  Count n_, n_l_ = 0;  // the sizes of all rows and of those on the left
  Count w_l_ = 0;      // the weight of the latter
  Mass mass_;          // of all rows
  CutValue value_;
  const std::vector<Count>& total_;
  Contenders& cuts_;
  ClassCut<Scale> cut_;
};

}  // namespace tectree

// The cuts of one numeric column under the rules of C4.5: from the lowest up, each of them O(1)
// whatever the criterion and however many classes. The running sums are those of class_scan.hpp;
// their drift is some 1e-12, far below the 1e-6 by which a later cut must be better.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "../groups/class_groups.hpp"
#include "../scan/unit_scan.hpp"
#include "c45_rules.hpp"

namespace tectree {
namespace c45 {

// The best cut so far, and how many have been tried.
struct Best {
  std::uint32_t at = 0;  // entries or groups left of it; 0: none yet
  double cut = 0.0;
  std::uint32_t tried = 0;

  bool beaten_by(double value) const { return value - cut > clearly; }
  void take(std::uint32_t here, double value) {
    if (!beaten_by(value)) return;
    at = here;
    cut = value;
  }
};

// The cut measure from the kernel's sums, in the criterion's units.
struct CutMeasure {
  CutValue value;
  double unit;

  template <Form form>
  double of(double phi_l, double alpha_l, double b_l, double phi_r, double alpha_r,
            double b_r) const {
    if constexpr (form == Form::power) {
      return unit * (value.s - ((phi_l - b_l) + (phi_r - b_r)) * value.inverse);
    } else {
      const double gain =
          value.s - (alpha_l * (phi_l - b_l) + alpha_r * (phi_r - b_r)) * value.inverse;
      if constexpr (form == Form::linear) return unit * gain;
      return gain * value.power_n / (value.phi_n - phi_l - phi_r);
    }
  }
};

// Any weights. `is_apart(a, b)`: whether a cut may go between neighbouring entries.
template <Form form, class W, class Index, class Apart>
Best scan(const Entry<Index>* e, std::uint32_t known, const std::uint16_t* label, const W w,
          const CutMeasure& measure, typename W::Count least, MovingCut<W> cut, Apart is_apart,
          double known_size = 0.0) {
  CutSizes<W> sizes(w, known_size);
  Best best;
  for (std::uint32_t i = 0; i + 1 < known; ++i) {
    cut.move(label[e[i].row], w.of(e[i].row));
    sizes.move(e[i].row);
    if (sizes.left(cut) < least || !is_apart(e[i], e[i + 1])) continue;
    if (sizes.right(cut) < least) break;
    cut.settle();
    ++best.tried;
    best.take(i + 1, measure.of<form>(w.phi(cut.n_l), w.alpha(cut.n_l), cut.b_l, w.phi(cut.n_r),
                                      w.alpha(cut.n_r), cut.b_r));
  }
  return best;
}

// Rows that count 1 and a column whose distinct values are all apart: the values of a block of cuts
// are computed together, and only a block with a better cut is looked at one by one.
template <Form form, class Index>
Best scan_unit(const Entry<Index>* e, std::uint32_t known, const std::uint16_t* label,
               const KernelTable& table, const CutMeasure& measure, std::uint32_t least,
               Afresh afresh, UnitCut cut) {
  constexpr std::uint32_t block = 32;
  double b_l[block], b_r[block], value[block], tied[block];
  const double *phi = table.phi.data(), *alpha = table.alpha.data();
  Best best;
  if (least > known / 2) return best;
  std::uint32_t i = 0;
  for (; i + 1 < least; ++i) cut.move(label[e[i].row]);
  const std::uint32_t last = known - least;  // rows left of the last cut
  while (i < last) {
    const std::uint32_t first = i;
    const int n = static_cast<int>(last - i < block ? last - i : block);
    const Entry<Index>* here = e + first;
    std::uint32_t of_class[block];
    std::uint32_t tried = 0;
    for (int j = 0; j < n; ++j) {
      of_class[j] = label[here[j].row];
      const bool same = here[j].rank == here[j + 1].rank;
      tied[j] = same ? -HUGE_VAL : 0.0;
      tried += !same;
    }
    best.tried += tried;
    if (afresh == Afresh::always || cut.worn()) cut.sum_afresh();
    for (int j = 0; j < n; ++j) {
      cut.move(of_class[j]);
      if (afresh != Afresh::each_block && (afresh == Afresh::always || cut.worn()))
        cut.sum_afresh();
      b_l[j] = cut.sums.left();
      b_r[j] = cut.sums.right();
    }
    i += n;
    if (tried == 0) continue;
    const double *phi_l = phi + first + 1, *phi_r = phi + (known - first - 1);
    const double *alpha_l = alpha + first + 1, *alpha_r = alpha + (known - first - 1);
    for (int j = 0; j < n; ++j) {
      value[j] =
          tied[j] + measure.of<form>(phi_l[j], alpha_l[j], b_l[j], phi_r[-j], alpha_r[-j], b_r[j]);
    }
    double top = -HUGE_VAL;
    for (int j = 0; j < n; ++j) top = top > value[j] ? top : value[j];
    if (!best.beaten_by(top)) continue;
    for (int j = 0; j < n; ++j) best.take(first + j + 1, value[j]);
  }
  return best;
}

}  // namespace c45
}  // namespace tectree

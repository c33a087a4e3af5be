// The cuts of one numeric column under the rules of C4.5: from the lowest up, each of them O(1)
// whatever the criterion and however many classes. The running sums are those of class_scan.hpp;
// their drift is some 1e-12, far below the 1e-6 by which a later cut must be better.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "../groups/class_groups.hpp"
#include "../scan/class_scan.hpp"
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
class CutMeasure {
 public:
  CutMeasure(const CutValue& value, const Criterion& criterion)
      : s_(value.s),
        inverse_(value.inverse),
        power_n_(value.power_n),
        phi_n_(value.phi_n),
        unit_(criterion.unit()) {}

  template <Form form>
  double of(double phi_l, double alpha_l, double b_l, double phi_r, double alpha_r,
            double b_r) const {
    if constexpr (form == Form::power) {
      return unit_ * (s_ - ((phi_l - b_l) + (phi_r - b_r)) * inverse_);
    } else {
      const double gain = s_ - (alpha_l * (phi_l - b_l) + alpha_r * (phi_r - b_r)) * inverse_;
      if constexpr (form == Form::linear) return unit_ * gain;
      return gain * power_n_ / (phi_n_ - phi_l - phi_r);
    }
  }

 private:
  double s_, inverse_, power_n_, phi_n_, unit_;
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

// The same eight at a time: the cuts that may be better are measured. `scan`: a SimdScan that has
// been started.
template <Form form, class Simd, class Count>
Best scan_by_simd(Simd& scan, const Entry<std::uint16_t>* e, const CutValue& value, double unit,
                  Count least) {
  Best best;
  best.tried = scan.template each_cut<form>(e, value, least, clearly / unit,
                                            [&](std::uint32_t at, double measure) {
                                              best.take(at, measure * unit);
                                              return (best.cut + clearly) / unit;
                                            });
  return best;
}

}  // namespace c45
}  // namespace tectree

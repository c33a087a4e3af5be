// The inner loop where every row counts 1, for half of a fit's time is spent here: the number of
// rows on the left is the place of the cut, so all that depends on it alone is made once a node.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "class_scan.hpp"
#include "cut_proxies.hpp"
#include "unit_cut.hpp"

namespace tectree {

// What a scan is asked of the sorted rows of a column.
template <class Index>
struct UnitColumn {
  const Entry<Index>* entries;
  const std::uint16_t* label;  // by row
  std::uint32_t n;
  const KernelTable& table;
  const CutValue& value;
  std::uint32_t least;  // rows a side
  Afresh afresh;
  double floor;  // only cuts that may reach it are asked for

  std::uint16_t label_at(std::uint32_t i) const { return label[entries[i].row]; }
};

// Values every cut by its proxy, then those whose proxy is high enough by themselves. A scan
// works for one criterion: what depends on the number of rows alone is kept from column to column.
class UnitScan {
 public:
  // Offers every admissible cut that may be the best and reach the floor.
  template <Form form, class Index>
  void offer_cuts(const UnitColumn<Index>& column, UnitCut cut, Contenders& out) {
    const std::uint32_t least = std::max(column.least, 1u);
    if (least > column.n / 2) return;
    prepare<form>(column.table, column.n);
    value_cuts<form>(column, least, column.n - least, cut);
    double floor = column.floor;
    if (!(proxies_.most() >= bar_of<form>(column.value, floor))) return;
    const auto tied = [&](std::uint32_t l) {
      return column.entries[l - 1].rank == column.entries[l].rank;
    };
    const std::uint32_t best = proxies_.best(tied);
    if (best > 0)
      floor = std::max(floor, estimate<form>(column.value, best, proxies_.of(best)).low);
    proxies_.each(bar_of<form>(column.value, floor), tied, [&](std::uint32_t l) {
      const CutValue::Estimate found = estimate<form>(column.value, l, proxies_.of(l));
      if (found.high >= floor) out.offer(l, found.low, found.high);
    });
  }

 private:
  template <Form form>
  void prepare(const KernelTable& table, std::uint32_t n) {
    if (n == n_) return;
    n_ = n;
    table_ = &table;
    if constexpr (form == Form::ratio) return;
    const double *phi = table_->phi.data(), *alpha = table_->alpha.data();
    if (base_.size() <= n) {
      base_.resize(n + 1);
      weight_.resize(n + 1);
    }
    // A cut and its mirror image have the same base.
    for (std::uint32_t l = 0; l <= n / 2; ++l) {
      const std::uint32_t r = n - l;
      double a_l = 1.0, a_r = 1.0;
      if constexpr (form == Form::linear) {
        a_l = alpha[l];
        a_r = alpha[r];
      }
      base_[l] = base_[r] = -(a_l * phi[l] + a_r * phi[r]);
      weight_[l] = {Pair{a_l, -a_r}};
      weight_[r] = {Pair{a_r, -a_l}};
    }
  }

  template <Form form>
  CutValue::Estimate estimate(const CutValue& value, std::uint32_t l, double proxies) const {
    const double* phi = table_->phi.data();
    return value.of_proxy<form>(proxies, phi[l], phi[n_ - l]);
  }

  // The least proxy of a cut whose interval may reach `floor`. A cut measures s + inverse x its
  // proxy; a ratio is its own.
  template <Form form>
  static double bar_of(const CutValue& value, double floor) {
    return form == Form::ratio ? floor : value.bar(floor);
  }

  // The proxies of the cuts with [least, end] rows on the left.
  template <Form form, class Index>
  void value_cuts(const UnitColumn<Index>& column, std::uint32_t least, std::uint32_t end,
                  UnitCut& moved) {
    for (std::uint32_t i = 0; i + 1 < least; ++i) moved.move(column.label_at(i));
    proxies_.make(least, end, [&](std::uint32_t from, std::uint32_t to, double* proxies) {
      const bool always = column.afresh == Afresh::always;
      const bool each_cut = column.afresh != Afresh::each_block;
      UnitCut cut = moved;  // in registers
      if (always || cut.worn()) cut.sum_afresh();
      double most = -HUGE_VAL;
      for (std::uint32_t l = from; l < to; ++l) {
        cut.move(column.label_at(l - 1));
        if (each_cut && (always || cut.worn())) cut.sum_afresh();
        double here;
        if constexpr (form == Form::ratio) {
          here = ratio_of(column.value, l, cut.sums);
        } else {
          here = cut.proxy(base_[l], &weight_[l]);
        }
        proxies[l] = here;
        most = here > most ? here : most;
      }
      moved = cut;
      return most;
    });
  }

  double ratio_of(const CutValue& value, std::uint32_t l, const CutSums& b) const {
    const double *phi = table_->phi.data(), *alpha = table_->alpha.data();
    const std::uint32_t r = n_ - l;
    return value.estimate<Form::ratio>(phi[l], alpha[l], b.left(), phi[r], alpha[r], b.right())
        .high;
  }

  const KernelTable* table_ = nullptr;
  std::uint32_t n_ = 0;
  std::vector<double> base_;         // by rows on the left
  std::vector<SideWeights> weight_;  // likewise
  CutProxies proxies_;
};

}  // namespace tectree

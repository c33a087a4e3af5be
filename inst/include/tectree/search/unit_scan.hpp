// The inner loop where every row counts 1, for half of a fit's time is spent here: the number of
// rows on the left is the place of the cut, so all that depends on it alone is made once a node.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "class_scan.hpp"
#include "promises.hpp"
#include "unit_cut.hpp"

namespace tectree {

// What a scan is asked of the sorted rows of a column.
template <class Index, class Label>
struct UnitColumn {
  const Entry<Index>* entries;
  const Label* label;  // by row
  std::uint32_t n;
  const KernelTable& table;
  const CutValue& value;
  std::uint32_t least;  // rows a side
  Afresh afresh;
  double floor;  // only cuts that may reach it are asked for
};

// Values every cut by what it promises, and then those that promise enough by themselves. A scan
// works for one criterion: what depends on the number of rows alone is kept from column to column.
class UnitScan {
 public:
  // Offers every admissible cut that may be the best and reach the floor.
  template <Form form, class Index, class Label, class Cut>
  void offer_cuts(const UnitColumn<Index, Label>& column, Cut cut, Contenders& out) {
    const std::uint32_t least = std::max(column.least, 1u);
    if (least > column.n / 2) return;
    prepare<form>(column.table, column.n);
    if constexpr (has_own_loops<form, Cut>) {
      if (column.n < few && column.afresh == Afresh::each_block)
        return offer_few<form>(column, least, cut, out);
    }
    value_cuts<form>(column, least, column.n - least, cut);
    double floor = column.floor;
    if (!(promises_.most() >= bar_of<form>(column.value, floor))) return;
    const auto tied = [&](std::uint32_t l) {
      return column.entries[l - 1].rank == column.entries[l].rank;
    };
    const std::uint32_t best = promises_.best(tied);
    if (best > 0) floor = std::max(floor, estimate<form>(column.value, best, sums_[best]).low);
    promises_.each(bar_of<form>(column.value, floor), tied, [&](std::uint32_t l) {
      const CutValue::Estimate found = estimate<form>(column.value, l, sums_[l]);
      if (found.high >= floor) out.offer(l, found.low, found.high);
    });
  }

 private:
  static constexpr std::uint32_t few = 32;
  // The commonest cut has loops of its own, others need not be as quick.
  template <Form form, class Cut>
  static constexpr bool has_own_loops = std::is_same_v<Cut, PackedCut> && (form != Form::ratio);

  template <Form form>
  void prepare(const KernelTable& table, std::uint32_t n) {
    if (n == n_) return;
    n_ = n;
    table_ = &table;
    sums_.resize(n + 1);
    if constexpr (form == Form::ratio) return;
    const double *phi = table_->phi.data(), *alpha = table_->alpha.data();
    base_.resize(n + 1);
    weight_.resize(n + 1);
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

  // The same where rows are few: cuts between equal values promise nothing from the start.
  template <Form form, class Index, class Label, class Cut>
  void offer_few(const UnitColumn<Index, Label>& column, std::uint32_t least, Cut cut,
                 Contenders& out) {
    const Entry<Index>* e = column.entries;
    const Label* label = column.label;
    const double* base = base_.data();
    const SideWeights* weight = weight_.data();
    CutSums* sums = sums_.data();
    constexpr double unless_tied[] = {0.0, -HUGE_VAL};
    double promised[few];
    double most = -HUGE_VAL;
    const std::uint32_t end = column.n - least;
    for (std::uint32_t i = 0; i + 1 < least; ++i) cut.move(label[e[i].row]);
    for (std::uint32_t l = least; l <= end; ++l) {
      cut.move(label[e[l - 1].row]);
      sums[l] = cut.sums;
      promised[l] =
          base[l] + cut.sums.weighted(weight[l]) + unless_tied[e[l - 1].rank == e[l].rank];
      most = promised[l] > most ? promised[l] : most;
    }
    double floor = column.floor;
    if (most == -HUGE_VAL || !(most >= bar_of<form>(column.value, floor))) return;
    const auto best =
        static_cast<std::uint32_t>(std::find(promised + least, promised + end, most) - promised);
    floor = std::max(floor, estimate<form>(column.value, best, sums[best]).low);
    const double bar = bar_of<form>(column.value, floor);
    for (std::uint32_t l = least; l <= end; ++l) {
      if (!(promised[l] >= bar)) continue;
      const CutValue::Estimate found = estimate<form>(column.value, l, sums[l]);
      if (found.high >= floor) out.offer(l, found.low, found.high);
    }
  }

  template <Form form>
  CutValue::Estimate estimate(const CutValue& value, std::uint32_t l, const CutSums& b) const {
    const double *phi = table_->phi.data(), *alpha = table_->alpha.data();
    const std::uint32_t r = n_ - l;
    return value.estimate<form>(phi[l], alpha[l], b.left(), phi[r], alpha[r], b.right());
  }

  // The least promise of a cut whose interval may reach `floor`. A cut measures s + inverse x its
  // promise; a ratio is its own.
  template <Form form>
  static double bar_of(const CutValue& value, double floor) {
    return form == Form::ratio ? floor : value.bar(floor);
  }

  // The sums of the cuts with [least, end] rows on the left, and what they promise.
  template <Form form, class Index, class Label, class Cut>
  void value_cuts(const UnitColumn<Index, Label>& column, std::uint32_t least, std::uint32_t end,
                  Cut cut) {
    const Entry<Index>* e = column.entries;
    const Label* label = column.label;
    for (std::uint32_t i = 0; i + 1 < least; ++i) cut.move(label[e[i].row]);
    if constexpr (has_own_loops<form, Cut>) {
      if (column.afresh == Afresh::each_block) return value_packed<form>(column, least, end, cut);
    }
    promises_.make(least, end, [&](std::uint32_t from, std::uint32_t to, double* promised) {
      return value_block<form>(column, from, to, cut, promised);
    });
  }

  // Where sums are made afresh once a block at most.
  template <Form form, class Index, class Label>
  void value_packed(const UnitColumn<Index, Label>& column, std::uint32_t least, std::uint32_t end,
                    PackedCut cut) {
    const Entry<Index>* e = column.entries;
    const Label* label = column.label;
    const double* base = base_.data();
    const SideWeights* weight = weight_.data();
    CutSums* sums = sums_.data();
    double* promised = promises_.start(least, end);
    for (std::uint32_t l = least; l <= end;) {
      if (cut.worn()) cut.sum_afresh();
      double most = -HUGE_VAL;
      for (const std::uint32_t to = promises_.end_of_block(l); l < to; ++l) {
        cut.move(label[e[l - 1].row]);
        sums[l] = cut.sums;
        const double here = base[l] + cut.sums.weighted(weight[l]);
        promised[l] = here;
        most = here > most ? here : most;
      }
      promises_.add_block(most);
    }
  }

  template <Form form, class Index, class Label, class Cut>
  double value_block(const UnitColumn<Index, Label>& column, std::uint32_t from, std::uint32_t to,
                     Cut& moved, double* promised) {
    const bool always = column.afresh == Afresh::always;
    const bool each_cut = always || column.afresh == Afresh::each_cut;
    Cut cut = moved;  // in registers
    if (always || cut.worn()) cut.sum_afresh();
    double most = -HUGE_VAL;
    for (std::uint32_t l = from; l < to; ++l) {
      cut.move(column.label[column.entries[l - 1].row]);
      if (each_cut && (always || cut.worn())) cut.sum_afresh();
      sums_[l] = cut.sums;
      double here;
      if constexpr (form == Form::ratio) {
        here = estimate<form>(column.value, l, cut.sums).high;
      } else {
        here = base_[l] + cut.sums.weighted(weight_[l]);
      }
      promised[l] = here;
      most = here > most ? here : most;
    }
    moved = cut;
    return most;
  }

  const KernelTable* table_ = nullptr;
  std::uint32_t n_ = 0;
  std::vector<double> base_;         // by rows on the left
  std::vector<SideWeights> weight_;  // likewise
  std::vector<CutSums> sums_;        // likewise
  Promises promises_;
};

}  // namespace tectree

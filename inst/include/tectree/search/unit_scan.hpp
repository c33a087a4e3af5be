// The inner loop where every row counts 1, for half of a fit's time is spent here: the number of
// rows on the left is the place of the cut, so all that depends on it alone is made once a node.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "both_ends.hpp"
#include "class_scan.hpp"
#include "packed_cut.hpp"
#include "promises.hpp"

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

  Label label_at(std::uint32_t i) const { return label[entries[i].row]; }
};

// Values every cut by what it promises, and then those that promise enough by themselves. A scan
// works for one criterion: what depends on the number of rows alone is kept from column to column.
class UnitScan {
 public:
  // Offers every admissible cut that may be the best and reach the floor. `cut` is a UnitCut, or
  // TwoCuts over lanes.
  template <Form form, class Index, class Label, class Cut>
  void offer_cuts(const UnitColumn<Index, Label>& column, Cut cut, Contenders& out) {
    const std::uint32_t least = std::max(column.least, 1u);
    if (least > column.n / 2) return;
    prepare<form>(column.table, column.n);
    if constexpr (!std::is_same_v<Cut, UnitCut>) {
      if (column.n < few && column.afresh == Afresh::each_block)
        return offer_few<form>(column, least, cut.low, out);
    }
    value_cuts<form>(column, least, column.n - least, cut);
    double floor = column.floor;
    if (!(promises_.most() >= bar_of<form>(column.value, floor))) return;
    const auto tied = [&](std::uint32_t l) {
      return column.entries[l - 1].rank == column.entries[l].rank;
    };
    const std::uint32_t best = promises_.best(tied);
    if (best > 0)
      floor = std::max(floor, estimate<form>(column.value, best, promises_.of(best)).low);
    promises_.each(bar_of<form>(column.value, floor), tied, [&](std::uint32_t l) {
      const CutValue::Estimate found = estimate<form>(column.value, l, promises_.of(l));
      if (found.high >= floor) out.offer(l, found.low, found.high);
    });
  }

 private:
  static constexpr std::uint32_t few = 32;

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

  // The same where rows are few: cuts between equal values promise nothing from the start.
  template <Form form, class Index, class Label, class Cut>
  void offer_few(const UnitColumn<Index, Label>& column, std::uint32_t least, Cut cut,
                 Contenders& out) {
    const Entry<Index>* e = column.entries;
    const double* base = base_.data();
    const SideWeights* weight = weight_.data();
    constexpr double unless_tied[] = {0.0, -HUGE_VAL};
    double promised[few];
    double most = -HUGE_VAL;
    const std::uint32_t end = column.n - least;
    for (std::uint32_t i = 0; i + 1 < least; ++i) cut.move(column.label_at(i));
    for (std::uint32_t l = least; l <= end; ++l) {
      cut.move(column.label_at(l - 1));
      promised[l] = cut.promise(base[l], weight + l) + unless_tied[e[l - 1].rank == e[l].rank];
      most = promised[l] > most ? promised[l] : most;
    }
    double floor = column.floor;
    if (most == -HUGE_VAL || !(most >= bar_of<form>(column.value, floor))) return;
    const auto best =
        static_cast<std::uint32_t>(std::find(promised + least, promised + end, most) - promised);
    floor = std::max(floor, estimate<form>(column.value, best, promised[best]).low);
    const double bar = bar_of<form>(column.value, floor);
    for (std::uint32_t l = least; l <= end; ++l) {
      if (!(promised[l] >= bar)) continue;
      const CutValue::Estimate found = estimate<form>(column.value, l, promised[l]);
      if (found.high >= floor) out.offer(l, found.low, found.high);
    }
  }

  template <Form form>
  CutValue::Estimate estimate(const CutValue& value, std::uint32_t l, double promised) const {
    const double* phi = table_->phi.data();
    return value.of_promise<form>(promised, phi[l], phi[n_ - l]);
  }

  // The least promise of a cut whose interval may reach `floor`. A cut measures s + inverse x its
  // promise; a ratio is its own.
  template <Form form>
  static double bar_of(const CutValue& value, double floor) {
    return form == Form::ratio ? floor : value.bar(floor);
  }

  // What the cuts with [least, end] rows on the left promise.
  template <Form form, class Index, class Label, class Cut>
  void value_cuts(const UnitColumn<Index, Label>& column, std::uint32_t least, std::uint32_t end,
                  Cut& cut) {
    if constexpr (std::is_same_v<Cut, UnitCut>) {
      value_one_by_one<form>(column, least, end, cut);
    } else if (Cut::suit(column.afresh)) {
      value_from_both_ends(column, least, end, base_.data(), weight_.data(), cut, promises_);
    } else {
      value_one_by_one<form>(column, least, end, cut.low);
    }
  }

  template <Form form, class Index, class Label, class Cut>
  void value_one_by_one(const UnitColumn<Index, Label>& column, std::uint32_t least,
                        std::uint32_t end, Cut& moved) {
    for (std::uint32_t i = 0; i + 1 < least; ++i) moved.move(column.label_at(i));
    promises_.make(least, end, [&](std::uint32_t from, std::uint32_t to, double* promised) {
      const bool always = column.afresh == Afresh::always;
      const bool each_cut = column.afresh != Afresh::each_block;
      Cut cut = moved;  // in registers
      if (always || cut.worn()) cut.sum_afresh();
      double most = -HUGE_VAL;
      for (std::uint32_t l = from; l < to; ++l) {
        cut.move(column.label_at(l - 1));
        if (each_cut && (always || cut.worn())) cut.sum_afresh();
        double here;
        if constexpr (form == Form::ratio) {
          here = ratio_of(column.value, l, cut.sums);
        } else {
          here = cut.promise(base_[l], &weight_[l]);
        }
        promised[l] = here;
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
  Promises promises_;
};

}  // namespace tectree

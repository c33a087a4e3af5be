// The inner loop where every row counts 1, for half of a fit's time is spent here: the number of
// rows on the left is the place of the cut, so all that depends on it alone is made once a node.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "class_scan.hpp"
#include "promises.hpp"

namespace tectree {

// The moving cut: the left counts alone, the right ones are what is left of the total.
class UnitCut {
 public:
  struct Scratch {
    std::vector<std::uint32_t> left;
    std::vector<const double*> back;  // back[s][-l] is phi(r) - phi(r - 1) for r = total_s - l
  };

  UnitCut(const KernelTable& table, const std::vector<std::uint32_t>& total, Scratch& scratch)
      : phi_(table.phi.data()), total_(&total), step_(table.step.data()) {
    scratch.left.assign(total.size(), 0);
    scratch.back.resize(total.size());
    for (std::size_t s = 0; s < total.size(); ++s) {
      scratch.back[s] = step_ + total[s] - 1;
      b_r += table.phi[total[s]];
    }
    left_ = scratch.left.data();
    back_ = scratch.back.data();
    afresh_below_ = std::fabs(b_r) / 8;
  }

  void move(std::size_t s) {
    const std::uint32_t l = left_[s]++;
    b_l += step_[l];
    b_r -= back_[s][-static_cast<std::ptrdiff_t>(l)];
  }

  bool worn() const { return std::fabs(b_r) < afresh_below_; }
  void sum_afresh() {
    b_l = b_r = 0.0;
    for (std::size_t s = 0; s < total_->size(); ++s) {
      b_l += phi_[left_[s]];
      b_r += phi_[(*total_)[s] - left_[s]];
    }
    afresh_below_ = std::fabs(b_r) / 8;
  }

  double b_l = 0.0, b_r = 0.0;

 private:
  const double* phi_;
  const std::vector<std::uint32_t>* total_;
  const double* step_;
  std::uint32_t* left_;
  const double** back_;
  double afresh_below_;
};

// The same for at most four classes and numbers of rows of 16 bits: the counts of a side share one
// register, so that a row of a class need not wait for the memory of the last one's.
class PackedCut {
 public:
  static constexpr std::size_t most_classes = 4;

  PackedCut(const KernelTable& table, const std::vector<std::uint32_t>& total)
      : phi_(table.phi.data()), step_(table.step.data()), k_(static_cast<int>(total.size())) {
    for (int s = 0; s < k_; ++s) right_ |= std::uint64_t{total[s]} << (16 * s);
    sum_afresh();
  }

  void move(std::size_t s) {
    const unsigned at = 16 * static_cast<unsigned>(s);
    const std::size_t l = (left_ >> at) & 0xFFFF, r = (right_ >> at) & 0xFFFF;
    const std::uint64_t one = std::uint64_t{1} << at;
    left_ += one;
    right_ -= one;
    b_l += step_[l];
    b_r -= step_[r - 1];
  }

  bool worn() const { return std::fabs(b_r) < afresh_below_; }
  void sum_afresh() {
    b_l = b_r = 0.0;
    for (int at = 0; at < 16 * k_; at += 16) {
      b_l += phi_[(left_ >> at) & 0xFFFF];
      b_r += phi_[(right_ >> at) & 0xFFFF];
    }
    afresh_below_ = std::fabs(b_r) / 8;
  }

  double b_l = 0.0, b_r = 0.0;

 private:
  const double *phi_, *step_;
  int k_;
  std::uint64_t left_ = 0, right_ = 0;
  double afresh_below_;
};

// When the sums are made afresh: where phi falls with q <= 0 at every cut; above q = 2, where a sum
// can lose most of its digits within a few rows, at every cut that needs it; between, once a block
// is often enough.
enum class Afresh { always, each_cut, each_block };

inline Afresh when_afresh(double q) {
  return q <= 0.0 ? Afresh::always : q > 2.0 ? Afresh::each_cut : Afresh::each_block;
}

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
  struct Sums {
    double left, right;
  };

  template <Form form>
  void prepare(const KernelTable& table, std::uint32_t n) {
    if (n == n_) return;
    n_ = n;
    table_ = &table;
    sums_.resize(n + 1);
    if constexpr (form == Form::ratio) return;
    const double *phi = table_->phi.data(), *alpha = table_->alpha.data();
    base_.resize(n + 1);
    if (form == Form::linear) alpha_right_.resize(n + 1);
    for (std::uint32_t l = 0; l <= n; ++l) {
      const std::uint32_t r = n - l;
      if constexpr (form == Form::linear) {
        base_[l] = -(alpha[l] * phi[l] + alpha[r] * phi[r]);
        alpha_right_[l] = alpha[r];
      } else {
        base_[l] = -(phi[l] + phi[r]);
      }
    }
  }

  template <Form form>
  CutValue::Estimate estimate(const CutValue& value, std::uint32_t l, const Sums& b) const {
    const double *phi = table_->phi.data(), *alpha = table_->alpha.data();
    const std::uint32_t r = n_ - l;
    return value.estimate<form>(phi[l], alpha[l], b.left, phi[r], alpha[r], b.right);
  }

  // A cut measures s + inverse x its promise; a ratio is its own.
  template <Form form>
  double promise(const CutValue& value, std::uint32_t l, const Sums& b) const {
    if constexpr (form == Form::linear) {
      return base_[l] + table_->alpha[l] * b.left + alpha_right_[l] * b.right;
    } else if constexpr (form == Form::power) {
      return base_[l] + (b.left + b.right);
    } else {
      return estimate<form>(value, l, b).high;
    }
  }
  // The least promise of a cut whose interval may reach `floor`.
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
    promises_.make(least, end, [&](std::uint32_t from, std::uint32_t to, double* promised) {
      return value_block<form>(column, from, to, cut, promised);
    });
  }

  template <Form form, class Index, class Label, class Cut>
  double value_block(const UnitColumn<Index, Label>& column, std::uint32_t from, std::uint32_t to,
                     Cut& moved, double* promised) {
    const Entry<Index>* e = column.entries;
    const Label* label = column.label;
    const Afresh afresh = column.afresh;
    Sums* sums = sums_.data();
    Cut cut = moved;  // in registers
    if (afresh == Afresh::always || cut.worn()) cut.sum_afresh();
    double most = -HUGE_VAL;
    for (std::uint32_t l = from; l < to; ++l) {
      cut.move(label[e[l - 1].row]);
      if (afresh != Afresh::each_block && (afresh == Afresh::always || cut.worn()))
        cut.sum_afresh();
      sums[l] = {cut.b_l, cut.b_r};
      const double here = promise<form>(column.value, l, sums[l]);
      promised[l] = here;
      most = here > most ? here : most;
    }
    moved = cut;
    return most;
  }

  const KernelTable* table_ = nullptr;
  std::uint32_t n_ = 0;
  std::vector<double> base_, alpha_right_;  // by rows on the left
  std::vector<Sums> sums_;                  // likewise
  Promises promises_;
};

}  // namespace tectree

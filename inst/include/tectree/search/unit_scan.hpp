// The inner loop where every row counts 1, for half of a fit's time is spent here: the number of
// rows on the left is the place of the cut, so all that depends on it alone is made once a node.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "class_scan.hpp"

namespace tectree {

// The moving cut: the left counts alone, the right ones are what is left of the total.
class UnitCut {
 public:
  struct Scratch {
    std::vector<std::uint32_t> left;
    std::vector<const double*> back;  // back[s][-l] is phi(r) - phi(r - 1) for r = total_s - l
  };

  UnitCut(const KernelTable& table, const std::vector<std::uint32_t>& total, Scratch& scratch)
      : table_(table), total_(total), step_(table.step.data()) {
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
    for (std::size_t s = 0; s < total_.size(); ++s) {
      b_l += table_.phi[left_[s]];
      b_r += table_.phi[total_[s] - left_[s]];
    }
    afresh_below_ = std::fabs(b_r) / 8;
  }

  double b_l = 0.0, b_r = 0.0;

 private:
  const KernelTable& table_;
  const std::vector<std::uint32_t>& total_;
  const double* const step_;
  std::uint32_t* left_;
  const double** back_;
  double afresh_below_;
};

// The same for at most four classes and 65,535 rows: the counts of a side share one register, so
// that a row of a class need not wait for the memory of the last one's.
class PackedCut {
 public:
  static constexpr std::size_t most_classes = 4;
  static constexpr std::size_t most_rows = 65535;

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
  const CutValue& value;
  std::uint32_t least;  // rows a side
  Afresh afresh;
  double floor;  // only cuts that may reach it are asked for
};

// First every cut is valued by what it promises: a number that rises with its measure and takes few
// steps to make. Then the few blocks of cuts that promise enough are looked at cut by cut. A scan
// works for one criterion: what depends on the number of rows alone is kept from column to column.
class UnitScan {
 public:
  explicit UnitScan(const KernelTable* table = nullptr) : table_(table) {}

  // Offers every admissible cut that may be the best and reach the floor.
  template <Form form, class Index, class Label, class Cut>
  void offer_cuts(const UnitColumn<Index, Label>& column, Cut cut, Contenders& out) {
    const std::uint32_t least = std::max(column.least, 1u);
    if (least > column.n / 2) return;
    prepare<form>(column.n);
    const std::uint32_t end = column.n - least;  // rows left of the last cut
    value_cuts<form>(column, least, end, cut);
    const auto best = std::max_element(most_.begin(), most_.end());
    double floor = column.floor;
    if (!(*best >= bar_of<form>(column.value, floor))) return;
    const auto first_of = [&](auto b) {
      return least + static_cast<std::uint32_t>(b - most_.begin()) * block;
    };
    floor = std::max(floor, best_of_block<form>(column, first_of(best), end).low);
    const double bar = bar_of<form>(column.value, floor);
    for (auto b = most_.begin(); b != most_.end(); ++b) {
      if (!(*b >= bar)) continue;
      offer_block<form>(column, first_of(b), end, floor, bar, out);
    }
  }

 private:
  static constexpr std::uint32_t block = 32;

  template <Form form>
  void prepare(std::uint32_t n) {
    if (n == n_) return;
    n_ = n;
    left_.resize(n + 1);
    right_.resize(n + 1);
    promise_.resize(n + 1);
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
  CutValue::Estimate estimate(const CutValue& value, std::uint32_t l, double b_l,
                              double b_r) const {
    const double *phi = table_->phi.data(), *alpha = table_->alpha.data();
    const std::uint32_t r = n_ - l;
    return value.estimate<form>(phi[l], alpha[l], b_l, phi[r], alpha[r], b_r);
  }

  // The cut with l rows on the left measures s + inverse x this promise.
  template <Form form>
  double promise(const CutValue& value, std::uint32_t l, double b_l, double b_r) const {
    if constexpr (form == Form::linear) {
      return base_[l] + table_->alpha[l] * b_l + alpha_right_[l] * b_r;
    } else if constexpr (form == Form::power) {
      return base_[l] + (b_l + b_r);
    } else {
      return estimate<form>(value, l, b_l, b_r).high;
    }
  }
  // The least promise of a cut whose interval may reach `floor`.
  template <Form form>
  static double bar_of(const CutValue& value, double floor) {
    return form == Form::ratio ? floor : value.bar(floor);
  }

  // The sums of the cuts with [least, end] rows on the left, and the most that one of each block
  // promises.
  template <Form form, class Index, class Label, class Cut>
  void value_cuts(const UnitColumn<Index, Label>& column, std::uint32_t least, std::uint32_t end,
                  Cut cut) {
    const Entry<Index>* e = column.entries;
    const Label* label = column.label;
    double *left = left_.data(), *right = right_.data(), *promised = promise_.data();
    most_.clear();
    std::uint32_t l = 0;
    while (l + 1 < least) cut.move(label[e[l++].row]);
    while (l < end) {
      const std::uint32_t stop = std::min(end, l + block);
      if (column.afresh == Afresh::always || cut.worn()) cut.sum_afresh();
      double most = -HUGE_VAL;
      while (l < stop) {
        cut.move(label[e[l++].row]);
        if (column.afresh != Afresh::each_block && (column.afresh == Afresh::always || cut.worn()))
          cut.sum_afresh();
        left[l] = cut.b_l;
        right[l] = cut.b_r;
        const double here = promise<form>(column.value, l, cut.b_l, cut.b_r);
        promised[l] = here;
        most = here > most ? here : most;
      }
      most_.push_back(most);
    }
  }

  template <class Index, class Label>
  static bool tied(const UnitColumn<Index, Label>& column, std::uint32_t l) {
    return column.entries[l - 1].rank == column.entries[l].rank;
  }

  // The cut that promises most, of the block that starts with `first` rows on the left.
  template <Form form, class Index, class Label>
  CutValue::Estimate best_of_block(const UnitColumn<Index, Label>& column, std::uint32_t first,
                                   std::uint32_t end) const {
    double most = -HUGE_VAL;
    std::uint32_t at = 0;
    for (std::uint32_t l = first; l <= end && l < first + block; ++l) {
      if (!(promise_[l] > most) || tied(column, l)) continue;
      most = promise_[l];
      at = l;
    }
    if (at == 0) return {-HUGE_VAL, -HUGE_VAL};
    return estimate<form>(column.value, at, left_[at], right_[at]);
  }

  template <Form form, class Index, class Label>
  void offer_block(const UnitColumn<Index, Label>& column, std::uint32_t first, std::uint32_t end,
                   double floor, double bar, Contenders& out) const {
    for (std::uint32_t l = first; l <= end && l < first + block; ++l) {
      if (!(promise_[l] >= bar) || tied(column, l)) continue;
      const auto found = estimate<form>(column.value, l, left_[l], right_[l]);
      if (found.high >= floor) out.offer(l, found.low, found.high);
    }
  }

  const KernelTable* table_;
  std::uint32_t n_ = 0;
  std::vector<double> base_, alpha_right_;  // by rows on the left
  std::vector<double> left_, right_;        // both sides' sums, likewise
  std::vector<double> promise_;             // likewise
  std::vector<double> most_;                // by block
};

}  // namespace tectree

// The moving cut of rows that count 1: class counts and the kernel's sums of both sides.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../tally/kernel.hpp"
#include "../../tally/sums.hpp"

namespace tectree {

// What the sums of both sides weigh in the measure of a cut, the right one's negated.
struct SideWeights {
  Pair pair;
};

// The kernel's sums of a cut, B_L and B_R. The latter is kept negated: a row that moves adds to
// both.
class CutSums {
 public:
  CutSums() = default;
  CutSums(double left, double right) : pair_{left, -right} {}

  double left() const { return pair_[0]; }
  double right() const { return -pair_[1]; }
  void move(Pair by) { pair_ += by; }
  double weighted(const SideWeights& by) const {
    const Pair product = pair_ * by.pair;
    return product[0] + product[1];
  }

 private:
  Pair pair_{0.0, 0.0};
};

// When the sums are made afresh: where phi falls with q <= 0 at every cut; above q = 2, where a sum
// that shrinks to nothing can lose most of its digits within a few rows, at every cut that needs
// it; between, once a block is often enough.
enum class Afresh { always, each_cut, each_block };

inline Afresh when_afresh(double q) {
  if (q <= 0.0) return Afresh::always;
  return q > 2.0 ? Afresh::each_cut : Afresh::each_block;
}

// The left counts alone, the right ones are what is left of the total.
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
    for (std::size_t s = 0; s < total.size(); ++s) scratch.back[s] = step_ + total[s] - 1;
    left_ = scratch.left.data();
    back_ = scratch.back.data();
    sum_afresh();
  }

  void move(std::size_t s) {
    const std::uint32_t l = left_[s]++;
    sums.move(Pair{step_[l], back_[s][-static_cast<std::ptrdiff_t>(l)]});
  }

  double proxy(double base, const SideWeights* weight) const {
    return base + sums.weighted(*weight);
  }
  bool worn() const { return std::fabs(sums.right()) < afresh_below_; }
  void sum_afresh() {
    double b_l = 0.0, b_r = 0.0;
    for (std::size_t s = 0; s < total_->size(); ++s) {
      b_l += phi_[left_[s]];
      b_r += phi_[(*total_)[s] - left_[s]];
    }
    sums = {b_l, b_r};
    afresh_below_ = std::fabs(b_r) / 8;
  }

  CutSums sums;

 private:
  const double* phi_;
  const std::vector<std::uint32_t>* total_;
  const double* step_;
  std::uint32_t* left_;
  const double** back_;
  double afresh_below_;
};

}  // namespace tectree

// Moving cuts of rows that count 1, of at most four classes: what a row adds to the sums is looked
// up once a node, and counts stay in a register.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "unit_cut.hpp"

namespace tectree {

// What every row adds to the sums as it crosses the cut, told by its class and how many of the
// class did before it; the classes stand one after the other. Numbers of rows have 16 bits.
class CrossingSteps {
 public:
  static constexpr std::size_t most_classes = 4;
  // A class by where its count stands in a word.
  static std::uint8_t lane(std::size_t s) { return static_cast<std::uint8_t>(16 * s); }

  // `joint`: both sides weigh the same, so that the sum over both will do.
  void make(const KernelTable& table, const std::vector<std::uint32_t>& total, bool joint) {
    phi_ = table.phi.data();
    classes_ = total.size();
    first_ = last_ = 0;
    whole_ = 0.0;
    std::uint32_t n = 0;
    for (std::uint32_t t : total) n += t;
    if (joint && joint_.size() < n) joint_.resize(n);
    if (!joint && apart_.size() < n) apart_.resize(n);
    const double* step = table.step.data();
    std::uint32_t at = 0;
    for (std::size_t s = 0; s < classes_; ++s) {
      const std::uint32_t t = total[s];
      if (joint) {
        for (std::uint32_t l = 0; l < t; ++l) joint_[at + l] = step[l] - step[t - 1 - l];
      } else {
        for (std::uint32_t l = 0; l < t; ++l) apart_[at + l] = Pair{step[l], step[t - 1 - l]};
      }
      first_ |= std::uint64_t{at} << lane(s);
      at += t;
      last_ |= std::uint64_t{at} << lane(s);
      whole_ += phi_[t];
    }
  }

  // The places of the steps that come next, a lane a class: with no rows on the left, and with all.
  std::uint64_t first() const { return first_; }
  std::uint64_t last() const { return last_; }
  double whole() const { return whole_; }  // B of all rows
  const Pair* apart() const { return apart_.data(); }
  const double* joint() const { return joint_.data(); }

  CutSums sums(std::uint64_t next) const {
    double b_l = 0.0, b_r = 0.0;
    for (std::size_t s = 0; s < classes_; ++s) {
      const auto of = [&](std::uint64_t word) { return (word >> lane(s)) & 0xFFFF; };
      b_l += phi_[of(next) - of(first_)];
      b_r += phi_[of(last_) - of(next)];
    }
    return {b_l, b_r};
  }

 private:
  const double* phi_ = nullptr;
  std::vector<Pair> apart_;
  std::vector<double> joint_;
  std::uint64_t first_ = 0, last_ = 0;
  std::size_t classes_ = 0;
  double whole_ = 0.0;
};

// The end of the column that a cut comes from. The sums of the side that grows keep their digits;
// two cuts that meet in the middle hardly lose any.
enum class From { low, high };

// A place among the steps that moves with a cut. The next step of every class shares one register,
// so that a row of a class need not wait for the memory of the last one's.
template <From from>
class PackedPlace {
 public:
  explicit PackedPlace(const CrossingSteps& steps)
      : next_(from == From::low ? steps.first() : steps.last()) {}

  // The step of the row that crosses.
  std::size_t move(std::uint8_t lane) {
    const std::uint64_t one = std::uint64_t{1} << lane;
    if constexpr (from == From::high) next_ -= one;
    const std::size_t at = (next_ >> lane) & 0xFFFF;
    if constexpr (from == From::low) next_ += one;
    return at;
  }
  std::uint64_t next() const { return next_; }

 private:
  std::uint64_t next_;
};

// The cut by these steps, with the sums of both sides.
template <From from>
class ApartCut {
 public:
  explicit ApartCut(const CrossingSteps& steps)
      : sums(from == From::low ? CutSums(0.0, steps.whole()) : CutSums(steps.whole(), 0.0)),
        steps_(&steps),
        step_(steps.apart()),
        place_(steps),
        afresh_below_(std::fabs(steps.whole()) / 8) {}

  void move(std::uint8_t lane) {
    const Pair step = step_[place_.move(lane)];
    sums.move(from == From::low ? step : -step);
  }
  double promise(double base, const SideWeights* weight) const {
    return base + sums.weighted(*weight);
  }
  static bool suits(Afresh afresh) {
    return afresh == Afresh::each_block || afresh == Afresh::unless_halves;
  }
  bool worn() const { return std::fabs(shrinking()) < afresh_below_; }
  void sum_afresh() {
    sums = steps_->sums(place_.next());
    afresh_below_ = std::fabs(shrinking()) / 8;
  }

  CutSums sums;

 private:
  double shrinking() const { return from == From::low ? sums.right() : sums.left(); }

  const CrossingSteps* steps_;
  const Pair* step_;
  PackedPlace<from> place_;
  double afresh_below_;
};

// The same with the sum over both sides alone. It loses no digits that a measure in which both
// weigh the same would have.
template <From from>
class JointCut {
 public:
  explicit JointCut(const CrossingSteps& steps)
      : step_(steps.joint()), place_(steps), sum_(steps.whole()) {}

  void move(std::uint8_t lane) {
    const double step = step_[place_.move(lane)];
    sum_ += from == From::low ? step : -step;
  }
  double promise(double base, const SideWeights*) const { return base + sum_; }
  static bool suits(Afresh) { return true; }
  static constexpr bool worn() { return false; }
  void sum_afresh() {}

 private:
  const double* step_;
  PackedPlace<from> place_;
  double sum_;
};

// Both cuts of a column.
template <template <From> class Cut>
struct TwoCuts {
  Cut<From::low> low;
  Cut<From::high> high;

  // Whether a look at the sums once a block will do, as the two meet in the middle.
  static bool suit(Afresh afresh) { return Cut<From::low>::suits(afresh); }

  explicit TwoCuts(const CrossingSteps& steps) : low(steps), high(steps) {}

  // Before as many rows move again.
  void refresh() {
    if (low.worn()) low.sum_afresh();
    if (high.worn()) high.sum_afresh();
  }
};

}  // namespace tectree

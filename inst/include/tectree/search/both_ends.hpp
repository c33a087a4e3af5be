// What every cut of a sorted column promises, by two cuts that come from its ends and meet in the
// middle: neither's sums shrink to nothing, so they are hardly ever made afresh, and the steps of
// one need not wait for the other's. Blocks are valued with the cuts in registers.
//
// A column has label_at(i), what the cut's move() takes of row i, and n rows. base and weight, by
// rows on the left, are what a cut's promise is made of.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "packed_cut.hpp"
#include "promises.hpp"

namespace tectree {

template <class Column>
class BothEnds {
 public:
  BothEnds(const Column& column, const double* base, const SideWeights* weight, double* promised)
      : column_(column), base_(base), weight_(weight), promised_(promised) {}

  // The cuts with [from, to) rows on the left; the most that one promises.
  template <class Low>
  double up(std::uint32_t from, std::uint32_t to, Low& moved) const {
    Low cut = moved;
    double most = -HUGE_VAL;
    for (std::uint32_t l = from; l < to; ++l) raise(most, step_up(l, cut));
    moved = cut;
    return most;
  }
  // The same, the last first.
  template <class High>
  double down(std::uint32_t from, std::uint32_t to, High& moved) const {
    High cut = moved;
    double most = -HUGE_VAL;
    for (std::uint32_t l = to; l > from;) raise(most, step_down(--l, cut));
    moved = cut;
    return most;
  }
  // Both at once, `n` cuts up from `first` and down from before `end`.
  struct Most {
    double up = -HUGE_VAL, down = -HUGE_VAL;
  };
  template <class Low, class High>
  Most both(std::uint32_t first, std::uint32_t end, std::uint32_t n, Low& moved_up,
            High& moved_down) const {
    Low low = moved_up;
    High high = moved_down;
    Most most;
    for (std::uint32_t i = 0; i < n; ++i) {
      raise(most.up, step_up(first + i, low));
      raise(most.down, step_down(end - 1 - i, high));
    }
    moved_up = low;
    moved_down = high;
    return most;
  }

 private:
  static void raise(double& most, double to) { most = to > most ? to : most; }

  // Rows before the l-th have moved, or those from it on.
  template <class Low>
  double step_up(std::uint32_t l, Low& cut) const {
    cut.move(column_.label_at(l - 1));
    return promised_[l] = cut.promise(base_[l], weight_ + l);
  }
  template <class High>
  double step_down(std::uint32_t l, High& cut) const {
    cut.move(column_.label_at(l));
    return promised_[l] = cut.promise(base_[l], weight_ + l);
  }

  const Column& column_;
  const double* base_;
  const SideWeights* weight_;
  double* promised_;
};

// The promises of the cuts with [least, end] rows on the left.
template <class Column, class Cuts>
void value_from_both_ends(const Column& column, std::uint32_t least, std::uint32_t end,
                          const double* base, const SideWeights* weight, Cuts cuts, Promises& out) {
  for (std::uint32_t i = 0; i + 1 < least; ++i) cuts.low.move(column.label_at(i));
  for (std::uint32_t i = column.n; i > end + 1; --i) cuts.high.move(column.label_at(i - 1));
  const BothEnds<Column> value(column, base, weight, out.start(least, end));
  std::size_t first = 0, last = out.blocks() - 1;
  if (first < last) {  // all but the last block are as long
    out.tell(last, value.down(out.first_of(last), out.end_of(last), cuts.high));
    --last;
  }
  for (; first < last; ++first, --last) {
    cuts.refresh();
    const auto most = value.both(out.first_of(first), out.end_of(last),
                                 out.end_of(first) - out.first_of(first), cuts.low, cuts.high);
    out.tell(first, most.up);
    out.tell(last, most.down);
  }
  if (first == last) {
    cuts.refresh();
    const std::uint32_t from = out.first_of(first), to = out.end_of(first),
                        middle = std::clamp((least + end) / 2 + 1, from, to);
    out.tell(first, std::max(value.up(from, middle, cuts.low), value.down(middle, to, cuts.high)));
  }
  out.finish();
}

}  // namespace tectree

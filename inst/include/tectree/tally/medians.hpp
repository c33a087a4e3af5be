// Medians, and absolute deviations around them, for numbers that are removed one by one, inserted
// one by one, or sorted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sums.hpp"

namespace tectree {

// Numbers that are removed one by one, with the sum of absolute deviations from the median of the
// rest, in O(1) each. The ascending numbers are a doubly linked list, and removing one moves the
// median by at most one link. Growing a side row by row is the reverse of shrinking it.
//
// When v is removed, the sum falls by |v - m|, where m is a median before and after: the middle one
// of an odd number; of an even number, the middle one that is the median of the rest.
//
// Without branches: the side of the median that a number is on cannot be predicted.
template <class Index>
class MedianChain {
 public:
  struct Link {
    Index before, after;
  };
  // By place; one more, the last, joins the ends. The caller owns this working space, so the chain
  // itself can be a local variable in registers.
  using Links = std::vector<Link>;

  // From sorted[0, n), ascending, n > 0, identified by place; `deviation` is their sum.
  MedianChain(const double* sorted, std::size_t n, double deviation, Links& links)
      : sorted_(sorted),
        links_(room_for(n, links)),
        end_(static_cast<Index>(n)),
        middle_(static_cast<Index>((n - 1) / 2)),
        n_(n) {
    deviation_.add(deviation);
    for (std::size_t i = 0; i <= n; ++i)
      links_[i] = {static_cast<Index>(i - 1), static_cast<Index>(i + 1)};
    links_[0].before = end_;
    links_[n].after = 0;
  }

  // The same chain with its own links.
  MedianChain copy(Links& links) const {
    MedianChain out = *this;
    out.links_ = room_for(end_, links);
    std::copy_n(links_, std::size_t{end_} + 1, out.links_);
    return out;
  }

  double absolute_deviation() const { return deviation_.value(); }

  // Removes a number; returns the sum of the rest.
  double remove(std::size_t place) {
    const Index at = static_cast<Index>(place), m = middle_;
    const bool odd = (n_ & 1) != 0;
    const Index beside = odd ? links_[m].before : links_[m].after;
    middle_ = pick(odd ? at >= m : at <= m, beside, m);
    deviation_.add(-std::fabs(sorted_[at] - sorted_[odd ? m : middle_]));
    --n_;
    unlink(at);
    return absolute_deviation();
  }

  // Removes one of several numbers that do not count; settle() then recomputes the median and the
  // sum of the others, so the sum of a few is not a small remainder of the sum of many.
  void leave_out(std::size_t place) {
    --n_;
    unlink(static_cast<Index>(place));
  }
  void settle() {
    middle_ = links_[end_].after;
    for (std::size_t i = 1; i < (n_ + 1) / 2; ++i) middle_ = links_[middle_].after;
    deviation_ = {};
    for (Index i = links_[end_].after; i != end_; i = links_[i].after)
      deviation_.add(std::fabs(sorted_[i] - sorted_[middle_]));
  }

 private:
  static Link* room_for(std::size_t n, Links& links) {
    if (links.size() <= n) links.resize(n + 1);
    return links.data();
  }
  static Index pick(bool first, Index a, Index b) {
    return static_cast<Index>(b ^ ((a ^ b) & -static_cast<int>(first)));
  }
  void unlink(Index at) {
    const Link gone = links_[at];
    links_[gone.before].after = gone.after;
    links_[gone.after].before = gone.before;
  }

  const double* sorted_;
  Link* links_;
  Index end_, middle_;  // the lower one for an even number
  std::size_t n_;
  CarefulSum deviation_;
};

// Weighted numbers that are inserted one by one, with the sum of absolute deviations from their
// median in O(log n) each: a Fenwick tree (Fenwick 1994) over the numbers' places in sorted order,
// of weights and of weight times number. Any median gives the same sum, so the lower one is used.
class MedianTally {
 public:
  // `sorted`: the numbers that may be inserted, ascending; a number's place there is its rank.
  void start(const std::vector<double>& sorted) {
    sorted_ = &sorted;
    node_.assign(sorted.size() + 1, {});
    top_ = 1;
    while (top_ * 2 <= sorted.size()) top_ *= 2;
    total_ = {};
  }

  void insert(std::size_t rank, double w) {
    const Pair added{w, w * (*sorted_)[rank]};
    total_.add(added);
    for (std::size_t i = rank + 1; i < node_.size(); i += i & (~i + 1)) node_[i].add(added);
  }

  double weight() const { return total_.value()[0]; }

  double absolute_deviation() const {
    // Descends to the last place whose cumulative weight stays below half; the median is the next
    // number.
    const Pair all = total_.value();
    std::size_t at = 0;
    Pair below{0.0, 0.0};  // their weight and their moment
    for (std::size_t jump = top_; jump > 0; jump /= 2) {
      const std::size_t to = at + jump;
      if (to >= node_.size()) continue;
      const Pair more = below + node_[to].value();
      if (more[0] >= all[0] / 2) continue;
      at = to;
      below = more;
    }
    if (at >= sorted_->size()) return 0.0;
    const double median = (*sorted_)[at];
    const Pair above = all - below;
    return (median * below[0] - below[1]) + (above[1] - median * above[0]);
  }

 private:
  const std::vector<double>* sorted_ = nullptr;
  std::vector<CarefulSums> node_;  // of weights and moments
  CarefulSums total_;
  std::size_t top_ = 1;
};

// Weighted numbers in ascending order: median and absolute deviations around it.
class SortedTally {
 public:
  void clear() {
    value_.clear();
    weight_.clear();
    total_ = 0.0;
  }
  void add(double value, double w) {
    value_.push_back(value);
    weight_.push_back(w);
    total_ += w;
  }
  double weight() const { return total_; }
  // The smallest number at which half the weight is reached; halfway to the next one if it is
  // reached exactly.
  double median() const {
    if (value_.empty()) return 0.0;
    double cumulated = 0.0;
    std::size_t i = 0;
    for (; i < value_.size(); ++i) {
      cumulated += weight_[i];
      if (cumulated >= total_ / 2 * (1 - 1e-12)) break;
    }
    if (i >= value_.size()) return 0.0;
    const bool exactly = cumulated <= total_ / 2 * (1 + 1e-12) && i + 1 < value_.size();
    return exactly ? value_[i] + (value_[i + 1] - value_[i]) / 2 : value_[i];
  }
  double absolute_deviation() const {
    const double m = median();
    double sum = 0.0;
    for (std::size_t i = 0; i < value_.size(); ++i)
      sum += weight_[i] * (value_[i] < m ? m - value_[i] : value_[i] - m);
    return sum;
  }

 private:
  std::vector<double> value_, weight_;
  double total_ = 0.0;
};

}  // namespace tectree

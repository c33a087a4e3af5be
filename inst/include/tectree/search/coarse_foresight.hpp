// What a coarse column's best cut may measure and score before all its bins have been looked into:
// cuts at the edges are known, those inside are bounded. For criteria of the linear form, whose
// score is the cut measure times a rate that depends on the sizes of the two sides alone.
//
// A bin is worth a look only where its bound reaches the column's best known cut, and then only
// where what it may score reaches the best that another column is sure to score. So a weak column,
// whose bounds are poor only near its ends (where rates are large), is out after a look at those.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "class_cursor.hpp"

namespace tectree {

class CoarseForesight {
 public:
  CoarseForesight(const ClassView& view, const Criterion& criterion, const CutValue& value)
      : view_(view), criterion_(criterion), value_(value) {}

  // The bounds of all bins in which the column's best cut may lie; offers the cuts between them.
  void bound(CoarseScan& scan) const {
    scan.bins.assign(view_.column.codes, -HUGE_VAL);
    ClassCursor<Form::linear> cursor(view_, value_, scan);
    open_groups(view_.column.codes, scan.low, cursor,
                [&](int b) { scan.bins[b] = cursor.bound(view_.in_bin(b), false, HUGE_VAL); });
  }

  // Whether the best cut known gains enough whatever rounding did.
  bool surely_splits(const CoarseScan& scan, double min_gain, double impurity) const {
    return !scan.cuts.empty() && enough_gain(known(scan), min_gain, impurity);
  }

  // slot.cut and slot.score from the cuts known and the bins not looked into.
  void foresee(const CoarseScan& scan, Slot& slot) const {
    const double least = known(scan);
    slot.cut = {least, least};
    slot.score = {HUGE_VAL, -HUGE_VAL};
    const auto candidate = [&](double measure, const Span& rate) {
      const double most = widened(measure);
      slot.cut.high = std::max(slot.cut.high, most);
      slot.score.low = std::min(slot.score.low, least * rate.low);
      slot.score.high = std::max(slot.score.high, most * rate.high);
    };
    for (const CoarseCut& c : scan.cuts) {
      if (c.high >= scan.low) candidate(c.high, rates(c.at, c.at));
    }
    each_bin([&](int b, std::uint32_t from, std::uint32_t to) {
      if (open(scan, b)) candidate(scan.bins[b], rates(from, to));
    });
  }

  // Marks the bins worth a look if a score counts from `reach` on; all that may hold the best cut
  // where there are none of these.
  void wanted(const CoarseScan& scan, double reach, std::vector<char>& out) const {
    out.assign(view_.column.codes, 0);
    bool any = false;
    each_bin([&](int b, std::uint32_t from, std::uint32_t to) {
      out[b] = open(scan, b) && widened(scan.bins[b]) * rates(from, to).high >= reach;
      any = any || out[b];
    });
    for (int b = 0; b < view_.column.codes && !any; ++b) out[b] = open(scan, b);
  }

  // Whether no bin is left in which the best cut may lie.
  static bool settled(const CoarseScan& scan) {
    for (std::size_t b = 0; b < scan.bins.size(); ++b) {
      if (open(scan, b)) return false;
    }
    return true;
  }

 private:
  // Whether the best cut may lie in a bin.
  static bool open(const CoarseScan& scan, std::size_t bin) {
    return scan.bins[bin] > -HUGE_VAL && scan.bins[bin] >= scan.low;
  }

  // In the criterion's units; running sums may be off by the drift either way.
  double known(const CoarseScan& scan) const {
    return (scan.high - value_.slack - 2 * value_.drift) * criterion_.unit();
  }
  double widened(double high) const {
    return (high - value_.slack + 2 * value_.drift) * criterion_.unit();
  }

  // The rates of the cuts with `from` to `to` rows on the left: a rate falls as the sides grow
  // even.
  Span rates(std::uint32_t from, std::uint32_t to) const {
    const auto rate = [&](double n_l) {
      const double sizes[] = {n_l, view_.n - n_l};
      return criterion_.score_per_cut(criterion_.kernel().entropy(sizes, 2, view_.n),
                                      static_cast<int>(view_.k()));
    };
    const double first = rate(from), last = rate(to), half = view_.n / 2.0;
    Span span{std::min(first, last), std::max(first, last)};
    if (from < half && half < to) span.low = std::min(span.low, rate(half));
    return span;
  }

  // visit(bin, least, most rows on the left of an admissible cut inside).
  template <class Visit>
  void each_bin(Visit visit) const {
    std::uint32_t n_l = 0;
    for (int b = 0; b < view_.column.codes; ++b) {
      const std::uint32_t from = n_l + 1;
      for (std::size_t s = 0; s < view_.k(); ++s) n_l += view_.in_bin(b)[s];
      visit(b, std::max(from, view_.least), std::min(n_l, view_.n - view_.least));
    }
  }

  const ClassView& view_;
  const Criterion& criterion_;
  const CutValue& value_;
};

}  // namespace tectree

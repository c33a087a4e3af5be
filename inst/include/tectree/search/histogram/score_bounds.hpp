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

class ScoreBounds {
 public:
  ScoreBounds(const ClassView& view, const Criterion& criterion, const CutValue& value)
      : view_(view), criterion_(criterion), value_(value) {}

  // Whether the best cut known gains enough whatever rounding did.
  bool surely_splits(const ClassBounds& scan, double min_gain, double impurity) const {
    return !scan.cuts.empty() && surely_gains(known(scan), min_gain, impurity);
  }

  // result.cut and result.score from the cuts known and the bins not looked into.
  void find_span(const ClassBounds& scan, ColumnResult& result) const {
    const double least = known(scan);
    result.cut = {least, least};
    result.score = {HUGE_VAL, -HUGE_VAL};
    const auto candidate = [&](double measure, const Span& rate) {
      const double most = widened(measure);
      result.cut.high = std::max(result.cut.high, most);
      result.score.low = std::min(result.score.low, least * rate.low);
      result.score.high = std::max(result.score.high, most * rate.high);
    };
    for (const BinCut& c : scan.cuts) {
      if (c.high >= scan.low) candidate(c.high, rates(c.at, c.at));
    }
    for (const BinPlace& place : scan.places) {
      if (open(scan, place)) candidate(place.most, rates(place));
    }
  }

  // Takes out the places worth a look if a score counts from `reach` on; all that may hold the best
  // cut where there are none of these. What cannot hold it is forgotten.
  std::vector<BinPlace> take_wanted(double reach, ClassBounds& scan) const {
    std::vector<BinPlace>& all = scan.places;
    const auto shut = [&](const BinPlace& place) { return !open(scan, place); };
    all.erase(std::remove_if(all.begin(), all.end(), shut), all.end());
    std::vector<BinPlace> wanted, others;
    for (const BinPlace& place : all)
      (widened(place.most) * rates(place).high >= reach ? wanted : others).push_back(place);
    if (wanted.empty()) wanted.swap(others);
    all.swap(others);
    return wanted;
  }

  // Whether no place is left in which the best cut may lie.
  static bool settled(const ClassBounds& scan) {
    return std::none_of(scan.places.begin(), scan.places.end(),
                        [&](const BinPlace& place) { return open(scan, place); });
  }

 private:
  // Whether the best cut may lie in a place.
  static bool open(const ClassBounds& scan, const BinPlace& place) {
    return place.most > -HUGE_VAL && place.most >= scan.low;
  }

  // In the criterion's units; running sums may be off by the drift either way.
  double known(const ClassBounds& scan) const {
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

  // Those of the admissible cuts inside a place.
  Span rates(const BinPlace& place) const {
    return rates(std::max(place.before + 1, view_.least),
                 std::min(place.before + place.rows, view_.n - view_.least));
  }

  const ClassView& view_;
  const Criterion& criterion_;
  const CutValue& value_;
};

}  // namespace tectree

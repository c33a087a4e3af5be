// Bounds on the measure and the score of the best cut of a column on bins before all its bins have
// been looked into: cuts at the edges are known, those inside are bounded. For criteria of the
// linear form, whose score is the cut measure times a rate that depends only on the sizes of the
// two sides.
//
// A bin is worth a look only if its bound reaches the column's best known cut, and its bound on the
// score reaches the best score that another column surely has. So a weak column, whose bounds are
// poor only near its ends (where rates are large), is out after a look at those.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "counted_classes.hpp"

namespace tectree {

template <class W>
class ScoreBounds {
 public:
  using Counted = CountedClasses<W>;

  ScoreBounds(const Counted& column, const Criterion& criterion)
      : column_(column), criterion_(criterion) {}

  // Whether the best known cut gains enough despite rounding.
  bool surely_splits(const ColumnResult& result, double min_gain) const {
    return !result.contenders.empty() && surely_gains(known(result), min_gain, result.impurity);
  }

  // result.cut and result.score from the known cuts and the bins not looked into.
  void find_span(ColumnResult& result) const {
    const double least = known(result);
    result.cut = {least, least};
    result.score = {HUGE_VAL, -HUGE_VAL};
    const auto candidate = [&](double measure, const Span& rate) {
      const double most = widened(measure);
      result.cut.high = std::max(result.cut.high, most);
      result.score.low = std::min(result.score.low, least * rate.low);
      result.score.high = std::max(result.score.high, most * rate.high);
    };
    for (const Contender& c : result.contenders.settle()) candidate(c.high, rates(c.mass, c.mass));
    for (const BinPlace& place : result.places) {
      if (open(result, place)) candidate(place.most, rates(place));
    }
  }

  // Removes the places worth a look if scores count from `reach` on; if there are none, all that
  // may contain the best cut. Those that cannot contain it are dropped.
  std::vector<BinPlace> take_wanted(double reach, ColumnResult& result) const {
    std::vector<BinPlace>& all = result.places;
    const auto shut = [&](const BinPlace& place) { return !open(result, place); };
    all.erase(std::remove_if(all.begin(), all.end(), shut), all.end());
    std::vector<BinPlace> wanted, others;
    for (const BinPlace& place : all)
      (widened(place.most) * rates(place).high >= reach ? wanted : others).push_back(place);
    if (wanted.empty()) wanted.swap(others);
    all.swap(others);
    return wanted;
  }

  // Whether no place is left that may contain the best cut.
  static bool settled(const ColumnResult& result) {
    return std::none_of(result.places.begin(), result.places.end(),
                        [&](const BinPlace& place) { return open(result, place); });
  }

 private:
  // Whether a place may contain the best cut.
  static bool open(const ColumnResult& result, const BinPlace& place) {
    return place.most > -HUGE_VAL && place.most >= result.contenders.floor();
  }

  // In the criterion's units; the error of a gain is at most the drift of running sums plus the
  // rounding of phi and weights, either way.
  double off() const { return 2 * column_.cut_value().drift + column_.cut_value().uncertainty; }
  double known(const ColumnResult& result) const {
    return (result.contenders.high() - column_.cut_value().slack - off()) * criterion_.unit();
  }
  double widened(double high) const {
    return (high - column_.cut_value().slack + off()) * criterion_.unit();
  }

  // The rates of the cuts with a weight of `from` to `to` on the left: a rate falls as the sides
  // become more equal.
  Span rates(double from, double to) const {
    const auto all = static_cast<double>(column_.mass());
    const auto rate = [&](double left) {
      const double sizes[] = {left, all - left};
      return criterion_.score_per_cut(criterion_.kernel().entropy(sizes, 2, all),
                                      static_cast<int>(column_.k()));
    };
    const double first = rate(from), last = rate(to), half = all / 2;
    Span span{std::min(first, last), std::max(first, last)};
    if (from < half && half < to) span.low = std::min(span.low, rate(half));
    if (!W::whole) span = {span.low * (1 - 1e-9), span.high * (1 + 1e-9)};
    return span;
  }

  // Those of the admissible cuts inside a place.
  Span rates(const BinPlace& place) const {
    const auto& scale = column_.scale();
    const double least = W::whole              ? static_cast<double>(column_.least())
                         : column_.has_sizes() ? scale.lightest
                                               : scale.size(column_.least()) * scale.least_factor,
                 from = std::max(place.before + scale.lightest, least),
                 to = std::min(place.before + place.in - (W::whole ? 0.0 : scale.lightest),
                               static_cast<double>(column_.mass()) - least);
    return rates(std::min(from, to), std::max(from, to));
  }

  const Counted& column_;
  const Criterion& criterion_;
};

}  // namespace tectree

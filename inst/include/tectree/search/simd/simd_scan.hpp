// What a search asks of cuts that are valued eight at a time (the walk is in simd_cuts.hpp): most
// are told apart in single precision; those that it leaves unsure are valued again, exactly.
//
// Cuts say what the rows weigh (UnitCuts, WeightCuts): a cut measures s + inverse x per() x (its
// proxy + offset()), where the proxy may be off by unsure().
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../scan/class_scan.hpp"
#include "simd_cuts.hpp"

namespace tectree {

template <class Cuts>
class SimdScan {
 public:
  using Sides = typename Cuts::Sides;

  // The columns searched next have the rows of these sides.
  template <Form form>
  void start(const Sides& sides) {
    may_cut_ = cuts_.template start<form>(sides);
    if (!may_cut_ || reach_.size() >= cuts_.node().n) return;
    reach_.resize(cuts_.node().n);
    proxy_.resize(reach_.size() + 8);
  }

  // The columns that best() looks at, by their numbers.
  void clear() {
    numbers_.clear();
    columns_.clear();
  }
  void add(std::uint32_t number, SimdEntries entries) {
    numbers_.push_back(number);
    columns_.push_back(entries);
  }
  bool empty() const { return numbers_.empty(); }
  // What the best cut of each measures lies in an interval; those behind the first that may reach
  // `enough` are not looked at. tell(number, interval, place): -Inf where a column has no cut; the
  // place is the number of rows on the left where `placed` and only one cut can be the best, else
  // 0.
  template <Form form, bool placed, class Tell>
  void best(const CutValue& value, double enough, Tell tell) {
    best_.assign(columns_.size(), {-HUGE_VALF, 0, 0.0f});
    std::size_t seen = columns_.size();
    if (may_cut_) {
      seen = cuts_.template best_of_columns<placed>(columns_.data(), seen, bar(value, enough),
                                                    best_.data());
    }
    for (std::size_t i = 0; i < seen; ++i) {
      const SimdBest& best = best_[i];
      const double low = best.sure ? low_of<form>(value, best.most) : -HUGE_VAL,
                   high = value.around(value.s + most(best) * value.inverse).high;
      const bool alone = placed && !(best.next >= bar(value, low));
      tell(numbers_[i], CutValue::Estimate{low, high}, alone ? best.at : 0);
    }
  }

  // Offers every admissible cut of a column that may be the best and reach the floor.
  template <Form form>
  void offer_cuts(SimdEntries entries, const CutValue& value, double floor, Contenders& out) {
    if (!may_cut_) return;
    const SimdBest best = cuts_.proxies(entries, proxy_.data());
    if (best.most == -HUGE_VALF || !(most(best) >= value.bar(floor))) return;
    if (best.sure) floor = std::max(floor, low_of<form>(value, best.most));
    const std::uint32_t n = cuts_that_reach(proxy_.data(), cuts_.node().least, cuts_.node().end,
                                            bar(value, floor), reach_.data());
    cuts_.restart();
    std::uint32_t moved = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t l = reach_[i];
      for (; moved < l; ++moved) cuts_.move(entries[moved]);
      if (!cuts_.may_cut()) continue;
      const CutValue::Estimate cut = cuts_.template value<form>(value);
      if (cut.high >= floor) out.offer(l, cut.low, cut.high);
    }
  }

  // How many admissible cuts a column has, `least` a side, from the lowest up; visit(l, measure) of
  // one that may measure `floor` or more returns the floor from there on. is_apart(a, b): whether a
  // cut may go between neighbouring entries.
  template <Form form, class Count, class Apart, class Visit>
  std::uint32_t each_cut(SimdEntries entries, const CutValue& value, Count least, double floor,
                         Apart is_apart, Visit visit) {
    if (!may_cut_) return 0;
    cuts_.proxies(entries, proxy_.data());
    cuts_.restart();
    float needed = bar(value, floor);
    std::uint32_t cuts = 0;
    for (std::uint32_t l = 1; l < cuts_.node().n; ++l) {
      cuts_.move(entries[l - 1]);
      if (cuts_.left() < least || !is_apart(entries[l - 1], entries[l])) continue;
      if (cuts_.right() < least) break;
      ++cuts;
      if (!(proxy_[l] >= needed)) continue;
      needed = bar(value, visit(l, cuts_.template value<form>(value).high - value.slack));
    }
    return cuts;
  }

 private:
  // At most, of the column's proxies.
  double most(const SimdBest& best) const {
    return cuts_.per() * (best.most + cuts_.offset() + cuts_.unsure());
  }
  // The least proxy of a cut that may reach a floor; above that of no cut.
  float bar(const CutValue& value, double floor) const {
    constexpr float least = std::numeric_limits<float>::lowest();
    const double bar = value.bar(floor) / cuts_.per() - cuts_.offset() - cuts_.unsure();
    return std::max(static_cast<float>(bar), least);
  }
  // What a column's best cut measures at least.
  template <Form form>
  double low_of(const CutValue& value, double most) const {
    const double proxy = cuts_.per() * (most + cuts_.offset() - cuts_.unsure());
    return value.around(value.s + proxy * value.inverse).low;
  }

  Cuts cuts_;
  bool may_cut_ = false;
  std::vector<float> proxy_;  // by rows on the left
  std::vector<std::uint32_t> reach_;
  std::vector<std::uint32_t> numbers_;
  std::vector<SimdEntries> columns_;
  std::vector<SimdBest> best_;  // by column
};

}  // namespace tectree

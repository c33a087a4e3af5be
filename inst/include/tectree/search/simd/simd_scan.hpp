// Room search/simd/: all cuts of a sorted column for classes, eight at a time and in single
// precision, if has_simd().
//
// Single precision rules out most cuts; those that may be the best are valued again, exactly. A
// Cuts determines how rows count (UnitCuts, WeightCuts): the measure of a cut is s + inverse x
// per() x (its proxy + offset()), where the error of the proxy (see ClassCut::proxy()) is at most
// unsure().
//
// The walk over a column is the same for both. Lanes compute the proxies of eight cuts: NaN for no
// cut between equal values, -Inf for too few rows on a side. They use Tables, which all columns of
// a node share (UnitNode, WeightNode): its n rows, and [least, end], the numbers of rows that cuts
// have on the left. Lanes has
//   Lanes(tables)          with no rows on the left
//   pass(e)                moves eight rows before the first cut
//   proxies(e, l)          of l to l + 7 rows on the left; moves these eight
//   sure()                 whether each cut that was valued is surely admissible
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../../base/simd.hpp"
#include "../../data/arena.hpp"
#include "../scan/class_scan.hpp"

namespace tectree {

using SimdEntries = const Entry<std::uint16_t>*;  // of a column, tagged by class

constexpr std::size_t most_simd_classes = Entry<std::uint16_t>::tags;

// The tags by which a small arena's entries identify the classes of their rows: only classes that
// occur there have one, and there may be too many for a tag.
class ClassTags {
 public:
  ClassTags() = default;
  ClassTags(const std::vector<std::uint16_t>& labels, std::size_t classes) : tag_(classes, none) {
    const bool all = classes <= most_simd_classes;
    for (std::size_t i = 0; all ? i < classes : i < labels.size() && fit(); ++i) {
      std::uint8_t& tag = tag_[all ? i : labels[i]];
      if (tag == none) tag = static_cast<std::uint8_t>(used_++);
    }
  }
  bool fit() const { return used_ <= most_simd_classes; }
  std::uint32_t of(std::size_t label) const { return tag_[label]; }

 private:
  static constexpr std::uint8_t none = 255;
  std::vector<std::uint8_t> tag_;  // by class
  std::size_t used_ = 0;
};

// The highest proxy of a column's cuts; -Inf without a cut.
struct SimdBest {
  float most;
  // If `placed`: its number of rows on the left, and the highest proxy of another cut.
  std::uint32_t at;
  float next;
  bool sure = true;  // that it is admissible
};

namespace detail {

constexpr int rank_bits = Entry<std::uint16_t>::bits;
constexpr std::uint32_t tag_mask = (Entry<std::uint16_t>::tags - 1) << rank_bits;

// Which of eight rows are of a class.
TECTREE_LANES simd::Ints rows_of(std::uint32_t tag, simd::Ints entries) {
  return (entries & simd::all(tag_mask)) == simd::all(tag);
}

// The best of the cuts valued so far in each of eight lanes and, if `placed`, its position.
template <bool placed>
struct BestLanes {
  simd::Floats most, next;
  simd::Ints at;

  TECTREE_LANES BestLanes()
      : most(simd::all(-HUGE_VALF)), next(most), at(simd::all(std::uint32_t{0})) {}

  TECTREE_LANES void add(simd::Floats proxy, std::uint32_t l) {
    if (placed) {
      const simd::Ints above = proxy > most;
      next = simd::larger_of(simd::select(above, most, proxy), next);
      at = simd::select(above, simd::all(l), at);
    }
    most = simd::larger_of(proxy, most);
  }

  TECTREE_LANES SimdBest best() const {
    SimdBest out{simd::most(most), 0, 0.0f};
    if (!placed) return out;
    const simd::Ints top = most == simd::all(out.most);
    const unsigned lanes = simd::top_bits(top);
    const int lane = first_bit(lanes);
    std::uint32_t from[8];
    simd::store(from, at);
    out.at = from[lane] + static_cast<std::uint32_t>(lane);
    const simd::Floats others = simd::select(top, next, most);
    out.next = (lanes & (lanes - 1)) != 0 ? out.most : simd::most(others);
    return out;
  }
};

// Returns the best cut and, if `all`, writes the proxies: NaN between equal values, undefined or
// -Inf below `least`.
template <class Lanes, bool all, bool placed, class Tables>
TECTREE_SIMD inline SimdBest value_column(const Tables& c, SimdEntries entries, float* proxies) {
  Lanes lanes(c);
  std::uint32_t l = 0;
  for (; l + 8 < c.least; l += 8) {  // the last row before the first cut is left to the next loop
    lanes.pass(simd::load_first(entries + l, 8));
  }
  simd::Ints last = simd::all(std::uint32_t{0});
  const simd::Floats no_cut = simd::all(std::nanf(""));
  BestLanes<placed> best;
  for (; l <= c.end; l += 8) {
    const simd::Ints e = simd::load_first(entries + l, c.n - l);
    simd::Floats proxy = lanes.proxies(e, l);
    // Each entry's rank, its last bits, and those of the entry before it.
    const simd::Ints rank = simd::up<32 - rank_bits>(e);
    const simd::Ints turned = simd::turned(rank);
    proxy = simd::select(rank == simd::first_of(last, turned), no_cut, proxy);
    last = turned;
    if (all) simd::store(proxies + l, proxy);
    best.add(proxy, l);
  }
  SimdBest out = best.best();
  out.sure = lanes.sure();
  return out;
}

// The best cuts of the columns up to the first whose proxy reaches `enough`; returns the number of
// these columns.
template <class Lanes, bool placed, class Tables>
TECTREE_SIMD std::size_t best_of_columns(const Tables& tables, const SimdEntries* columns,
                                         std::size_t n, float enough, SimdBest* best) {
  const Tables c = tables;  // a copy: no write can change it, so it may stay in registers
  for (std::size_t i = 0; i < n; ++i) {
    best[i] = value_column<Lanes, false, placed>(c, columns[i], nullptr);
    if (best[i].most >= enough) return i + 1;
  }
  return n;
}

// The proxy of every cut of a column; returns the best.
template <class Lanes, class Tables>
TECTREE_SIMD SimdBest value_cuts(const Tables& tables, SimdEntries entries, float* proxies) {
  const Tables c = tables;
  return value_column<Lanes, true, false>(c, entries, proxies);
}

}  // namespace detail

// Writes the cuts of [least, end] whose proxy is at least `bar`, ascending; returns their number.
TECTREE_SIMD inline std::uint32_t cuts_that_reach(const float* proxy, std::uint32_t least,
                                                  std::uint32_t end, float bar,
                                                  std::uint32_t* cuts) {
  const simd::Floats needed = simd::all(bar);
  std::uint32_t n = 0;
  for (std::uint32_t l = least / 8 * 8; l <= end; l += 8) {
    unsigned bits = simd::top_bits(simd::load(proxy + l) >= needed);
    for (; bits != 0; bits &= bits - 1) cuts[n++] = l + static_cast<std::uint32_t>(first_bit(bits));
  }
  return n;
}

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

  // The columns of bound_columns(), by their numbers.
  void clear() {
    numbers_.clear();
    columns_.clear();
  }
  void add(std::uint32_t number, SimdEntries entries) {
    numbers_.push_back(number);
    columns_.push_back(entries);
  }
  bool empty() const { return numbers_.empty(); }
  // use(number, interval, position) with an interval of the measure of each column's best cut, -Inf
  // without a cut. Columns after the first that may reach `enough` are left out. `position`: the
  // rows on the left of that cut, if `placed` and no other cut can be the best; otherwise 0.
  template <Form form, bool placed, class Use>
  void bound_columns(const CutValue& value, double enough, Use use) {
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
      use(numbers_[i], CutValue::Estimate{low, high}, alone ? best.at : 0);
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

  // Visits a column's admissible cuts, `least` per side, from the lowest up, and returns their
  // number. visit(l, measure) of a cut that may measure `floor` or more returns the floor from
  // there on. is_apart(a, b): whether a cut may lie between neighbouring entries.
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
  // An upper bound of the column's proxies.
  double most(const SimdBest& best) const {
    return cuts_.per() * (best.most + cuts_.offset() + cuts_.unsure());
  }
  // The smallest proxy of a cut that may reach a floor; above that of no cut.
  float bar(const CutValue& value, double floor) const {
    constexpr float least = std::numeric_limits<float>::lowest();
    const double bar = value.bar(floor) / cuts_.per() - cuts_.offset() - cuts_.unsure();
    return std::max(static_cast<float>(bar), least);
  }
  // A lower bound of the measure of a column's best cut.
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

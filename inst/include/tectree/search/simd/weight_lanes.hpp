// The Lanes (see simd_scan.hpp) of weighted rows.
//
// The weight of a row is a whole number of units, so the sums of classes on both sides are exact in
// any order; phi is computed from their shares of the node's weight.
#pragma once

#include "../../base/simd_math.hpp"
#include "simd_scan.hpp"

namespace tectree {

// phi of a share x: x log2 x, x^2 or x^q.
enum class Curve { entropy, square, power };

struct WeightNode {
  std::uint32_t n, least, end;  // rows; cuts with [least, end] rows on the left have a proxy
  int classes;                  // with rows
  std::uint32_t tag[most_simd_classes], total[most_simd_classes];  // by class; its units
  float share[most_simd_classes];                                  // and the share of one unit
  const std::uint32_t* units;                                      // by row
  std::uint32_t all;  // of the node; if class factors differ, of its case weights
  std::uint32_t min_possible,
      min_certain;  // units of a side that may, that surely does, reach min_bucket
  // The size of a side that does, and of the node, in rows, if it is not the weight; otherwise 0.
  // Null: every row is one.
  std::uint32_t min_rows, all_rows;
  const std::uint32_t* sizes;
  bool by_class;                  // class factors differ
  float per_unit;                 // the share of a unit, if they do not
  float factor;                   // of the proxy
  simd::Power power, side_power;  // of a class's share; of a side's, to 1 - q or
  bool divides;                   // q - 1
};

namespace detail {

// All classes but the first are counted; the first has the other rows. `linear`: a side is weighted
// by its share.
template <Curve curve, bool linear>
class WeightLanes {
 public:
  TECTREE_LANES explicit WeightLanes(const WeightNode& node)
      : c_(node), left_(simd::all(std::uint32_t{0})), rows_(left_), unsure_(left_) {
    for (int s = 0; s < c_.classes; ++s) count_[s] = left_;
  }

  TECTREE_LANES void pass(simd::Ints) {}  // every row is valued

  TECTREE_LANES simd::Floats proxies(simd::Ints e, std::uint32_t l) {
    const simd::Ints there = simd::all(c_.n - l) > simd::places();
    const simd::Ints row = simd::down<32 - rank_bits>(e);
    const simd::Ints units = there & simd::load_at(c_.units, row);
    const simd::Ints left = before(units, left_);
    const simd::Ints right = simd::all(c_.all) - left;
    simd::Ints rest = left;
    Side l_side, r_side;
    for (int s = c_.classes - 1; s > 0; --s) {
      const simd::Ints here = before(units & rows_of(c_.tag[s], e), count_[s]);
      rest = rest - here;
      add_class(s, here, l_side, r_side);
    }
    add_class(0, rest, l_side, r_side);
    if (!c_.by_class) {
      const simd::Floats per = simd::all(c_.per_unit);
      l_side.share = simd::float_of(left) * per;
      r_side.share = simd::float_of(right) * per;
    }
    const simd::Floats proxy = simd::all(c_.factor) * (value(l_side) + value(r_side));
    if (c_.min_rows > 0) {
      const simd::Ints rows = c_.sizes ? before(there & simd::load_at(c_.sizes, row), rows_)
                                       : simd::all(l) + simd::places();
      const simd::Ints may = there & reach(rows, simd::all(c_.all_rows) - rows, c_.min_rows);
      return simd::select(may, proxy, simd::all(-HUGE_VALF));
    }
    const simd::Ints may = reach(left, right, c_.min_possible);
    unsure_ = unsure_ | (may - reach(left, right, c_.min_certain));
    return simd::select(may, proxy, simd::all(-HUGE_VALF));
  }

  TECTREE_LANES bool sure() const { return simd::top_bits(unsure_) == 0; }

 private:
  struct Side {
    simd::Floats b, share;
    TECTREE_LANES Side() : b(simd::all(0.0f)), share(b) {}
  };

  // The sums before each of eight rows; `sum`, of the rows before the first, moves past the last.
  TECTREE_LANES static simd::Ints before(simd::Ints units, simd::Ints& sum) {
    const simd::Ints through = simd::running(units);
    const simd::Ints out = through - units + sum;
    sum = sum + simd::last(through);
    return out;
  }
  // Lanes in which both sides have at least so many units, or rows.
  TECTREE_LANES static simd::Ints reach(simd::Ints left, simd::Ints right, std::uint32_t least) {
    const simd::Ints less = simd::all(least - 1);
    return (left > less) & (right > less);
  }

  TECTREE_LANES void add_class(int s, simd::Ints left, Side& l_side, Side& r_side) const {
    const simd::Ints right = simd::all(c_.total[s]) - left;
    const simd::Floats share = simd::all(c_.share[s]);
    add_share(simd::float_of(left) * share, l_side);
    add_share(simd::float_of(right) * share, r_side);
  }
  TECTREE_LANES void add_share(simd::Floats x, Side& side) const {
    side.b = side.b + phi(x);
    if (c_.by_class) side.share = side.share + x;
  }

  TECTREE_LANES simd::Floats phi(simd::Floats x) const {
    if (curve == Curve::square) return x * x;
    if (curve == Curve::entropy) return x * simd::log2(x);
    return c_.power.of(x);
  }
  TECTREE_LANES simd::Floats value(const Side& side) const {
    if (!linear || curve == Curve::entropy) return side.b - phi(side.share);
    if (curve == Curve::square) return side.b / side.share;
    const simd::Floats power = c_.side_power.of(side.share);
    return c_.divides ? side.b / power : side.b * power;
  }

  const WeightNode& c_;
  simd::Ints count_[most_simd_classes], left_, rows_, unsure_;
};

// use(curve, linear), both std::integral_constant.
template <class Use>
auto with_curve(double q, bool linear, Use use) {
  if (q == 1.0) return use(std::integral_constant<Curve, Curve::entropy>(), std::false_type());
  const auto of = [&](auto curve) {
    return linear ? use(curve, std::true_type()) : use(curve, std::false_type());
  };
  return q == 2.0 ? of(std::integral_constant<Curve, Curve::square>())
                  : of(std::integral_constant<Curve, Curve::power>());
}

}  // namespace detail

}  // namespace tectree

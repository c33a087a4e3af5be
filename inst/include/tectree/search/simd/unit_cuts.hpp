// Cuts of rows that count 1: the Cuts of SimdScan, and its Lanes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "../../tally/sums.hpp"
#include "../scan/class_scan.hpp"
#include "simd_scan.hpp"

namespace tectree {

// The tables for the proxies of a node's cuts, by rows on the left. Eight places are read at once,
// so tables are longer than the node.
struct UnitNode {
  std::uint32_t n, least, end;  // rows; cuts with [least, end] rows on the left have a proxy
  int classes;                  // that have rows
  // By class: its tag, at its position in an entry; and, by the class's rows on the left, phi of
  // those on the right or, if `joint`, phi of both minus phi of all.
  std::uint32_t tag[most_simd_classes];
  const float* other[most_simd_classes];
  const float* left;                        // phi of the rows on the left
  const float *weight_left, *weight_right;  // alpha of the rows on each side
  const float* less;                        // subtracted from the sums; Inf gives -Inf: no cut
};

namespace detail {

// The number of set bits below each of eight.
struct BitsBelow {
  alignas(8) std::uint8_t of[256][8];
  constexpr BitsBelow() : of() {
    for (int bits = 0; bits < 256; ++bits) {
      for (int i = 1; i < 8; ++i)
        of[bits][i] = static_cast<std::uint8_t>(of[bits][i - 1] + ((bits >> (i - 1)) & 1));
    }
  }
};
inline constexpr BitsBelow bits_below;

// Eight rows side by side: their tags identify those of a class. The number of these before each of
// the eight is looked up by the pattern of eight bits; it selects phi of the counts on both sides
// of each cut from eight neighbouring numbers of a table. All classes but the first are counted;
// the first has the other rows. `classes`: their number if the compiler knows it, otherwise 0.
// `joint`: both sides have the same alpha.
template <int classes, bool joint>
class UnitLanes {
 public:
  TECTREE_LANES explicit UnitLanes(const UnitNode& node)
      : c_(node), k_(classes > 0 ? classes : node.classes) {}

  TECTREE_LANES void pass(simd::Ints e) {
    for (int s = 1; s < k_; ++s) count_[s] += count_bits(simd::top_bits(rows_of(c_.tag[s], e)));
  }

  TECTREE_LANES simd::Floats proxies(simd::Ints e, std::uint32_t l) {
    simd::Ints rest = simd::places();
    simd::Floats b_left = simd::all(0.0f), b_other = simd::all(0.0f);
    std::uint32_t first = l;
#pragma GCC unroll 4
    for (int s = k_ - 1; s > 0; --s) {
      const unsigned bits = simd::top_bits(rows_of(c_.tag[s], e));
      const simd::Ints below = simd::widen(bits_below.of[bits]);
      const std::uint32_t here = count_[s];
      rest = rest - below;
      first -= here;
      count_[s] = here + count_bits(bits);
      b_other = b_other + simd::pick(c_.other[s] + here, below);
      if (!joint) b_left = b_left + simd::pick(c_.left + here, below);
    }
    simd::Floats proxy = b_other + simd::pick(c_.other[0] + first, rest);
    if (!joint) {
      b_left = b_left + simd::pick(c_.left + first, rest);
      const simd::Floats weighed = b_left * simd::load(c_.weight_left + l);
      proxy = proxy * simd::load(c_.weight_right + l) + weighed;
    }
    return proxy - simd::load(c_.less + l);
  }

  static constexpr bool sure() {
    return true;
  }

 private:
  const UnitNode& c_;
  const int k_;
  std::uint32_t count_[classes > 0 ? classes : most_simd_classes] = {};  // left of the eight
};

// use(classes, joint), both std::integral_constant.
template <class Use>
auto with_shape(int classes, bool joint, Use use) {
  const auto of = [&](auto k) {
    return joint ? use(k, std::true_type()) : use(k, std::false_type());
  };
  if (classes <= 2) return of(std::integral_constant<int, 2>());
  return classes == 3 ? of(std::integral_constant<int, 3>()) : of(std::integral_constant<int, 0>());
}

}  // namespace detail

// Tables read from both ends at once.
//
// to[l] = table[n - l] for 0 <= l <= n; `table` has eight places before 0, `to` eight after n.
TECTREE_SIMD inline void mirror(const float* table, std::uint32_t n, float* to) {
  for (std::uint32_t l = 0; l <= n; l += 8)
    simd::store(to + l, simd::load_turned(table + (static_cast<std::ptrdiff_t>(n) - l)));
}

// to[l] = table[l] + table[n - l] - off likewise; returns a bound of their absolute values.
TECTREE_SIMD inline float add_mirrored(const double* table, std::uint32_t n, double off,
                                       float* to) {
  simd::Floats most = simd::all(0.0f);
  for (std::uint32_t l = 0; l <= n; l += 8) {
    const simd::Floats sum =
        simd::sum_turned(table + l, table + (static_cast<std::ptrdiff_t>(n) - l), off);
    most = simd::larger_of(simd::of_bits(simd::bits_of(sum) & simd::all(0x7FFFFFFFu)), most);
    simd::store(to + l, sum);
  }
  return simd::most(most);
}

// What the columns of a node share.
class UnitSides {
 public:
  // `total`: rows by class; `least`: rows on a side. `joint`: both sides have the same alpha, so
  // one table contains the sum over both; always so in the power form.
  void make(const KernelTable& table, const std::vector<std::uint32_t>& total,
            const ClassTags& tags, std::uint32_t least, bool joint) {
    table_ = &table;
    least_ = std::max<std::uint32_t>(least, 1u);
    rows_ = std::accumulate(total.begin(), total.end(), std::uint32_t{0});
    joint_ = joint;
    classes_.clear();
    constexpr std::size_t behind = 8;
    std::size_t room = 0;
    for (std::size_t s = 0; s < total.size(); ++s) {
      if (total[s] == 0) continue;
      classes_.push_back({tags.of(s), total[s], room});
      room += total[s] + 1 + behind;
    }
    if (other_.size() < room) other_.resize(room);
    offset_ = largest_sum_ = 0.0;
    for (const OneClass& one : classes_) {
      float* to = other_.data() + one.at;
      if (joint) {
        offset_ += table.phi[one.total];
        largest_sum_ += add_mirrored(table.single.exact_phi(), one.total, table.phi[one.total], to);
      } else {
        mirror(table.single.phi(), one.total, to);
      }
    }
  }

  static constexpr bool fit() { return true; }
  const KernelTable& table() const { return *table_; }
  std::uint32_t rows() const { return rows_; }
  std::uint32_t least() const { return least_; }
  std::size_t classes() const { return classes_.size(); }
  bool joint() const { return joint_; }
  // If joint: what is missing from a cut's sum, and a bound of it.
  double offset() const { return offset_; }
  double largest_sum() const { return largest_sum_; }
  void fill(UnitNode& to) const {
    to.left = table_->single.phi();
    to.weight_left = table_->single.alpha();
    to.classes = static_cast<int>(classes());
    for (std::size_t s = 0; s < classes(); ++s) {
      to.tag[s] = classes_[s].tag << Entry<std::uint16_t>::bits;
      to.other[s] = other_.data() + classes_[s].at;
    }
    if (classes() > 1) return;
    to.tag[1] = ~to.tag[0];  // a class without rows
    to.other[1] = to.left;
  }
  // phi summed over the classes on either side, of which these rows, by tag, are on the left.
  Pair sums(const std::array<std::uint32_t, most_simd_classes>& left) const {
    const double* phi = table_->phi.data();
    double b_l = 0.0, b_r = 0.0;
    for (const OneClass& one : classes_) {
      b_l += phi[left[one.tag]];
      b_r += phi[one.total - left[one.tag]];
    }
    return Pair{b_l, b_r};
  }

 private:
  struct OneClass {
    std::uint32_t tag, total;
    std::size_t at;  // its table in other_
  };

  const KernelTable* table_ = nullptr;
  std::vector<OneClass> classes_;  // with rows
  std::vector<float> other_;
  std::uint32_t rows_ = 0, least_ = 1;
  bool joint_ = false;
  double offset_ = 0.0, largest_sum_ = 0.0;
};

// The cuts by one criterion. Values that depend only on the number of rows are kept from node to
// node.
class UnitCuts {
 public:
  using Sides = UnitSides;

  // The columns searched next have the rows of these sides. False if no cut is admissible.
  template <Form form>
  bool start(const UnitSides& sides) {
    const std::uint32_t n = sides.rows();
    sides_ = &sides;
    if (sides.least() > n / 2) return false;
    if (n != node_.n) prepare(sides, form == Form::linear, n, sides.least());
    offset_ = sides.joint() ? sides.offset() - sides.table().phi[n] : 0.0;
    unsure_ = rounding(sides);
    sides.fill(node_);
    return true;
  }

  const UnitNode& node() const { return node_; }
  static constexpr double per() { return 1.0; }
  double offset() const { return offset_; }
  double unsure() const { return unsure_; }

  template <bool placed>
  std::size_t best_of_columns(const SimdEntries* columns, std::size_t n, float enough,
                              SimdBest* best) const {
    return detail::with_shape(node_.classes, sides_->joint(), [&](auto k, auto both) {
      using Lanes = detail::UnitLanes<decltype(k)::value, decltype(both)::value>;
      return detail::best_of_columns<Lanes, placed>(node_, columns, n, enough, best);
    });
  }
  SimdBest proxies(SimdEntries entries, float* out) const {
    return detail::with_shape(node_.classes, sides_->joint(), [&](auto k, auto both) {
      using Lanes = detail::UnitLanes<decltype(k)::value, decltype(both)::value>;
      return detail::value_cuts<Lanes>(node_, entries, out);
    });
  }

  // One cut after the other, exactly.
  void restart() {
    left_.fill(0);
    moved_ = 0;
  }
  void move(const Entry<std::uint16_t>& entry) {
    ++left_[entry.tag];
    ++moved_;
  }
  static constexpr bool may_cut() { return true; }
  std::uint32_t left() const { return moved_; }
  std::uint32_t right() const { return node_.n - moved_; }
  template <Form form>
  CutValue::Estimate value(const CutValue& value) const {
    const KernelTable& table = sides_->table();
    const std::uint32_t l = moved_, r = node_.n - l;
    const bool weighed = form == Form::linear;
    const double a_l = weighed ? table.alpha[l] : 1.0, a_r = weighed ? table.alpha[r] : 1.0;
    const Pair b = sides_->sums(left_);
    const double proxy = a_l * (b[0] - table.phi[l]) + a_r * (b[1] - table.phi[r]);
    return value.around(value.s + proxy * value.inverse);
  }

 private:
  void prepare(const UnitSides& sides, bool weighed, std::uint32_t n, std::uint32_t least) {
    if (less_.size() < n + 8) {
      less_.resize(n + 8);
      weight_right_.resize(n + 8);
    }
    const KernelTable::Single& table = sides.table().single;
    largest_less_ = add_mirrored(weighed ? table.both() : table.exact_phi(), n,
                                 sides.joint() ? sides.table().phi[n] : 0.0, less_.data());
    std::fill(less_.begin(), less_.begin() + least, HUGE_VALF);
    std::fill(less_.begin() + (n - least) + 1, less_.begin() + n + 8, HUGE_VALF);
    if (!sides.joint()) mirror(table.alpha(), n, weight_right_.data());
    node_.n = n;
    node_.least = least;
    node_.end = n - least;
    node_.less = less_.data();
    node_.weight_right = weight_right_.data();
  }

  // The maximum error of a proxy: each number is rounded when it is read, each sum and product when
  // it is computed. If joint, B is at most largest_sum(); otherwise it is at most phi of the rows
  // if phi is convex, and that of a class times the number of classes if it is not.
  double rounding(const UnitSides& sides) const {
    const double k = static_cast<double>(sides.classes()), unit = 0x1p-24;
    if (sides.joint()) return 1.01 * unit * ((k + 1.0) * sides.largest_sum() + 2.0 * largest_less_);
    return unit * (1.0 + k) * (k + 8.0) * largest_less_;
  }

  const UnitSides* sides_ = nullptr;
  UnitNode node_{};
  double largest_less_ = 0.0;               // bound of less_
  double offset_ = 0.0;                     // what is missing from the proxies
  double unsure_ = 0.0;                     // their maximum error
  std::vector<float> less_, weight_right_;  // by rows on the left
  std::array<std::uint32_t, most_simd_classes> left_{};
  std::uint32_t moved_ = 0;
};

}  // namespace tectree

// The cuts of rows that count 1, as SimdScan asks for them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "../../tally/sums.hpp"
#include "../scan/class_scan.hpp"
#include "class_tags.hpp"
#include "unit_lanes.hpp"

namespace tectree {

// What the columns of a node share, made once.
class UnitSides {
 public:
  // `total`: the classes' counts; `least`: rows on a side. `joint`: both sides weigh the same, so
  // that the sum over both will do; always so in the power form.
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
    offset_ = size_ = 0.0;
    for (const OneClass& one : classes_) {
      float* to = other_.data() + one.at;
      if (joint) {
        offset_ += table.phi[one.total];
        size_ += add_mirrored(table.single.exact_phi(), one.total, table.phi[one.total], to);
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
  // Where both sides weigh the same: what a cut's sum lacks, and its size at most.
  double offset() const { return offset_; }
  double size() const { return size_; }
  void show(UnitNode& to) const {
    to.left = table_->single.phi();
    to.weight_left = table_->single.alpha();
    to.classes = static_cast<int>(classes());
    for (std::size_t s = 0; s < classes(); ++s) {
      to.tag[s] = classes_[s].tag << Entry<std::uint16_t>::bits;
      to.other[s] = other_.data() + classes_[s].at;
    }
    if (classes() > 1) return;
    to.tag[1] = ~to.tag[0];  // a class of no rows
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
  std::vector<OneClass> classes_;  // that have rows
  std::vector<float> other_;
  std::uint32_t rows_ = 0, least_ = 1;
  bool joint_ = false;
  double offset_ = 0.0, size_ = 0.0;
};

// Works for one criterion: what depends on the number of rows alone is kept from node to node.
class UnitCuts {
 public:
  using Sides = UnitSides;

  // The columns searched next have the rows of these sides. False where no cut is admissible.
  template <Form form>
  bool start(const UnitSides& sides) {
    const std::uint32_t n = sides.rows();
    sides_ = &sides;
    if (sides.least() > n / 2) return false;
    if (n != node_.n) prepare(sides, form == Form::linear, n, sides.least());
    offset_ = sides.joint() ? sides.offset() - sides.table().phi[n] : 0.0;
    unsure_ = rounding(sides);
    sides.show(node_);
    return true;
  }

  const UnitNode& node() const { return node_; }
  static constexpr double per() { return 1.0; }
  double offset() const { return offset_; }
  double unsure() const { return unsure_; }

  template <bool placed>
  std::size_t best_of_columns(const SimdEntries* columns, std::size_t n, float enough,
                              SimdBest* best) const {
    return detail::with_shape(node_.classes, sides_->joint() || placed, [&](auto k, auto both) {
      using Lanes = detail::UnitLanes<decltype(k)::value, placed || decltype(both)::value>;
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
    size_ = add_mirrored(weighed ? table.both() : table.exact_phi(), n,
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

  // How far off a proxy may be: each number is rounded as it is read, each sum and product as it
  // is made. B is known to be at most size() where both sides weigh the same; else it is at most
  // phi of the rows where phi is convex, a class's times the classes where it is not.
  double rounding(const UnitSides& sides) const {
    const double k = static_cast<double>(sides.classes()), unit = 0x1p-24;
    if (sides.joint()) return 1.01 * unit * ((k + 1.0) * sides.size() + 2.0 * size_);
    return unit * (1.0 + k) * (k + 8.0) * size_;
  }

  const UnitSides* sides_ = nullptr;
  UnitNode node_{};
  double size_ = 0.0;                       // of what is taken off, at most
  double offset_ = 0.0;                     // what the proxies that are compared lack
  double unsure_ = 0.0;                     // and how far they may be from the true ones
  std::vector<float> less_, weight_right_;  // by rows on the left
  std::array<std::uint32_t, most_simd_classes> left_{};
  std::uint32_t moved_ = 0;
};

}  // namespace tectree

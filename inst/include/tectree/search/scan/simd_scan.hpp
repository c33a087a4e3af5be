// The inner loop on processors that value eight cuts at a time: most cuts are told apart in single
// precision; those that it leaves unsure are valued again from their class counts.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "class_scan.hpp"
#include "simd_cuts.hpp"
#include "unit_cut.hpp"

namespace tectree {

// The numbers by which an arena's entries tell the classes of their rows: those that occur there,
// where they are few enough for a tag.
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

// What the columns of a node share, made once.
class SideTables {
 public:
  // `joint`: both sides weigh the same, so that the sum over both will do; always so in the power
  // form.
  void make(const KernelTable& table, const std::vector<std::uint32_t>& total,
            const ClassTags& tags, bool joint) {
    table_ = &table;
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

  const KernelTable& table() const { return *table_; }
  std::size_t classes() const { return classes_.size(); }
  bool joint() const { return joint_; }
  // Where both sides weigh the same: what a cut's sum lacks, and its size at most.
  double offset() const { return offset_; }
  double size() const { return size_; }
  void show(SimdNode& to) const {
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
  CutSums sums(const std::array<std::uint32_t, most_simd_classes>& left) const {
    const double* phi = table_->phi.data();
    double b_l = 0.0, b_r = 0.0;
    for (const OneClass& one : classes_) {
      b_l += phi[left[one.tag]];
      b_r += phi[one.total - left[one.tag]];
    }
    return {b_l, b_r};
  }

 private:
  struct OneClass {
    std::uint32_t tag, total;
    std::size_t at;  // its table in other_
  };

  const KernelTable* table_ = nullptr;
  std::vector<OneClass> classes_;  // that have rows
  std::vector<float> other_;
  bool joint_ = false;
  double offset_ = 0.0, size_ = 0.0;
};

// Works for one criterion: what depends on the number of rows alone is kept from node to node.
class SimdScan {
 public:
  // The columns searched next have n rows with a value, as `tables` have it, and cuts at least
  // `least` rows a side.
  template <Form form>
  void start(const SideTables& tables, std::uint32_t n, std::uint32_t least) {
    tables_ = &tables;
    may_cut_ = least <= n / 2;
    if (!may_cut_) return;
    if (n != node_.n) prepare(tables, form == Form::linear, n, least);
    offset_ = tables.joint() ? tables.offset() - tables.table().phi[n] : 0.0;
    unsure_ = rounding(tables);
    tables.show(node_);
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
      seen = best_of_columns<placed>(node_, tables_->joint(), columns_.data(), seen,
                                     bar(value, enough), best_.data());
    }
    for (std::size_t i = 0; i < seen; ++i) {
      const SimdBest& best = best_[i];
      const double low = low_of<form>(value, best.most),
                   high = value.of_proxy<form>(best.most + offset_ + unsure_, 0.0, 0.0).high;
      const bool alone = placed && !(best.next >= bar(value, low));
      tell(numbers_[i], CutValue::Estimate{low, high}, alone ? best.at : 0);
    }
  }

  // Offers every admissible cut of a column that may be the best and reach the floor.
  template <Form form>
  void offer_cuts(SimdEntries entries, const CutValue& value, double floor, Contenders& out) {
    if (!may_cut_) return;
    const double most = simd_proxies(node_, tables_->joint(), entries, proxy_.data());
    if (most == -HUGE_VAL || !(most + offset_ + unsure_ >= value.bar(floor))) return;
    floor = std::max(floor, low_of<form>(value, most));
    const std::uint32_t n =
        cuts_that_reach(proxy_.data(), node_.least, node_.end, bar(value, floor), reach_.data());
    std::array<std::uint32_t, most_simd_classes> left{};
    std::uint32_t moved = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t l = reach_[i];
      for (; moved < l; ++moved) ++left[entries[moved].tag];
      const double proxy = proxy_of<form>(l, left);
      const CutValue::Estimate cut = value.of_proxy<form>(proxy, 0.0, 0.0);
      if (cut.high >= floor) out.offer(l, cut.low, cut.high);
    }
  }

 private:
  void prepare(const SideTables& tables, bool weighed, std::uint32_t n, std::uint32_t least) {
    make_room(n);
    const KernelTable::Single& table = tables.table().single;
    size_ = add_mirrored(weighed ? table.both() : table.exact_phi(), n,
                         tables.joint() ? tables.table().phi[n] : 0.0, less_.data());
    std::fill(less_.begin(), less_.begin() + least, HUGE_VALF);
    std::fill(less_.begin() + (n - least) + 1, less_.begin() + n + 8, HUGE_VALF);
    if (!tables.joint()) mirror(table.alpha(), n, weight_right_.data());
    node_.n = n;
    node_.least = least;
    node_.end = n - least;
    node_.less = less_.data();
    node_.weight_right = weight_right_.data();
  }

  // How far off a proxy may be: each number is rounded as it is read, each sum and product as it
  // is made. B is known to be at most size() where both sides weigh the same; else it is at most
  // phi of the rows where phi is convex, a class's times the classes where it is not.
  double rounding(const SideTables& tables) const {
    const double k = static_cast<double>(tables.classes()), unit = 0x1p-24;
    if (tables.joint()) return 1.01 * unit * ((k + 1.0) * tables.size() + 2.0 * size_);
    return unit * (1.0 + k) * (k + 8.0) * size_;
  }

  void make_room(std::uint32_t n) {
    if (proxy_.size() >= n + 8) return;
    for (std::vector<float>* v : {&less_, &weight_right_, &proxy_}) v->resize(n + 8);
    reach_.resize(n);
  }

  // The least proxy of a cut that may reach a floor.
  float bar(const CutValue& value, double floor) const {
    return static_cast<float>(value.bar(floor) - offset_ - unsure_);
  }

  // What a column's best cut measures at least.
  template <Form form>
  double low_of(const CutValue& value, double most) const {
    return value.of_proxy<form>(most + offset_ - unsure_, 0.0, 0.0).low;
  }

  template <Form form>
  double proxy_of(std::uint32_t l, const std::array<std::uint32_t, most_simd_classes>& left) const {
    const KernelTable& table = tables_->table();
    const std::uint32_t r = node_.n - l;
    const bool weighed = form == Form::linear;
    const double a_l = weighed ? table.alpha[l] : 1.0, a_r = weighed ? table.alpha[r] : 1.0;
    const CutSums b = tables_->sums(left);
    return a_l * (b.left() - table.phi[l]) + a_r * (b.right() - table.phi[r]);
  }

  const SideTables* tables_ = nullptr;
  SimdNode node_{};
  bool may_cut_ = false;
  double size_ = 0.0;                               // of what is taken off, at most
  double offset_ = 0.0;                             // what the proxies that are compared lack
  double unsure_ = 0.0;                             // and how far they may be from the true ones
  std::vector<float> less_, weight_right_, proxy_;  // by rows on the left
  std::vector<std::uint32_t> reach_;
  std::vector<std::uint32_t> numbers_;
  std::vector<SimdEntries> columns_;
  std::vector<SimdBest> best_;  // by column
};

}  // namespace tectree

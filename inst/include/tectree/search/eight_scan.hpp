// The inner loop on processors that value eight cuts at a time: most cuts are told apart in single
// precision; those that it leaves unsure are valued again from their class counts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "class_scan.hpp"
#include "eight_cuts.hpp"
#include "unit_cut.hpp"

namespace tectree {

// What the columns of a node share, made once.
class EightTables {
 public:
  static bool suit(const KernelTable& table, std::size_t classes) {
    return has_avx2() && classes <= most_eight_classes && !table.single.empty();
  }

  // `joint`: both sides weigh the same, so that the sum over both will do.
  void make(const KernelTable& table, const std::vector<std::uint32_t>& total, bool joint) {
    table_ = &table;
    total_ = &total;
    joint_ = joint;
    std::size_t room = 0;
    for (std::uint32_t t : total) room += t + 1;
    // Counts that are told may be some rows too many, behind the last cut.
    if (other_.size() < room + 8) other_.resize(room + 8);
    float* to = other_.data();
    const float* phi = table.single.phi();
    for (std::size_t s = 0; s < total.size(); ++s) {
      const std::uint32_t t = total[s];
      at_[s] = static_cast<std::size_t>(to - other_.data());
      for (std::uint32_t l = 0; l <= t; ++l) to[l] = joint ? phi[l] + phi[t - l] : phi[t - l];
      to += t + 1;
    }
  }

  const KernelTable& table() const { return *table_; }
  std::size_t classes() const { return total_->size(); }
  bool joint() const { return joint_; }
  // What is the same for every column, the rest left open.
  EightCutsColumn column() const {
    EightCutsColumn out{};
    out.left = table_->single.phi();
    out.weight_left = table_->single.alpha();
    for (std::size_t s = 0; s < classes(); ++s) out.other[s] = other_.data() + at_[s];
    if (classes() == 1) out.other[1] = out.left;  // of no rows
    return out;
  }
  // phi summed over the classes on either side.
  CutSums sums(std::uint64_t counts) const {
    const double* phi = table_->phi.data();
    double b_l = 0.0, b_r = 0.0;
    for (std::size_t s = 0; s < classes(); ++s) {
      const std::size_t l = (counts >> (16 * s)) & 0xFFFF;
      b_l += phi[l];
      b_r += phi[(*total_)[s] - l];
    }
    return {b_l, b_r};
  }

 private:
  const KernelTable* table_ = nullptr;
  const std::vector<std::uint32_t>* total_ = nullptr;
  std::vector<float> other_;
  std::size_t at_[most_eight_classes] = {};
  bool joint_ = false;
};

// Works for one criterion: what depends on the number of rows alone is kept from column to column.
class EightScan {
 public:
  // The rows of a column, tagged by their classes.
  struct Rows {
    const Entry<std::uint16_t>* entries;
    std::uint32_t n;
    std::uint32_t least;  // rows a side
  };

  // The interval that holds what the best cut measures; -Inf where there is none.
  template <Form form>
  CutValue::Estimate best(const Rows& rows, const EightTables& tables, const CutValue& value) {
    const EightCutsResult found = value_all<form, false>(rows, tables);
    if (found.most == -HUGE_VALF) return {-HUGE_VAL, -HUGE_VAL};
    return {value.of_promise<form>(found.most - unsure_, 0.0, 0.0).low,
            value.of_promise<form>(found.most + unsure_, 0.0, 0.0).high};
  }

  // Offers every admissible cut that may be the best and reach the floor.
  template <Form form>
  void offer_cuts(const Rows& rows, const EightTables& tables, const CutValue& value, double floor,
                  Contenders& out) {
    const EightCutsResult found = value_all<form, true>(rows, tables);
    const double most = found.most;
    if (most == -HUGE_VAL || !(most + unsure_ >= value.bar(floor))) return;
    floor = std::max(floor, value.of_promise<form>(most - unsure_, 0.0, 0.0).low);
    const auto bar = static_cast<float>(value.bar(floor) - unsure_);
    const std::uint32_t n =
        cuts_that_reach(promise_.data(), rows.least, rows.n - rows.least, bar, reach_.data());
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t l = reach_[i];
      const double promise = promise_of<form>(tables, rows.n, l, counts_at(rows.entries, l));
      const CutValue::Estimate cut = value.of_promise<form>(promise, 0.0, 0.0);
      if (cut.high >= floor) out.offer(l, cut.low, cut.high);
    }
  }

 private:
  template <Form form, bool all>
  EightCutsResult value_all(const Rows& rows, const EightTables& tables) {
    EightCutsResult result{nullptr, nullptr, -HUGE_VALF};
    if (rows.least > rows.n / 2) return result;
    prepare<form>(tables, rows.n, rows.least);
    EightCutsColumn column = tables.column();
    column.entries = rows.entries;
    column.n = rows.n;
    column.least = rows.least;
    column.end = rows.n - rows.least;
    column.base = base_.data();
    column.weight_right = weight_right_.data();
    result.promise = promise_.data();
    result.counts = counts_.data();
    value_eight_cuts<all>(column, tables.classes(), tables.joint(), result);
    return result;
  }

  template <Form form>
  void prepare(const EightTables& tables, std::uint32_t n, std::uint32_t least) {
    if (n == n_) return;
    n_ = n;
    make_room(n);
    const KernelTable::Single& table = tables.table().single;
    const bool weighed = form == Form::linear;
    const double largest =
        add_mirrored(weighed ? table.both() : table.phi(), n, base_.data());
    unsure_ = rounding(tables.classes()) * largest;
    std::fill(base_.begin(), base_.begin() + least, -HUGE_VALF);
    std::fill(base_.begin() + (n - least) + 1, base_.begin() + n + 8, -HUGE_VALF);
    if (!tables.joint()) mirror(table.alpha(), n, weight_right_.data());
  }

  // What is rounded, as a multiple of the largest base: B is at most phi of the rows where phi is
  // convex, a class's times the classes where it is not; each number is rounded as it is read, each
  // sum and product as it is made.
  static double rounding(std::size_t classes) {
    const double k = static_cast<double>(classes);
    return 0x1p-24 * (1.0 + k) * (k + 8.0);
  }

  void make_room(std::uint32_t n) {
    if (promise_.size() >= n + 8) return;
    for (std::vector<float>* v : {&base_, &weight_right_, &promise_}) v->resize(n + 8);
    counts_.resize(n / 8 + 1);
    reach_.resize(n);
  }

  template <Form form>
  static double alpha(const KernelTable& table, std::uint32_t n) {
    return form == Form::linear ? table.alpha[n] : 1.0;
  }
  template <Form form>
  static double base_of(const KernelTable& table, std::uint32_t n, std::uint32_t l) {
    return -(alpha<form>(table, l) * table.phi[l] + alpha<form>(table, n - l) * table.phi[n - l]);
  }
  template <Form form>
  static double promise_of(const EightTables& tables, std::uint32_t n, std::uint32_t l,
                           std::uint64_t counts) {
    const KernelTable& table = tables.table();
    const CutSums b = tables.sums(counts);
    return base_of<form>(table, n, l) + alpha<form>(table, l) * b.left() +
           alpha<form>(table, n - l) * b.right();
  }

  // The classes' counts on the left of a cut.
  std::uint64_t counts_at(const Entry<std::uint16_t>* entries, std::uint32_t l) const {
    std::uint64_t counts = counts_[l / 8];
    for (std::uint32_t i = l / 8 * 8; i < l; ++i) counts += std::uint64_t{1} << (16 * entries[i].tag);
    return counts;
  }

  std::uint32_t n_ = 0;
  double unsure_ = 0.0;  // how far a promise may be from the true one
  std::vector<float> base_, weight_right_, promise_;  // by rows on the left
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint32_t> reach_;
};

}  // namespace tectree

// Cuts of weighted rows: the Cuts of SimdScan.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "../scan/class_scan.hpp"
#include "simd_scan.hpp"
#include "weight_lanes.hpp"

namespace tectree {

// The case weights of an arena's rows in whole units, about 2^30 in total.
struct RowUnits {
  std::vector<std::uint32_t> of;  // by row
  double per = 1.0;               // weight, a power of two
  double off = 0.0;               // relative error of a row's weight

  RowUnits() = default;
  explicit RowUnits(const std::vector<double>& weight) {
    const auto row = [](std::size_t i) { return i; };
    set_at(row, weight.data(), weight.size(), weight.size());
  }
  // For some of the rows; `all`: how many there are.
  template <class Index>
  void set(const Index* rows, const double* weight, std::size_t n, std::size_t all) {
    set_at([=](std::size_t i) { return rows[i]; }, weight, n, all);
  }
  // Whether some rows are too light for units.
  bool empty() const { return empty_; }

  // Sizes that differ from the weights: those of the rows, or none if each is 1.
  enum class Sizes { weights, ones, whole, other } sizes = Sizes::weights;
  std::vector<std::uint32_t> size;  // by row, if they are whole numbers

  void set_sizes(const std::vector<double>& of_rows) {
    sizes = of_rows.empty() ? Sizes::ones : Sizes::whole;
    double sum = 0.0;
    for (double x : of_rows) {
      sum += x;
      if (x != std::floor(x) || sum > 0x1p30) sizes = Sizes::other;
    }
    if (sizes == Sizes::whole) size.assign(of_rows.begin(), of_rows.end());
  }

 private:
  template <class RowAt>
  void set_at(RowAt row_at, const double* weight, std::size_t n, std::size_t all) {
    empty_ = true;
    off = 0.0;
    double total = 0.0, least = HUGE_VAL;
    for (std::size_t i = 0; i < n; ++i) {
      total += weight[i];
      least = std::fmin(least, weight[i]);
    }
    if (!(least > 0.0) || !std::isfinite(total)) return;
    per = std::ldexp(1.0, 29 - std::ilogb(total));
    if (!std::isfinite(per) || !(0.5 / (least * per) < 0x1p-12)) return;
    if (of.size() < all) of.resize(all);
    bool exact = true;
    for (std::size_t i = 0; i < n; ++i) {
      const double units = std::nearbyint(weight[i] * per);
      of[row_at(i)] = static_cast<std::uint32_t>(units);
      exact = exact && units == weight[i] * per;
    }
    if (!exact) off = 0.5 / (least * per);
    empty_ = n == 0;
  }

  bool empty_ = true;
};

// What the columns of a node share.
template <class W>
class WeightSides {
  static constexpr double most_units = 2147483647.0;

 public:
  using Count = typename W::Count;

  // `total`: weight by class; `least`: size of a side; `by_class`: class factors differ, which
  // factor(s) gives. each_row(use) calls use(row, class) for the rows.
  template <class FactorOf, class EachRow>
  void make(const Kernel& kernel, const W& w, const RowUnits& units, const ClassTags& tags,
            const std::vector<Count>& total, Count least, bool by_class, FactorOf factor,
            EachRow each_row) {
    units_of_.assign(total.size(), 0);
    size_ = 0.0;
    n_ = 0;
    each_row([&](std::size_t row, std::size_t s) {
      units_of_[s] += units.of[row];
      size_ += w.size(row);
      ++n_;
    });
    make(kernel, w, units, tags, total, least, by_class, factor);
  }
  // For `all` rows but those of each_row(); the other arguments are of the rest.
  template <class FactorOf, class EachRow>
  void make_without(const WeightSides& all, const Kernel& kernel, const W& w, const RowUnits& units,
                    const ClassTags& tags, const std::vector<Count>& total, Count least,
                    bool by_class, FactorOf factor, EachRow each_row) {
    units_of_ = all.units_of_;
    size_ = all.size_;
    n_ = all.n_;
    each_row([&](std::size_t row, std::size_t s) {
      units_of_[s] -= units.of[row];
      size_ -= w.size(row);
      --n_;
    });
    make(kernel, w, units, tags, total, least, by_class, factor);
  }

  // Whether single precision can represent the shares.
  bool fit() const {
    constexpr float least = 0x1p-40f;
    for (int s = 0; s < node_.classes; ++s) {
      if (!(node_.share[s] >= least)) return false;
    }
    return true;
  }

  const Kernel& kernel() const { return *kernel_; }
  const W& weights() const { return w_; }
  const WeightNode& node() const { return node_; }
  double size() const { return size_; }
  double weight() const { return weight_; }
  double off() const { return off_; }
  std::uint32_t tag(int s) const { return tag_[s]; }
  Count total(int s) const { return total_[s]; }
  Count least() const { return least_; }

 private:
  // From units_of_, size_ and n_.
  template <class FactorOf>
  void make(const Kernel& kernel, const W& w, const RowUnits& units, const ClassTags& tags,
            const std::vector<Count>& total, Count least, bool by_class, FactorOf factor) {
    kernel_ = &kernel;
    w_ = w;
    least_ = least;
    weight_ = 0.0;
    for (Count count : total) weight_ += static_cast<double>(count);
    const double per = 1.0 / (weight_ * units.per);
    off_ = units.off;
    node_.n = n_;
    node_.least = 1;
    node_.end = n_ > 0 ? n_ - 1 : 0;
    node_.units = units.of.data();
    node_.by_class = by_class;
    node_.per_unit = static_cast<float>(per);
    node_.all = 0;
    node_.classes = 0;
    for (std::size_t s = 0; s < total.size(); ++s) {
      if (units_of_[s] == 0) continue;
      const int at = node_.classes++;
      tag_[at] = tags.of(s);
      total_[at] = total[s];
      node_.tag[at] = tag_[at] << Entry<std::uint16_t>::bits;
      node_.total[at] = units_of_[s];
      node_.share[at] = static_cast<float>(factor(s) * per);
      node_.all += units_of_[s];
    }
    bound_sizes(units);
  }

  static std::uint32_t whole(double units) {
    return static_cast<std::uint32_t>(std::fmin(std::fmax(std::ceil(units), 1.0), most_units));
  }

  void bound_sizes(const RowUnits& units) {
    using Sizes = RowUnits::Sizes;
    node_.min_rows = 0;
    node_.sizes = nullptr;
    if (units.sizes == Sizes::weights) {
      // With C4.5's rules a side may have slightly less.
      const double enough = static_cast<double>(least_) * units.per,
                   unsure = off_ > 0.0 ? 0.5 * node_.n : 0.0, lack = 2e-6 * (enough + units.per);
      node_.min_possible = whole(enough - lack - unsure);
      node_.min_certain = whole(enough + unsure);
    } else if (units.sizes != Sizes::other) {
      node_.min_rows = whole(static_cast<double>(least_));
      node_.all_rows = static_cast<std::uint32_t>(size_);
      if (units.sizes == Sizes::whole) node_.sizes = units.size.data();
    } else {  // determined for the cuts that may win
      node_.min_possible = 1;
      node_.min_certain = whole(most_units);
    }
  }

  const Kernel* kernel_ = nullptr;
  W w_{};
  Count least_{};
  WeightNode node_{};
  double weight_ = 0.0, size_ = 0.0, off_ = 0.0;
  std::array<std::uint32_t, most_simd_classes> tag_{};  // by class with rows
  std::array<Count, most_simd_classes> total_{};
  std::vector<std::uint32_t> units_of_;  // by class
  std::uint32_t n_ = 0;                  // rows
};

template <class W>
class WeightCuts {
 public:
  using Count = typename W::Count;
  using Sides = WeightSides<W>;

  // Whether the lanes can compute this kernel's phi.
  static bool suits(const Kernel& kernel) {
    const double q = kernel.q();
    return q == 1.0 || (q > 0.0 && q <= 4.0 && std::fabs(q - 1.0) >= 0.02);
  }

  // The columns searched next have the rows of these sides. False if no cut is admissible.
  template <Form form>
  bool start(const Sides& sides) {
    const Kernel& kernel = sides.kernel();
    const double q = kernel.q(), n = sides.weight();
    sides_ = &sides;
    linear_ = form == Form::linear;
    if (q != q_) {
      q_ = q;
      if (q != 1.0 && q != 2.0) {  // curves of these take no powers: see with_curve()
        power_ = simd::Power(q);
        side_power_ = simd::Power(std::fabs(1.0 - q));
      }
    }
    node_ = sides.node();
    node_.power = power_;
    node_.side_power = side_power_;
    node_.divides = q > 1.0;
    node_.factor = static_cast<float>(q == 1.0 ? std::log(2.0) : 1.0 / (q - 1.0));
    offset_ = linear_ && q != 1.0 ? -1.0 / (q - 1.0) : 0.0;
    per_ = linear_ ? n * kernel.scale() : kernel.power(n);
    unsure_ = rounding();
    return node_.min_rows > 0 ? node_.min_rows <= node_.all_rows / 2
                              : node_.min_possible <= node_.all / 2;
  }

  const WeightNode& node() const { return node_; }
  double per() const { return per_; }
  double offset() const { return offset_; }
  double unsure() const { return unsure_; }

  template <bool placed>
  std::size_t best_of_columns(const SimdEntries* columns, std::size_t n, float enough,
                              SimdBest* best) const {
    return detail::with_curve(q_, linear_, [&](auto curve, auto linear) {
      using Lanes = detail::WeightLanes<decltype(curve)::value, decltype(linear)::value>;
      return detail::best_of_columns<Lanes, placed>(node_, columns, n, enough, best);
    });
  }
  SimdBest proxies(SimdEntries entries, float* out) const {
    return detail::with_curve(q_, linear_, [&](auto curve, auto linear) {
      using Lanes = detail::WeightLanes<decltype(curve)::value, decltype(linear)::value>;
      return detail::value_cuts<Lanes>(node_, entries, out);
    });
  }

  // One cut after the other, exactly.
  void restart() {
    n_l = n_r = Count{};
    for (int s = 0; s < node_.classes; ++s) {
      left_[sides_->tag(s)] = Count{};
      right_[sides_->tag(s)] = sides_->total(s);
      n_r += sides_->total(s);
    }
    sizes_ = SideSizes<W>(sides_->weights(), sides_->size());
  }
  void move(const Entry<std::uint16_t>& entry) {
    const W& w = sides_->weights();
    const Count weight = w.of(entry.row);
    left_[entry.tag] += weight;
    right_[entry.tag] = w.rest(right_[entry.tag], weight);
    n_l += weight;
    n_r -= weight;
    sizes_.move(entry.row);
  }
  bool may_cut() const { return left() >= sides_->least() && right() >= sides_->least(); }
  // The sizes of the sides.
  auto left() const { return sizes_.left(*this); }
  auto right() const { return sizes_.right(*this); }

  template <Form form>
  CutValue::Estimate value(const CutValue& value) const {
    const W& w = sides_->weights();
    double b_l = 0.0, b_r = 0.0;
    for (int s = 0; s < node_.classes; ++s) {
      b_l += w.phi(left_[sides_->tag(s)]);
      b_r += w.phi(right_[sides_->tag(s)]);
    }
    return value.estimate<form>(w.phi(n_l), w.alpha(n_l), b_l, w.phi(n_r), w.alpha(n_r), b_r);
  }

  Count n_l{}, n_r{};

 private:
  // The maximum error of a proxy. A share p has the relative error `rel`; for 2k shares that sum to
  // 1 the sum of p |log2 p| is at most log2 2k, that of p^q at most (2k)^(1-q) for q < 1.
  double rounding() const {
    const double k = node_.classes, unit = 0x1p-24, rel = sides_->off() + (k + 4.0) * unit,
                 sums = (2.0 * k + 4.0) * unit;
    if (q_ == 1.0) {
      const double cells = std::log2(2.0 * k) + 1.0;  // of the classes and the two sides
      return 1.5 * (cells * (rel + 4.0 * unit + sums) + 2.0 * (1.45 * rel + simd::log2_off));
    }
    if (q_ == 2.0) return 1.5 * 2.0 * (3.0 * rel + sums + 4.0 * unit);
    const double concave = q_ < 1.0 ? std::pow(2.0 * k, 1.0 - q_) : 1.0;
    return 1.5 * 2.0 / std::fabs(q_ - 1.0) * concave *
           ((q_ + std::fabs(1.0 - q_)) * rel + power_.off() + side_power_.off() + sums);
  }

  double q_ = 0.0;
  simd::Power power_, side_power_;  // for all nodes
  const Sides* sides_ = nullptr;
  WeightNode node_{};
  bool linear_ = false;
  double per_ = 1.0, offset_ = 0.0, unsure_ = 0.0;
  std::array<Count, most_simd_classes> left_{}, right_{};  // by tag
  SideSizes<W> sizes_{W(), 0.0};
};

}  // namespace tectree

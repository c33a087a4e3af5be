// The best split of one column of a node from the sums of its codes. Rows with a missing value are
// tried on both sides, on the left first.
//
// The reduction of the loss by a split is convex in the sums of its left side, with any penalty and
// any bounds on the leaves. So the best grouping of levels is a vertex of all sums of groupings: a
// prefix of the levels in the order of G / H (Breiman et al. 1984, theorem 4.5; Fisher 1958). If
// such a prefix is better than all allowed ones, but makes too small a leaf, or has the missing
// values alone on a side, all groupings of up to twelve levels are tried.
//
// If rows outside the tree have ordered the levels, only the prefixes of this order are tried, and
// levels that these rows do not tell apart stay together: the codes of levels must not matter, as
// identifiers are often in the order of the response.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "coded_for_gradients.hpp"
#include "gradient_rule.hpp"

namespace tectree {

struct GradientCut {
  double gain = 0.0;  // 0: none
  // The codes on the left: those of `order` up to `at`; missing values go left, right, or, if the
  // node has none, are unknown.
  int at = -1, next = -1;  // positions of the last on the left, and of the first on the right
  int filled = -1;         // 0, 1 or -1
  double left = 0.0, right = 0.0;
  GradientCell on_left;  // the totals of the left side
};

class GradientCuts {
 public:
  GradientCuts(const GradientScale& scale, const GradientRule& rule)
      : scale_(scale), rule_(&rule), lambda_(scale.hessian_in_units(rule.lambda)) {}

  // `cells`: by code, with missing values last; `total`: of the node; `leaf_of_level`: orders the
  // levels of a factor, or null.
  GradientCut best(const CodeColumn& column, std::uint32_t c, const GradientCell* cells,
                   const GradientCell& total, const LeafBounds& bounds,
                   const double* leaf_of_level) {
    order_.resize(static_cast<std::size_t>(column.codes));
    std::size_t there = 0;
    for (int b = 0; b < column.codes; ++b) {  // without a branch, which could not be predicted
      order_[there] = b;
      there += scale_.rows(cells[b]) > 0;
    }
    order_.resize(there);
    GradientCut out;
    if (order_.size() < 2) return out;
    leaf_of_level_ = leaf_of_level;
    if (leaf_of_level) {
      sort_by([&](int a, int b) { return leaf_of_level[a] < leaf_of_level[b]; });
    } else if (column.kind == Kind::nominal) {
      sort_levels(cells, column.codes);
    }
    total_ = scale_.sums(total);
    units_ = scale_.units(total);
    bounds_ = bounds;
    direction_ = rule_->direction(c);
    // A predictor's levels have no direction; R refuses one.
    parent_ = worth(total_, bounds_.clip(rule_->value(total_.g, total_.h)));
    const GradientCell& missing = cells[column.codes];
    const auto on_both_sides = [&](auto look) {
      if (scale_.rows(missing) == 0) {
        look(GradientCell(), -1);
      } else {
        look(missing, 0);
        look(GradientCell(), 1);
      }
    };
    may_group_ = column.kind == Kind::nominal && !leaf_of_level && order_.size() <= most_grouped;
    forbidden_ = 0.0;
    on_both_sides([&](const GradientCell& first, int filled) { scan(cells, first, filled, out); });
    if (may_group_ && scale_.rows(missing) > 0) offer(missing, -1, out, false);
    if (forbidden_ > out.gain * (1 + 1e-10)) {
      by_prefix_ = order_;
      std::sort(order_.begin(), order_.end());
      grouping_ = 0;
      on_both_sides(
          [&](const GradientCell& first, int filled) { try_groupings(cells, first, filled, out); });
      out.at = put_in_order(out.at);
      out.next = out.at + 1;
    }
    return out;
  }

  // The codes present, in the order of the cuts that best() tried last.
  const std::vector<int>& order() const { return order_; }

 private:
  // Twice the reduction of the loss by a leaf.
  double worth(const GradientSums& of, double value) const {
    return -value * (2.0 * of.g + (of.h + rule_->lambda) * value);
  }

  void sort_levels(const GradientCell* cells, int levels) {
    mean_.resize(static_cast<std::size_t>(levels));
    for (int b : order_) {
      const GradientSums of = scale_.sums(cells[b]);
      mean_[b] = of.g / std::max(of.h, 1e-300);
    }
    sort_by([&](int a, int b) { return mean_[a] > mean_[b]; });
  }
  template <class Less>
  void sort_by(Less less) {
    std::stable_sort(order_.begin(), order_.end(), less);
  }

  // `first`: what is on the left of all cuts. Only cuts whose bound reaches the best gain so far
  // are looked at closely, and no other than those near that of the largest bound, if it is
  // allowed.
  void scan(const GradientCell* cells, const GradientCell& first, int filled, GradientCut& out) {
    if (order_.size() < 2) return;
    const std::size_t n = order_.size() - 1;
    left_.resize(n);
    bound_.resize(n);
    GradientCell left = first;
    for (std::size_t i = 0; i < n; ++i) {
      left.add(cells[order_[i]]);
      left_[i] = left;
      bound_[i] = stay_together(order_[i], order_[i + 1]) ? -HUGE_VAL : bound(left);
    }
    const auto most =
        static_cast<std::size_t>(std::max_element(bound_.begin(), bound_.end()) - bound_.begin());
    if (bound_[most] == -HUGE_VAL) return;
    GradientCut likely;
    const double forbidden = forbidden_;
    offer(left_[most], filled, likely);
    forbidden_ = forbidden;
    const double least = likely.gain * (1 - 1e-6);
    for (std::size_t i = 0; i < n; ++i) {
      if (bound_[i] < std::max(least, out.gain)) continue;  // not if it is no number
      if (offer(left_[i], filled, out)) {
        out.at = static_cast<int>(i);
        out.next = out.at + 1;
      }
    }
  }

  bool stay_together(int a, int b) const {
    return leaf_of_level_ && leaf_of_level_[a] == leaf_of_level_[b];
  }

  // The gain of a division is not above it: that of the best values without bounds. In units, so
  // one division does, and no product is too small.
  double bound(const GradientCell& left) const {
    const Gradient l = scale_.units(left), r{units_.g - l.g, units_.h - l.h};
    const double by_l = l.h + lambda_, by_r = r.h + lambda_;
    return scale_.worth((l.g * l.g * by_r + r.g * r.g * by_l) / (by_l * by_r)) * (1 + 1e-12) -
           parent_;
  }

  // All groupings of the levels in `order_`, the last of which is always on the right.
  void try_groupings(const GradientCell* cells, const GradientCell& first, int filled,
                     GradientCut& out) {
    const std::uint32_t groupings = std::uint32_t{1} << (order_.size() - 1);
    sums_.assign(groupings, first);
    for (std::uint32_t mask = 1; mask < groupings; ++mask) {
      std::size_t level = 0;
      while (((mask >> level) & 1u) == 0) ++level;
      sums_[mask] = sums_[mask & (mask - 1)];
      sums_[mask].add(cells[order_[level]]);
      if (offer(sums_[mask], filled, out)) grouping_ = mask;
    }
  }

  // Puts the levels of the best division first; returns the position of the last of these.
  int put_in_order(int at) {
    if (grouping_ == 0) {
      order_.swap(by_prefix_);
      return at;
    }
    const auto is_left = [&](std::size_t i) { return ((grouping_ >> i) & 1u) != 0; };
    by_prefix_.clear();
    for (bool left : {true, false}) {
      for (std::size_t i = 0; i < order_.size(); ++i) {
        if (is_left(i) == left) by_prefix_.push_back(order_[i]);
      }
      if (left) at = static_cast<int>(by_prefix_.size()) - 1;
    }
    order_.swap(by_prefix_);
    return at;
  }

  // Whether a division is better than the best so far, which it then replaces except for its
  // position. `is_split`: otherwise it is not allowed, whatever its gain.
  bool offer(const GradientCell& left, int filled, GradientCut& out, bool is_split = true) {
    const GradientSums l = scale_.sums(left), r{total_.g - l.g, total_.h - l.h, total_.n - l.n};
    const bool allowed = is_split && !is_small(l) && !is_small(r);
    if (!allowed && !may_group_) return false;
    const double to_left = bounds_.clip(rule_->value(l.g, l.h)),
                 to_right = bounds_.clip(rule_->value(r.g, r.h));
    if (direction_ != 0 && direction_ * (to_right - to_left) < 0.0) return false;
    const double of_left = worth(l, to_left), of_right = worth(r, to_right),
                 gain = of_left + of_right - parent_;
    // A gain that is zero up to rounding is zero; the first of cuts that tie counts.
    const double least =
        std::max(rule_->min_gain, 1e-11 * (std::fabs(of_left) + std::fabs(of_right)));
    if (!(gain > least) || gain <= out.gain * (1 + 1e-10)) return false;
    if (!allowed) {
      forbidden_ = std::max(forbidden_, gain);
      return false;
    }
    out = {gain, out.at, out.next, filled, to_left, to_right, left};
    return true;
  }
  bool is_small(const GradientSums& side) const {
    return static_cast<double>(side.n) < rule_->min_rows || side.h < rule_->min_hessian;
  }

  static constexpr std::size_t most_grouped = 12;  // maximum levels for trying all groupings

  GradientScale scale_;
  const GradientRule* rule_;
  double lambda_;  // in units
  GradientSums total_;
  Gradient units_;
  LeafBounds bounds_;
  int direction_ = 0;
  double parent_ = 0.0;
  const double* leaf_of_level_ = nullptr;
  bool may_group_ = false;      // whether all groupings may be tried
  double forbidden_ = 0.0;      // the largest gain of a division that is not allowed
  std::uint32_t grouping_ = 0;  // the best, one bit per level; 0: none
  std::vector<int> order_, by_prefix_;
  std::vector<double> mean_;
  std::vector<GradientCell> left_;  // of each cut
  std::vector<double> bound_;
  std::vector<GradientCell> sums_;  // by grouping, of its left side
};

}  // namespace tectree

// The merging of a column's categories (Kass 1980; exhaustive: Biggs, de Ville & Suen 1991).
//
// The two categories that differ least are merged while their p value is above alpha_merge, until
// two are left. A merged category of three or more is split in two again if that has a p value of
// at most alpha_resplit. Exhaustive merging continues to two groups, and keeps the set of groups
// with the smallest p value. Rows with a missing value are one more category; in an ordered column
// they may be merged with any group, or stay alone: whichever has the smaller p value when the
// others are merged. Groups below min_bucket are merged with the one that differs least from them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "../../base/team.hpp"
#include "../door/search_control.hpp"
#include "../groups/component_order.hpp"
#include "bonferroni.hpp"
#include "tallies.hpp"

namespace tectree::chaid {

template <class Tally>
class Merging {
 public:
  // At least two categories; the one with missing values, if any, is the last.
  Merging(const Groups& groups, Order order, const SearchControl& control, Tally& tally, Team& team)
      : groups_(groups), order_(order), control_(control), tally_(tally), team_(team) {}

  // The groups, each with its categories, in the order of their first ones.
  const std::vector<std::vector<std::uint32_t>>& run() {
    const std::size_t known = groups_.size() - (order_ == Order::floating);
    parts_.clear();
    for (std::size_t g = 0; g < known; ++g)
      parts_.push_back(part_of({static_cast<std::uint32_t>(g)}));
    compare_all();
    if (control_.rules == SearchControl::Rules::chaid_exhaustive) {
      merge_to_the_end();
    } else {
      merge_alike();
    }
    if (order_ == Order::floating) place_unknown();
    merge_small();
    std::sort(parts_.begin(), parts_.end(),
              [](const Part& a, const Part& b) { return a.members[0] < b.members[0]; });
    out_.clear();
    for (Part& part : parts_) out_.push_back(std::move(part.members));
    return out_;
  }

 private:
  struct Part {
    std::vector<std::uint32_t> members;  // categories, ascending
    std::vector<double> tally;
    double weight = 0.0, size = 0.0;
    // For its pair with each previous part; if parts are ordered, only the neighbour's is kept.
    std::vector<double> log_p;
  };

  Part part_of(const std::vector<std::uint32_t>& members) const {
    Part out;
    out.tally.assign(groups_.stride, 0.0);
    for (std::uint32_t g : members) {
      for (int s = 0; s < groups_.stride; ++s) out.tally[s] += groups_.of(g)[s];
      out.weight += groups_.weight[g];
      out.size += groups_.sizes()[g];
    }
    out.members = members;
    return out;
  }
  static Sums sums_of(const Part& part) { return {part.tally.data(), part.weight}; }
  double log_p_of(const Part& a, const Part& b) {
    return tally_.test(std::array<Sums, 2>{sums_of(a), sums_of(b)}).log_p;
  }
  double log_p_of_all() {
    sums_.clear();
    for (const Part& part : parts_) sums_.push_back(sums_of(part));
    return tally_.test(sums_).log_p;
  }
  bool in_order() const { return order_ != Order::none; }

  void compare_all() {
    for (std::size_t i = 0; i < parts_.size(); ++i) compare(i);
  }
  void compare(std::size_t i) {
    parts_[i].log_p.assign(i, -HUGE_VAL);
    if (i % 64 == 0) team_.check();
    for (std::size_t j = in_order() && i > 0 ? i - 1 : 0; j < i; ++j)
      parts_[i].log_p[j] = log_p_of(parts_[j], parts_[i]);
  }

  struct Pair {
    std::size_t first = 0, second = 0;
    double log_p = -HUGE_VAL;
  };
  // The first with the largest p value.
  Pair least_different() const {
    Pair best;
    for (std::size_t j = 0; j < parts_.size(); ++j) {
      for (std::size_t i = j + 1; i < (in_order() ? std::min(j + 2, parts_.size()) : parts_.size());
           ++i) {
        if (best.second == 0 || higher(parts_[i].log_p[j], best.log_p))
          best = {j, i, parts_[i].log_p[j]};
      }
    }
    return best;
  }
  // By more than rounding.
  static bool higher(double a, double b) {
    return a > b + 1e-10 * std::max(1e-3, std::fabs(b)) || (b == -HUGE_VAL && a > b);
  }

  std::size_t merge(std::size_t a, std::size_t b) {
    Part& first = parts_[a];
    const Part& second = parts_[b];
    std::vector<std::uint32_t> members;
    std::merge(first.members.begin(), first.members.end(), second.members.begin(),
               second.members.end(), std::back_inserter(members));
    first = part_of(members);
    parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(b));
    for (std::size_t i = b; i < parts_.size(); ++i)
      parts_[i].log_p.erase(parts_[i].log_p.begin() + static_cast<std::ptrdiff_t>(b));
    compare_with(a);
    return a;
  }
  // Compares part `a`, which is new, with those it may be merged with.
  void compare_with(std::size_t a) {
    compare(a);
    for (std::size_t i = a + 1; i < (in_order() ? std::min(a + 2, parts_.size()) : parts_.size());
         ++i)
      parts_[i].log_p[a] = log_p_of(parts_[a], parts_[i]);
  }

  void merge_alike() {
    std::set<std::vector<std::vector<std::uint32_t>>> seen;
    const double alpha = std::log(control_.alpha_merge);
    while (parts_.size() > 2) {
      const Pair pair = least_different();
      if (!(pair.log_p > alpha)) break;
      const std::size_t made = merge(pair.first, pair.second);
      if (control_.alpha_resplit <= 0.0 || parts_[made].members.size() < 3) continue;
      // A set of groups that occurs again would recur forever.
      if (!seen.insert(members()).second) break;
      split_again(made);
    }
  }
  std::vector<std::vector<std::uint32_t>> members() const {
    std::vector<std::vector<std::uint32_t>> out;
    for (const Part& part : parts_) out.push_back(part.members);
    std::sort(out.begin(), out.end());
    return out;
  }

  void split_again(std::size_t at) {
    const std::vector<std::uint32_t> all = parts_[at].members;
    const std::size_t m = all.size();
    Part best_left, best_right;
    double least = std::log(control_.alpha_resplit);
    bool found = false;
    const auto consider = [&](const std::vector<char>& is_left) {
      std::vector<std::uint32_t> left, right;
      for (std::size_t i = 0; i < m; ++i) (is_left[i] ? left : right).push_back(all[i]);
      Part a = part_of(left), b = part_of(right);
      const double log_p = log_p_of(a, b);
      if (found ? !higher(least, log_p) : log_p > least) return;
      found = true;
      least = log_p;
      best_left = std::move(a);
      best_right = std::move(b);
    };
    std::vector<char> is_left(m, 0);
    if (in_order()) {
      for (std::size_t c = 0; c + 1 < m; ++c) {
        is_left[c] = 1;
        consider(is_left);
      }
    } else if (m <= all_groupings_limit) {
      // The last category never goes left.
      for (std::uint32_t mask = 1; mask < (std::uint32_t{1} << (m - 1)); ++mask) {
        for (std::size_t i = 0; i < m; ++i) is_left[i] = static_cast<char>((mask >> i) & 1u);
        consider(is_left);
      }
    } else {
      const std::vector<std::uint32_t> order = order_of(all);
      for (std::size_t c = 0; c + 1 < m; ++c) {
        is_left[order[c]] = 1;
        consider(is_left);
      }
    }
    if (!found) return;
    if (best_right.members[0] < best_left.members[0]) std::swap(best_left, best_right);
    parts_[at] = std::move(best_left);
    parts_.insert(parts_.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(best_right));
    compare_all();
  }
  // Categories, by position, in the order along which a cut is the best division in two, or a good
  // one.
  std::vector<std::uint32_t> order_of(const std::vector<std::uint32_t>& categories) const {
    Groups some;
    some.start(groups_.stride);
    for (std::uint32_t g : categories) {
      some.add(groups_.value[g]);
      std::copy_n(groups_.of(g), groups_.stride, some.of(some.size() - 1));
      some.weight.back() = groups_.weight[g];
    }
    some.finish();
    return order_to_cut(tally_, some);
  }

 public:
  static std::vector<std::uint32_t> order_to_cut(const Tally& tally, const Groups& groups) {
    if (!tally.has_order(groups)) return order_by_component(groups, classes_present(groups));
    std::vector<double> key;
    for (std::size_t g = 0; g < groups.size(); ++g) key.push_back(tally.order_key(groups, g));
    return order_by(key);
  }

 private:
  void merge_to_the_end() {
    std::vector<Part> best = parts_;
    double least = log_p_of_all();
    while (parts_.size() > 2) {
      const Pair pair = least_different();
      merge(pair.first, pair.second);
      const double log_p = log_p_of_all();
      if (higher(log_p, least)) continue;  // the fewer groups on ties
      least = log_p;
      best = parts_;
    }
    parts_ = std::move(best);
  }

  void place_unknown() {
    Part unknown = part_of({static_cast<std::uint32_t>(groups_.size() - 1)});
    const std::size_t like = most_like(unknown, parts_.size());
    std::vector<Part> merged = parts_;
    merged[like] = with(merged[like], unknown);
    parts_.push_back(std::move(unknown));
    if (merged.size() < 2) return;
    const double alone = log_p_of_all();
    parts_.swap(merged);
    if (higher(log_p_of_all(), alone)) parts_.swap(merged);
  }
  Part with(const Part& part, const Part& other) const {
    std::vector<std::uint32_t> members;
    std::merge(part.members.begin(), part.members.end(), other.members.begin(), other.members.end(),
               std::back_inserter(members));
    return part_of(members);
  }
  // The part that differs least from another, which is part number `self` or none of them.
  std::size_t most_like(const Part& part, std::size_t self) {
    std::size_t best = self;
    double most = -HUGE_VAL;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (i == self || !may_merge(self, i)) continue;
      const double log_p = log_p_of(part, parts_[i]);
      if (best != self && !higher(log_p, most)) continue;
      best = i;
      most = log_p;
    }
    return best;
  }
  // Whether ordered parts a and b have nothing but the rows with a missing value in between; `a`
  // may be no part, but only these rows.
  bool may_merge(std::size_t a, std::size_t b) const {
    if (!in_order() || a >= parts_.size()) return true;
    if (is_unknown(a) || is_unknown(b)) return true;
    return a + 1 == b || b + 1 == a;
  }
  bool is_unknown(std::size_t a) const {
    return order_ == Order::floating && parts_[a].members[0] + 1 == groups_.size();
  }

  void merge_small() {
    while (parts_.size() > 1) {
      std::size_t least = 0;
      for (std::size_t i = 1; i < parts_.size(); ++i) {
        if (parts_[i].size < parts_[least].size * (1 - 1e-12)) least = i;
      }
      if (reaches(parts_[least].size, control_.min_bucket)) return;
      const std::size_t like = most_like(parts_[least], least);
      const std::size_t a = std::min(least, like), b = std::max(least, like);
      parts_[a] = with(parts_[a], parts_[b]);
      parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(b));
    }
  }

  const Groups& groups_;
  Order order_;
  const SearchControl& control_;
  Tally& tally_;
  Team& team_;
  std::vector<Part> parts_;
  std::vector<Sums> sums_;
  std::vector<std::vector<std::uint32_t>> out_;
};

}  // namespace tectree::chaid

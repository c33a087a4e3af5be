// The division of one column, given its groups: by CHAID's merging, or by the exact rules the
// division with the smallest p value.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "../choose/column_result.hpp"
#include "../groups/divisions.hpp"
#include "../groups/offer_divisions.hpp"
#include "merging.hpp"

namespace tectree::chaid {

inline double slack(double worth) {
  return 1e-10 * std::fabs(worth) + 1e-12;
}

// A level that the node has not seen follows its lower neighbour's half of the way.
inline Split split_in_order(int id, int n_levels, const Groups& groups,
                            const std::vector<int>& branch, int branches, bool unknown_alone) {
  const std::size_t known = groups.with_value();
  std::vector<double> cut;
  for (std::size_t g = 1; g < known; ++g) {
    if (branch[g] != branch[g - 1])
      cut.push_back(std::floor((groups.value[g - 1] + groups.value[g]) / 2));
  }
  if (branches == 2 && !unknown_alone) return {SplitKind::level, id, 2, cut, {}, {}};
  Split split{SplitKind::subset, id, branches, {}, {}, {}};
  for (int code = 1; code <= n_levels; ++code) {
    split.level.push_back(code);
    split.level_child.push_back(static_cast<int>(
        std::lower_bound(cut.begin(), cut.end(), static_cast<double>(code)) - cut.begin()));
  }
  return split;
}

// `branch`: of each group.
inline Split split_by(int id, const Column& column, const SearchControl& control,
                      const Groups& groups, const std::vector<int>& branch, int branches) {
  const std::size_t known = groups.with_value();
  const auto own = [&](int b) {
    return std::find(branch.begin(), branch.begin() + known, b) ==
           branch.begin() + static_cast<std::ptrdiff_t>(known);
  };
  const bool unknown_alone = own(branches - 1);
  if (column.kind == Kind::numeric) {
    Split split{SplitKind::intervals, id, branches, {}, {}, {}};
    for (std::size_t g = 1; g < known; ++g) {
      if (branch[g] == branch[g - 1]) continue;
      // With CHAID a group's value is its upper bound.
      split.breaks.push_back(control.by_chaid() ? groups.value[g - 1]
                                                : between(groups.value[g - 1], groups.value[g]));
    }
    // No number goes into a branch that has only missing values.
    if (unknown_alone) split.breaks.push_back(HUGE_VAL);
    if (branches == 2 && !unknown_alone) split.kind = SplitKind::threshold;
    return split;
  }
  if (!divided_by_value(control, column.kind)) {
    Split split{SplitKind::subset, id, branches, {}, {}, {}};
    for (std::size_t g = 0; g < known; ++g) {
      split.level.push_back(static_cast<int>(groups.value[g]));
      split.level_child.push_back(branch[g]);
    }
    return split;
  }
  return split_in_order(id, column.n_levels, groups, branch, branches, unknown_alone);
}

template <class Tally>
class Divider {
 public:
  // Divides the column `id` and stores the outcome in `result`.
  Divider(int id, const Column& column, const Groups& groups, const SearchControl& control,
          Tally& tally, ColumnResult& result, Team& team)
      : id_(id),
        column_(column),
        groups_(groups),
        control_(control),
        tally_(tally),
        result_(result),
        team_(team) {}

  // By CHAID.
  void merge() {
    const bool by_value = divided_by_value(control_, column_.kind);
    const Order order = !by_value               ? Order::none
                        : groups_.has_unknown() ? Order::floating
                                                : Order::full;
    Merging<Tally> merging(groups_, order, control_, tally_, team_);
    const std::vector<std::vector<std::uint32_t>>& parts = merging.run();
    if (parts.size() < 2) return;
    std::vector<int> branch(groups_.size());
    for (std::size_t j = 0; j < parts.size(); ++j) {
      for (std::uint32_t g : parts[j]) branch[g] = static_cast<int>(j);
    }
    const bool exhaustive = control_.rules == SearchControl::Rules::chaid_exhaustive;
    const double log_times = exhaustive ? log_pairs(order, groups_.size())
                                        : log_divisions(order, groups_.size(), parts.size());
    keep(branch, static_cast<int>(parts.size()), log_times, true);
    const double least = -std::log10(control_.alpha_split);
    result_.enough = result_.enough && result_.winner.score >= least - 1e-12;
  }

  // By the exact rules.
  void divide_exactly() {
    const std::size_t m = groups_.size();
    std::vector<int> branch(m);
    if (groups_apart()) {
      if (!enough_large_branches(groups_, control_.min_bucket)) return;
      std::iota(branch.begin(), branch.end(), 0);
      keep(branch, static_cast<int>(m), 0.0, true);
      if (result_.is_scored()) as_multiway();
      return;
    }
    GroupDivisions divisions{DivisionKind::prefixes, natural_order(m), true};
    double ways = static_cast<double>(m) - 1;
    if (!divided_by_value(control_, column_.kind)) {
      ways = std::exp2(static_cast<double>(m) - 1) - 1;
      if (m <= all_groupings_limit) {
        divisions.kind = DivisionKind::groupings;
      } else {
        divisions.order = Merging<Tally>::order_to_cut(tally_, groups_);
        divisions.exact = false;
      }
    }
    double most = -HUGE_VAL;
    std::uint32_t best = 0;
    std::vector<double> right(groups_.stride);
    each_division(groups_, divisions, [&](std::uint32_t at, const LeftSide& left) {
      if (at % 1024 == 0) team_.check();
      if (!fits(groups_, left, control_.min_bucket)) return;
      for (int s = 0; s < groups_.stride; ++s) right[s] = rest(groups_.total[s], left.sums[s]);
      const double worth =
          tally_
              .test(std::array<Sums, 2>{Sums{left.sums, left.weight},
                                        Sums{right.data(), groups_.n - left.weight}})
              .worth();
      if (!std::isfinite(worth) || (best > 0 && worth <= most + slack(most))) return;
      most = worth;
      best = at;
    });
    if (best == 0) return;
    const std::vector<char> left = members_of(divisions, groups_, best);
    for (std::size_t g = 0; g < m; ++g) branch[g] = left[g] == left[0] ? 0 : 1;
    keep(branch, 2, std::log(ways), divisions.exact);
  }

 private:
  // `branch`: of each group.
  void keep(const std::vector<int>& branch, int branches, double log_times, bool exact) {
    std::vector<std::vector<double>> sums(branches, std::vector<double>(groups_.stride, 0.0));
    std::vector<double> weight(branches, 0.0), case_weight(branches, 0.0);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      for (int s = 0; s < groups_.stride; ++s) sums[branch[g]][s] += groups_.of(g)[s];
      weight[branch[g]] += groups_.weight[g];
      case_weight[branch[g]] += groups_.case_weights()[g];
    }
    std::vector<Sums> of_branch;
    of_branch.reserve(static_cast<std::size_t>(branches));
    for (int j = 0; j < branches; ++j) of_branch.push_back({sums[j].data(), weight[j]});
    Test test = tally_.test(of_branch);
    if (control_.adjusts_p) test.log_times = log_times;
    const double worth = test.worth(), gain = tally_.gain(of_branch, groups_.unknown.share);
    const Measures m{worth, gain, worth};
    if (!m.finite()) return;
    result_.keep_cut(0, m, enough_gain(m, control_.min_gain, result_.impurity));
    result_.complete(split_by(id_, column_, control_, groups_, branch, branches));
    Winner& winner = result_.winner;
    winner.test = test;
    winner.exact = exact;
    winner.filled = groups_.has_unknown() ? branch.back() : no_branch;
    winner.branch_weight = std::move(case_weight);
    result_.low = result_.high = worth;
  }

  bool groups_apart() const {
    return !divided_by_value(control_, column_.kind) &&
           control_.nominal == SearchControl::Nominal::multiway;
  }
  // A difference that is zero up to rounding is zero.
  static double rest(double total, double part) {
    const double r = total - part;
    return r < 1e-9 * total ? 0.0 : r;
  }
  void as_multiway() {
    Winner& winner = result_.winner;
    winner.split = multiway_split(id_, column_.n_levels);
    winner.branch_weight.assign(static_cast<std::size_t>(column_.n_levels), 0.0);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      winner.branch_weight[static_cast<std::size_t>(groups_.value[g]) - 1] =
          groups_.case_weights()[g];
    }
  }

  int id_;
  const Column& column_;
  const Groups& groups_;
  const SearchControl& control_;
  Tally& tally_;
  ColumnResult& result_;
  Team& team_;
};

}  // namespace tectree::chaid

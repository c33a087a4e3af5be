// The possible divisions of a column's groups, the orders of levels along which cutting finds the
// best grouping, or a good one, and the split that each represents.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "../choose/best_cut.hpp"
#include "../choose/column_result.hpp"
#include "groups.hpp"

namespace tectree {

constexpr std::size_t all_groupings_limit = 12;

// prefixes_and_pairs: prefixes of an order, then the missing values with one other group.
enum class DivisionKind { prefixes, prefixes_and_pairs, groupings, multiway };

// How the groups of a column may be divided in two (or by all levels).
struct GroupDivisions {
  DivisionKind kind = DivisionKind::prefixes;
  std::vector<std::uint32_t> order;
  bool exact = true;
  // No grouping beats the best prefix; but if that is not admissible, the best admissible grouping
  // need not be a prefix.
  bool bounded_by_prefixes = false;
};

template <class F>
void each_division(const Groups& groups, const GroupDivisions& divisions, F f) {
  if (divisions.kind == DivisionKind::groupings) {
    each_grouping(groups, f);
  } else {
    each_prefix(groups, divisions.order, f);
    if (divisions.kind == DivisionKind::prefixes_and_pairs) each_pair_with_unknown(groups, f);
  }
}

// Which groups candidate `at` has on the left.
inline std::vector<char> members_of(const GroupDivisions& divisions, const Groups& groups,
                                    std::uint32_t at) {
  std::vector<char> left(groups.size(), 0);
  if (divisions.kind == DivisionKind::groupings) {
    for (std::size_t g = 0; g + 1 < left.size(); ++g) left[g] = static_cast<char>((at >> g) & 1u);
  } else if (at >= groups.size()) {
    left[at - groups.size()] = left.back() = 1;
  } else {
    for (std::uint32_t i = 0; i < at; ++i) left[divisions.order[i]] = 1;
  }
  return left;
}

// Whether both sides have a group with a value.
inline bool divides_values(const Groups& groups, const LeftSide& left) {
  return left.with_value > 0 && left.with_value < groups.with_value();
}
// Whether both sides also reach min_bucket.
inline bool fits(const Groups& groups, const LeftSide& left, double min_bucket) {
  return divides_values(groups, left) && reaches(left.size, min_bucket) &&
         reaches(groups.total_size - left.size, min_bucket);
}
// The same for one branch per group: at least two branches must.
inline bool enough_large_branches(const Groups& groups, double min_bucket) {
  int large = 0;
  for (double size : groups.sizes()) large += reaches(size, min_bucket);
  return large >= 2;
}

// ---- orders -------------------------------------------------------------------------------------

inline std::vector<std::uint32_t> natural_order(std::size_t m) {
  std::vector<std::uint32_t> order(m);
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

// The groups by `key` ascending, ties by level. Keys that differ only by rounding are ties.
inline std::vector<std::uint32_t> order_by(const std::vector<double>& key) {
  std::vector<std::uint32_t> order = natural_order(key.size());
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return key[a] < key[b]; });
  double largest = 0.0;
  for (double x : key) largest = std::max(largest, std::fabs(x));
  for (std::size_t begin = 0, end; begin < order.size(); begin = end) {
    end = begin + 1;
    while (end < order.size() && key[order[end]] - key[order[end - 1]] <= 1e-12 * largest) ++end;
    std::sort(order.begin() + begin, order.begin() + end);
  }
  return order;
}

inline std::vector<int> classes_present(const Groups& groups) {
  std::vector<int> present;
  for (int s = 0; s < groups.stride; ++s) {
    if (groups.total[s] > 0.0) present.push_back(s);
  }
  return present;
}

// The groups with only the counts of these classes.
inline Groups of_classes(const Groups& groups, const std::vector<int>& classes) {
  Groups out;
  out.stride = static_cast<int>(classes.size());
  out.value = groups.value;
  out.weight = groups.weight;
  out.own_case_weight = groups.own_case_weight;
  out.own_size = groups.own_size;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (int s : classes) out.tally.push_back(groups.of(g)[s]);
  }
  for (int s : classes) out.total.push_back(groups.total[s]);
  out.n = groups.n;
  out.total_case_weight = groups.total_case_weight;
  out.total_size = groups.total_size;
  out.unknown = groups.unknown;
  return out;
}

// By the share of one of the sums in the weight: with two classes and a concave entropy the best
// grouping is a prefix of this order.
inline std::vector<std::uint32_t> order_by_share(const Groups& groups, int of_class) {
  std::vector<double> share(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g)
    share[g] = groups.of(g)[of_class] / groups.weight[g];
  return order_by(share);
}

// ---- what is searched for in a column -----------------------------------------------------------

inline bool divided_by_value(const SearchControl& control, Kind kind) {
  return kind != Kind::nominal || control.nominal == SearchControl::Nominal::ordered;
}

// Whether a column is divided into several intervals.
inline bool wants_intervals(const SearchControl& control, Kind kind) {
  return kind == Kind::numeric && control.intervals > 2;
}

// Whether the column's levels are grouped in two.
inline bool groups_in_two(const SearchControl& control, Kind kind) {
  return !divided_by_value(control, kind) && control.nominal == SearchControl::Nominal::binary;
}

// Whether a column is only cut in two, by a threshold or in the order of its levels.
inline bool divides_plainly(const SearchControl& control, Kind kind) {
  return !control.random_cuts && divided_by_value(control, kind) && !wants_intervals(control, kind);
}

// Whether a column offers one division drawn at random.
inline bool draws_cuts(const SearchControl& control, Kind kind) {
  return control.random_cuts &&
         (divided_by_value(control, kind) || control.nominal != SearchControl::Nominal::multiway);
}

// ---- splits -------------------------------------------------------------------------------------

// `left`: by group, whether it goes left; the branch with the first level is branch 0.
inline Split subset_split(int column, const Groups& groups, const std::vector<char>& left) {
  Split s{SplitKind::subset, column, 2, {}, {}, {}};
  for (std::size_t g = 0; g < groups.with_value(); ++g) {
    s.level.push_back(static_cast<int>(groups.value[g]));
    s.level_child.push_back(left[g] == left[0] ? 0 : 1);
  }
  return s;
}

inline Split multiway_split(int column, int n_levels) {
  return {SplitKind::multiway, column, n_levels, {}, {}, {}};
}

inline Split split_of(const GroupDivisions& divisions, const Groups& groups, int column, Kind kind,
                      bool by_value, std::uint32_t at) {
  if (!by_value) return subset_split(column, groups, members_of(divisions, groups, at));
  return cut_between(column, kind, groups.value[at - 1], groups.value[at]);
}

// The branch of the missing values, if they are a group of their own.
inline int branch_of_unknown(const GroupDivisions& divisions, const Groups& groups,
                             std::uint32_t at) {
  if (!groups.has_unknown()) return no_branch;
  const std::vector<char> left = members_of(divisions, groups, at);
  return left.back() == left.front() ? 0 : 1;
}

// `unknown`: see branch_of_unknown().
inline void keep(ColumnResult& result, Split split, const Groups& groups, const Measures& m,
                 bool exact, bool enough, int unknown = no_branch) {
  result.keep_cut(0, m, enough);
  result.complete(std::move(split));
  Winner& winner = result.winner;
  winner.exact = exact;
  winner.filled = unknown;
  winner.branch_weight.assign(winner.split.branches, 0.0);
  const SplitView view = winner.split.view();
  for (std::size_t g = 0; g < groups.with_value(); ++g)
    winner.branch_weight[route_value(view, groups.value[g])] += groups.case_weights()[g];
  if (unknown != no_branch) winner.branch_weight[unknown] += groups.case_weights().back();
}

}  // namespace tectree

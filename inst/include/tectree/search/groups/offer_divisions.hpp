// Offers the divisions of a column's groups, one by one, as splits that may be tried.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "../choose/promising.hpp"
#include "group_search.hpp"

namespace tectree {

// All cuts of a column with at most so many values in a node; otherwise `spaced_cuts`, evenly
// spaced by weight.
constexpr std::size_t most_values_cut = 256, spaced_cuts = 63;

// A split with its measures.
inline Winner measured(Split split, const Measures& m, bool exact, int filled) {
  Winner out;
  out.split = std::move(split);
  out.cut = m.cut;
  out.gain = m.gain;
  out.score = m.score;
  out.exact = exact;
  out.filled = filled;
  return out;
}

// `side`: where missing values are counted, or no_branch.
template <class Worth>
void offer_divisions(Worth& worth, const GroupColumn& of, int side, Team& team,
                     std::vector<Offer>& out) {
  const Groups& groups = worth.groups();
  if (groups.with_value() < 2) return;
  const SearchControl& control = worth.control();
  const double impurity = worth.impurity();
  ColumnResult result;  // for the weights of the branches of groupings
  const auto offer = [&](Split split, const Measures& m, bool exact, int filled) {
    keep(result, std::move(split), groups, m, exact, true, filled);
    out.push_back({result.winner, -1, false});
  };
  const auto measures = [&](const GroupDivisions& all, std::uint32_t at, const LeftSide& left) {
    return less_naming(worth, of.column, all, at, worth.in_two(all, at, left));
  };
  const GroupDivisions divisions = settled(worth, divisions_of(worth, of.column.kind));
  if (divisions.kind == DivisionKind::multiway) {
    const Measures m = of_all(worth);
    if (enough_large_branches(groups, control.min_bucket) &&
        worth_trying(m, control.min_gain, impurity))
      offer(multiway_split(static_cast<int>(of.c), of.column.n_levels), m, true, no_branch);
    return;
  }
  const bool by_value = divided_by_value(control, of.column.kind);
  const double n = groups.total_case_weight;
  const double step = by_value && groups.size() > most_values_cut ? n / (spaced_cuts + 1) : 0.0;
  double next = step;
  each_division(groups, divisions, [&](std::uint32_t at, const LeftSide& left) {
    if (left.case_weight < next || !fits(groups, left, control.min_bucket)) return;
    if (step > 0.0) next = step * (std::floor(left.case_weight / step) + 1);
    team.check();
    const Measures m = measures(divisions, at, left);
    if (!worth_trying(m, control.min_gain, impurity)) return;
    Split split = split_of(divisions, groups, static_cast<int>(of.c), of.column.kind, by_value, at);
    if (!by_value)
      return offer(std::move(split), m, divisions.exact, branch_of_unknown(divisions, groups, at));
    out.push_back({measured(std::move(split), m, true, side), -1, false});
    out.back().winner.branch_weight.assign({left.case_weight, n - left.case_weight});
  });
  // No other grouping gains more than the best of an order, but its later splits may.
  if (by_value || !divisions.bounded_by_prefixes || groups.size() > all_groupings_limit) return;
  const GroupDivisions others{DivisionKind::groupings, {}, true};
  const auto n_ordered = out.size();
  each_division(groups, others, [&](std::uint32_t at, const LeftSide& left) {
    if (!fits(groups, left, control.min_bucket)) return;
    team.check();
    const Measures m = measures(others, at, left);
    if (!worth_trying(m, control.min_gain, impurity)) return;
    Split split = split_of(others, groups, static_cast<int>(of.c), of.column.kind, false, at);
    for (std::size_t i = 0; i < n_ordered; ++i) {
      if (same_split(out[i].winner.split, split)) return;
    }
    offer(std::move(split), m, true, branch_of_unknown(others, groups, at));
    out.back().back = true;
  });
}

}  // namespace tectree

// Room search/groups/: columns by their groups of equal values: levels, intervals, subsets.
//
// The best way to divide a column's groups, whatever its rows are counted by: in two, a branch a
// level, in several intervals, or in two at random.
//
// What a way is worth is known to a Worth. It has: groups(), control(), impurity() and unit(), of
// its measures; groupings(), how levels may be grouped in two; in_two(divisions, at, left, weight),
// the measures of one division, a side of which has these sums; of_all(), of a branch a group;
// try_all(divisions, settle, team, result, best), which adds those divisions to `best` that may be
// the best, after a settle() of divisions where that may matter; cuts(g, team), the best intervals,
// by the first group of each but the first; of_intervals(cuts), their measures.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "divisions.hpp"
#include "intervals.hpp"
#include "level_order.hpp"

namespace tectree {

// The column whose groups are divided; `stream`: of its node.
struct GroupColumn {
  const Column& column;
  std::uint32_t c;
  std::uint64_t stream = 0;
};

// How the groups may be divided, as if every division were admissible.
template <class Worth>
GroupDivisions divisions_of(Worth& worth, Kind kind) {
  if (divided_by_value(worth.control(), kind))
    return {DivisionKind::prefixes, natural_order(worth.groups().size()), true};
  if (worth.control().nominal == SearchControl::Nominal::multiway)
    return {DivisionKind::multiway, {}, true};
  return worth.groupings();
}

// Whether a prefix that no grouping beats is too lopsided, so that only a look at all groupings
// tells the best of the others.
template <class Worth>
bool best_prefix_is_barred(Worth& worth, const GroupDivisions& divisions) {
  const Groups& groups = worth.groups();
  const double min_bucket = worth.control().min_bucket;
  const std::vector<double>& sizes = groups.sizes();
  const auto small = [&](double size) { return !reaches(size, min_bucket); };
  if (std::none_of(sizes.begin(), sizes.end(), small)) return false;
  if (!reaches(groups.whole_size(), 2 * min_bucket)) return false;
  const SideSizes sides(groups, divisions);
  double best = -HUGE_VAL, barred = -HUGE_VAL;
  each_prefix(groups, divisions.order, [&](std::uint32_t at, const double* left, double weight) {
    const bool lopsided =
        small(sides.left(at, weight)) || small(sides.right(at, groups.n - weight));
    double& most = lopsided ? barred : best;
    most = std::max(most, worth.in_two(divisions, at, left, weight).cut);
  });
  return best == -HUGE_VAL ||
         (barred > -HUGE_VAL && !ties_or_beats(best, barred, worth.impurity()));
}

// The divisions to be tried in place of an order whose best prefix is barred.
template <class Worth>
GroupDivisions settled(Worth& worth, GroupDivisions divisions) {
  if (!divisions.bounded_by_prefixes || !best_prefix_is_barred(worth, divisions)) return divisions;
  if (worth.groups().size() <= all_groupings_limit) return {DivisionKind::groupings, {}, true};
  divisions.exact = divisions.bounded_by_prefixes = false;
  return divisions;
}

// Keeps the best of the divisions tried, if there is one.
inline void keep_best(BestOf& best, const GroupDivisions& divisions, const Groups& groups,
                      const GroupColumn& of, bool by_value, ColumnResult& result) {
  if (best.empty()) return;
  best.settle();
  Split split =
      split_of(divisions, groups, static_cast<int>(of.c), of.column.kind, by_value, best.at());
  keep(result, std::move(split), groups, best.measures(), divisions.exact, best.enough());
}

// A branch a level: admissible with two branches of min_bucket rows.
template <class Worth>
void search_all_levels(Worth& worth, const GroupColumn& of, ColumnResult& result) {
  if (!enough_large_branches(worth.groups(), worth.control().min_bucket)) return;
  const Measures m = worth.of_all();
  if (!m.finite()) return;
  keep(result, multiway_split(static_cast<int>(of.c), of.column.n_levels), worth.groups(), m, true,
       enough_gain(m, worth.control().min_gain, result.impurity));
}

template <class Worth>
void search_divisions(Worth& worth, const GroupColumn& of, Team& team, ColumnResult& result) {
  GroupDivisions divisions = divisions_of(worth, of.column.kind);
  if (divisions.kind == DivisionKind::multiway) return search_all_levels(worth, of, result);
  BestOf best(worth.control().min_gain, result.impurity);
  const auto settle = [&] { divisions = settled(worth, std::move(divisions)); };
  worth.try_all(divisions, settle, team, result, best);
  keep_best(best, divisions, worth.groups(), of, divided_by_value(worth.control(), of.column.kind),
            result);
}

// One division drawn at random, where it is admissible.
template <class Worth>
void search_drawn_division(Worth& worth, const GroupColumn& of, ColumnResult& result) {
  const Groups& groups = worth.groups();
  const SearchControl& control = worth.control();
  const bool by_value = divided_by_value(control, of.column.kind);
  const DrawnDivision drawn =
      draw_division(groups, by_value, Stream(Stream::part(~of.stream, of.c)));
  std::vector<double> left(static_cast<std::size_t>(groups.stride), 0.0);
  double weight = 0.0, size = 0.0;
  for (std::uint32_t i = 0; i < drawn.at; ++i) {
    const std::uint32_t g = drawn.divisions.order[i];
    for (std::size_t s = 0; s < left.size(); ++s) left[s] += groups.of(g)[s];
    weight += groups.weight[g];
    size += groups.sizes()[g];
  }
  if (!reaches(size, control.min_bucket) ||
      !reaches(groups.whole_size() - size, control.min_bucket))
    return;
  BestOf best(control.min_gain, result.impurity);
  best.add(drawn.at, worth.in_two(drawn.divisions, drawn.at, left.data(), weight));
  keep_best(best, drawn.divisions, groups, of, by_value, result);
}

// Several intervals: of the best partitions into 2, 3, ... the one with the best score, the fewest
// intervals among equals; of those that gain enough, where one does.
template <class Worth>
void search_intervals(Worth& worth, const GroupColumn& of, Team& team, ColumnResult& result) {
  std::vector<double> scores;
  std::vector<Measures> measures;
  std::vector<std::vector<std::size_t>> all_cuts;
  bool any_enough = false;
  for (int g = 2; g <= worth.control().intervals; ++g) {
    std::vector<std::size_t> cuts = worth.cuts(g, team);
    if (cuts.empty()) continue;
    const Measures m = worth.of_intervals(cuts);
    if (!m.finite()) continue;
    const bool enough = enough_gain(m, worth.control().min_gain, result.impurity);
    if (any_enough && !enough) continue;
    if (enough && !any_enough) {
      any_enough = true;
      scores.clear();
      measures.clear();
      all_cuts.clear();
    }
    scores.push_back(m.score);
    measures.push_back(m);
    all_cuts.push_back(std::move(cuts));
  }
  if (scores.empty()) return;
  const std::size_t best = first_best(scores, result.impurity);
  keep(result, interval_split(static_cast<int>(of.c), worth.groups(), all_cuts[best]),
       worth.groups(), measures[best], true, any_enough);
}

// The best of what the user asked for, into the result, which knows the impurity.
template <class Worth>
void search_groups(Worth& worth, const GroupColumn& of, Team& team, ColumnResult& result) {
  result.constant = worth.groups().size() < 2;
  if (result.constant) return;
  const Kind kind = of.column.kind;
  if (wants_intervals(worth.control(), kind)) {
    search_intervals(worth, of, team, result);
  } else if (draws_cuts(worth.control(), kind)) {
    search_drawn_division(worth, of, result);
  } else {
    search_divisions(worth, of, team, result);
  }
  result.low = result.high = result.winner.cut / worth.unit();
}

}  // namespace tectree

// Room search/groups/: columns by their groups of equal values: levels, intervals, subsets.
//
// The best way to divide a column's groups: in two, one branch per level, in several intervals, or
// in two at random.
//
// A Worth (worth.hpp) measures the divisions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "../../base/stream.hpp"
#include "divisions.hpp"
#include "intervals.hpp"
#include "worth.hpp"

namespace tectree {

// The column whose groups are divided; `stream`: of its node.
struct GroupColumn {
  const Column& column;
  std::uint32_t c;
  std::uint64_t stream = 0;
};

// The possible divisions, as if every division were admissible.
template <class Worth>
GroupDivisions divisions_of(Worth& worth, Kind kind) {
  if (divided_by_value(worth.control(), kind))
    return {DivisionKind::prefixes, natural_order(worth.groups().size()), true};
  if (worth.control().nominal == SearchControl::Nominal::multiway)
    return {DivisionKind::multiway, {}, true};
  return worth.groupings();
}

// Whether the best of the divisions is not admissible, although no grouping beats it: then the best
// admissible grouping may be any. `counts(left)`: whether a division is one of them.
template <class Worth, class Counts>
bool best_is_barred(Worth& worth, const GroupDivisions& divisions, Counts counts) {
  const Groups& groups = worth.groups();
  const double min_bucket = worth.control().min_bucket;
  const std::vector<double>& sizes = groups.sizes();
  const auto large = [&](double size) { return reaches(size, min_bucket); };
  if (!groups.has_unknown() && std::all_of(sizes.begin(), sizes.end(), large)) return false;
  if (!reaches(groups.total_size, 2 * min_bucket)) return false;
  double best = -HUGE_VAL, barred = -HUGE_VAL;
  each_division(groups, divisions, [&](std::uint32_t at, const LeftSide& left) {
    if (!counts(left)) return;
    double& most = fits(groups, left, min_bucket) ? best : barred;
    most = std::max(most, worth.in_two(divisions, at, left).cut);
  });
  return best == -HUGE_VAL ||
         (barred > -HUGE_VAL && !ties_or_beats(best, barred, worth.impurity()));
}

// The divisions that are tried if the best prefix is not admissible. One that is best but has the
// missing values alone on a side is a corner of the convex set of all (sums, weight) of a left
// side, and the corners without it are the other prefixes and those with one more group.
template <class Worth>
GroupDivisions settled(Worth& worth, GroupDivisions divisions) {
  const auto all = [](const LeftSide&) { return true; };
  if (!divisions.bounded_by_prefixes || !best_is_barred(worth, divisions, all)) return divisions;
  const Groups& groups = worth.groups();
  if (groups.size() <= all_groupings_limit) return {DivisionKind::groupings, {}, true};
  divisions.bounded_by_prefixes = false;
  if (groups.has_unknown()) divisions.kind = DivisionKind::prefixes_and_pairs;
  divisions.exact = groups.has_unknown() &&
                    !best_is_barred(worth, divisions,
                                    [&](const auto& left) { return divides_values(groups, left); });
  return divisions;
}

// The information, in nats, that names one of all divisions of so many levels in two groups, less
// that of one of the cuts of as many numbers, which do not pay for it.
inline double information_of_grouping(std::size_t levels) {
  const auto cuts = static_cast<double>(levels - 1);
  return levels < 3 ? 0.0 : cuts * std::log(2.0) + std::log1p(-std::exp2(-cuts)) - std::log(cuts);
}

// The measures of a division; of a grouping of levels that pays, less the same share as the
// information of naming it is of what it tells. The best of many groupings gains much by chance: a
// grouping of identifiers tells everything, and takes as much to name.
template <class Worth>
Measures less_naming(Worth& worth, const Column& column, const GroupDivisions& divisions,
                     std::uint32_t at, const Measures& m) {
  const SearchControl& control = worth.control();
  if (!(column.n_levels > control.free_levels)) return m;
  if (control.random_cuts || !groups_in_two(control, column.kind)) return m;
  const Groups& groups = worth.groups();
  const double naming =
      information_of_grouping(groups.with_value()) * control.copies / groups.total_size;
  if (!(naming > 0.0 && m.gain > 0.0)) return m;
  return m.times(std::fmax(0.0, 1 - naming / worth.information(divisions, at, m.gain)));
}

// Keeps the best of the divisions tried, if any.
template <class Worth>
void keep_best(BestOf& best, const GroupDivisions& divisions, Worth& worth, const GroupColumn& of,
               ColumnResult& result) {
  if (best.empty()) return;
  best.settle();
  const Groups& groups = worth.groups();
  const SearchControl& control = worth.control();
  const Kind kind = of.column.kind;
  const Measures m = less_naming(worth, of.column, divisions, best.at(), best.measures());
  const bool enough = best.enough() && enough_gain(m, control.min_gain, result.impurity);
  keep(result,
       split_of(divisions, groups, static_cast<int>(of.c), kind, divided_by_value(control, kind),
                best.at()),
       groups, m, divisions.exact, enough, branch_of_unknown(divisions, groups, best.at()));
  result.winner.deduction = best.measures().gain - m.gain;
}

// The measures of one branch per group.
template <class Worth>
Measures of_all(Worth& worth) {
  std::vector<std::size_t> cuts(worth.groups().size() - 1);
  std::iota(cuts.begin(), cuts.end(), std::size_t{1});
  return worth.of_intervals(cuts);
}

// One branch per level: admissible with two branches of min_bucket rows.
template <class Worth>
void search_all_levels(Worth& worth, const GroupColumn& of, ColumnResult& result) {
  if (!enough_large_branches(worth.groups(), worth.control().min_bucket)) return;
  const Measures m = of_all(worth);
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
  keep_best(best, divisions, worth, of, result);
}

// One division drawn at random, if it is admissible: at a number drawn between the smallest and the
// largest value; for levels, the first few in a random order. Missing values, if they are a group
// of their own, are tried on both sides of it.
template <class Worth>
void search_drawn_division(Worth& worth, const GroupColumn& of, ColumnResult& result) {
  const Groups& groups = worth.groups();
  const SearchControl& control = worth.control();
  const std::size_t m = groups.with_value();
  const bool by_value = divided_by_value(control, of.column.kind);
  Stream stream(Stream::part(~of.stream, of.c));
  GroupDivisions divisions{DivisionKind::prefixes, natural_order(m), false};
  std::uint32_t drawn = 1;
  if (by_value) {
    const double least = groups.value.front(), most = groups.value.back(), u = stream.uniform();
    const double value = least * (1 - u) + most * u;
    while (drawn + 1 < m && groups.value[drawn] <= value) ++drawn;
  } else {
    stream.shuffle(divisions.order);
    drawn = static_cast<std::uint32_t>(1 + stream.below(m - 1));
    if (groups.has_unknown())
      divisions.order.insert(divisions.order.begin() + drawn, static_cast<std::uint32_t>(m));
  }
  const std::uint32_t last = groups.has_unknown() ? drawn + 1 : drawn;
  BestOf best(control.min_gain, result.impurity);
  each_prefix(groups, divisions.order, [&](std::uint32_t at, const LeftSide& left) {
    if (at >= drawn && at <= last && fits(groups, left, control.min_bucket))
      best.add(at, worth.in_two(divisions, at, left));
  });
  keep_best(best, divisions, worth, of, result);
}

// Several intervals: of the best partitions into 2, 3, ... intervals the one with the best score,
// on ties the one with the fewest intervals; among those that gain enough, if any does.
template <class Worth>
void search_intervals(Worth& worth, const GroupColumn& of, Team& team, ColumnResult& result) {
  const auto values = static_cast<double>(worth.groups().size());
  const int most = static_cast<int>(std::fmin(worth.control().intervals, values));
  BestOf best(worth.control().min_gain, result.impurity);
  std::vector<std::vector<std::size_t>> cuts(most + 1);
  for (int g = 2; g <= most; ++g) {
    cuts[g] = worth.cuts(g, team);
    if (cuts[g].empty()) continue;
    const Measures m = worth.of_intervals(cuts[g]);
    best.add(static_cast<std::uint32_t>(g), m, m.score);
  }
  if (best.empty()) return;
  best.settle();
  keep(result, interval_split(static_cast<int>(of.c), worth.groups(), cuts[best.at()]),
       worth.groups(), best.measures(), true, best.enough());
}

// The best division of the requested kind, into the result, which has the impurity.
template <class Worth>
void search_groups(Worth& worth, const GroupColumn& of, Team& team, ColumnResult& result) {
  static_assert(is_worth<Worth>());
  if (worth.groups().with_value() < 2) return;
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

// Every way to divide one column of a node, for people to look at. Not built for speed: every
// candidate is scored by the criterion from its counts.
#pragma once

#include <utility>
#include <vector>

#include "../make_searches.hpp"
#include "list_candidates.hpp"

namespace tectree {

// `fits`: every branch that must hold min_bucket does.
inline Candidate candidate(Split split, const Measures& m, int branches, bool fits, bool gains,
                           bool exact) {
  Candidate c;
  c.split = std::move(split);
  c.cut = m.cut;
  c.gain = m.gain;
  c.score = m.score;
  c.n_branches = branches;
  c.barred = !fits ? Barred::min_bucket : !gains ? Barred::min_gain : Barred::not_barred;
  c.exact = exact;
  return c;
}

// Lists every way to divide the groups of column `c`. measures_of(m) are what is said of a
// division's measures; gains(m, kind), whether it may be made.
template <class Worth, class MeasuresOf, class Gains>
void list_divisions(Worth& worth, int c, const Column& column, std::vector<Candidate>& out,
                    MeasuresOf measures_of, Gains gains) {
  const Groups& groups = worth.groups();
  if (groups.size() < 2) return;
  const SearchControl& control = worth.control();
  const GroupDivisions divisions = settled(worth, divisions_of(worth, column.kind));
  const auto list = [&](Split split, const Measures& exact, bool enough, int branches) {
    const Measures m = measures_of(exact);
    out.push_back(candidate(std::move(split), m, branches, enough, gains(m, divisions.kind),
                            divisions.exact));
  };
  if (divisions.kind == DivisionKind::multiway) {
    return list(multiway_split(c, column.n_levels), worth.of_all(),
                enough_large_branches(groups, control.min_bucket), static_cast<int>(groups.size()));
  }
  const bool by_value = divided_by_value(control, column.kind);
  const SideSizes sizes(groups, divisions);
  each_division(groups, divisions, [&](std::uint32_t at, const double* left, double weight) {
    const bool enough = reaches(sizes.left(at, weight), control.min_bucket) &&
                        reaches(sizes.right(at, groups.n - weight), control.min_bucket);
    list(split_of(divisions, groups, c, column.kind, by_value, at),
         worth.in_two(divisions, at, left, weight), enough, 2);
  });
}

template <class Stat>
void list_column(const Problem& problem, SortedTask<Stat>& task,
                 const Arena<typename Stat::Row>& arena, const Range& node, int c,
                 std::vector<Candidate>& out) {
  typename SortedTask<Stat>::Scratch scratch;
  ColumnResult result;
  auto&& worth = task.worth_of(arena, node, c, scratch, result);
  list_divisions(
      worth, c, problem.frame.columns[c], out, [](const Measures& m) { return m; },
      [&](const Measures& m, DivisionKind) {
        return enough_gain(m, problem.control.min_gain, worth.impurity());
      });
}

// Every cut is measured as if it were the best of those tried.
template <class Index, class W>
void list_column(const Problem& problem, C45Task<Index, W>& task, const Arena<Index>& arena,
                 const Range& node, int c, std::vector<Candidate>& out) {
  typename C45Task<Index, W>::Scratch scratch;
  ColumnResult result;
  ClassWorth worth = task.worth_of(arena, node, c, scratch, result);
  const Groups& groups = worth.groups();
  const SearchControl& control = problem.control;
  const ClassContext& context = task.context();
  const Column& column = problem.frame.columns[c];
  if (!divided_by_value(control, column.kind)) {
    // A split without a gain is a candidate still.
    return list_divisions(
        worth, c, column, out, [&](const Measures& m) { return c45::of_levels(m, groups.n); },
        [&](const Measures& m, DivisionKind kind) {
          return kind == DivisionKind::multiway ? c45::good_levels(m, control.min_gain)
                                                : m.gain > control.min_gain;
        });
  }
  if (groups.size() < 2) return;
  const GroupDivisions divisions = divisions_of(worth, column.kind);
  const SideSizes sizes(groups, divisions);
  double tried = 0.0;
  each_prefix(groups, divisions.order, [&](std::uint32_t at, const double*, double weight) {
    tried += task.may_cut(groups, at, sizes.left(at, weight));
  });
  Partition p;
  each_prefix(groups, divisions.order, [&](std::uint32_t at, const double* left, double weight) {
    two_sides(context.counts, groups, left, weight, p);
    const Measures m = task.threshold_measures(p, std::fmax(tried, 1.0));
    const bool fits = task.may_cut(groups, at, sizes.left(at, weight)),
               gains = c45::good_threshold(m, control.min_gain);
    out.push_back(
        candidate(split_of(divisions, groups, c, column.kind, true, at), m, 2, fits, gains, true));
    out.back().deduction = context.criterion->measure(p).gain - m.gain;
  });
}

}  // namespace tectree

// The candidates of one node laid open, for people: what each attribute offers, who is eligible,
// who wins. Not built for speed: every candidate is scored by the criterion from its counts.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "actual_values.hpp"
#include "with_search.hpp"

namespace tectree {

struct Candidate {
  Split split;
  double cut = 0.0, gain = 0.0, score = 0.0;
  int n_branches = 0;  // that hold rows
  bool admissible = false, eligible = false, exact = true, chosen = false;
};

// Lists every way to divide one column's groups; `measure_two(left, weight)` and `measure_all()`
// score them.
template <class MeasureTwo, class MeasureAll>
void list_ways(const SearchControl& control, const Groups& groups, const Ways& ways, int c,
               const Column& column, double impurity, MeasureTwo measure_two,
               MeasureAll measure_all, std::vector<Candidate>& out) {
  const auto list = [&](Split split, const Measures& m, bool enough, int branches) {
    const bool admissible = enough && enough_gain(m.gain, control.min_gain, impurity);
    out.push_back(
        {std::move(split), m.cut, m.gain, m.score, branches, admissible, false, ways.exact, false});
  };
  if (ways.way == Way::multiway) {
    list(multiway_split(c, column.n_levels), measure_all(),
         enough_large_branches(groups, control.min_bucket), static_cast<int>(groups.size()));
    return;
  }
  const bool by_value = divided_by_value(control, column.kind);
  const SideSizes sizes(groups, ways);
  const auto visit = [&](std::uint32_t at, const double* left, double weight) {
    const bool enough = reaches(sizes.left(at, weight), control.min_bucket) &&
                        reaches(sizes.right(at, groups.n - weight), control.min_bucket);
    list(split_of(ways, groups, c, column.kind, by_value, at), measure_two(at, left, weight),
         enough, 2);
  };
  each_way(groups, ways, visit);
}

template <class Index, class W>
void list_column(const Problem& problem, ClassTask<Index, W>& task, const Arena<Index>& arena,
                 const Range& node, int c, std::vector<Candidate>& out) {
  Groups groups;
  task.groups_of(arena, node, c, groups);
  if (groups.size() < 2) return;
  const ClassContext& context = task.context();
  const Column& column = problem.frame.columns[c];
  const double impurity = context.criterion->impurity(groups.total.data(), groups.stride, groups.n);
  Partition p;
  list_ways(
      problem.control, groups,
      settled_ways(context, groups, class_ways(context, groups, column.kind)), c, column, impurity,
      [&](std::uint32_t, const double* left, double weight) {
        two_sides(context.counts, groups, left, weight, p);
        return context.criterion->measure(p);
      },
      [&] {
        all_branches(groups, p);
        return context.criterion->measure(p);
      },
      out);
}

// Under the rules of C4.5 a level split without a gain is a candidate still.
template <class Index, class W>
void list_levels(const SearchControl& control, const C45Task<Index, W>& task, const Groups& groups,
                 const Ways& ways, int c, const Column& column, std::vector<Candidate>& out) {
  Partition p;
  const auto add = [&](Split split, bool enough) {
    const Measures m = task.level_measures(p);
    const bool good = ways.way == Way::multiway ? c45::good_levels(m, control.min_gain)
                                                : m.gain > control.min_gain;
    out.push_back({std::move(split), m.cut, m.gain, m.score, p.branches(), enough && good, false,
                   ways.exact, false});
  };
  if (ways.way == Way::multiway) {
    all_branches(groups, p);
    return add(multiway_split(c, column.n_levels),
               enough_large_branches(groups, control.min_bucket));
  }
  const SideSizes sizes(groups, ways);
  const auto visit = [&](std::uint32_t at, const double* left, double weight) {
    two_sides(task.context().counts, groups, left, weight, p);
    add(split_of(ways, groups, c, column.kind, false, at),
        reaches(sizes.left(at, weight), control.min_bucket) &&
            reaches(sizes.right(at, groups.n - weight), control.min_bucket));
  };
  each_way(groups, ways, visit);
}

// Every cut is measured as if it were the best of those tried.
template <class Index, class W>
void list_column(const Problem& problem, C45Task<Index, W>& task, const Arena<Index>& arena,
                 const Range& node, int c, std::vector<Candidate>& out) {
  Groups groups;
  task.groups_of(arena, node, c, groups);
  if (groups.size() < 2) return;
  const SearchControl& control = problem.control;
  const ClassContext& context = task.context();
  const Column& column = problem.frame.columns[c];
  const Ways ways = settled_ways(context, groups, class_ways(context, groups, column.kind));
  if (c45::splits_by_level(column, control))
    return list_levels(control, task, groups, ways, c, column, out);
  const SideSizes sizes(groups, ways);
  double tried = 0.0;
  each_prefix(groups, ways.order, [&](std::uint32_t at, const double*, double weight) {
    tried += task.may_cut(groups, at, sizes.left(at, weight));
  });
  Partition p;
  each_prefix(groups, ways.order, [&](std::uint32_t at, const double* left, double weight) {
    two_sides(context.counts, groups, left, weight, p);
    const Measures m = task.threshold_measures(p, std::fmax(tried, 1.0));
    const bool admissible = task.may_cut(groups, at, sizes.left(at, weight)) &&
                            c45::good_threshold(m, control.min_gain);
    out.push_back({split_of(ways, groups, c, column.kind, true, at), m.cut, m.gain, m.score, 2,
                   admissible, false, true, false});
  });
}

template <class Index>
void list_column(const Problem& problem, MomentTask<Index>& task, const Arena<Index>& arena,
                 const Range& node, int c, std::vector<Candidate>& out) {
  Groups groups;
  task.groups_of(arena, node, c, groups);
  if (groups.size() < 2) return;
  const Column& column = problem.frame.columns[c];
  list_ways(
      problem.control, groups, moment_ways(task.control(), groups, column.kind, task.impurity()), c,
      column, task.impurity(),
      [&](std::uint32_t, const double* left, double weight) {
        return moments_in_two(groups, *left, weight).measures();
      },
      [&] { return moments_of_all(groups).measures(); }, out);
}

template <class Index>
void list_column(const Problem& problem, RankTask<Index>& task, const Arena<Index>& arena,
                 const Range& node, int c, std::vector<Candidate>& out) {
  RankGroups<Index> of;
  task.groups_of(arena, node, c, of);
  if (of.groups.size() < 2) return;
  const Column& column = problem.frame.columns[c];
  const RankedNode<Index> ranked = task.ranked(node);
  const Ways ways = of.ways(ranked, task.control(), column.kind);
  list_ways(
      problem.control, of.groups, ways, c, column, task.impurity(),
      [&](std::uint32_t at, const double*, double) {
        const std::vector<char> left = members_of(ways, of.groups, at);
        return of.measure(ranked, 2, [&](int g) { return left[g] ? 0 : 1; });
      },
      [&] { return of.measure(ranked, of.groups.size(), [](int g) { return g; }); }, out);
}

// What the contest of the root's columns came to. `list(c, out)` lists every candidate of a column.
struct Surveyed {
  std::vector<Slot> slots;
  std::optional<std::size_t> chosen;
  double bound = -HUGE_VAL;  // the least cut measure that competes
  std::function<void(int, std::vector<Candidate>&)> list;

  bool eligible(const Slot& slot) const { return slot.found && slot.winner.cut >= bound; }
};

inline Candidate representing(const Winner& w, bool eligible, bool chosen) {
  int branches = 0;
  for (double weight : w.branch_weight) branches += weight > 0.0;
  return {w.split, w.cut, w.gain, w.score, branches, true, eligible, w.exact, chosen};
}

inline std::vector<Candidate> candidates_of(const Problem& problem, const Surveyed& of, bool all,
                                            Team& team) {
  std::vector<Candidate> out;
  for (std::size_t c = 0; c < of.slots.size(); ++c) {
    const Slot& slot = of.slots[c];
    const bool wins = of.chosen && *of.chosen == c;
    const bool interval_search =
        problem.frame.columns[c].kind == Kind::numeric && problem.control.intervals > 2;
    if (!all || interval_search) {
      if (slot.found) out.push_back(representing(slot.winner, of.eligible(slot), wins));
      continue;
    }
    const std::size_t from = out.size();
    team.check();
    of.list(static_cast<int>(c), out);
    for (std::size_t i = from; i < out.size(); ++i) {
      out[i].eligible = of.eligible(slot);
      out[i].chosen = wins && same_split(out[i].split, slot.winner.split);
    }
  }
  if (problem.response.is_class() && problem.control.rules == SearchControl::Rules::c45) {
    ActualValues values(problem.frame.columns.size());
    for (Candidate& found : out) {
      if (found.split.kind == SplitKind::threshold)
        values.add(found.split.column, found.split.breaks[0]);
    }
    values.settle(problem.frame, problem.whole(), team);
  }
  return out;
}

// One candidate an attribute, its representing split; with `all` every candidate of every
// attribute.
inline std::vector<Candidate> survey(const Problem& problem, bool all, Team& team) {
  return with_presorted(problem, team, [&](auto search) {
    Surveyed found;
    Range node = search->root();
    found.slots = search->survey(node, team, found.chosen, found.bound);
    found.list = [&](int c, std::vector<Candidate>& out) {
      list_column(problem, search->task(), search->arena(), node, c, out);
    };
    return candidates_of(problem, found, all, team);
  });
}

}  // namespace tectree

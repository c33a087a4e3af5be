// The candidates of a node, from the search that would split it: every way to divide a column. Not
// optimised: the criterion scores every candidate from its counts.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "../actual_values.hpp"
#include "../make_sorted_search.hpp"
#include "candidate.hpp"

namespace tectree {

// `fits`: every branch that must reach min_bucket does.
inline Candidate candidate(Split split, const Measures& m, int branches, bool fits, bool gains,
                           bool exact) {
  const Barred barred = !fits ? Barred::min_bucket : !gains ? Barred::min_gain : Barred::not_barred;
  Candidate out;
  out.split = std::move(split);
  out.cut = m.cut;
  out.gain = m.gain;
  out.score = m.score;
  out.n_branches = branches;
  out.barred = barred;
  out.exact = exact;
  return out;
}

// The measures of a division as reported, and whether it is allowed.
using MeasuresOf = std::function<Measures(const Measures&)>;
using Gains = std::function<bool(const Measures&, DivisionKind)>;
using Visit = std::function<void(std::uint32_t, const LeftSide&)>;

// Lists every way to divide the groups of column `c`.
template <class Worth>
void list_divisions(Worth& worth, int c, const Column& column, std::vector<Candidate>& out,
                    const MeasuresOf& measures_of, const Gains& gains) {
  const Groups& groups = worth.groups();
  if (groups.with_value() < 2) return;
  const SearchControl& control = worth.control();
  const GroupDivisions divisions = settled(worth, divisions_of(worth, column.kind));
  const auto list = [&](Split split, const Measures& exact, bool enough, int branches) {
    const Measures m = measures_of(exact);
    out.push_back(candidate(std::move(split), m, branches, enough, gains(m, divisions.kind),
                            divisions.exact));
  };
  if (divisions.kind == DivisionKind::multiway) {
    return list(multiway_split(c, column.n_levels), of_all(worth),
                enough_large_branches(groups, control.min_bucket), static_cast<int>(groups.size()));
  }
  const bool by_value = divided_by_value(control, column.kind);
  const Visit visit = [&](std::uint32_t at, const LeftSide& left) {
    if (!divides_values(groups, left)) return;
    const Measures whole = worth.in_two(divisions, at, left),
                   m = less_naming(worth, column, divisions, at, whole);
    list(split_of(divisions, groups, c, column.kind, by_value, at), m,
         fits(groups, left, control.min_bucket), 2);
    out.back().deduction = whole.gain - m.gain;
    out.back().filled = branch_of_unknown(divisions, groups, at);
  };
  each_division(groups, divisions, visit);
}

// The better of two candidates of one cut, with the unknown rows on either side, and the left on
// ties.
inline Candidate better_side(Candidate left, Candidate right, double impurity) {
  const auto admissible = [](const Candidate& c) {
    return c.barred == Barred::min_bucket ? 0 : c.barred == Barred::min_gain ? 1 : 2;
  };
  left.filled = 0;
  right.filled = 1;
  if (admissible(left) != admissible(right))
    return admissible(left) > admissible(right) ? left : right;
  return ties_or_beats(left.cut, right.cut, impurity) ? left : right;
}

template <class Stat>
void list_column(const Problem& problem, SortedTask<Stat>& task,
                 const Arena<typename Stat::Row>& arena, const Range& node, int c,
                 std::vector<Candidate>& out) {
  typename SortedTask<Stat>::Scratch scratch;
  ColumnResult result;
  const auto list = [&](int side, std::vector<Candidate>& to) {
    auto&& worth = task.worth_of(arena, node, c, side, scratch, result);
    list_divisions(
        worth, c, problem.frame.columns[c], to, [](const Measures& m) { return m; },
        [&](const Measures& m, DivisionKind) {
          return enough_gain(m, problem.control.min_gain, worth.impurity());
        });
  };
  if (!task.learns_side(arena, node, c)) return list(no_branch, out);
  std::vector<Candidate> left, right;
  list(0, left);
  list(1, right);
  for (std::size_t i = 0; i < left.size(); ++i)
    out.push_back(better_side(std::move(left[i]), std::move(right[i]), task.stat().impurity()));
}

// Every cut is measured as if it were the best of those tried.
template <class Index, class W>
void list_column(const Problem& problem, C45Task<Index, W>& task, const Arena<Index>& arena,
                 const Range& node, int c, std::vector<Candidate>& out) {
  typename C45Task<Index, W>::Scratch scratch;
  ColumnResult result;
  ClassWorth worth = task.worth_of(arena, node, c, no_branch, scratch, result);
  const Groups& groups = worth.groups();
  const SearchControl& control = problem.control;
  const Column& column = problem.frame.columns[c];
  if (!divided_by_value(control, column.kind)) {
    // A split without a gain is still a candidate.
    return list_divisions(
        worth, c, column, out, [&](const Measures& m) { return c45::of_levels(m, groups.n); },
        [&](const Measures& m, DivisionKind kind) {
          return kind == DivisionKind::multiway ? c45::good_levels(m, control.min_gain)
                                                : m.gain > control.min_gain;
        });
  }
  if (groups.size() < 2) return;
  const GroupDivisions divisions = divisions_of(worth, column.kind);
  double tried = 0.0;
  each_prefix(groups, divisions.order, [&](std::uint32_t at, const LeftSide& left) {
    tried += task.may_cut(groups, at, left.size);
  });
  each_prefix(groups, divisions.order, [&](std::uint32_t at, const LeftSide& left) {
    const double gain = worth.in_two(divisions, at, left).gain;
    const Measures m = task.threshold_measures(worth.exact().partition(), std::fmax(tried, 1.0));
    const bool fits = task.may_cut(groups, at, left.size),
               gains = c45::good_threshold(m, control.min_gain);
    out.push_back(
        candidate(split_of(divisions, groups, c, column.kind, true, at), m, 2, fits, gains, true));
    out.back().deduction = gain - m.gain;
  });
}

// A search by p values only knows the split that represents a column. A column without one has
// several categories that were too small and therefore merged.
template <class Stat>
void list_column(const Problem&, ChaidTask<Stat>& task, const Arena<typename Stat::Row>& arena,
                 const Range& node, int c, std::vector<Candidate>& out) {
  if (task.categories(arena, node, static_cast<std::uint32_t>(c)) < 2) return;
  out.emplace_back();
  out.back().barred = Barred::min_bucket;
}

// The outcome of the contest of the root's columns. `list(c, out)` lists every candidate of a
// column.
struct Listed {
  std::vector<ColumnResult> results;
  std::optional<std::size_t> chosen;
  double bound = -HUGE_VAL;  // the smallest cut measure that competes
  double impurity = 0.0;
  std::function<void(int, std::vector<Candidate>&)> list;

  bool eligible(const ColumnResult& result) const {
    return result.can_split() && result.winner.cut >= bound;
  }
  bool wins(std::size_t c) const { return chosen && *chosen == c; }
  // Whether the column has the score of the winner.
  bool ties(std::size_t c, bool by_c45) const {
    if (!chosen || *chosen == c || !eligible(results[c])) return false;
    const double here = results[c].winner.score, best = results[*chosen].winner.score;
    return by_c45 ? std::fabs(here - best) <= c45::clearly : ties_or_beats(here, best, impurity);
  }
};

inline Candidate representing(const ColumnResult& result) {
  const Winner& w = result.winner;
  int branches = 0;
  for (double weight : w.branch_weight) branches += weight > 0.0;
  Candidate out =
      candidate(w.split, {w.cut, w.gain, w.score}, branches, true, result.enough, w.exact);
  out.deduction = w.deduction;
  out.filled = w.filled;
  out.test = w.test;
  return out;
}

// For a column without a split from the search: the best one that min_bucket allows, or none.
inline Candidate best_of_listed(std::vector<Candidate>& all, int column, double impurity) {
  std::vector<Candidate*> fit;
  std::vector<double> cut;
  for (Candidate& c : all) {
    if (c.barred == Barred::min_bucket) continue;
    fit.push_back(&c);
    cut.push_back(c.cut);
  }
  if (!fit.empty()) return std::move(*fit[first_best(cut, impurity)]);
  Candidate none;
  none.split.column = column;
  none.cut = none.gain = none.score = std::nan("");
  none.barred = all.empty() ? Barred::one_value : Barred::min_bucket;
  return none;
}

// The split that represents a column, or why there is none.
inline Candidate standing_for(const Listed& of, std::size_t c, bool by_c45) {
  const ColumnResult& result = of.results[c];
  std::vector<Candidate> all;
  if (!result.is_scored() || by_c45) of.list(static_cast<int>(c), all);
  if (!result.is_scored()) return best_of_listed(all, static_cast<int>(c), of.impurity);
  Candidate out = representing(result);
  for (const Candidate& listed : all) {
    if (same_split(listed.split, out.split)) out.deduction = listed.deduction;
  }
  return out;
}

inline std::vector<Candidate> candidates_of(const Problem& problem, const Listed& of, bool all,
                                            Team& team) {
  std::vector<Candidate> out;
  const bool by_c45 = tectree::by_c45(problem);
  for (std::size_t c = 0; c < of.results.size(); ++c) {
    const ColumnResult& result = of.results[c];
    const bool interval_search = wants_intervals(problem.control, problem.frame.columns[c].kind);
    team.check();
    const std::size_t from = out.size();
    if (all && !interval_search && !by_p_value(problem)) {
      of.list(static_cast<int>(c), out);
    } else {
      out.push_back(standing_for(of, c, by_c45));
    }
    if (problem.control.by_chaid() && out.back().barred == Barred::min_gain)
      out.back().barred = Barred::alpha_split;
    for (std::size_t i = from; i < out.size(); ++i) {
      const bool stands = out.size() == from + 1 || same_split(out[i].split, result.winner.split);
      out[i].eligible = of.eligible(result);
      out[i].chosen = of.wins(c) && stands;
      out[i].tied = stands && of.ties(c, by_c45);
    }
  }
  if (by_c45) {
    ActualValues values(problem.frame.columns.size());
    for (Candidate& found : out) {
      if (found.split.kind == SplitKind::threshold)
        values.add(found.split.column, found.split.breaks[0]);
    }
    values.settle(problem.frame, problem.whole(), team);
  }
  return out;
}

// In a function of its own, like make_sorted().
template <class Task>
std::vector<Candidate> candidates_by(const Problem& problem, Arena<std::uint32_t> arena, Task task,
                                     bool all, Team& team) {
  SortedSearch<std::uint32_t, Task> search(problem.frame, problem.sample, std::move(arena),
                                           std::move(task), team.size());
  Listed found;
  const Node root = search.root();
  const Range node = range_of(root);
  std::vector<double> share(static_cast<std::size_t>(problem.response.n_classes));
  const bool pure = search.describe(root, share.data()).pure;
  found.results = search.list_candidates(node, team, found.chosen, found.bound);
  found.impurity = search.task().stat().impurity();
  if (pure) {  // a leaf, whatever the gain of a split
    found.chosen.reset();
    found.bound = HUGE_VAL;
  }
  found.list = [&](int c, std::vector<Candidate>& out) {
    list_column(problem, search.task(), search.arena(), node, c, out);
  };
  return candidates_of(problem, found, all, team);
}

template <class Statistic, class Setup>
std::vector<Candidate> candidates_of(Statistic, const Problem& problem, Setup& setup, bool all,
                                     Team& team) {
  auto rows = sorted_rows<std::uint32_t>(problem, nullptr, team);
  auto task = Statistic::task(problem, setup, rows, team);
  return candidates_by(problem, std::move(rows), std::move(task), all, team);
}

TECTREE_SEARCH std::vector<Candidate> list_candidates(const Problem& problem, bool all,
                                                      Team& team) {
  Setup setup = set_up(problem, team);
  return std::visit(
      [&](auto& of) {
        return std::visit(
            [&](auto statistic) { return candidates_of(statistic, problem, of, all, team); },
            pick_statistic(problem, of));
      },
      setup);
}

}  // namespace tectree

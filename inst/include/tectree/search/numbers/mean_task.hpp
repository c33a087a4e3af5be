// Regression by least squares as a Task of the sorted search.
//
// With the numbers centred on the node's mean, s_j the sum of a branch and S = sum s_j (near 0),
// the mean squared error falls by (sum_j s_j^2 / n_j - S^2 / n) / n: only sums are needed, no
// squares (rpart's identity).
#pragma once

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "../../data/arena.hpp"
#include "../../data/take.hpp"
#include "../../tally/weights.hpp"
#include "mean_groups.hpp"
#include "mean_scan.hpp"
#include "number_problem.hpp"

namespace tectree {

template <class Index>
class MeanTask {
 public:
  struct Scratch {
    Groups groups;
    MeanScan scan;
  };

  MeanTask(std::shared_ptr<const NumberProblem> problem, std::shared_ptr<const Numbers> numbers)
      : problem_(std::move(problem)), shared_(std::move(numbers)), numbers_(*shared_) {}
  MeanTask(std::shared_ptr<const NumberProblem> problem, Numbers numbers)
      : MeanTask(std::move(problem), std::make_shared<const Numbers>(std::move(numbers))) {}

  Eligible eligible() const { return effective(problem_->control.eligible, Eligible::all); }
  bool lazy() const { return eligible() == Eligible::all; }
  bool has_spans() const { return false; }
  bool span_of_cut(const Range&, ColumnResult&) const { return false; }
  void span_of_score(ColumnResult&) const {}
  double impurity() const { return impurity_; }
  double mean() const { return mean_; }
  // Whether a split can gain anything that a double holds: squares may vanish or overflow.
  bool varies() const { return impurity_ > 0.0 && std::isfinite(impurity_); }
  bool unbeatable(const ColumnResult&) const { return false; }

  NodeFacts describe(const Arena<Index>& arena, const Range& node, double*) {
    NodeFacts facts;
    facts.n = node.size();
    const Centre about = numbers_.centre(arena.rows.data() + node.begin, node.size());
    facts.weight = about.weight;
    facts.yval = about.mean;
    facts.impurity = about.squares;
    facts.pure = true;
    for (std::size_t i = node.begin; i < node.end && facts.pure; ++i) {
      facts.pure = numbers_.y[arena.rows[i]] == numbers_.y[arena.rows[node.begin]];
    }
    return facts;
  }

  void begin(const Arena<Index>& arena, const Range& node) {
    const Centre about = numbers_.centre(arena.rows.data() + node.begin, node.size());
    node_weight_ = about.weight;
    mean_ = about.mean;
    impurity_ = about.squares;
  }

  void column(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
              ColumnResult& result, Team& team) {
    if (!varies()) return;
    const Column& column = problem_->frame->columns[c];
    const bool intervals = column.kind == Kind::numeric && problem_->control.intervals > 2;
    if (by_level(column, problem_->control) || intervals || arena.columns[c].entries.empty() ||
        problem_->control.random_cuts || fills(arena, c)) {
      column_of_groups(arena, node, c, intervals, scratch.groups, result, team);
    } else {
      column_of_entries(arena, node, c, scratch, result);
    }
  }

  void resolve(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch&,
               ColumnResult& result) {
    const ArenaColumn<Index>& column = arena.columns[c];
    const std::size_t known = column.known(node.begin, node.end);
    const Entry<Index>* e = column.entries.data() + node.begin;
    BestOf best(problem_->control.min_gain, result.impurity);
    for (const Contenders::Cut& cut : result.contenders.settle())
      best.add(cut.at, cut_in_two(e, known, cut.at, known == node.size()).measures());
    result.open = false;
    if (best.empty()) return;
    best.settle();
    keep_place(result, best);
  }

  void finish(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch&,
              ColumnResult& result) const {
    const std::size_t known = arena.columns[c].known(node.begin, node.end), at = result.place;
    const Entry<Index>* e = arena.columns[c].entries.data() + node.begin;
    const auto raw = [&](Index row) {
      return problem_->frame->columns[c].value(problem_->sample->row(arena.position(row)));
    };
    finish_cut(result, static_cast<int>(c), problem_->frame->columns[c].kind, raw(e[at - 1].row),
               raw(e[at].row));
    result.winner.branch_weight.assign(2, 0.0);
    for (std::size_t i = 0; i < known; ++i)
      result.winner.branch_weight[i >= at] += numbers_.w(e[i].row);
  }

  void tag(Arena<Index>&) const {}
  static constexpr bool may_preview = false;

  template <class Divide>
  void divide(Divide) {}

  template <class To>
  auto shrink(const Arena<Index>& from, const Arena<To>& to, const Range& node,
              const std::vector<std::uint16_t>&) const {
    return MeanTask<To>(problem_, numbers_.of_rows(from.rows, node.begin, to.n));
  }

  const Numbers& numbers() const { return numbers_; }
  const std::shared_ptr<const NumberProblem>& problem() const { return problem_; }
  const SearchControl& control() const { return problem_->control; }
  double weight_of(Index row) const { return numbers_.w(row); }
  double mass_of(Index row) const { return weight_of(row); }

  // The task of some rows with weights of their own.
  template <class Small>
  auto take(const Taken<Index>& taken) const {
    return MeanTask<Small>(problem_, numbers_.with_weights(taken.rows, taken.weight));
  }

  void groups_of(const Arena<Index>& arena, const Range& node, std::uint32_t c, Groups& out) const {
    collect_groups(
        arena, c, problem_->frame->columns[c], *problem_->sample, node.begin, node.end, 1, out,
        [&](double* tally, Index row) {
          const double w = numbers_.w(row);
          *tally += w * (numbers_.y[row] - mean_);
          return w;
        },
        fills(arena, c));
    out.unknown = unknown_weight(out.complete, out.n);
  }

 private:
  UnknownWeight unknown_weight(bool complete, double known) const {
    return {problem_->control.unknown, complete, known, node_weight_};
  }
  bool fills(const Arena<Index>& arena, std::uint32_t c) const {
    return problem_->control.unknown == SearchControl::Unknown::filled &&
           arena.columns[c].has_missing;
  }

  // The same whatever the order of the rows on each side.
  Moments cut_in_two(const Entry<Index>* e, std::size_t known, std::uint32_t at,
                     bool complete) const {
    const Pair left = numbers_.centred(mean_, e, e + at),
               right = numbers_.centred(mean_, e + at, e + known);
    Moments m(unknown_weight(complete, left[0] + right[0]).share);
    m.add(left[1], left[0]);
    m.add(right[1], right[0]);
    return m;
  }

  void column_of_entries(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                         Scratch& scratch, ColumnResult& result) {
    const ArenaColumn<Index>& column = arena.columns[c];
    const std::size_t known = column.known(node.begin, node.end);
    const Entry<Index>* e = column.entries.data() + node.begin;
    if (known < 2 || e[0].rank == e[known - 1].rank) {
      result.constant = true;
      return;
    }
    result.impurity =
        impurity_;  // the scale of rounding is the node's, however alike the known rows
    const auto n = static_cast<std::uint32_t>(known);
    const bool complete = known == node.size();
    // Where squares may overflow, every cut whose sums are lost is scored from its rows.
    const bool safe = std::isfinite(impurity_ * known * known);
    if (numbers_.weight.empty() && safe) {
      scratch.scan.offer_cuts(
          MeanColumn<Index>{e, numbers_.y.data(), problem_->inverse.data(), n, mean_,
                            unknown_weight(complete, known).share,
                            slack_of_sums(result.impurity, known),
                            least_count<WholeWeight>(problem_->control.min_bucket), result.floor},
          result.contenders);
    } else {
      scan(e, n, complete, result);
    }
    if (result.contenders.empty()) return;
    result.open = true;
    result.low = result.contenders.floor();
    result.high = result.contenders.high();
  }

  // Entries [0, i) are on the left with weight n_l and sum s_l.
  void scan(const Entry<Index>* e, std::uint32_t known, bool complete, ColumnResult& result) const {
    const double* y = numbers_.y.data();
    double n = 0.0, s = 0.0;
    for (std::uint32_t i = 0; i < known; ++i) {
      const double w = numbers_.w(e[i].row);
      n += w;
      s += w * (y[e[i].row] - mean_);
    }
    const double share = unknown_weight(complete, n).share;
    const double slack = slack_of_sums(result.impurity, known);
    const double min_bucket = problem_->control.min_bucket;
    double n_l = 0.0, s_l = 0.0;
    for (std::uint32_t i = 0; i < known;) {
      const Index rank = e[i].rank;
      do {
        const double w = numbers_.w(e[i].row);
        n_l += w;
        s_l += w * (y[e[i].row] - mean_);
        ++i;
      } while (i < known && e[i].rank == rank);
      const double n_r = n - n_l, s_r = s - s_l;
      if (i == known || !reaches(n_r, min_bucket)) break;
      if (!reaches(n_l, min_bucket)) continue;
      const double value = share * (s_l * s_l / n_l + s_r * s_r / n_r - s * s / n) / n;
      result.contenders.offer(i, value - slack, value + slack);
    }
  }

  void column_of_groups(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                        bool intervals, Groups& groups, ColumnResult& result, Team& team) {
    groups_of(arena, node, c, groups);
    if (groups.size() < 2) {
      result.constant = true;
      return;
    }
    result.impurity = impurity_;
    const Column& column = problem_->frame->columns[c];
    if (intervals) {
      search_mean_intervals(problem_->control, groups, c, team, result);
    } else if (draws_cuts(problem_->control, column.kind)) {
      keep_drawn(problem_->control, groups, c, column.kind, node.stream, result,
                 [&](const DrawnDivision&, const double* left, double weight) {
                   return moments_in_two(groups, *left, weight).measures();
                 });
    } else {
      search_mean_divisions(problem_->control, groups, c, column, result);
    }
    result.low = result.high = result.winner.gain;
  }

  std::shared_ptr<const NumberProblem> problem_;
  std::shared_ptr<const Numbers> shared_;  // by forks
  const Numbers& numbers_;
  double mean_ = 0.0, impurity_ = 0.0, node_weight_ = 0.0;
};

}  // namespace tectree

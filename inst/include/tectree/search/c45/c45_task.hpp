// Room search/c45/: C4.5's rules in place of the exact ones.
//
// Classification by the rules of C4.5 as a Task of the sorted search: a SortedTask of classes whose
// search of a column, and choice among columns, are its own.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "../classes/class_stat.hpp"
#include "../sorted/sorted_task.hpp"
#include "c45_choice.hpp"
#include "c45_scan.hpp"

namespace tectree {

template <class Index, class W>
class C45Task : public SortedTask<ClassStat<Index, W>> {
 public:
  using Base = SortedTask<ClassStat<Index, W>>;
  using Count = typename W::Count;
  using Scratch = typename Base::Scratch;
  using Choice = c45::Choice;

  C45Task(Base base, std::shared_ptr<const c45::Facts> facts)
      : Base(std::move(base)), facts_(std::move(facts)) {}

  Choice choice(const std::vector<ColumnResult>& results) const {
    return Choice(results, this->eligible(), facts_);
  }

  void column(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
              ColumnResult& result, Team& team) {
    const Column& column = this->problem_->frame->columns[c];
    const SearchControl& control = this->problem_->control;
    const bool by_level = !divided_by_value(control, column.kind);
    if (by_level && control.nominal == SearchControl::Nominal::multiway) {
      multiway(arena, node, c, scratch, result);
    } else if (by_level || wants_intervals(control, column.kind)) {
      // C4.5 knows neither; the search is the exact one, the measures are C4.5's.
      Base::column(arena, node, c, scratch, result, team);
      if (result.found) measure_again(arena, node, c, scratch, result);
    } else {
      threshold(arena, node, c, scratch, result);
    }
  }

  template <class Small>
  auto take(const Taken<Index>& taken) const {
    return C45Task<Small, RealWeight>(Base::template take<Small>(taken), facts_);
  }

  template <class To>
  auto shrink(const Arena<Index>& from, const Arena<To>& to, const Range& node,
              const std::vector<std::uint16_t>& local) const {
    return C45Task<To, W>(Base::shrink(from, to, node, local), facts_);
  }

  // ---- for people to look at: any one way to divide a column's groups --------------------------

  bool may_cut(const Groups& groups, std::uint32_t at, double left) const {
    const double whole = groups.whole_size(), least = least_side(whole) - c45::clearly;
    return left >= least && whole - left >= least &&
           c45::apart(groups.value[at - 1], groups.value[at]);
  }
  Measures threshold_measures(const Partition& p, double tried) const {
    // The weight that the policy looks at: the node's, or that of the known rows.
    return c45::of_threshold(criterion(), p, p.n / p.share, tried);
  }
  Measures level_measures(const Partition& p) const { return c45::of_levels(criterion(), p); }

 private:
  const Criterion& criterion() const { return *this->problem_->criterion; }
  double min_gain() const { return this->problem_->control.min_gain; }

  void multiway(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
                ColumnResult& result) {
    const Groups& groups = scratch.groups;
    this->groups_of(arena, node, c, scratch);
    result.constant = groups.size() < 2;
    if (result.constant || !enough_large_branches(groups, this->problem_->control.min_bucket))
      return;
    Partition& p = scratch.partition;
    all_branches(groups, p);
    const Measures m = level_measures(p);
    const int n_levels = this->problem_->frame->columns[c].n_levels;
    keep(result, multiway_split(static_cast<int>(c), n_levels), groups, m, true,
         c45::good_levels(m, min_gain()));
  }

  void measure_again(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                     Scratch& scratch, ColumnResult& result) {
    const Groups& groups = scratch.groups;
    this->groups_of(arena, node, c, scratch);
    Winner& winner = result.winner;
    partition_by(winner.split, groups, scratch.partition);
    const Measures m = level_measures(scratch.partition);
    result.enough = result.enough && c45::good_levels(m, min_gain());
    winner.cut = m.cut;
    winner.gain = m.gain;
    winner.score = m.score;
  }

  void threshold(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
                 ColumnResult& result) {
    const NodeColumn<Index> column = this->node_column(arena, node, c, scratch);
    const Entry<Index>* e = column.e;
    result.constant = column.constant();
    if (result.constant) return;
    this->known_total(column, scratch.total);
    std::vector<double>& total = scratch.right;
    total.assign(scratch.total.begin(), scratch.total.end());
    double n = 0.0;
    for (double x : total) n += x;
    const double s =
        column.complete() ? this->impurity_ : criterion().impurity(total.data(), n_classes(), n);
    const UnknownWeight unknown = this->unknown_weight(column.complete(), n);
    const double n_size = this->size_of(column, n);
    const c45::Best best = best_of_entries(
        arena, c, column, cut_measure(n, s, column.known, unknown), n_size, scratch);
    if (best.at == 0) return;
    sides_of(column, best.at, scratch);
    scratch.partition.share = unknown.share;
    scratch.partition.unknown = unknown.weight;
    keep_threshold(c, this->value_of(arena, c, e[best.at - 1].row, scratch),
                   this->value_of(arena, c, e[best.at].row, scratch), scratch.partition, best,
                   result);
    if (result.found && this->by_class_) this->weigh_branches(column, best.at, result);
  }

  c45::Best best_of_entries(const Arena<Index>& arena, std::uint32_t c,
                            const NodeColumn<Index>& column, const c45::CutMeasure& measure,
                            double size, Scratch& scratch) const {
    const Entry<Index>* e = column.e;
    const auto known = static_cast<std::uint32_t>(column.known);
    const Count least = c45::least_side_count<W>(least_side(size));
    const bool close = facts_->close[c];
    c45::Best best;
    with_form(this->form_, [&](auto form) {
      constexpr Form f = decltype(form)::value;
      if constexpr (W::whole) {
        if (this->w_.unit() && !close) {
          const UnitCut cut(this->problem_->table, scratch.total, scratch.unit);
          best = c45::scan_unit<f>(e, known, this->label_, this->problem_->table, measure, least,
                                   this->afresh_, cut);
          return;
        }
      }
      const MovingCut<W> cut(this->w_, scratch.total, scratch.sides,
                             this->afresh_ == Afresh::always);
      best = c45::scan<f>(
          e, known, this->label_, this->w_, measure, least, cut,
          [&](const Entry<Index>& a, const Entry<Index>& b) {
            if (a.rank == b.rank || !close) return a.rank != b.rank;
            return c45::apart(this->value_of(arena, c, a.row, scratch),
                              this->value_of(arena, c, b.row, scratch));
          },
          size);
    });
    return best;
  }

  // The class counts of both sides of a cut, from the rows of the smaller; scratch.total holds
  // those of all known rows.
  void sides_of(const NodeColumn<Index>& column, std::size_t at, Scratch& scratch) const {
    const bool count_left = at <= column.known / 2;
    std::vector<double>&counted = scratch.left, &rest = scratch.right;
    counted.assign(n_classes(), 0.0);
    rest.resize(n_classes());
    const std::size_t end = count_left ? at : column.known;
    for (std::size_t i = count_left ? 0 : at; i < end; ++i)
      counted[this->label_[column.e[i].row]] += this->w_.of(column.e[i].row);
    double n_counted = 0.0, n_rest = 0.0;
    for (int s = 0; s < n_classes(); ++s) {
      rest[s] = this->context_.counts.rest(scratch.total[s], counted[s]);
      n_counted += counted[s];
      n_rest += rest[s];
    }
    Partition& p = scratch.partition;
    p.start(n_classes());
    if (!count_left) p.add(rest.data(), n_rest);
    p.add(counted.data(), n_counted);
    if (count_left) p.add(rest.data(), n_rest);
  }

  void keep_threshold(std::uint32_t c, double a, double b, Partition& p, const c45::Best& best,
                      ColumnResult& result) const {
    const Measures m = threshold_measures(p, best.tried);
    keep_cut(result, static_cast<int>(c), this->problem_->frame->columns[c].kind, a, b, m,
             c45::good_threshold(m, min_gain()));
    result.winner.branch_weight.assign(p.size.begin(), p.size.end());
  }

  int n_classes() const { return this->problem_->n_classes; }
  double least_side(double known) const {
    return c45::least_side(this->problem_->control.min_bucket, known, n_classes());
  }
  c45::CutMeasure cut_measure(double known, double impurity, std::size_t steps,
                              const UnknownWeight& unknown) const {
    return c45::CutMeasure(this->cut_value(known, impurity, steps, unknown), criterion());
  }

  std::shared_ptr<const c45::Facts> facts_;
};

}  // namespace tectree

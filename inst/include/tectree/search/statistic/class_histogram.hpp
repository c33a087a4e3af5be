// Room search/statistic/: what the histogram search counts by bin, and the measures of cuts.
//
// Classes as the statistic of a histogram search (see ../histogram/histogram_stat.hpp).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../sorted/sorted_task.hpp"
#include "counted_classes.hpp"
#include "score_bounds.hpp"

namespace tectree {

template <class W>
class ClassHistogram {
 public:
  using Problem = ClassProblem;
  using SortedStat = ClassStat<std::uint32_t, W>;
  using Task = SortedTask<SortedStat>;
  using Scale = ClassScale<W>;
  using Count = typename Scale::Count;
  using Counts = ClassCounts<Count>;
  using Counted = CountedClasses<W>;
  using Scores = ScoreBounds<W>;
  struct Scratch : Counted::Scratch {
    ClassExact exact;
    typename Counted::Cells parts;
    std::vector<double> left, right;
    Groups groups;
    UnknownWeight unknown;  // of the column
  };

  static constexpr bool by_cut_alone = false;
  static bool counts(const ClassProblem&, std::uint32_t) { return true; }
  // Sorted rows that all count 1 are searched so fast that they are passed on early.
  static PassOnAt pass_on_at(bool counts_rows) {
    return {counts_rows ? Entry<std::uint16_t>::most_rows : 4096, 4096, 1024};
  }
  static PassOnAt pass_on_at(const SortedStat& stat, const Codes& codes) {
    const bool parts = stat.control().unknown == SearchControl::Unknown::grouped &&
                       std::any_of(codes.begin(), codes.end(),
                                   [](const CodedColumn& column) { return column.has_missing; });
    // Bounds of parts cost more than those of whole rows, sorting them does not.
    if (parts) return {4096, 4096, 4096};
    return pass_on_at(stat.counts_rows());
  }

  // Whether the bounds hold for the problem, looking at the bounds can spare columns a closer look,
  // and the counts are small enough to store. `least`, `total`: of the case weights.
  static bool suits(const ClassProblem& p, const ClassWeights& rows, double least, double total) {
    constexpr std::size_t most_counts = std::size_t{1} << 20;  // stored for every open node
    return p.criterion->kernel().q() > 0.0 &&
           (p.best_cut_wins() || p.criterion->form() == Form::linear) && p.control.intervals <= 2 &&
           (W::whole || p.curve) && Scale::has_unit(least, total) &&
           (!rows.has_sizes || ClassBins<W>::can_hold(rows)) &&
           p.frame->columns.size() * (Binned::most + 1) *
                   (static_cast<std::size_t>(p.n_classes) + rows.has_sizes) <=
               most_counts;
  }

  // `unit`: of counts; 0: the smallest.
  ClassHistogram(const SortedStat& stat, std::size_t n_rows, double unit = 0.0)
      : bins_(std::make_shared<const ClassBins<W>>(stat, n_rows, unit)), label_(stat.labels()) {
    look_at(*stat.problem());
  }
  // Counts only a node's rows.
  ClassHistogram(const ClassHistogram& all, const Range& node, const CodedRows& from,
                 const SortedStat& stat)
      : ClassHistogram(all) {
    label_ = stat.labels();
    bins_ = std::make_shared<const ClassBins<W>>(*all.bins_, node, from);
  }

  // The statistic of parts of rows, and whether they can be counted.
  static constexpr bool has_parts = true;
  using OfParts = ClassHistogram<RealWeight>;
  static bool counts_parts(const SortedStat& stat) {
    const ClassProblem& p = *stat.problem();
    return p.part_unit > 0.0 && !stat.has_sizes() &&
           (p.curve_of_parts ? p.curve_of_parts->get() : p.curve);
  }

  // The same rows with another criterion.
  ClassHistogram with_problem(const ClassProblem& problem) const {
    ClassHistogram out(*this);
    out.look_at(problem);
    return out;
  }

  // The totals of the node's rows in every bin.
  std::shared_ptr<const void> count(const CodedRows& rows, const SortedStat& stat,
                                    const Range& node, const void*, Team& team) const {
    return bins_->count(rows, stat.labels(), node, team);
  }
  std::shared_ptr<const void> rest(const CellLayout& cells, const Node& node,
                                   const void* part) const {
    return bins_->rest(cells, *node.columns, counts(node), *static_cast<const Counts*>(part));
  }
  // Whether counts that were handed down suffice for the node.
  template <class Known>
  bool serves(const Node&, const Known&) const {
    return true;
  }

  // Sets the result's impurity to that of the column's rows with a value.
  template <class Known>
  Counted column(const BinView& view, std::size_t first_cell, const Known& known, const Node& node,
                 Scratch& scratch, ColumnResult& result) const {
    const Count* cells = counts(node).cells.data() + first_cell * bins_->width;
    const Count* missing = cells + static_cast<std::size_t>(view.coded.codes) * bins_->width;
    scratch.total = counts(node).total;
    typename Scale::Mass mass = 0;
    bool complete = true;
    for (std::size_t s = 0; s < bins_->width; ++s) {
      complete = complete && missing[s] == 0;
      scratch.total[s] -= missing[s];
      if (s < bins_->k) mass += scale_.mass(s, scratch.total[s]);
    }
    const Count n = bins_->size_in(scratch.total.data());
    const ClassProblem& problem = *known.problem();
    CutValue value = known.value();
    value.offered = value.least;
    scratch.unknown = known.unknown_weight(complete, static_cast<double>(mass));
    if (W::whole && complete) {
      result.impurity = known.impurity();
    } else {
      const Criterion& criterion = *problem.criterion;
      scratch.right.resize(bins_->k);
      for (std::size_t s = 0; s < bins_->k; ++s)
        scratch.right[s] = scale_.mass(s, scratch.total[s]);
      result.impurity = criterion.impurity(scratch.right.data(), problem.n_classes, mass);
      value = CutValue(criterion, result.impurity / criterion.unit(), mass, node.n_rows, W::whole,
                       problem.control.min_gain, scratch.unknown);
      value.add_uncertainty(uncertainty_);
    }
    return {view,
            {bins_.get(), scale_, label_, least_, problem.criterion->form(), concave_},
            cells,
            n,
            value,
            scratch,
            result.contenders};
  }

  // The best division of a column's levels.
  template <class Known>
  void search_groups(const Counted& column, const Known& known, std::uint32_t c, Scratch& scratch,
                     Team& team, ColumnResult& result) const {
    ClassWorth worth = worth_of(column, known, scratch);
    tectree::search_groups(worth, {column.column, c}, team, result);
  }
  // All of them.
  template <class Known>
  void offer_groups(const Counted& column, const Known& known, std::uint32_t c, Scratch& scratch,
                    Team& team, std::vector<Offer>& out) const {
    ClassWorth worth = worth_of(column, known, scratch);
    offer_divisions(worth, {column.column, c}, no_branch, team, out);
  }

  template <class Known, class Use>
  void measure(Counted& column, const Known& known, const std::vector<Contender>& cuts,
               Scratch& scratch, Use use) const {
    scratch.left.resize(bins_->k);
    scratch.right.resize(bins_->k);
    ClassExact& exact = scratch.exact;
    exact.set(known.context(), static_cast<int>(bins_->k), scratch.unknown);
    at_each_cut(column, cuts, scratch.parts, [&](std::uint32_t i) {
      double left = 0.0, right = 0.0;
      for (std::size_t s = 0; s < bins_->k; ++s) {
        left += scratch.left[s] = scale_.mass(s, column.left(s));
        right += scratch.right[s] = scale_.mass(s, column.total(s)) - scratch.left[s];
      }
      exact.start();
      exact.add(scratch.left.data(), left);
      exact.add(scratch.right.data(), right);
      use(i, exact.measures());
    });
  }

 private:
  static const Counts& counts(const Node& node) {
    return *static_cast<const Counts*>(node.counts.get());
  }

  // The Worth of a column's levels.
  template <class Known>
  ClassWorth worth_of(const Counted& column, const Known& known, Scratch& scratch) const {
    Groups& groups = scratch.groups;
    groups.start(static_cast<int>(bins_->k));
    std::vector<double> size;
    for (int b = 0; b < column.coded.codes; ++b) {
      const Count* cell = column.in_bin(b);
      const Count n = column.count_of(cell);
      if (n == 0) continue;
      groups.add(column.coded.binned.values[b]);
      groups.weight.back() = scale_.size(bins_->weight_in(cell));
      if (bins_->has_sizes()) size.push_back(column.size_of(n));
      double* tally = groups.of(groups.size() - 1);
      for (std::size_t s = 0; s < bins_->k; ++s)
        tally[s] = static_cast<double>(scale_.mass(s, cell[s]));
    }
    groups.finish();
    if (!known.problem()->factors.plain()) groups.weigh_by_counts();
    if (bins_->has_sizes()) groups.set_sizes(std::move(size));
    groups.unknown = scratch.unknown;
    ClassWorth worth(known.context(), groups);
    worth.rank_by(column.cut_value());
    return worth;
  }

  void look_at(const ClassProblem& problem) {
    const Kernel& kernel = problem.criterion->kernel();
    scale_ = Scale();
    scale_.table = &problem.table;
    scale_.curve = problem.curve.get();
    scale_.unit = bins_->unit;
    scale_.lightest = 2 * problem.half_least;
    if (!W::whole) {
      std::vector<double> per;
      for (std::size_t s = 0; s < bins_->k; ++s) {
        const double factor = problem.factors.split_of(s);
        per.push_back(scale_.unit * factor);
        scale_.least_factor = std::min(scale_.least_factor, factor);
      }
      scale_.per = Shared<double>(std::move(per));
    }
    least_ = bins_->has_sizes() ? std::max(least_count<WholeWeight>(problem.control.min_bucket), 1u)
                                : scale_.least(problem.control.min_bucket);
    concave_ = problem.criterion->form() != Form::power || kernel.q() <= 2.0;
    uncertainty_ = W::whole ? 0.0 : problem.curve->error(problem.n_classes, Scale::off);
  }

  std::shared_ptr<const ClassBins<W>> bins_;
  const std::uint16_t* label_ = nullptr;  // by row; the sorted Stat's
  Scale scale_;
  Count least_ = 1;
  bool concave_ = true;
  double uncertainty_ = 0.0;
};

}  // namespace tectree

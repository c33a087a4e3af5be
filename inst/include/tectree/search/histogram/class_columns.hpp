// The columns of a large node, from coarse to fine: first the cuts that the counts tell, with
// bounds on all others; then a closer look at the bins in which the best cut may lie; at last the
// exact score. Each column has a result, in which stands what is known of it so far.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "../classes/class_task.hpp"
#include "class_cells.hpp"
#include "class_cursor.hpp"
#include "groups_of_counts.hpp"
#include "score_bounds.hpp"

namespace tectree {

// A node that has been counted.
struct CountedNode {
  const Range& range;                       // with its counts
  const std::vector<std::uint32_t>& total;  // of each class
};

// Columns may be worked on at the same time by different workers.
class ClassColumns {
 public:
  ClassColumns(std::shared_ptr<const ClassProblem> problem, std::shared_ptr<const CodedRows> rows,
               int threads)
      : problem_(std::move(problem)),
        rows_(std::move(rows)),
        frame_(*problem_->frame),
        columns_(rows_->coded->columns),
        results_(columns_.size()),
        scans_(columns_.size()),
        scratch_(threads) {
    context_ = {problem_->criterion.get(),
                &problem_->control,
                {&problem_->criterion->kernel(), &problem_->table, 0.5}};
    least_ = std::max(least_count<WholeWeight>(problem_->control.min_bucket), 1u);
  }

  const std::vector<ColumnResult>& results() const { return results_; }
  int threads() const { return static_cast<int>(scratch_.size()); }

  // What the counts tell: a winner, or the result is open and its best cut known in part.
  void look(const CountedNode& node, std::uint32_t c, int worker) {
    ColumnResult& result = results_[c];
    Scratch& scratch = scratch_[worker];
    result.reset();
    const CodedColumn& column = columns_[c];
    if (!column.coded || column.exact) return look_at_groups(node, c, scratch.groups, result);
    const ClassView seen = view(node, c, scratch.total);
    if (seen.n < 2) {
      result.constant = true;
      return;
    }
    const CutValue value = cut_value(seen.n, seen.total, result);
    ClassBounds& scan = scans_[c];
    scan.start();
    ClassCursor cursor(seen, form(), value, scan);
    offer_edges(seen, cursor, scan.places);
    result.open = true;
    result.low = scan.low;
    result.high = scan.high;
  }

  // Looks into the bins in which a cut may reach `floor`.
  void look_closely(const CountedNode& node, std::uint32_t c, double floor, int worker) {
    ColumnResult& result = results_[c];
    Scratch& scratch = scratch_[worker];
    ClassBounds& scan = scans_[c];
    const ClassView seen = view(node, c, scratch.total);
    const CutValue value = cut_value(seen.n, seen.total, result);
    ClassCursor cursor(seen, form(), value, scan);
    scratch.inside.scan_places(seen, scan.places, floor, cursor);
    result.open = !scan.cuts.empty();
    result.low = scan.low;
    result.high = scan.high;
  }

  // The spans of a column before any bin is looked into.
  void find_span(const CountedNode& node, std::uint32_t c, int worker) {
    ColumnResult& result = results_[c];
    if (result.found) result.exactly();
    if (!result.open) return;
    const ClassView seen = view(node, c, scratch_[worker].total);
    const CutValue value = cut_value(seen.n, seen.total, result);
    const ScoreBounds bounds(seen, *problem_->criterion, value);
    while (result.open &&
           !bounds.surely_splits(scans_[c], problem_->control.min_gain, result.impurity))
      narrow(node, c, -HUGE_VAL, worker);
    if (result.open) bounds.find_span(scans_[c], result);
  }

  // Looks into the bins that matter where a score counts from `reach` on; scores the column once
  // there is nothing left to look into.
  void narrow(const CountedNode& node, std::uint32_t c, double reach, int worker) {
    ColumnResult& result = results_[c];
    Scratch& scratch = scratch_[worker];
    ClassBounds& scan = scans_[c];
    const ClassView seen = view(node, c, scratch.total);
    const CutValue value = cut_value(seen.n, seen.total, result);
    const ScoreBounds bounds(seen, *problem_->criterion, value);
    const std::vector<BinPlace> wanted = bounds.take_wanted(reach, scan);
    ClassCursor cursor(seen, form(), value, scan);
    scratch.inside.scan_places(seen, wanted, scan.low, cursor);
    if (ScoreBounds::settled(scan)) {
      resolve(node, c, worker);
      result.exactly();
    } else {
      bounds.find_span(scan, result);
    }
  }

  // Scores the cuts known from their counts.
  void resolve(const CountedNode& node, std::uint32_t c, int worker) {
    ColumnResult& result = results_[c];
    std::vector<BinCut>& cuts = scans_[c].settle();
    const ClassView seen = view(node, c, scratch_[worker].total);
    BestOf best(problem_->control.min_gain, result.impurity);
    Partition p;
    std::vector<double> left(k()), right(k());
    for (std::uint32_t i = 0; i < cuts.size(); ++i) {
      double n_r = 0.0;
      for (int s = 0; s < k(); ++s) {
        left[s] = cuts[i].left[s];
        right[s] = static_cast<double>(seen.total[s]) - left[s];
        n_r += right[s];
      }
      p.start(k());
      p.add(left.data(), cuts[i].at);
      p.add(right.data(), n_r);
      best.add(i, problem_->criterion->measure(p));
    }
    result.open = false;
    if (best.empty()) return;
    best.settle();
    BinCut& cut = cuts[best.at()];
    if (cut.at_edge) values_beside(seen, cut.bin, cut.below, cut.above);
    keep_cut(result, static_cast<int>(c), Kind::numeric, cut.below, cut.above, best.measures(),
             best.enough());
    result.winner.branch_weight.assign(
        {static_cast<double>(cut.at), static_cast<double>(seen.n - cut.at)});
  }

 private:
  struct Scratch {
    Groups groups;
    std::vector<std::uint32_t> total;
    LookInside<ClassCells> inside;
  };

  int k() const { return problem_->n_classes; }
  Form form() const { return problem_->criterion->form(); }

  void look_at_groups(const CountedNode& node, std::uint32_t c, Groups& groups,
                      ColumnResult& result) const {
    const Column& column = frame_.columns[c];
    const CodedColumn& coarse = columns_[c];
    if (coarse.coded) {
      groups_from_counts(
          rows_->counts(node.range, c), coarse.codes, k(),
          [&](std::size_t code) { return coarse.binned.values[code]; }, groups);
    } else {
      groups_of_levels(column, rows_->sample, rows_->of(node.range), node.range.size(),
                       rows_->coded->label.data(), k(), groups);
    }
    result.impurity = problem_->criterion->impurity(groups.total.data(), k(), groups.n);
    const CutValue value(*problem_->criterion, result.impurity / problem_->criterion->unit(),
                         groups.n, node.range.size(), true, problem_->control.min_gain);
    search_groups(context_, groups, static_cast<int>(c), column.kind, column.n_levels, value,
                  result);
    result.low = result.high = result.winner.cut / problem_->criterion->unit();
  }

  // The class counts of the column's rows with a value; their number.
  std::uint32_t known_total(const CountedNode& node, std::uint32_t c,
                            std::vector<std::uint32_t>& total) const {
    const std::uint32_t* missing = rows_->missing(node.range, c);
    std::uint32_t n = 0;
    total = node.total;
    for (int s = 0; s < k(); ++s) n += total[s] -= missing[s];
    return n;
  }

  // `total` is filled in, and must stay as long as the view.
  ClassView view(const CountedNode& node, std::uint32_t c,
                 std::vector<std::uint32_t>& total) const {
    const std::uint32_t n = known_total(node, c, total);
    return {
        {frame_.columns[c], rows_->sample, columns_[c], rows_->of(node.range), node.range.size()},
        rows_->coded->label.data(),
        rows_->counts(node.range, c),
        total,
        n,
        problem_->table,
        least_};
  }

  CutValue cut_value(std::uint32_t n, const std::vector<std::uint32_t>& total,
                     ColumnResult& result) const {
    const std::vector<double> counts(total.begin(), total.end());
    const Criterion& criterion = *problem_->criterion;
    result.impurity = criterion.impurity(counts.data(), k(), n);
    return CutValue(criterion, result.impurity / criterion.unit(), n, n, true,
                    problem_->control.min_gain);
  }

  std::shared_ptr<const ClassProblem> problem_;
  std::shared_ptr<const CodedRows> rows_;
  const Frame& frame_;
  const std::vector<CodedColumn>& columns_;
  std::vector<ColumnResult> results_;
  std::vector<ClassBounds> scans_;
  std::vector<Scratch> scratch_;
  ClassContext context_;
  std::uint32_t least_;
};

}  // namespace tectree

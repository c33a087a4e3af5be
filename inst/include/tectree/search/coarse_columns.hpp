// The columns of a large node, from coarse to fine: first the cuts that the counts tell, with
// bounds on all others; then a closer look at the bins in which the best cut may lie; at last the
// exact score. Each column has a slot, in which stands what is known of it so far.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "class_cursor.hpp"
#include "class_task.hpp"
#include "coarse_data.hpp"
#include "coarse_foresight.hpp"
#include "coarse_groups.hpp"

namespace tectree {

// A node that has been counted.
struct CoarseNode {
  const Range& range;                       // with its counts
  const std::vector<std::uint32_t>& total;  // of each class
};

// Columns may be worked on at the same time by different workers.
class CoarseColumns {
 public:
  CoarseColumns(std::shared_ptr<const ClassProblem> problem, std::shared_ptr<const CoarseRows> rows,
                int threads)
      : problem_(std::move(problem)),
        rows_(std::move(rows)),
        frame_(*problem_->frame),
        columns_(rows_->coded->columns),
        slots_(columns_.size()),
        scans_(columns_.size()),
        scratch_(threads) {
    context_ = {problem_->criterion.get(),
                &problem_->control,
                {&problem_->criterion->kernel(), &problem_->table, 0.5}};
    least_ = std::max(least_count<UnitWeight>(problem_->control.min_bucket), 1u);
  }

  const std::vector<Slot>& slots() const { return slots_; }
  int threads() const { return static_cast<int>(scratch_.size()); }

  // What the counts tell: a winner, or the slot is open and its best cut known in part.
  void look(const CoarseNode& node, std::uint32_t c, int worker) {
    Slot& slot = slots_[c];
    Scratch& scratch = scratch_[worker];
    slot.reset();
    const CoarseColumn& column = columns_[c];
    if (!column.coded || column.exact) return look_at_groups(node, c, scratch.groups, slot);
    const ClassView seen = view(node, c, scratch.total);
    if (seen.n < 2) {
      slot.constant = true;
      return;
    }
    const CutValue value = cut_value(seen.n, seen.total, slot);
    CoarseScan& scan = scans_[c];
    scan.start();
    ClassCursor cursor(seen, form(), value, scan);
    offer_edges(seen, cursor, scan.places);
    slot.open = true;
    slot.low = scan.low;
    slot.high = scan.high;
  }

  // Looks into the bins in which a cut may reach `floor`.
  void look_closely(const CoarseNode& node, std::uint32_t c, double floor, int worker) {
    Slot& slot = slots_[c];
    Scratch& scratch = scratch_[worker];
    CoarseScan& scan = scans_[c];
    const ClassView seen = view(node, c, scratch.total);
    const CutValue value = cut_value(seen.n, seen.total, slot);
    ClassCursor cursor(seen, form(), value, scan);
    scratch.closer.scan_places(seen, scan.places, floor, cursor);
    slot.open = !scan.cuts.empty();
    slot.low = scan.low;
    slot.high = scan.high;
  }

  // The spans of a column before any bin is looked into.
  void foresee(const CoarseNode& node, std::uint32_t c, int worker) {
    Slot& slot = slots_[c];
    if (slot.found) slot.exactly();
    if (!slot.open) return;
    const ClassView seen = view(node, c, scratch_[worker].total);
    const CutValue value = cut_value(seen.n, seen.total, slot);
    const CoarseForesight foresight(seen, *problem_->criterion, value);
    while (slot.open &&
           !foresight.surely_splits(scans_[c], problem_->control.min_gain, slot.impurity))
      narrow(node, c, -HUGE_VAL, worker);
    if (slot.open) foresight.foresee(scans_[c], slot);
  }

  // Looks into the bins that matter where a score counts from `reach` on; scores the column once
  // there is nothing left to look into.
  void narrow(const CoarseNode& node, std::uint32_t c, double reach, int worker) {
    Slot& slot = slots_[c];
    Scratch& scratch = scratch_[worker];
    CoarseScan& scan = scans_[c];
    const ClassView seen = view(node, c, scratch.total);
    const CutValue value = cut_value(seen.n, seen.total, slot);
    const CoarseForesight foresight(seen, *problem_->criterion, value);
    const std::vector<BinPlace> wanted = foresight.take_wanted(reach, scan);
    ClassCursor cursor(seen, form(), value, scan);
    scratch.closer.scan_places(seen, wanted, scan.low, cursor);
    if (CoarseForesight::settled(scan)) {
      resolve(node, c, worker);
      slot.exactly();
    } else {
      foresight.foresee(scan, slot);
    }
  }

  // Scores the cuts known from their counts.
  void resolve(const CoarseNode& node, std::uint32_t c, int worker) {
    Slot& slot = slots_[c];
    std::vector<CoarseCut>& cuts = scans_[c].settle();
    const ClassView seen = view(node, c, scratch_[worker].total);
    BestOf best(problem_->control.min_gain, slot.impurity);
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
    slot.open = false;
    if (best.empty()) return;
    best.settle();
    CoarseCut& cut = cuts[best.at()];
    if (cut.at_edge) values_beside(seen, cut.bin, cut.below, cut.above);
    keep_cut(slot, static_cast<int>(c), Kind::numeric, cut.below, cut.above, best.measures(),
             best.enough());
    slot.winner.branch_weight.assign(
        {static_cast<double>(cut.at), static_cast<double>(seen.n - cut.at)});
  }

 private:
  struct Scratch {
    Groups groups;
    std::vector<std::uint32_t> total;
    CloserLook<ClassCells> closer;
  };

  int k() const { return problem_->n_classes; }
  Form form() const { return problem_->criterion->form(); }

  void look_at_groups(const CoarseNode& node, std::uint32_t c, Groups& groups, Slot& slot) const {
    const Column& column = frame_.columns[c];
    const CoarseColumn& coarse = columns_[c];
    if (coarse.coded) {
      groups_from_counts(
          rows_->counts(node.range, c), coarse.codes, k(),
          [&](std::size_t code) { return coarse.binned.values[code]; }, groups);
    } else {
      groups_of_levels(column, rows_->sample, rows_->of(node.range), node.range.size(),
                       rows_->coded->label.data(), k(), groups);
    }
    slot.impurity = problem_->criterion->impurity(groups.total.data(), k(), groups.n);
    const CutValue value(*problem_->criterion, slot.impurity / problem_->criterion->unit(),
                         groups.n, node.range.size(), true, problem_->control.min_gain);
    search_groups(context_, groups, static_cast<int>(c), column.kind, column.n_levels, value, slot);
    slot.low = slot.high = slot.winner.cut / problem_->criterion->unit();
  }

  // The class counts of the column's rows with a value; their number.
  std::uint32_t known_total(const CoarseNode& node, std::uint32_t c,
                            std::vector<std::uint32_t>& total) const {
    const std::uint32_t* missing = rows_->missing(node.range, c);
    std::uint32_t n = 0;
    total = node.total;
    for (int s = 0; s < k(); ++s) n += total[s] -= missing[s];
    return n;
  }

  // `total` is filled in, and must stay as long as the view.
  ClassView view(const CoarseNode& node, std::uint32_t c, std::vector<std::uint32_t>& total) const {
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

  CutValue cut_value(std::uint32_t n, const std::vector<std::uint32_t>& total, Slot& slot) const {
    const std::vector<double> counts(total.begin(), total.end());
    const Criterion& criterion = *problem_->criterion;
    slot.impurity = criterion.impurity(counts.data(), k(), n);
    return CutValue(criterion, slot.impurity / criterion.unit(), n, n, true,
                    problem_->control.min_gain);
  }

  std::shared_ptr<const ClassProblem> problem_;
  std::shared_ptr<const CoarseRows> rows_;
  const Frame& frame_;
  const std::vector<CoarseColumn>& columns_;
  std::vector<Slot> slots_;
  std::vector<CoarseScan> scans_;
  std::vector<Scratch> scratch_;
  ClassContext context_;
  std::uint32_t least_;
};

}  // namespace tectree

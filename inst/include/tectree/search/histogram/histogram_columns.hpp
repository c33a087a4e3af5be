// The columns of a node, from coarse to fine: first the cuts that the codes tell, with bounds on
// all others; then a closer look at the bins in which the best cut may lie; at last the exact
// score. Where codes are levels to be grouped, their counts are the groups. Each column has a
// result, in which stands what is known of it so far.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../choose/best_cut.hpp"
#include "../choose/column_result.hpp"
#include "look_inside.hpp"

namespace tectree {

// Columns may be worked on at the same time by different workers.
template <class Stat>
class HistogramColumns {
 public:
  using Task = typename Stat::Task;

  HistogramColumns(const Stat& stat, Task& task, const HistogramRows& rows, int threads)
      : stat_(stat),
        task_(task),
        rows_(rows),
        results_(rows.codes->size()),
        cuts_(results_.size()),
        scratch_(threads) {}

  std::vector<ColumnResult>& results() { return results_; }
  int threads() const { return static_cast<int>(scratch_.size()); }

  // What the bins tell: the result is open, and its best cut known in part; or what a search by
  // value does.
  void look(const Range& node, std::uint32_t c, int worker, Team& team) {
    ColumnResult& result = results_[c];
    Scratch& scratch = scratch_[worker];
    result.reset();
    if (!rows_.counts(c)) return task_.column(rows_.arena, node, c, scratch.by_value, result, team);
    const auto view = stat_.view(rows_, task_, node, c, scratch.own, result);
    if (by_groups(c)) return stat_.search_groups(view, task_, c, scratch.own, team, result);
    result.constant = !stat_.may_cut(view);
    if (result.constant) return;
    auto& cuts = cuts_[c];
    cuts.start();
    typename Stat::Cursor cursor(view, cuts);
    const int present = offer_edges(view, cursor, cuts.places);
    if (view.column.exact) {
      result.constant = present < 2;
      if (cuts.cuts.empty()) return;
    }
    result.open = true;
    result.low = cuts.low;
    result.high = cuts.high;
  }

  // Looks into the bins in which a cut may reach `floor`.
  void look_closely(const Range& node, std::uint32_t c, double floor, int worker) {
    if (!has_bins(c)) return;
    ColumnResult& result = results_[c];
    Scratch& scratch = scratch_[worker];
    auto& cuts = cuts_[c];
    const auto view = stat_.view(rows_, task_, node, c, scratch.own, result);
    typename Stat::Cursor cursor(view, cuts);
    scratch.inside.scan_places(view, cuts.places, floor, cursor);
    result.open = !cuts.cuts.empty();
    result.low = cuts.low;
    result.high = cuts.high;
  }

  // The spans of a column before any bin is looked into.
  void find_span(const Range& node, std::uint32_t c, int worker) {
    ColumnResult& result = results_[c];
    if (result.found) result.exactly();
    if (!result.open) return;
    if (!rows_.counts(c)) return find_span_by_value(node, c, worker);
    const auto view = stat_.view(rows_, task_, node, c, scratch_[worker].own, result);
    const typename Stat::Scores scores(view, *task_.problem()->criterion);
    while (result.open &&
           !scores.surely_splits(cuts_[c], task_.control().min_gain, result.impurity))
      narrow(node, c, -HUGE_VAL, worker);
    if (result.open) scores.find_span(cuts_[c], result);
  }

  // Looks into the bins that matter where a score counts from `reach` on; scores the column once
  // there is nothing left to look into.
  void narrow(const Range& node, std::uint32_t c, double reach, int worker) {
    ColumnResult& result = results_[c];
    if (!has_bins(c)) {
      resolve(node, c, worker);
      return result.exactly();
    }
    Scratch& scratch = scratch_[worker];
    auto& cuts = cuts_[c];
    const auto view = stat_.view(rows_, task_, node, c, scratch.own, result);
    const typename Stat::Scores scores(view, *task_.problem()->criterion);
    const std::vector<BinPlace> wanted = scores.take_wanted(reach, cuts);
    typename Stat::Cursor cursor(view, cuts);
    scratch.inside.scan_places(view, wanted, cuts.low, cursor);
    if (Stat::Scores::settled(cuts)) {
      resolve(node, c, worker);
      result.exactly();
    } else {
      scores.find_span(cuts, result);
    }
  }

  // Scores the cuts that may be the best.
  void resolve(const Range& node, std::uint32_t c, int worker) {
    ColumnResult& result = results_[c];
    Scratch& scratch = scratch_[worker];
    if (!rows_.counts(c)) return task_.resolve(rows_.arena, node, c, scratch.by_value, result);
    const auto view = stat_.view(rows_, task_, node, c, scratch.own, result);
    std::vector<BinCut>& cuts = cuts_[c].settle();
    BestOf best(task_.control().min_gain, result.impurity);
    stat_.score(view, task_, cuts_[c], scratch.own, best);
    result.open = false;
    if (best.empty()) return;
    best.settle();
    BinCut& cut = cuts[best.at()];
    if (cut.at_edge) values_beside(view, cut.bin, cut.below, cut.above);
    keep_place(result, 0, best.measures(), best.enough());
    const Kind kind = task_.problem()->frame->columns[c].kind;
    result.winner.split = cut_between(static_cast<int>(c), kind, cut.below, cut.above);
    result.winner.branch_weight.assign({cut.size, stat_.size(view) - cut.size});
  }

  // Makes the split of a winner of which only the place is known.
  const Winner* winner(const Range& node, std::uint32_t c) {
    ColumnResult& result = results_[c];
    if (result.found_at > 0) task_.finish(rows_.arena, node, c, scratch_[0].by_value, result);
    return &result.winner;
  }

 private:
  bool has_bins(std::uint32_t c) const { return rows_.counts(c) && !(*rows_.codes)[c].exact; }
  bool by_groups(std::uint32_t c) const {
    return !divided_by_value(task_.control(), task_.problem()->frame->columns[c].kind);
  }

  struct Scratch {
    typename Stat::Scratch own;
    typename Task::Scratch by_value;
    LookInside<typename Stat::Cursor::Cells> inside;
  };

  void find_span_by_value(const Range& node, std::uint32_t c, int worker) {
    ColumnResult& result = results_[c];
    result.score = Span();
    if (task_.has_spans() && task_.span_of_cut(node, result)) return task_.span_of_score(result);
    resolve(node, c, worker);
    result.exactly();
  }

  const Stat& stat_;
  Task& task_;
  const HistogramRows& rows_;
  std::vector<ColumnResult> results_;
  std::vector<typename Stat::Cuts> cuts_;
  std::vector<Scratch> scratch_;  // by worker
};

}  // namespace tectree

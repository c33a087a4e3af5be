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
  void look(const Node& node, std::uint32_t c, int worker, Team& team) {
    ColumnResult& result = results_[c];
    result.reset();
    if (!rows_.counts(c))
      return task_.column(rows_.arena, range_of(node), c, scratch_[worker].by_value, result, team);
    auto column = column_of(node, c, worker);
    if (by_groups(c))
      return stat_.search_groups(column, task_, c, scratch_[worker].own, team, result);
    if (!column.may_cut()) return;
    cuts_[c].start();
    offer_edges(column, cuts_[c].places);
    if (column.coded.exact && cuts_[c].cuts.empty()) return;
    open(c);
  }

  // Looks into the bins in which a cut may reach `floor`.
  void look_closely(const Node& node, std::uint32_t c, double floor, int worker) {
    if (!has_bins(c)) return;
    auto column = column_of(node, c, worker);
    scratch_[worker].inside.scan_places(column, cuts_[c].places, floor);
    if (cuts_[c].cuts.empty()) {
      results_[c].state = ColumnResult::State::none;
    } else {
      open(c);
    }
  }

  // The spans of a column before any bin is looked into.
  void find_span(const Node& node, std::uint32_t c, int worker) {
    ColumnResult& result = results_[c];
    if (result.is_scored()) result.close_spans();
    if (!result.is_open()) return;
    if (!rows_.counts(c)) return narrow(node, c, -HUGE_VAL, worker);
    const auto column = column_of(node, c, worker);
    const typename Stat::Scores scores(column, *task_.stat().problem()->criterion);
    while (result.is_open() &&
           !scores.surely_splits(cuts_[c], task_.stat().control().min_gain, result.impurity))
      narrow(node, c, -HUGE_VAL, worker);
    if (result.is_open()) scores.find_span(cuts_[c], result);
  }

  // Looks into the bins that matter where a score counts from `reach` on; scores the column once
  // there is nothing left to look into.
  void narrow(const Node& node, std::uint32_t c, double reach, int worker) {
    ColumnResult& result = results_[c];
    if (!has_bins(c)) {
      resolve(node, c, worker);
      if (result.is_scored()) result.close_spans();
      return;
    }
    BinCuts& cuts = cuts_[c];
    auto column = column_of(node, c, worker);
    const typename Stat::Scores scores(column, *task_.stat().problem()->criterion);
    const std::vector<BinPlace> wanted = scores.take_wanted(reach, cuts);
    scratch_[worker].inside.scan_places(column, wanted, cuts.low);
    if (Stat::Scores::settled(cuts)) {
      resolve(node, c, worker);
      if (result.is_scored()) result.close_spans();
    } else {
      scores.find_span(cuts, result);
    }
  }

  // Scores the cuts that may be the best.
  void resolve(const Node& node, std::uint32_t c, int worker) {
    ColumnResult& result = results_[c];
    Scratch& scratch = scratch_[worker];
    if (!rows_.counts(c))
      return task_.resolve(rows_.arena, range_of(node), c, scratch.by_value, result);
    auto column = column_of(node, c, worker);
    std::vector<BinCut>& cuts = cuts_[c].settle();
    BestOf& best = scratch.best;
    best.start(task_.stat().control().min_gain, result.impurity);
    stat_.measure(column, task_, cuts, scratch.own,
                  [&](std::uint32_t i, const Measures& m) { best.add(i, m); });
    result.state = ColumnResult::State::none;
    if (best.empty()) return;
    best.settle();
    BinCut& cut = cuts[best.at()];
    if (cut.at_edge) values_beside(column, cut.bin, cut.below, cut.above);
    result.keep_cut(0, best.measures(), best.enough());
    const Kind kind = task_.stat().problem()->frame->columns[c].kind;
    result.complete(cut_between(static_cast<int>(c), kind, cut.below, cut.above));
    result.winner.branch_weight.assign({cut.size, column.size() - cut.size});
  }

  // Makes the split of a winner of which only the place is known.
  const Winner* winner(const Node& node, std::uint32_t c) {
    ColumnResult& result = results_[c];
    if (result.state == ColumnResult::State::scored)
      task_.finish(rows_.arena, range_of(node), c, scratch_[0].by_value, result);
    return &result.winner;
  }

 private:
  bool has_bins(std::uint32_t c) const { return rows_.counts(c) && !(*rows_.codes)[c].exact; }
  bool by_groups(std::uint32_t c) const {
    return !divided_by_value(task_.stat().control(),
                             task_.stat().problem()->frame->columns[c].kind);
  }

  struct Scratch {
    typename Stat::Scratch own;
    typename Task::Scratch by_value;
    LookInside<typename Stat::Counted> inside;
    BestOf best;
  };

  typename Stat::Counted column_of(const Node& node, std::uint32_t c, int worker) {
    return stat_.column(rows_, task_, node, c, scratch_[worker].own, cuts_[c], results_[c]);
  }
  void open(std::uint32_t c) { results_[c].open(cuts_[c].low, cuts_[c].high); }

  const Stat& stat_;
  Task& task_;
  const HistogramRows& rows_;
  std::vector<ColumnResult> results_;
  std::vector<BinCuts> cuts_;
  std::vector<Scratch> scratch_;  // by worker
};

}  // namespace tectree

// The columns of a node, from coarse to fine: first the cuts between codes, with bounds on all
// others; then a closer look at the bins that may contain the best cut; finally the exact score. If
// codes are levels to be grouped, their counts are the groups. Each column has a result, which
// contains what is known about it so far.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "../choose/best_cut.hpp"
#include "../choose/column_result.hpp"
#include "../groups/offer_divisions.hpp"
#include "histogram_stat.hpp"
#include "look_inside.hpp"

namespace tectree {

// Different workers may process columns at the same time.
template <class Source>
class HistogramColumns {
  static_assert(is_source<Source>());

 public:
  using Stat = typename Source::Stat;

  HistogramColumns(Source& source, int threads)
      : source_(source), results_(source.codes().size()), scratch_(threads) {}

  std::vector<ColumnResult>& results() { return results_; }
  int threads() const { return static_cast<int>(scratch_.size()); }

  // From the codes: the result is open, and its best cut known in part; or the result of a search
  // by value.
  void look(const Node& node, std::uint32_t c, int worker, Team& team) {
    ColumnResult& result = results_[c];
    result.reset();
    if constexpr (Source::in_memory) {
      if (!counts(c)) {
        return source_.task.column(arena(), range_of(node), c, scratch_[worker].by_value, result,
                                   team);
      }
    }
    auto column = column_of(node, c, worker);
    if (by_groups(c))
      return stat().search_groups(column, node_stat(), c, scratch_[worker].own, team, result);
    if (!column.may_cut()) return;
    offer_edges(column, result.places);
    result.open_contenders();
  }

  // Looks into the bins in which a cut may reach `floor`.
  void look_closely(const Node& node, std::uint32_t c, double floor, int worker) {
    if (!has_bins(c)) return;
    auto column = column_of(node, c, worker);
    ColumnResult& result = results_[c];
    scan_places(column, result.places, floor, worker);
    result.places.clear();
    result.state = ColumnResult::State::none;
    result.open_contenders();
  }

  // The spans of a column before any bin is looked into.
  void find_span(const Node& node, std::uint32_t c, int worker) {
    ColumnResult& result = results_[c];
    if (result.is_scored()) result.close_spans();
    if (!result.is_open()) return;
    if (!counts(c)) return narrow(node, c, -HUGE_VAL, worker);
    const auto column = column_of(node, c, worker);
    const typename Stat::Scores scores(column, *node_stat().problem()->criterion);
    while (result.is_open() && !scores.surely_splits(result, node_stat().control().min_gain))
      narrow(node, c, -HUGE_VAL, worker);
    if (result.is_open()) scores.find_span(result);
  }

  // Looks into the relevant bins if scores count from `reach` on; scores the column once there is
  // nothing left to look into.
  void narrow(const Node& node, std::uint32_t c, double reach, int worker) {
    ColumnResult& result = results_[c];
    if (!has_bins(c)) {
      resolve(node, c, worker);
      if (result.is_scored()) result.close_spans();
      return;
    }
    auto column = column_of(node, c, worker);
    const typename Stat::Scores scores(column, *node_stat().problem()->criterion);
    const std::vector<BinPlace> wanted = scores.take_wanted(reach, result);
    scan_places(column, wanted, column.floor(), worker);
    if (Stat::Scores::settled(result)) {
      resolve(node, c, worker);
      if (result.is_scored()) result.close_spans();
    } else {
      scores.find_span(result);
    }
  }

  // Scores the cuts that may be the best.
  void resolve(const Node& node, std::uint32_t c, int worker) {
    ColumnResult& result = results_[c];
    Scratch& scratch = scratch_[worker];
    if constexpr (Source::in_memory) {
      if (!counts(c))
        return source_.task.resolve(arena(), range_of(node), c, scratch.by_value, result);
    }
    auto column = column_of(node, c, worker);
    const std::vector<Contender>& cuts = result.contenders.settle_by_weight();
    BestOf& best = scratch.best;
    best.start(node_stat().control().min_gain, result.impurity);
    stat().measure(column, node_stat(), cuts, scratch.own,
                   [&](std::uint32_t i, const Measures& m) { best.add(i, m); });
    result.state = ColumnResult::State::none;
    if (best.empty()) return;
    best.settle();
    Contender cut = cuts[best.at()];
    if (cut.at_edge()) values_beside(column, cut.bin, cut.below, cut.above);
    result.keep_cut(0, best.measures(), best.enough());  // no position: the split is made at once
    result.complete(cut_between(static_cast<int>(c), kind(c), cut.below, cut.above));
    result.winner.branch_weight.assign({cut.weight, column.weight() - cut.weight});
  }

  // The splits that may be tried: cuts between codes, and groupings of levels; for a column that is
  // not counted, those of a search by value.
  void offer(const Node& node, std::uint32_t c, int worker, Team& team, std::vector<Offer>& out) {
    ColumnResult& result = results_[c];
    Scratch& scratch = scratch_[worker];
    if (!counts(c))
      return source_.task.offer(arena(), range_of(node), c, scratch.by_value, result, team, out);
    auto column = column_of(node, c, worker);
    if (by_groups(c)) return stat().offer_groups(column, node_stat(), c, scratch.own, team, out);
    if (!column.may_cut()) return;
    const std::vector<Contender> edges = all_edges(column, result.contenders);
    out.reserve(edges.size());
    const auto add = [&](std::uint32_t i, const Measures& m) {
      if (!worth_trying(m, node_stat().control().min_gain, node_stat().impurity())) return;
      out.push_back({{}, edges[i].bin, false});
      Winner& winner = out.back().winner =
          measured({kind(c) == Kind::numeric ? SplitKind::threshold : SplitKind::level,
                    static_cast<int>(c),
                    2,
                    {},
                    {},
                    {}},
                   m, true, no_branch);
      winner.branch_weight.assign({edges[i].weight, column.weight() - edges[i].weight});
    };
    if constexpr (Stat::by_cut_alone) {  // close enough to choose by
      for (std::uint32_t i = 0; i < edges.size(); ++i)
        add(i, {edges[i].high, edges[i].high, edges[i].high});
    } else {
      stat().measure(column, node_stat(), edges, scratch.own, add);
    }
  }

  // Makes the split of an offer of which only the bin is known.
  void complete(const Node& node, Offer& offer) {
    const auto c = static_cast<std::uint32_t>(offer.column());
    auto column = column_of(node, c, 0);
    Contender cut{0, 0.0, offer.bin};
    cut.weight = offer.left();
    Winner& winner = offer.winner;
    stat().measure(column, node_stat(), {cut}, scratch_[0].own,
                   [&](std::uint32_t, const Measures& m) {
                     winner.cut = m.cut;
                     winner.gain = m.gain;
                     winner.score = m.score;
                   });
    values_beside(column, cut.bin, cut.below, cut.above);
    winner.split = cut_between(offer.column(), kind(c), cut.below, cut.above);
    offer.bin = -1;
  }

  // Makes the split of a winner of which only the position is known.
  Winner* winner(const Node& node, std::uint32_t c) {
    ColumnResult& result = results_[c];
    if constexpr (Source::in_memory) {
      if (result.state == ColumnResult::State::scored)
        source_.task.finish(arena(), range_of(node), c, scratch_[0].by_value, result);
    }
    return &result.winner;
  }

 private:
  using Counted = typename Stat::Counted;
  struct Nothing {};
  template <class Column>
  struct InsideOf {
    using type = LookInside<Column>;
  };
  struct NoInside {
    using type = Nothing;
  };
  using Inside =
      typename std::conditional_t<Counted::may_have_bins, InsideOf<Counted>, NoInside>::type;

  struct Scratch {
    typename Stat::Scratch own;
    typename Source::ByValue by_value;
    Inside inside;
    BestOf best;
  };

  const Stat& stat() const { return source_.stat(); }
  const auto& arena() const { return source_.rows->arena; }  // if rows are in memory
  const auto& node_stat() const { return source_.node_stat(); }
  Kind kind(std::uint32_t c) const { return node_stat().problem()->frame->columns[c].kind; }
  bool counts(std::uint32_t c) const { return source_.cells().counts(c); }
  bool has_bins(std::uint32_t c) const {
    return Counted::may_have_bins && counts(c) && !source_.codes()[c].exact;
  }
  bool by_groups(std::uint32_t c) const {
    return !divided_by_value(node_stat().control(), kind(c));
  }

  Counted column_of(const Node& node, std::uint32_t c, int worker) {
    return stat().column(source_.view(node, c), source_.cells().first(c), node_stat(), node,
                         scratch_[worker].own, results_[c]);
  }
  void scan_places(Counted& column, const std::vector<BinPlace>& places, double floor, int worker) {
    if constexpr (Counted::may_have_bins)
      scratch_[worker].inside.scan_places(column, places, floor);
  }

  Source& source_;
  std::vector<ColumnResult> results_;
  std::vector<Scratch> scratch_;  // by worker
};

}  // namespace tectree

// Regression by least absolute deviations as a Task of the sorted search.
//
// The response is one more sorted column: a node's numbers lie in ascending order in its range of
// `order_`. What the two sides of a cut cost is told by a MedianScan where rows count 1, in O(1) a
// row, and by MedianTallies of weighted rows and of groups, in O(log n); candidates that may win
// are scored again from the numbers themselves, in ascending order.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "../../data/arena.hpp"
#include "../../data/take.hpp"
#include "../../tally/median_tally.hpp"
#include "../../tally/weights.hpp"
#include "median_groups.hpp"
#include "median_scan.hpp"
#include "number_problem.hpp"

namespace tectree {

template <class Index>
class MedianTask {
 public:
  struct Scratch {
    MedianGroups<Index> groups;
    MedianScan<Index> scan;
  };

  // `order`: the arena's rows by their number, ascending.
  MedianTask(std::shared_ptr<const NumberProblem> problem, Numbers numbers,
             std::vector<Entry<Index>> order)
      : problem_(std::move(problem)),
        shared_(std::make_shared<Shared>(Shared{std::move(numbers), std::move(order), {}})),
        numbers_(shared_->numbers),
        order_(shared_->order),
        place_(shared_->place) {
    place_.resize(order_.size());
  }

  Eligible eligible() const { return effective(problem_->control.eligible, Eligible::all); }
  bool lazy() const { return eligible() == Eligible::all; }
  bool has_spans() const { return false; }
  bool span_of_cut(const Range&, ColumnResult&) const { return false; }
  void span_of_score(ColumnResult&) const {}
  double impurity() const { return impurity_; }
  bool unbeatable(const ColumnResult&) const { return false; }

  NodeFacts describe(const Arena<Index>&, const Range& node, double*) {
    all_.clear();
    for (std::size_t i = node.begin; i < node.end; ++i)
      numbers_.add_to(all_, number(i), order_[i].row);
    NodeFacts facts;
    facts.n = node.size();
    facts.weight = all_.weight();
    facts.yval = all_.median();
    facts.impurity = all_.absolute_deviation() / all_.weight();
    facts.pure = number(node.begin) == number(node.end - 1);
    return facts;
  }

  void begin(const Arena<Index>& arena, const Range& node) {
    const NodeFacts facts = describe(arena, node, nullptr);
    impurity_ = facts.impurity;
    node_weight_ = facts.weight;
    centred_.clear();
    for (std::size_t i = node.begin; i < node.end; ++i) {
      place_[order_[i].row] = static_cast<Index>(i - node.begin);
      centred_.push_back(number(i) - facts.yval);
    }
  }

  void column(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
              ColumnResult& result, Team& team) {
    const ArenaColumn<Index>& entries = arena.columns[c];
    const std::size_t known = entries.known(node.begin, node.end);
    const Entry<Index>* e = entries.entries.data() + node.begin;
    if (known < 2 || e[0].rank == e[known - 1].rank) {
      result.constant = true;
      return;
    }
    result.impurity = impurity_;
    const Column& column = problem_->frame->columns[c];
    const bool intervals = column.kind == Kind::numeric && problem_->control.intervals > 2;
    if (numbers_.weight.empty() && !intervals && !fills(arena, c) &&
        !problem_->control.random_cuts && divided_by_value(problem_->control, column.kind)) {
      offer_cuts(node, e, known, scratch.scan, result);
    } else {
      groups_of(arena, node, c, scratch.groups);
      if (fills(arena, c)) {
        scratch.groups.sort_rows(e, node.size());
      } else {
        scratch.groups.take_rows(e, known);
      }
      search_groups(node, c, intervals, scratch.groups, team, result);
    }
  }

  // Scores the contenders of a column of rows that count 1.
  void resolve(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
               ColumnResult& result) {
    const Entry<Index>* e = arena.columns[c].entries.data() + node.begin;
    const std::size_t known = arena.columns[c].known(node.begin, node.end);
    MedianGroups<Index>& sides = scratch.groups;
    sides.group_of.resize(arena.n);
    sides.groups.unknown = unknown_weight(node, known);
    for (std::size_t i = 0; i < node.size(); ++i) sides.group_of[e[i].row] = i < known ? 1 : -1;
    BestOf best(problem_->control.min_gain, result.impurity);
    std::size_t i = 0;
    for (const Contenders::Cut& cut : result.contenders.settle()) {
      for (; i < cut.at; ++i) sides.group_of[e[i].row] = 0;
      best.add(cut.at, sides.measure(ranked(node), 2, [](int side) { return side; }));
    }
    result.open = false;
    if (best.empty()) return;
    best.settle();
    keep_place(result, best);
  }

  void finish(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch&,
              ColumnResult& result) const {
    const Entry<Index>* e = arena.columns[c].entries.data() + node.begin;
    const std::size_t known = arena.columns[c].known(node.begin, node.end), at = result.place;
    const auto raw = [&](std::size_t entry) {
      return problem_->frame->columns[c].value(problem_->sample->row(arena.position(e[entry].row)));
    };
    finish_cut(result, static_cast<int>(c), problem_->frame->columns[c].kind, raw(at - 1), raw(at));
    result.winner.branch_weight.assign({static_cast<double>(at), static_cast<double>(known - at)});
  }

  void tag(Arena<Index>&) const {}
  static constexpr bool may_preview = false;

  template <class Divide>
  void divide(Divide divide) {
    divide(order_);
  }

  template <class Small>
  auto shrink(const Arena<Index>& from, const Small& to, const Range& node,
              const std::vector<std::uint16_t>& local) const {
    std::vector<Entry<std::uint16_t>> order(to.n);
    for (std::size_t i = 0; i < to.n; ++i) order[i] = {0, local[order_[node.begin + i].row]};
    return MedianTask<std::uint16_t>(problem_, numbers_.of_rows(from.rows, node.begin, to.n),
                                     std::move(order));
  }

  // The column's values with their weights, and the group of every row of the node.
  void groups_of(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                 MedianGroups<Index>& out) const {
    out.group_of.resize(arena.n);
    for (std::size_t i = node.begin; i < node.end; ++i) out.group_of[order_[i].row] = -1;
    Groups& groups = out.groups;
    const std::size_t filled = collect_groups(
        arena, c, problem_->frame->columns[c], *problem_->sample, node.begin, node.end, 0, groups,
        [&](double*, Index row) {
          out.group_of[row] = static_cast<int>(groups.size()) - 1;
          return numbers_.w(row);
        },
        fills(arena, c));
    groups.unknown =
        UnknownWeight(problem_->control.unknown, groups.complete, groups.n, node_weight_);
    if (filled == not_filled) return;
    const ArenaColumn<Index>& column = arena.columns[c];
    for (std::size_t i = node.begin + column.known(node.begin, node.end); i < node.end; ++i)
      out.group_of[column.entries[i].row] = static_cast<int>(filled);
  }

  const SearchControl& control() const { return problem_->control; }
  double weight_of(Index row) const { return numbers_.w(row); }
  double mass_of(Index row) const { return weight_of(row); }

  // The task of some rows with weights of their own.
  template <class Small>
  auto take(const Taken<Index>& taken) const {
    std::vector<Entry<Small>> order;
    for (std::size_t i = taken.node_begin; i < taken.node_end; ++i) {
      const std::uint32_t place = taken.place[order_[i].row];
      if (place != not_taken) order.push_back({0, static_cast<Small>(place)});
    }
    return MedianTask<Small>(problem_, numbers_.with_weights(taken.rows, taken.weight),
                             std::move(order));
  }

  // Of the node that begin() was told.
  RankedNode<Index> ranked(const Range& node) const {
    return {order_.data() + node.begin, centred_, place_.data(), numbers_};
  }

 private:
  // Of rows that count 1.
  UnknownWeight unknown_weight(const Range& node, std::size_t known) const {
    return {problem_->control.unknown, known == node.size(), static_cast<double>(known),
            node_weight_};
  }

  bool fills(const Arena<Index>& arena, std::uint32_t c) const {
    return problem_->control.unknown == SearchControl::Unknown::filled &&
           arena.columns[c].has_missing;
  }

  // Of a column of rows that count 1.
  void offer_cuts(const Range& node, const Entry<Index>* e, std::size_t known,
                  MedianScan<Index>& scan, ColumnResult& result) const {
    scan.offer_cuts(
        MedianColumn<Index>{
            e, place_.data(), centred_.data(), static_cast<std::uint32_t>(node.size()),
            static_cast<std::uint32_t>(known), impurity_ * node_weight_,
            unknown_weight(node, known).share, slack_of_sums(result.impurity, known),
            least_count<WholeWeight>(problem_->control.min_bucket), result.floor},
        result.contenders);
    result.open = !result.contenders.empty();
    result.low = result.contenders.floor();
    result.high = result.contenders.high();
  }

  void search_groups(const Range& node, std::uint32_t c, bool intervals,
                     MedianGroups<Index>& groups, Team& team, ColumnResult& result) const {
    if (intervals) {
      groups.search_intervals(ranked(node), problem_->control, c, team, result);
    } else if (draws_cuts(problem_->control, problem_->frame->columns[c].kind)) {
      keep_drawn(problem_->control, groups.groups, c, problem_->frame->columns[c].kind, node.stream,
                 result, [&](const DrawnDivision& drawn, const double*, double) {
                   const std::vector<char> left = prefix_members(drawn.divisions.order, drawn.at);
                   return groups.measure(ranked(node), 2, [&](int g) { return left[g] ? 0 : 1; });
                 });
    } else {
      groups.search_divisions(ranked(node), problem_->control, c, problem_->frame->columns[c], team,
                              result);
    }
    result.low = result.high = result.winner.cut;
  }

  double number(std::size_t i) const { return numbers_.y[order_[i].row]; }

  std::shared_ptr<const NumberProblem> problem_;
  // Shared by forks, which work on nodes that share no row.
  struct Shared {
    Numbers numbers;
    std::vector<Entry<Index>> order;
    std::vector<Index> place;  // by row: its place among the node's numbers
  };
  std::shared_ptr<Shared> shared_;
  const Numbers& numbers_;
  std::vector<Entry<Index>>& order_;
  std::vector<Index>& place_;
  std::vector<double> centred_;  // the node's numbers around their median, ascending
  SortedTally all_;
  double impurity_ = 0.0, node_weight_ = 0.0;
};

}  // namespace tectree

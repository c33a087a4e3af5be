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
#include "median_scan.hpp"
#include "median_worth.hpp"
#include "number_problem.hpp"

namespace tectree {

template <class Index>
class MedianTask : public NumberNode<Index> {
 public:
  using Node = NumberNode<Index>;
  struct Scratch {
    MedianWorth<Index> worth;
    MedianScan<Index> scan;
  };

  // `order`: the arena's rows by their number, ascending.
  MedianTask(std::shared_ptr<const NumberProblem> problem, Numbers numbers,
             std::vector<Entry<Index>> order)
      : Node(std::move(problem), std::make_shared<const Numbers>(std::move(numbers))),
        shared_order_(std::make_shared<Order>()),
        order_(shared_order_->rows),
        place_(shared_order_->place) {
    order_ = std::move(order);
    place_.resize(order_.size());
  }

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
    if (numbers_.weight.empty() && !this->by_groups(arena, c))
      return offer_cuts(node, e, known, scratch.scan, result);
    MedianWorth<Index>& worth = scratch.worth;
    groups_of(arena, node, c, worth);
    if (this->fills(arena, c)) {
      worth.sort_rows(e, node.size());
    } else {
      worth.take_rows(e, known);
    }
    search_groups(worth, {this->predictor(c), c, node.stream}, team, result);
  }

  // Scores the contenders of a column of rows that count 1.
  void resolve(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
               ColumnResult& result) {
    const Entry<Index>* e = arena.columns[c].entries.data() + node.begin;
    const std::size_t known = arena.columns[c].known(node.begin, node.end);
    MedianWorth<Index>& sides = scratch.worth;
    sides.node = ranked(node);
    sides.group_of.resize(arena.n);
    sides.of_column.unknown = this->unknown_weight(known == node.size(), known);
    for (std::size_t i = 0; i < node.size(); ++i) sides.group_of[e[i].row] = i < known ? 1 : -1;
    std::size_t i = 0;
    this->resolve_by(result, [&](std::uint32_t at) {
      for (; i < at; ++i) sides.group_of[e[i].row] = 0;
      return sides.measure(2, [](int side) { return side; });
    });
  }

  template <class Divide>
  void divide(Divide divide) {
    divide(order_);
  }

  template <class Small>
  auto shrink(const Arena<Index>& from, const Small& to, const Range& node,
              const std::vector<std::uint16_t>& local) const {
    std::vector<Entry<std::uint16_t>> order(to.n);
    for (std::size_t i = 0; i < to.n; ++i) order[i] = {0, local[order_[node.begin + i].row]};
    return MedianTask<std::uint16_t>(this->problem_, numbers_.of_rows(from.rows, node.begin, to.n),
                                     std::move(order));
  }

  // The column's values with their weights, and the group of every row of the node.
  void groups_of(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                 MedianWorth<Index>& out) const {
    out.node = ranked(node);
    out.group_of.resize(arena.n);
    for (std::size_t i = node.begin; i < node.end; ++i) out.group_of[order_[i].row] = -1;
    Groups& groups = out.of_column;
    const std::size_t filled = collect_groups(
        arena, c, this->predictor(c), *problem_->sample, node.begin, node.end, 0, groups,
        [&](double*, const Entry<Index>* e, const Entry<Index>* last) {
          double weight = 0.0;
          for (; e < last; ++e) {
            out.group_of[e->row] = static_cast<int>(groups.size()) - 1;
            weight += numbers_.w(e->row);
          }
          return weight;
        },
        this->fills(arena, c));
    groups.unknown = this->unknown_weight(groups.complete, groups.n);
    if (filled == not_filled) return;
    const ArenaColumn<Index>& column = arena.columns[c];
    for (std::size_t i = node.begin + column.known(node.begin, node.end); i < node.end; ++i)
      out.group_of[column.entries[i].row] = static_cast<int>(filled);
  }

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

 private:
  using Node::impurity_;
  using Node::node_weight_;
  using Node::numbers_;
  using Node::problem_;

  // Of the node that begin() was told.
  RankedNode<Index> ranked(const Range& node) const {
    return {&problem_->control, &numbers_,     order_.data() + node.begin,
            &centred_,          place_.data(), impurity_};
  }

  // Of a column of rows that count 1.
  void offer_cuts(const Range& node, const Entry<Index>* e, std::size_t known,
                  MedianScan<Index>& scan, ColumnResult& result) const {
    scan.offer_cuts(
        MedianColumn<Index>{e, place_.data(), centred_.data(),
                            static_cast<std::uint32_t>(node.size()),
                            static_cast<std::uint32_t>(known), impurity_ * node_weight_,
                            this->unknown_weight(known == node.size(), known).share,
                            slack_of_sums(result.impurity, known),
                            least_count<WholeWeight>(problem_->control.min_bucket), result.floor},
        result.contenders);
    this->open(result);
  }

  double number(std::size_t i) const { return numbers_.y[order_[i].row]; }

  // Shared by forks, which work on nodes that share no row.
  struct Order {
    std::vector<Entry<Index>> rows;
    std::vector<Index> place;  // by row: its place among the node's numbers
  };
  std::shared_ptr<Order> shared_order_;
  std::vector<Entry<Index>>& order_;
  std::vector<Index>& place_;
  std::vector<double> centred_;  // the node's numbers around their median, ascending
  SortedTally all_;
};

}  // namespace tectree

// Numbers by their ranks, for absolute deviations: a Stat (see ../sorted/stat.hpp).
//
// The response is one more sorted column: a node's numbers are its range of `order_`, ascending.
// The deviations of both sides of a cut come from a MedianScan if rows count 1, in O(1) per row,
// and from MedianTallies for weighted rows and groups, in O(log n). Candidates that may win are
// scored again from the numbers themselves, in ascending order.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "../../data/order.hpp"
#include "../../data/take.hpp"
#include "../../tally/medians.hpp"
#include "../../tally/weights.hpp"
#include "median_worth.hpp"
#include "number_problem.hpp"
#include "number_scan.hpp"

namespace tectree {

template <class Index>
class MedianStat : public NumberStat<Index> {
  using Base = NumberStat<Index>;
  using Base::node_;
  using Base::numbers_;
  using Base::problem_;

 public:
  struct Scratch {
    MedianWorth<Index> worth;
    MedianScan<Index> scan;
  };

  MedianStat(std::shared_ptr<const NumberProblem> problem, Numbers numbers)
      : MedianStat(std::move(problem), std::move(numbers), {}) {
    std::vector<Keyed> items, spare;
    const auto value = [&](std::size_t row) { return numbers_->y[row] + 0.0; };
    for (std::size_t i = 0; i < numbers_->y.size(); ++i) items.push_back(keyed(value(i), i));
    in_order(items, spare, value, [&](std::uint32_t row, bool) {
      order_.push_back({0, static_cast<Index>(row)});
    });
    place_.resize(order_.size());
  }
  // `order`: the arena's rows by their number, ascending.
  MedianStat(std::shared_ptr<const NumberProblem> problem, Numbers numbers,
             std::vector<Entry<Index>> order)
      : Base(std::move(problem), std::move(numbers)),
        shared_order_(std::make_shared<Order>()),
        order_(shared_order_->rows),
        place_(shared_order_->place) {
    order_ = std::move(order);
    place_.resize(order_.size());
  }

  NodeFacts describe(const Arena<Index>&, const Range& node, double*) {
    all_.clear();
    for (std::size_t i = node.begin; i < node.end; ++i)
      all_.add(number(i), numbers_->w(order_[i].row));
    NodeFacts facts;
    facts.n = node.size();
    facts.weight = all_.weight();
    facts.yval = all_.median();
    facts.impurity = all_.absolute_deviation() / all_.weight();
    facts.pure = number(node.begin) == number(node.end - 1);
    if (this->has_sizes()) {
      facts.size =
          this->sum_sizes(node.begin, node.end, [&](std::size_t i) { return order_[i].row; });
    }
    return facts;
  }

  void begin(const Arena<Index>& arena, const Range& node) {
    const NodeFacts facts = describe(arena, node, nullptr);
    node_ = {facts.weight, facts.impurity};
    ranked_ = {&problem_->control,         numbers_.get(), order_.data() + node.begin, &place_,
               std::move(ranked_.centred), node_.impurity};
    ranked_.centred.clear();
    for (std::size_t i = node.begin; i < node.end; ++i) {
      place_[order_[i].row] = static_cast<Index>(i - node.begin);
      ranked_.centred.push_back(number(i) - facts.yval);
    }
  }

  template <class Divide>
  void divide(Divide divide) {
    divide(order_);
  }

  template <class Small>
  auto shrunk(const Arena<Index>& from, const Small& to, const Range& node,
              const std::vector<std::uint16_t>& local) const {
    std::vector<Entry<std::uint16_t>> order(to.n);
    for (std::size_t i = 0; i < to.n; ++i) order[i] = {0, local[order_[node.begin + i].row]};
    return MedianStat<std::uint16_t>(problem_, numbers_->of_rows(from.rows, node.begin, to.n),
                                     std::move(order));
  }
  template <class Small>
  auto with_weights(const Taken<Index>& some) const {
    std::vector<Entry<Small>> order;
    for (std::size_t i = some.node_begin; i < some.node_end; ++i) {
      const std::uint32_t place = some.place[order_[i].row];
      if (place != not_taken) order.push_back({0, static_cast<Small>(place)});
    }
    return MedianStat<Small>(problem_, numbers_->with_weights(some), std::move(order));
  }

  static constexpr int width() { return 0; }
  double add_rows(double*, const Entry<Index>* e, const Entry<Index>* last) const {
    return this->weigh(e, last);
  }
  MedianWorth<Index>& worth(const NodeColumn<Index>& column, const Groups& groups, Scratch& scratch,
                            ColumnResult& result) const {
    result.impurity = node_.impurity;
    scratch.worth.start(ranked_, column, groups.unknown.share);
    scratch.worth.group(groups, column);
    return scratch.worth;
  }

  bool scans() const { return this->counts_rows(); }
  void scan(const NodeColumn<Index>& column, Scratch& scratch, ColumnResult& result) const {
    result.impurity = node_.impurity;
    scratch.scan.offer_cuts(
        this->number_column(column, static_cast<double>(column.known),
                            slack_of_sums(node_.impurity, column.known), result),
        {place_.data(), ranked_.centred.data(), node_.impurity * node_.weight}, result.contenders);
    result.open_contenders();
  }
  template <class Cuts>
  void score(const NodeColumn<Index>& column, const Cuts& cuts, Scratch& scratch,
             BestOf& best) const {
    scratch.worth.start(
        ranked_, column,
        this->unknown_weight(column.complete(), static_cast<double>(column.known)).share);
    each_rival(cuts, node_.impurity,
               [&](std::uint32_t at) { best.add(at, scratch.worth.of_cut(at)); });
  }

 private:
  double number(std::size_t i) const { return numbers_->y[order_[i].row]; }

  // Shared by forks, which work on nodes without common rows.
  struct Order {
    std::vector<Entry<Index>> rows;
    std::vector<Index> place;  // by row: its position among the node's numbers
  };
  std::shared_ptr<Order> shared_order_;
  std::vector<Entry<Index>>& order_;
  std::vector<Index>& place_;
  RankedNode<Index> ranked_;  // set by begin()
  SortedTally all_;
};

}  // namespace tectree

// Numbers counted by their sums, for criteria about the mean: a Stat of the sorted search.
#pragma once

#include <cmath>
#include <memory>
#include <utility>

#include "../missing/filled_entries.hpp"
#include "mean_scan.hpp"
#include "mean_worth.hpp"
#include "number_problem.hpp"

namespace tectree {

template <class Index, class Criterion>
class MeanStat : public NumberNode<Index> {
 public:
  struct Scratch {
    MeanScan<Criterion> scan;
  };

  MeanStat(std::shared_ptr<const NumberProblem> problem, Numbers numbers)
      : NumberNode<Index>(std::move(problem), std::move(numbers)) {}

  double mean() const { return mean_; }

  NodeFacts describe(const Arena<Index>& arena, const Range& node, double*) {
    const Centre about = centre(arena, node);
    NodeFacts facts;
    facts.n = node.size();
    facts.weight = about.weight;
    facts.yval = about.mean;
    facts.impurity = about.loss;
    facts.pure = true;
    for (std::size_t i = node.begin; i < node.end && facts.pure; ++i)
      facts.pure = numbers_.y[arena.rows[i]] == numbers_.y[arena.rows[node.begin]];
    return facts;
  }

  void begin(const Arena<Index>& arena, const Range& node) {
    const Centre about = centre(arena, node);
    node_weight_ = about.weight;
    mean_ = about.mean;
    impurity_ = about.loss;
  }

  static constexpr bool shares_rows = false, groups_by_level = false;
  template <class To>
  auto shrunk(const Arena<Index>& from, const Arena<To>& to, const Range& node,
              const std::vector<std::uint16_t>&) const {
    return MeanStat<To, Criterion>(problem_, numbers_.of_rows(from.rows, node.begin, to.n));
  }
  template <class Small>
  auto taken(const Taken<Index>& some) const {
    return MeanStat<Small, Criterion>(problem_, numbers_.with_weights(some.rows, some.weight));
  }

 protected:
  static constexpr int width() { return 1; }
  double put(double* tally, const Entry<Index>* e, const Entry<Index>* last) const {
    for (const Entry<Index>* i = e; i < last; ++i)
      *tally += numbers_.w(i->row) * (numbers_.y[i->row] - mean_);
    return this->weigh(e, last);
  }
  // The scale of rounding is the node's, however alike the known rows.
  MeanWorth<Criterion> worth(const NodeColumn<Index>&, const Groups& groups, Scratch&,
                             ColumnResult& result) const {
    result.impurity = impurity_;
    return {problem_->control, groups, impurity_, mean_};
  }

  static constexpr bool scans() { return true; }
  void scan(const NodeColumn<Index>& column, Scratch& scratch, ColumnResult& result) const {
    result.impurity = impurity_;
    const bool unit = this->counts_rows(), complete = column.complete();
    const double known = static_cast<double>(column.known),
                 n = unit || complete ? known : this->weigh(column.e, column.e + column.known);
    // Where losses may overflow, every cut is scored from its rows.
    const bool safe = std::isfinite(impurity_ * node_weight_ * node_weight_);
    scratch.scan.offer_cuts(
        MeanColumn<Index>{column.e, numbers_.y.data(), unit ? nullptr : numbers_.weight.data(),
                          problem_->inverse.data(), static_cast<std::uint32_t>(column.known), mean_,
                          this->unknown_weight(complete, n).share,
                          safe ? slack_of_sums(impurity_, column.known) : HUGE_VAL,
                          problem_->control.min_bucket, result.floor},
        result.contenders);
    this->open(result);
  }

  // The same whatever the order of the rows on each side.
  template <class Cuts>
  void score(const NodeColumn<Index>& column, const Cuts& cuts, Scratch&, const ColumnResult&,
             BestOf& best) const {
    for (const Contenders::Cut& cut : cuts) {
      const Entry<Index>* middle = column.e + cut.at;
      const Pair left = numbers_.centred(mean_, column.e, middle),
                 right = numbers_.centred(mean_, middle, column.e + column.known);
      Moments<Criterion> m(this->unknown_weight(column.complete(), left[0] + right[0]).share,
                           mean_);
      m.add(left[1], left[0]);
      m.add(right[1], right[0]);
      best.add(cut.at, m.measures());
    }
  }

 private:
  using Node = NumberNode<Index>;
  using Node::impurity_;
  using Node::node_weight_;
  using Node::numbers_;
  using Node::problem_;

  Centre centre(const Arena<Index>& arena, const Range& node) const {
    return numbers_.template centre<Criterion>(arena.rows.data() + node.begin, node.size());
  }

  double mean_ = 0.0;
};

}  // namespace tectree

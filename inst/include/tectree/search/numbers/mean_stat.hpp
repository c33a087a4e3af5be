// Numbers by their sums, for criteria about the mean: a Stat (see ../sorted/stat.hpp) and its
// Worth.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../../criterion/deviation.hpp"
#include "../groups/group_search.hpp"
#include "../missing/unknown.hpp"
#include "number_problem.hpp"
#include "number_scan.hpp"

namespace tectree {

// The exact measures of a split, from the sums and weights of its branches.
template <class Criterion>
class MeanExact {
 public:
  // `share`: of the node's weight with a value; `mean`: of the node.
  MeanExact(double share, double mean) : share_(share), mean_(mean) {}

  void start() { sum_ = parts_ = n_ = 0.0; }
  void add(const double* sum, double n) { add(*sum, n); }
  void add(double sum, double n) {
    sum_ += sum;
    n_ += n;
    parts_ += Criterion::part(sum, n, mean_);
  }
  Measures measures() const {
    const double gain = share_ * (parts_ - Criterion::part(sum_, n_, mean_)) / n_;
    return {gain, gain, gain};
  }
  static double rest(double all, double part) { return all - part; }
  double cost(const std::vector<double>& sums, double n) const {
    return -Criterion::part(sums[0], n, mean_);
  }
  // Levels in the order of their means, of which the best grouping is a prefix (Fisher 1958).
  static GroupDivisions groupings(const Groups& groups) {
    return {DivisionKind::prefixes, order_by_share(groups, 0), true, true};
  }

 private:
  double share_, mean_, sum_ = 0.0, parts_ = 0.0, n_ = 0.0;
};

// A group's tally is the sum of its numbers, centred at the node's mean.
template <class Criterion>
using MeanWorth = TallyWorth<MeanExact<Criterion>>;

template <class Index, class Criterion>
class MeanStat : public NumberStat<Index> {
  using Base = NumberStat<Index>;
  using Base::node_;
  using Base::numbers_;
  using Base::problem_;

 public:
  struct Scratch {};

  MeanStat(std::shared_ptr<const NumberProblem> problem, Numbers numbers)
      : Base(std::move(problem), std::move(numbers)) {}

  double mean() const { return mean_; }

  NodeFacts describe(const Arena<Index>& arena, const Range& node, double*) {
    const Centre about =
        numbers_->template centre<Criterion>(arena.rows.data() + node.begin, node.size());
    NodeFacts facts;
    facts.n = node.size();
    facts.weight = about.weight;
    facts.yval = about.mean;
    facts.impurity = about.loss;
    facts.pure = true;
    for (std::size_t i = node.begin; i < node.end && facts.pure; ++i)
      facts.pure = numbers_->y[arena.rows[i]] == numbers_->y[arena.rows[node.begin]];
    if (this->has_sizes()) {
      facts.size =
          this->sum_sizes(node.begin, node.end, [&](std::size_t i) { return arena.rows[i]; });
    }
    return facts;
  }

  void begin(const Arena<Index>& arena, const Range& node) {
    const NodeFacts facts = describe(arena, node, nullptr);
    node_ = {facts.weight, facts.impurity};
    mean_ = facts.yval;
  }

  template <class To>
  auto shrunk(const Arena<Index>& from, const Arena<To>& to, const Range& node,
              const std::vector<std::uint16_t>&) const {
    return MeanStat<To, Criterion>(problem_, numbers_->of_rows(from.rows, node.begin, to.n));
  }
  template <class Small>
  auto with_weights(const Taken<Index>& some) const {
    return MeanStat<Small, Criterion>(problem_, numbers_->with_weights(some));
  }

  static constexpr int width() { return 1; }
  double add_rows(double* tally, const Entry<Index>* e, const Entry<Index>* last) const {
    for (const Entry<Index>* i = e; i < last; ++i)
      *tally += numbers_->w(i->row) * (numbers_->y[i->row] - mean_);
    return this->weigh(e, last);
  }
  // Rounding is relative to the node's impurity, even if the known rows have less.
  MeanWorth<Criterion> worth(const NodeColumn<Index>&, const Groups& groups, Scratch&,
                             ColumnResult& result) const {
    result.impurity = node_.impurity;
    return {problem_->control, groups, {groups.unknown.share, mean_}, node_.impurity};
  }

  static constexpr bool scans() { return true; }
  void scan(const NodeColumn<Index>& column, Scratch&, ColumnResult& result) const {
    result.impurity = node_.impurity;
    const bool unit = this->counts_rows();
    const double n = unit || column.complete() ? static_cast<double>(column.known)
                                               : this->weigh(column.e, column.e + column.known);
    // If sums may overflow, every cut is scored from its rows.
    const bool safe = std::isfinite(node_.impurity * node_.weight * node_.weight);
    const double slack = safe ? slack_of_sums(node_.impurity, column.known) : HUGE_VAL;
    MeanScan<Criterion>::offer_cuts(this->number_column(column, n, slack, result),
                                    {numbers_->y.data(), unit ? nullptr : numbers_->weight.data(),
                                     problem_->inverse.data(), mean_},
                                    this->cut_range(column), result.contenders);
    result.open_contenders();
  }

  // The result does not depend on the order of the rows on each side.
  template <class Cuts>
  void score(const NodeColumn<Index>& column, const Cuts& cuts, Scratch&, BestOf& best) const {
    for (const Contender& cut : cuts) {
      const Entry<Index>* middle = column.e + cut.at;
      const Pair left = numbers_->centred(mean_, column.e, middle),
                 right = numbers_->centred(mean_, middle, column.e + column.known);
      MeanExact<Criterion> m(this->unknown_weight(column.complete(), left[0] + right[0]).share,
                             mean_);
      m.add(left[1], left[0]);
      m.add(right[1], right[0]);
      best.add(cut.at, m.measures());
    }
  }

 private:
  double mean_ = 0.0;
};

}  // namespace tectree

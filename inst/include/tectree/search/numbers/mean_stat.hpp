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

// The branches of a split.
template <class Criterion>
struct Moments {
  double share;  // of the node's weight with a value
  double mean;   // of the node
  double sum = 0.0, parts = 0.0, n = 0.0;

  Moments(double known_share, double node_mean) : share(known_share), mean(node_mean) {}

  void add(double s, double w) {
    sum += s;
    n += w;
    parts += Criterion::part(s, w, mean);
  }
  Measures measures() const {
    const double gain = share * (parts - Criterion::part(sum, n, mean)) / n;
    return {gain, gain, gain};
  }
};

// See worth.hpp. A group's tally is the sum of its numbers, centred at the node's mean.
template <class Criterion>
class MeanWorth {
 public:
  // `impurity` and `mean`: of the node.
  MeanWorth(const SearchControl& control, const Groups& groups, double impurity, double mean)
      : control_(control), groups_(groups), impurity_(impurity), mean_(mean) {}

  const Groups& groups() const { return groups_; }
  const SearchControl& control() const { return control_; }
  double impurity() const { return impurity_; }
  double unit() const { return 1.0; }

  // Levels in the order of their means, of which the best grouping is a prefix (Fisher 1958).
  GroupDivisions groupings() const {
    return {DivisionKind::prefixes, order_by_share(groups_, 0), true, true};
  }

  Measures in_two(const GroupDivisions&, std::uint32_t, const LeftSide& left) const {
    Moments<Criterion> m = moments();
    m.add(*left.sums, left.weight);
    m.add(groups_.total[0] - *left.sums, groups_.n - left.weight);
    return m.measures();
  }
  Measures of_intervals(const std::vector<std::size_t>& cuts) const {
    Moments<Criterion> m = moments();
    each_interval(groups_, cuts, [&](const double* s, double w) { m.add(*s, w); });
    return m.measures();
  }

  template <class Settle>
  void try_all(const GroupDivisions& divisions, Settle settle, Team&, ColumnResult&,
               BestOf& best) const {
    settle();
    each_division(groups_, divisions, [&](std::uint32_t at, const LeftSide& left) {
      if (fits(groups_, left, control_.min_bucket)) best.add(at, in_two(divisions, at, left));
    });
  }

  std::vector<std::size_t> cuts(int g, Team& team) const {
    CostOfSums cost(groups_, control_.min_bucket, [&](const std::vector<double>& sums, double n) {
      return -Criterion::part(sums[0], n, mean_);
    });
    return best_cuts(cost, groups_.size(), g, 1e-13 * impurity_ * groups_.n, team);
  }

 private:
  Moments<Criterion> moments() const { return {groups_.unknown.share, mean_}; }

  const SearchControl& control_;
  const Groups& groups_;
  double impurity_, mean_;
};

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
    return {problem_->control, groups, node_.impurity, mean_};
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
      Moments<Criterion> m(this->unknown_weight(column.complete(), left[0] + right[0]).share,
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

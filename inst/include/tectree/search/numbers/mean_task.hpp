// Regression by least squares as a Task of the sorted search.
//
// With the numbers centred on the node's mean, s_j the sum of a branch and S = sum s_j (near 0),
// the mean squared error falls by (sum_j s_j^2 / n_j - S^2 / n) / n: only sums are needed, no
// squares (rpart's identity).
#pragma once

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "../../data/arena.hpp"
#include "../../data/take.hpp"
#include "../../tally/weights.hpp"
#include "mean_scan.hpp"
#include "mean_worth.hpp"
#include "number_problem.hpp"

namespace tectree {

template <class Index>
class MeanTask : public NumberNode<Index> {
 public:
  using Node = NumberNode<Index>;
  struct Scratch {
    Groups groups;
    MeanScan scan;
  };

  MeanTask(std::shared_ptr<const NumberProblem> problem, Numbers numbers)
      : Node(std::move(problem), std::make_shared<const Numbers>(std::move(numbers))) {}

  double mean() const { return mean_; }
  // Whether a split can gain anything that a double holds: squares may vanish or overflow.
  bool varies() const { return impurity_ > 0.0 && std::isfinite(impurity_); }

  NodeFacts describe(const Arena<Index>& arena, const Range& node, double*) {
    NodeFacts facts;
    facts.n = node.size();
    const Centre about = numbers_.centre(arena.rows.data() + node.begin, node.size());
    facts.weight = about.weight;
    facts.yval = about.mean;
    facts.impurity = about.squares;
    facts.pure = true;
    for (std::size_t i = node.begin; i < node.end && facts.pure; ++i) {
      facts.pure = numbers_.y[arena.rows[i]] == numbers_.y[arena.rows[node.begin]];
    }
    return facts;
  }

  void begin(const Arena<Index>& arena, const Range& node) {
    const Centre about = numbers_.centre(arena.rows.data() + node.begin, node.size());
    node_weight_ = about.weight;
    mean_ = about.mean;
    impurity_ = about.squares;
  }

  void column(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
              ColumnResult& result, Team& team) {
    if (!varies()) return;
    // The scale of rounding is the node's, however alike the known rows.
    result.impurity = impurity_;
    if (!this->by_groups(arena, c) && !arena.columns[c].entries.empty())
      return column_of_entries(arena, node, c, scratch, result);
    groups_of(arena, node, c, scratch.groups);
    MeanWorth worth = worth_of(scratch.groups);
    search_groups(worth, {this->predictor(c), c, node.stream}, team, result);
  }

  void resolve(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch&,
               ColumnResult& result) {
    const ArenaColumn<Index>& column = arena.columns[c];
    const std::size_t known = column.known(node.begin, node.end);
    const Entry<Index>* e = column.entries.data() + node.begin;
    this->resolve_by(result, [&](std::uint32_t at) {
      return cut_in_two(e, known, at, known == node.size()).measures();
    });
  }

  template <class Divide>
  void divide(Divide) {}

  template <class To>
  auto shrink(const Arena<Index>& from, const Arena<To>& to, const Range& node,
              const std::vector<std::uint16_t>&) const {
    return MeanTask<To>(problem_, numbers_.of_rows(from.rows, node.begin, to.n));
  }

  // The task of some rows with weights of their own.
  template <class Small>
  auto take(const Taken<Index>& taken) const {
    return MeanTask<Small>(problem_, numbers_.with_weights(taken.rows, taken.weight));
  }

  void groups_of(const Arena<Index>& arena, const Range& node, std::uint32_t c, Groups& out) const {
    collect_groups(
        arena, c, this->predictor(c), *problem_->sample, node.begin, node.end, 1, out,
        [&](double* tally, const Entry<Index>* e, const Entry<Index>* last) {
          double weight = 0.0;
          for (; e < last; ++e) {
            const double w = numbers_.w(e->row);
            *tally += w * (numbers_.y[e->row] - mean_);
            weight += w;
          }
          return weight;
        },
        this->fills(arena, c));
    out.unknown = this->unknown_weight(out.complete, out.n);
  }
  MeanWorth worth_of(const Groups& groups) const {
    return MeanWorth(problem_->control, groups, impurity_);
  }

 private:
  using Node::impurity_;
  using Node::node_weight_;
  using Node::numbers_;
  using Node::problem_;

  // The same whatever the order of the rows on each side.
  Moments cut_in_two(const Entry<Index>* e, std::size_t known, std::uint32_t at,
                     bool complete) const {
    const Pair left = numbers_.centred(mean_, e, e + at),
               right = numbers_.centred(mean_, e + at, e + known);
    Moments m(this->unknown_weight(complete, left[0] + right[0]).share);
    m.add(left[1], left[0]);
    m.add(right[1], right[0]);
    return m;
  }

  void column_of_entries(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                         Scratch& scratch, ColumnResult& result) {
    const ArenaColumn<Index>& column = arena.columns[c];
    const std::size_t known = column.known(node.begin, node.end);
    const Entry<Index>* e = column.entries.data() + node.begin;
    if (known < 2 || e[0].rank == e[known - 1].rank) {
      result.constant = true;
      return;
    }
    const auto n = static_cast<std::uint32_t>(known);
    const bool complete = known == node.size();
    // Where squares may overflow, every cut whose sums are lost is scored from its rows.
    const bool safe = std::isfinite(impurity_ * known * known);
    if (numbers_.weight.empty() && safe) {
      scratch.scan.offer_cuts(
          MeanColumn<Index>{e, numbers_.y.data(), problem_->inverse.data(), n, mean_,
                            this->unknown_weight(complete, known).share,
                            slack_of_sums(result.impurity, known),
                            least_count<WholeWeight>(problem_->control.min_bucket), result.floor},
          result.contenders);
    } else {
      scan(e, n, complete, result);
    }
    this->open(result);
  }

  // Entries [0, i) are on the left with weight n_l and sum s_l.
  void scan(const Entry<Index>* e, std::uint32_t known, bool complete, ColumnResult& result) const {
    const double* y = numbers_.y.data();
    double n = 0.0, s = 0.0;
    for (std::uint32_t i = 0; i < known; ++i) {
      const double w = numbers_.w(e[i].row);
      n += w;
      s += w * (y[e[i].row] - mean_);
    }
    const double share = this->unknown_weight(complete, n).share;
    const double slack = slack_of_sums(result.impurity, known);
    const double min_bucket = problem_->control.min_bucket;
    double n_l = 0.0, s_l = 0.0;
    for (std::uint32_t i = 0; i < known;) {
      const Index rank = e[i].rank;
      do {
        const double w = numbers_.w(e[i].row);
        n_l += w;
        s_l += w * (y[e[i].row] - mean_);
        ++i;
      } while (i < known && e[i].rank == rank);
      const double n_r = n - n_l, s_r = s - s_l;
      if (i == known || !reaches(n_r, min_bucket)) break;
      if (!reaches(n_l, min_bucket)) continue;
      const double value = share * (s_l * s_l / n_l + s_r * s_r / n_r - s * s / n) / n;
      result.contenders.offer(i, value - slack, value + slack);
    }
  }

  double mean_ = 0.0;
};

}  // namespace tectree

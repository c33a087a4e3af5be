// Room search/numbers/: how the sorted search counts numbers: by their sums, or by their ranks.
//
// What the searches of one regression share, and what both ways to count need.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "../../criterion/deviation.hpp"
#include "../../data/arena.hpp"
#include "../../tally/sums.hpp"
#include "../groups/group_search.hpp"
#include "number_scan.hpp"

namespace tectree {

struct NumberProblem {
  const Frame* frame = nullptr;
  const Sample* sample = nullptr;
  SearchControl control;
  std::vector<double> inverse;  // 1 / i, for whoever divides by numbers of rows; may be empty

  Eligible eligible() const { return effective(control.eligible, Eligible::all); }
};

// 1 / i for i up to n; nothing is divided by 0.
inline std::vector<double> inverses(std::size_t n) {
  std::vector<double> out(n + 1, 0.0);
  for (std::size_t i = 1; i <= n; ++i) out[i] = 1.0 / static_cast<double>(i);
  return out;
}

// The weight and the mean of some numbers, and the mean of their losses about it.
struct Centre {
  double weight, mean, loss;
};

// The sum of term(i) for i = 0..n-1, those of every fourth side by side: one alone would wait for
// its last addition.
template <class Term>
Pair sum_in_four(std::size_t n, Term term) {
  Pair a{}, b{}, c{}, d{};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    a += term(i);
    b += term(i + 1);
    c += term(i + 2);
    d += term(i + 3);
  }
  for (; i < n; ++i) a += term(i);
  return (a + b) + (c + d);
}

// The numbers and weights of an arena's rows; weight empty where all are 1.
struct Numbers {
  std::vector<double> y, weight;

  double w(std::size_t row) const { return weight.empty() ? 1.0 : weight[row]; }

  template <class Criterion, class Index>
  Centre centre(const Index* rows, std::size_t n) const {
    if (weight.empty()) return centre_of<Criterion>(rows, n, [](Index) { return 1.0; });
    return centre_of<Criterion>(rows, n, [&](Index row) { return weight[row]; });
  }

  // Of some rows, whatever their order: what they weigh, and the sum of their numbers less a
  // centre.
  template <class Entry>
  Pair centred(double centre, const Entry* first, const Entry* last) const {
    CarefulSums sums;
    for (const Entry* e = first; e < last; ++e) {
      const double weight_here = w(e->row);
      sums.add(Pair{weight_here, weight_here * (y[e->row] - centre)});
    }
    return sums.value();
  }

  template <class Rows>
  Numbers of_rows(const Rows& rows, std::size_t begin, std::size_t n) const {
    Numbers out;
    for (std::size_t i = begin; i < begin + n; ++i) {
      out.y.push_back(y[rows[i]]);
      if (!weight.empty()) out.weight.push_back(weight[rows[i]]);
    }
    return out;
  }

  // Of some rows, with weights of their own.
  template <class Rows>
  Numbers with_weights(const Rows& rows, std::vector<double> weights) const {
    Numbers out;
    for (const auto row : rows) out.y.push_back(y[row]);
    out.weight = std::move(weights);
    return out;
  }

 private:
  template <class Criterion, class Index, class Weight>
  Centre centre_of(const Index* rows, std::size_t n, Weight weight_of) const {
    const Pair sums = sum_in_four(n, [&](std::size_t i) {
      const double w = weight_of(rows[i]);
      return Pair{w, w * y[rows[i]]};
    });
    const double mean = sums[1] / sums[0];
    const Pair about = sum_in_four(n, [&](std::size_t i) {
      const double w = weight_of(rows[i]);
      return Pair{w * (y[rows[i]] - mean), Criterion::loss(y[rows[i]], mean, w)};
    });
    // The second term is what rounding left out of the first.
    return {sums[0], mean + about[0] / sums[0], about[1] / sums[0]};
  }
};

// How far the gain that running sums tell may be off, ties included.
inline double slack_of_sums(double impurity, std::size_t rows) {
  return impurity * (1.2e-10 + 4e-16 * static_cast<double>(rows));
}

// What all Stats of numbers are (see sorted_task.hpp).
template <class Index>
class NumberNode {
 public:
  using Row = Index;

  const std::shared_ptr<const NumberProblem>& problem() const { return problem_; }
  const Numbers& numbers() const { return numbers_; }
  const SearchControl& control() const { return problem_->control; }
  double impurity() const { return impurity_; }
  // Whether a split can gain anything that a double holds: squares may vanish or overflow.
  bool varies() const { return impurity_ > 0.0 && std::isfinite(impurity_); }

  Eligible eligible() const { return problem_->eligible(); }
  bool lazy() const { return eligible() == Eligible::all; }
  static constexpr bool may_preview = false;
  bool has_spans() const { return false; }
  bool span_of_cut(const Range&, ColumnResult&) const { return false; }
  void span_of_score(ColumnResult&) const {}
  bool unbeatable(const ColumnResult&) const { return false; }

  double weight_of(Index row) const { return numbers_.w(row); }
  double mass_of(Index row) const { return weight_of(row); }
  bool counts_rows() const { return numbers_.weight.empty(); }
  static constexpr bool sized() { return false; }
  void tag(Arena<Index>&) const {}
  template <class Divide>
  void divide(Divide) {}

 protected:
  NumberNode(std::shared_ptr<const NumberProblem> problem, Numbers numbers)
      : problem_(std::move(problem)),
        shared_(std::make_shared<const Numbers>(std::move(numbers))),
        numbers_(*shared_) {}

  UnknownWeight unknown_weight(bool complete, double known) const {
    return {control().unknown, complete, known, node_weight_};
  }
  double weigh(const Entry<Index>* e, const Entry<Index>* last) const {
    double weight = 0.0;
    for (; e < last; ++e) weight += numbers_.w(e->row);
    return weight;
  }

  // The column as it is scanned; `known`: what its rows with a value weigh.
  NumberColumn<Index> number_column(const NodeColumn<Index>& column, double known, double slack,
                                    const ColumnResult& result) const {
    return {column.e,
            static_cast<std::uint32_t>(column.known),
            static_cast<std::uint32_t>(column.size),
            unknown_weight(column.complete(), known).share,
            slack,
            control().min_bucket,
            result.floor};
  }

  // What a scan has offered leaves the column open.
  static void open(ColumnResult& result) {
    result.open = !result.contenders.empty();
    result.low = result.contenders.floor();
    result.high = result.contenders.high();
  }

  std::shared_ptr<const NumberProblem> problem_;
  std::shared_ptr<const Numbers> shared_;  // by forks
  const Numbers& numbers_;
  double impurity_ = 0.0, node_weight_ = 0.0;
};

}  // namespace tectree

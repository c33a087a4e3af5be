// Room search/numbers/: how the sorted search counts numbers: by their sums, or by their ranks.
//
// What the searches of one regression share, and what both Stats have in common (see
// ../sorted/stat.hpp).
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../criterion/deviation.hpp"
#include "../../data/ranks.hpp"
#include "../../data/take.hpp"
#include "../../tally/sums.hpp"
#include "../groups/group_search.hpp"
#include "number_scan.hpp"

namespace tectree {

struct NumberProblem {
  const Frame* frame = nullptr;
  const Sample* sample = nullptr;
  SearchControl control;
  std::shared_ptr<const Ranks> ranks;  // if columns are sorted when drawn
  std::vector<double> inverse;  // 1 / i, if sums are divided by numbers of rows; may be empty
  static constexpr double part_unit = 0.0;  // parts of rows have any weights

  Eligible eligible() const { return effective(control.eligible, Eligible::all); }
};

// 1 / i for i up to n; 0 is never read.
inline std::vector<double> inverses(std::size_t n) {
  std::vector<double> out(n + 1, 0.0);
  for (std::size_t i = 1; i <= n; ++i) out[i] = 1.0 / static_cast<double>(i);
  return out;
}

// The weight and the mean of some numbers, and their mean loss about it.
struct Centre {
  double weight, mean, loss;
};

// The sum of term(i) for i = 0..n-1, as four independent sums: a single one would wait for each
// addition.
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

// The numbers and weights of an arena's rows; weight is empty if all are 1. If sizes differ from
// the weights, `size` contains them, empty if all are 1.
struct Numbers {
  std::vector<double> y, weight;
  bool has_sizes = false;
  std::vector<double> size;

  double w(std::size_t row) const { return weight.empty() ? 1.0 : weight[row]; }
  double size_of(std::size_t row) const {
    return !has_sizes ? w(row) : size.empty() ? 1.0 : size[row];
  }

  template <class Criterion, class Index>
  Centre centre(const Index* rows, std::size_t n) const {
    if (weight.empty()) return centre_of<Criterion>(rows, n, [](Index) { return 1.0; });
    return centre_of<Criterion>(rows, n, [&](Index row) { return weight[row]; });
  }

  // For some rows, in any order: their weight, and the sum of their numbers minus a centre.
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
    out.has_sizes = has_sizes;
    for (std::size_t i = begin; i < begin + n; ++i) {
      out.y.push_back(y[rows[i]]);
      if (!weight.empty()) out.weight.push_back(weight[rows[i]]);
      if (!size.empty()) out.size.push_back(size[rows[i]]);
    }
    return out;
  }

  // Some rows, with their own weights.
  template <class Index>
  Numbers with_weights(const Taken<Index>& some) const {
    Numbers out;
    out.weight = some.weight;
    out.has_sizes = has_sizes;
    for (std::size_t i = 0; i < some.rows.size(); ++i) {
      out.y.push_back(y[some.rows[i]]);
      if (has_sizes) out.size.push_back(size_of(some.rows[i]) * some.part[i]);
    }
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
    // The second terms are the effect of rounding the mean, which is large if it is far from 0.
    const double off = about[0] / sums[0];
    double loss = about[1] / sums[0];
    if constexpr (std::is_same_v<Criterion, LeastSquares>) loss = std::max(loss - off * off, 0.0);
    return {sums[0], mean + off, loss};
  }
};

// The maximum error of a gain from running sums, including ties.
inline double slack_of_sums(double impurity, std::size_t rows) {
  return impurity * (1.2e-10 + 4e-16 * static_cast<double>(rows));
}

struct NumberNode {
  double weight = 0.0, impurity = 0.0;
};

// What MeanStat and MedianStat have in common.
template <class Index>
class NumberStat {
 public:
  using Row = Index;
  static constexpr bool shares_rows = false, groups_by_level = false, may_preview = false,
                        weighs_parts = false;

  const std::shared_ptr<const NumberProblem>& problem() const { return problem_; }
  const SearchControl& control() const { return problem_->control; }
  const Numbers& numbers() const { return *numbers_; }
  Eligible eligible() const { return problem_->eligible(); }
  bool best_cut_wins() const { return eligible() == Eligible::all; }

  bool counts_rows() const { return numbers_->weight.empty(); }
  double case_weight(Index row) const { return numbers_->w(row); }
  double node_weight(Index row) const { return numbers_->w(row); }
  bool has_sizes() const { return numbers_->has_sizes; }
  double size(Index row) const { return numbers_->size_of(row); }
  void tag(Entry<Index>*, Entry<Index>*) const {}
  template <class Divide>
  void divide(Divide) {}

  double impurity() const { return node_.impurity; }
  // A gain must fit a double: squares may vanish or overflow.
  bool may_gain() const { return node_.impurity > 0.0 && std::isfinite(node_.impurity); }
  UnknownWeight unknown_weight(bool complete, double known) const {
    return {control().unknown, complete, known, node_.weight};
  }
  static constexpr bool unbeatable(const ColumnResult&) { return false; }
  static constexpr bool has_spans() { return false; }
  static constexpr bool find_cut_span(const Range&, ColumnResult&) { return false; }
  static constexpr void find_score_span(ColumnResult&) {}

  static constexpr bool by_class() { return false; }

 protected:
  NumberStat(std::shared_ptr<const NumberProblem> problem, Numbers numbers)
      : problem_(std::move(problem)),
        numbers_(std::make_shared<const Numbers>(std::move(numbers))) {}

  template <class RowAt>
  double sum_sizes(std::size_t i, std::size_t end, RowAt row_at) const {
    double sum = 0.0;
    for (; i < end; ++i) sum += size(static_cast<Index>(row_at(i)));
    return sum;
  }
  // Which cuts of the known rows leave min_bucket on both sides, if sizes differ from weights.
  CutRange cut_range(const NodeColumn<Index>& column) const {
    if (!has_sizes()) return {};
    const auto known = static_cast<std::uint32_t>(column.known);
    CutRange out{1, known - 1};
    const double least = control().min_bucket;
    for (double size = this->size(column.e[0].row); out.least < known && !reaches(size, least);)
      size += this->size(column.e[out.least++].row);
    for (double size = this->size(column.e[out.end].row); out.end > 0 && !reaches(size, least);)
      size += this->size(column.e[--out.end].row);
    return out;
  }
  double weigh(const Entry<Index>* e, const Entry<Index>* last) const {
    double weight = 0.0;
    for (; e < last; ++e) weight += numbers_->w(e->row);
    return weight;
  }
  // The column as it is scanned; `known`: the weight of its rows with a value.
  NumberColumn<Index> number_column(const NodeColumn<Index>& column, double known, double slack,
                                    const ColumnResult& result) const {
    return {column.e,
            static_cast<std::uint32_t>(column.known),
            static_cast<std::uint32_t>(column.rows),
            unknown_weight(column.complete(), known).share,
            slack,
            control().min_bucket,
            result.floor};
  }

  std::shared_ptr<const NumberProblem> problem_;
  std::shared_ptr<const Numbers> numbers_;  // shared by forks
  NumberNode node_;
};

}  // namespace tectree

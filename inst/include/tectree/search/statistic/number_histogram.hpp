// Numbers with least squares as the statistic of a histogram search (see
// ../histogram/histogram_stat.hpp): for every bin its rows, their sum, and a bound on their
// squares, in whole units of a scale that is renewed when a node's numbers have become much alike.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../numbers/mean_stat.hpp"
#include "../sorted/sorted_task.hpp"
#include "summed_numbers.hpp"

namespace tectree {

// What is known about a node.
struct NumberSums {
  WholeScale scale;
  WholeSums total;
  std::vector<WholeSums> cells;  // by bin
};

class NumberHistogram {
 public:
  using Problem = NumberProblem;
  using Criterion = LeastSquares;
  using SortedStat = MeanStat<std::uint32_t, Criterion>;
  using Task = SortedTask<SortedStat>;
  using Counted = SummedNumbers;
  struct Scratch {};

  static constexpr bool by_cut_alone = true, has_parts = false;
  // Levels are grouped by their exact means.
  static bool counts(const NumberProblem& p, std::uint32_t c) {
    return divided_by_value(p.control, p.frame->columns[c].kind);
  }
  static PassOnAt pass_on_at(const SortedStat&, const Codes&) { return {2048, 2048, 512}; }

  // Whether the best cut wins, and the sums are small enough to store.
  static bool suits(const NumberProblem& p, const Numbers& numbers) {
    constexpr std::size_t most_cells = 1 << 17;  // stored for every open node
    return numbers.weight.empty() && !numbers.has_sizes && p.eligible() == Eligible::all &&
           p.control.intervals <= 2 && p.frame->columns.size() * (Binned::most + 1) <= most_cells &&
           p.sample->size <= WholeSums::most_rows && squares_hold(numbers.y);
  }

  NumberHistogram(const SortedStat&, std::size_t n_rows)
      : number_(std::make_shared<std::vector<std::int64_t>>(n_rows)) {}
  // Counts only a node's rows.
  NumberHistogram(const NumberHistogram& all, const Range& node, const CodedRows& from,
                  const SortedStat&)
      : number_(std::make_shared<std::vector<std::int64_t>>()) {
    for (std::size_t i = 0; i < node.size(); ++i)
      number_->push_back((*all.number_)[from.of(node)[i]]);
  }

  // On the scale of what is known about the parent.
  std::shared_ptr<const void> count(const CodedRows& rows, const SortedStat& stat,
                                    const Range& node, const void* parent, Team& team) const {
    return sum(rows, parent ? sums(parent).scale : rescale(rows, stat, node), node, team);
  }
  std::shared_ptr<const void> rest(const CellLayout& cells, const Node& node,
                                   const void* part) const {
    auto out = std::make_shared<NumberSums>(sums(node.counts.get()));
    out->total -= sums(part).total;
    for (std::uint32_t c : *node.columns) {
      for (std::size_t i = cells.first(c); i < cells.end(c); ++i)
        out->cells[i] -= sums(part).cells[i];
    }
    return out;
  }
  // Whether sums that were handed down are fine enough for the node's cuts: an error of one unit
  // per row must be small compared with the random variation of the sums.
  bool serves(const Node& node, const SortedStat& stat) const {
    return sums(node.counts.get()).scale.unit() * std::sqrt(static_cast<double>(node.n_rows)) <=
           1e-5 * std::sqrt(stat.impurity());
  }

  Counted column(const BinView& view, std::size_t first_cell, const SortedStat& stat,
                 const Node& node, Scratch&, ColumnResult& result) const {
    const NumberSums& known = sums(node.counts.get());
    const WholeSums* cells = known.cells.data() + first_cell;
    WholeSums total = known.total;
    total -= cells[view.coded.codes];
    result.impurity = stat.impurity();
    return {view,
            number_->data(),
            cells,
            total,
            known.scale,
            stat.control().min_bucket,
            slack_of_sums(stat.impurity(), total.n()),
            result.contenders};
  }
  void search_groups(const Counted&, const SortedStat&, std::uint32_t, Scratch&, Team&,
                     ColumnResult&) const {}
  void offer_groups(const Counted&, const SortedStat&, std::uint32_t, Scratch&, Team&,
                    std::vector<Offer>&) const {}

  // From the numbers themselves; the same as in sorted columns.
  template <class Use>
  void measure(const Counted& of, const SortedStat& stat, const std::vector<Contender>& cuts,
               Scratch&, Use use) const {
    for (std::uint32_t i = 0; i < cuts.size(); ++i) use(i, measures(of, stat, cuts[i]));
  }

 private:
  Measures measures(const Counted& of, const SortedStat& stat, const Contender& cut) const {
    constexpr Pair side[] = {{1.0, 0.0}, {0.0, 1.0}};
    const CodedColumn& column = of.coded;
    BinEdges::Place place{static_cast<std::uint8_t>(cut.bin), 0};
    if (!cut.at_edge()) place = column.edges.place(cut.below);
    const double* y = stat.numbers().y.data();
    CarefulSums both;
    for (std::size_t i = 0; i < of.n_rows; ++i) {
      const int code = of.code(i);
      if (code == column.missing()) continue;
      const bool on_right =
          cut.at_edge() ? code > cut.bin
                        : column.above(of.rows[i], cut.below, place, [&] { return of.value(i); });
      // Without a branch that could not be predicted.
      both.add((y[of.rows[i]] - stat.mean()) * side[on_right]);
    }
    const Pair value = both.value();
    MeanExact<Criterion> m(1.0, stat.mean());
    m.add(value[0], cut.weight);
    m.add(value[1], of.weight() - cut.weight);
    return m.measures();
  }

  static const NumberSums& sums(const void* of) { return *static_cast<const NumberSums*>(of); }

  // Whether squares of the numbers, and of far smaller units, stay within the range of a double.
  static bool squares_hold(const std::vector<double>& y) {
    double most = 0.0;
    for (double number : y) most = std::max(most, std::fabs(number));
    const auto n = static_cast<double>(y.size());
    return most > 1e-100 && std::isfinite(16.0 * most * most * n * n);
  }

  // A scale for the node's own numbers, which are not all equal.
  WholeScale rescale(const CodedRows& rows, const SortedStat& stat, const Range& node) const {
    const double* y = stat.numbers().y.data();
    const std::uint32_t *first = rows.of(node), *last = first + node.size();
    double most = 0.0;
    for (const std::uint32_t* row = first; row < last; ++row)
      most = std::max(most, std::fabs(y[*row] - stat.mean()));
    const WholeScale scale(stat.mean(), most, node.size());
    for (const std::uint32_t* row = first; row < last; ++row) (*number_)[*row] = scale.of(y[*row]);
    return scale;
  }

  // The sums by bin of every counted column of the node.
  std::shared_ptr<const void> sum(const CodedRows& rows, const WholeScale& scale, const Range& node,
                                  Team& team) const {
    auto out = std::make_shared<NumberSums>();
    out->scale = scale;
    out->cells.resize(rows.cells.size());
    const std::uint32_t* row = rows.of(node);
    const int coarseness = scale.coarseness();
    std::vector<std::int64_t> numbers(node.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = (*number_)[row[i]];
      out->total.add(numbers[i], coarseness);
    }
    team.each(node.columns->size(), [&](std::size_t i, Team&) {
      const std::uint32_t c = (*node.columns)[i];
      if (!rows.cells.counts(c)) return;
      const std::uint8_t* code = (*rows.codes)[c].binned.code.data();
      WholeSums* into = out->cells.data() + rows.cells.first(c);
      for (std::size_t j = 0; j < numbers.size(); ++j)
        into[code[row[j]]].add(numbers[j], coarseness);
    });
    return out;
  }

  // By row, on the scale of the node that the row is in; shared by forks.
  std::shared_ptr<std::vector<std::int64_t>> number_;
};

}  // namespace tectree

// The split of a node of which only the cells are known, where rows have numbers, under least
// squares: sums by code are all that its search reads.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../grow_from_counts.hpp"
#include "../searches.hpp"
#include "known_cells.hpp"

namespace tectree {

// What the cells of a node tell where rows have numbers. Sums are those of whole multiples of
// `unit`, off from `centre`.
class NumbersOfCells {
 public:
  using Cell = NumberCell;
  using Total = NumberTotal;

  NumbersOfCells(const Problem& problem, std::shared_ptr<const Codes> codes, double centre,
                 double unit)
      : problem_(problem), codes_(std::move(codes)), centre_(centre), unit_(unit) {
    // A bin that was not looked into is searched as one value.
    auto as_values = std::make_shared<Codes>(*codes_);
    for (CodedColumn& column : *as_values) column.exact = true;
    as_values_ = std::move(as_values);
    shared_->frame = &problem_.frame;
    shared_->control = problem.control;
    detail::need(problem.criterion == LeastSquares::info().name && !problem.control.random_cuts &&
                     TableOfNumbers::suits(*shared_),
                 "the criterion, or a setting, needs rows");
  }

  const Problem& problem() const { return problem_; }
  const Codes& codes() const { return *codes_; }
  static Total none() { return {}; }
  static void add(const Cell& cell, Total& total) {
    total += NumberTotal{cell.n, cell.sum, cell.squares};
  }
  static double size_of(const Total& total) { return total.n; }

  NodeFacts facts(const Total& total, double rows, double* share) const {
    NodeFacts out = TableOfNumbers(centre_).facts(*shared_, in_units(total), share);
    out.n = static_cast<std::size_t>(rows);
    return out;
  }

  std::optional<Winner> best(const KnownCells<NumberCell>& cells, std::uint64_t stream,
                             Team& team) const {
    const std::shared_ptr<const Codes> codes = cells.inside.empty() ? as_values_ : own_codes(cells);
    const auto fill = [&](const Path&, const CellLayout& layout, TableOfNumbers::Counts& counts) {
      cells.each(*codes_, [&](const NumberCell& cell, double value) {
        const CodedColumn& own = (*codes)[cell.column];
        const std::vector<double>& values = own.binned.values;
        const auto code =
            std::isnan(value)
                ? own.codes
                : std::lower_bound(values.begin(), values.end(), value) - values.begin();
        counts.at(layout.first(cell.column) + static_cast<std::size_t>(code)) +=
            in_units({cell.n, cell.sum, cell.squares});
      });
    };
    HistogramSearch<CountSource<TableOfNumbers>> search(
        CountSource<TableOfNumbers>(shared_, TableOfNumbers(centre_), codes, fill), 0, 1);
    Node root = root_of(search, stream);
    const Winner* winner = search.best(root, team);
    return winner ? std::optional<Winner>(*winner) : std::nullopt;
  }

  static constexpr bool bounded() { return true; }
  static constexpr bool unknown_count() { return false; }
  // Of m of a bin's n_b rows, the sum is off from m times their mean by no more than the root of
  // m (n_b - m) / n_b times their sum of squares about it (Cauchy and Schwarz).
  double bound(const Total& left, const Total& bin, const Total& all) const {
    constexpr double most_steps = 1024.0;
    const double mean = all.sum / all.n, middle = bin.sum / bin.n,
                 spread = std::max(bin.squares - bin.sum * middle, 0.0) + 1e-12 * bin.squares,
                 step = std::max(1.0, std::ceil(bin.n / most_steps));
    const auto at = [&](double m) {
      return std::fabs(left.sum + m * middle - (left.n + m) * mean);
    };
    const auto off = [&](double m) { return std::sqrt(spread * m * (bin.n - m) / bin.n); };
    const auto sizes = [&](double m) { return (left.n + m) * (all.n - left.n - m); };
    double highest = -HUGE_VAL;
    // From m to its end the first is convex, the second rises up to half the bin, and the product
    // of sizes is least at an end.
    double m = 1.0;
    while (m < bin.n) {
      const double end = std::min(m + step, bin.n - 1.0), half = bin.n / 2;
      const double far = std::max(at(m), at(end)) +
                         (m < half && half < end ? off(half) : std::max(off(m), off(end)));
      highest = std::max(highest, far * far / std::min(sizes(m), sizes(end)));
      m += step;
    }
    return highest * unit_ * unit_;
  }

  Setup set_up(const Problem& problem) const { return set_up_numbers(problem); }

 private:
  // The columns' codes, but a code for each value in bins that were looked into.
  std::shared_ptr<const Codes> own_codes(const KnownCells<NumberCell>& cells) const {
    std::vector<std::vector<double>> values(codes_->size());
    cells.each(*codes_, [&](const NumberCell& cell, double value) {
      if (!std::isnan(value)) values[cell.column].push_back(value);
    });
    auto out = std::make_shared<Codes>();
    for (std::vector<double>& v : values) {
      std::sort(v.begin(), v.end());
      v.erase(std::unique(v.begin(), v.end()), v.end());
      out->push_back(exact_codes(std::move(v)));
    }
    return out;
  }
  NumberTotal in_units(const NumberTotal& total) const {
    return {total.n, total.sum * unit_, total.squares * unit_ * unit_, total.lost * unit_ * unit_};
  }

  const Problem& problem_;
  std::shared_ptr<const Codes> codes_, as_values_;
  double centre_, unit_;
  std::shared_ptr<NumberProblem> shared_ = std::make_shared<NumberProblem>();
};

}  // namespace tectree

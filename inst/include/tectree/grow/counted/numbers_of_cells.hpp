// The split of a node of which only the cells are known, for rows with numbers, with least squares:
// its search only reads sums by code.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../../search/choose/column_choice.hpp"
#include "../../search/histogram/histogram_columns.hpp"
#include "../../search/statistic/table_of_numbers.hpp"
#include "../searches.hpp"
#include "known_cells.hpp"
#include "sum_cell.hpp"

namespace tectree {

// What the cells of a node tell for rows with numbers. Sums are those of whole multiples of `unit`,
// relative to `centre`.
class NumbersOfCells {
 public:
  using Cell = SumCell;
  using Total = SumTotal;

  NumbersOfCells(const Problem& problem, std::shared_ptr<const Codes> codes, double centre,
                 double unit)
      : problem_(problem), codes_(std::move(codes)), centre_(centre), unit_(unit) {
    // A bin that was not looked into is searched as one value.
    auto as_values = std::make_shared<Codes>(*codes_);
    for (CodedColumn& column : *as_values) column.exact = true;
    as_values_ = std::move(as_values);
    shared_->frame = &problem_.frame;
    shared_->control = problem.control;
    if (problem.criterion != LeastSquares::info().name || problem.control.random_cuts ||
        !TableOfNumbers::suits(*shared_))
      throw std::invalid_argument("the criterion, or a setting, needs rows");
  }

  const Problem& problem() const { return problem_; }
  const Codes& codes() const { return *codes_; }
  static Total none() { return {}; }
  static void add(const Cell& cell, Total& total) {
    total += Total{cell.n, cell.sum, cell.squares};
  }
  static double size_of(const Total& total) { return total.n; }

  NodeFacts facts(const Total& total, double rows, double*) const {
    const WideInt middle = total.middle();
    const NumberTotal about = total.about(middle);
    NodeFacts out;
    out.weight = about.n;
    out.impurity = in_units(about).impurity();
    out.pure = out.impurity == 0.0;
    // By division, which gives 123.45 and not a neighbouring double.
    const double per_one = 1.0 / unit_;
    WideInt whole(std::round(centre_ * per_one));
    whole += middle;
    out.yval = (whole.value() + about.sum / about.n) / per_one;
    out.n = static_cast<std::size_t>(rows);
    return out;
  }

  // Sums about the node's own mean lose no relevant digits, however far from 0 it is.
  std::optional<Winner> best(const KnownCells<Cell>& cells, std::uint64_t stream,
                             Team& team) const {
    std::optional<Winner> found;
    std::vector<std::uint32_t> all(codes_->size());
    std::iota(all.begin(), all.end(), 0u);
    DrawnColumns drawn;
    search_drawn(problem_.control, all, stream, drawn,
                 [&](const std::vector<std::uint32_t>& columns) {
                   found = best_of(cells, columns, team);
                   return found ? &*found : nullptr;
                 });
    return found;
  }

  static constexpr bool bounded() { return true; }
  // Whether rows with a missing value count in the search of a column.
  bool unknown_count() const { return problem_.control.unknown == SearchControl::Unknown::learned; }
  // An upper bound of all cuts inside a bin, from steps of them: at its ends the sides' sizes
  // change fast.
  double bound(const Total& left_sums, const Total& bin_sums, const Total& all_sums) const {
    constexpr double most_steps = 1024.0;
    const WideInt centre = all_sums.middle();
    const NumberTotal left = left_sums.about(centre), bin = bin_sums.about(centre),
                      all = all_sums.about(centre);
    const SumCut cut(all.n, all.sum, unit_ * unit_);
    const double step = std::max(1.0, std::ceil(bin.n / most_steps));
    double highest = -HUGE_VAL, m = 1.0;
    while (m < bin.n) {
      const double end = std::min(m + step, bin.n - 1.0);
      highest = std::max(highest,
                         cut.most_inside(left.n, left.sum, {bin.n, bin.sum, bin.squares}, m, end));
      m += step;
    }
    return highest;
  }

  Setup set_up(const Problem& problem, Team& team) const { return set_up_numbers(problem, team); }

 private:
  // A column as it is searched. If rows with a missing value are tried on both sides of a cut, it
  // appears twice, first with these rows at its lowest value, then at its highest.
  struct Shown {
    std::uint32_t column;
    int side;  // no_branch: they are not tried
    int at;    // the code that they are given
  };

  // The best split in some columns, the first on ties.
  std::optional<Winner> best_of(const KnownCells<Cell>& cells,
                                const std::vector<std::uint32_t>& columns, Team& team) const {
    const std::shared_ptr<const Codes> codes = cells.inside.empty() ? as_values_ : own_codes(cells);
    std::vector<std::vector<NumberTotal>> sums = sums_by_code(cells, *codes);
    const std::vector<Shown> shown = shown_columns(columns, sums);
    Frame frame = problem_.frame;
    frame.columns.clear();
    Codes own;
    std::vector<std::vector<NumberTotal>> own_sums;
    for (const Shown& it : shown) {
      frame.columns.push_back(problem_.frame.columns[it.column]);
      own.push_back((*codes)[it.column]);
      own_sums.push_back(sums[it.column]);
      if (it.side == no_branch) continue;
      std::vector<NumberTotal>& of = own_sums.back();
      of[static_cast<std::size_t>(it.at)] += of.back();
      of.back() = NumberTotal();
    }
    auto shared = std::make_shared<NumberProblem>(*shared_);
    shared->frame = &frame;
    SumsOfNode source(std::move(shared), own, own_sums);
    if (!source.node_stat().may_gain()) return std::nullopt;
    const Node node = source.node();
    HistogramColumns<SumsOfNode> search(source, team.size());
    std::vector<std::uint32_t> all(own.size());
    std::iota(all.begin(), all.end(), 0u);
    team.each_if(Team::worth(source.cells().size()), all.size(), [&](std::size_t i, Team& inner) {
      search.look(node, all[i], inner.worker(), inner);
    });
    ColumnChoice choice(search.results(), Eligible::all);
    const auto chosen = choice.by_cut(all, source.node_stat().impurity(), [&](const auto& some) {
      for (std::uint32_t c : some) search.resolve(node, c, 0);
    });
    if (!chosen) return std::nullopt;
    std::optional<Winner> out(search.results()[*chosen].winner);
    const Shown& it = shown[*chosen];
    out->split.column = static_cast<int>(it.column);
    if (it.side != no_branch) out->filled = it.side;
    return out;
  }

  // By column, then code; the last is that of missing values.
  std::vector<std::vector<NumberTotal>> sums_by_code(const KnownCells<Cell>& cells,
                                                     const Codes& codes) const {
    std::vector<std::vector<NumberTotal>> out;
    for (const CodedColumn& column : codes)
      out.emplace_back(static_cast<std::size_t>(column.codes) + 1);
    Total all;
    cells.each(*codes_, [&](const Cell& cell, double) {
      if (cell.column == 0) add(cell, all);
    });
    const WideInt middle = all.middle();
    cells.each(*codes_, [&](const Cell& cell, double value) {
      const std::vector<double>& values = codes[cell.column].binned.values;
      const auto code = std::isnan(value) ? codes[cell.column].codes
                                          : std::lower_bound(values.begin(), values.end(), value) -
                                                values.begin();
      out[cell.column][static_cast<std::size_t>(code)] +=
          in_units(Total{cell.n, cell.sum, cell.squares}.about(middle));
    });
    return out;
  }

  std::vector<Shown> shown_columns(const std::vector<std::uint32_t>& columns,
                                   const std::vector<std::vector<NumberTotal>>& sums) const {
    std::vector<Shown> out;
    for (std::uint32_t c : columns) {
      const std::vector<NumberTotal>& of = sums[c];
      const int missing = static_cast<int>(of.size()) - 1;
      int low = 0, high = missing - 1;
      while (low < missing && !(of[low].n > 0.0)) ++low;
      while (high >= 0 && !(of[high].n > 0.0)) --high;
      const bool tried = unknown_count() && low < missing && of[missing].n > 0.0 &&
                         divided_by_value(problem_.control, problem_.frame.columns[c].kind);
      if (tried) {
        out.push_back({c, 0, low});
        out.push_back({c, 1, high});
      } else {
        out.push_back({c, no_branch, missing});
      }
    }
    return out;
  }

  // The columns' codes, but one code per value in bins that were looked into.
  std::shared_ptr<const Codes> own_codes(const KnownCells<Cell>& cells) const {
    std::vector<std::vector<double>> values(codes_->size());
    cells.each(*codes_, [&](const Cell& cell, double value) {
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

// Trees from counts: no row is in memory, and of a node is known how often each value of a column
// occurs with each class, or what the numbers of the response sum to. A database or a table of
// counts is asked for these, once for every split in two; the tree is that of the rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../missing/policies.hpp"
#include "../search/histogram/count_source.hpp"
#include "../search/histogram/histogram_search.hpp"
#include "../search/statistic/class_histogram.hpp"
#include "../search/statistic/table_of_numbers.hpp"
#include "grower.hpp"
#include "problem.hpp"

namespace tectree {

// How many rows have a value, by its code in the column (missing: that after the last), and a
// class, from 0.
struct ClassCell {
  std::uint32_t column;
  int code, label;
  double n;
};

// The same for numbers: rows, and the sum of their numbers less a centre, and of squares of that.
struct NumberCell {
  std::uint32_t column;
  int code;
  double n, sum, squares;
};

// The cells of the rows that a path leads to, of every column, in any order; those without rows may
// be left out.
using AskClasses = std::function<std::vector<ClassCell>(const Path&)>;
using AskNumbers = std::function<std::vector<NumberCell>(const Path&)>;

namespace detail {

template <class Stat, class Cell, class Add>
auto asking(std::vector<Cell> of_root, std::function<std::vector<Cell>(const Path&)> ask, Add add) {
  return [=](const Path& path, const CellLayout& cells, typename Stat::Counts& counts) {
    for (const Cell& cell : path.empty() ? of_root : ask(path)) {
      const std::size_t at = cells.first(cell.column) + static_cast<std::size_t>(cell.code);
      if (cell.code < 0 || at >= cells.end(cell.column))
        throw std::invalid_argument("a cell has a code that its column has not");
      add(cell, counts.at(at));
    }
  };
}

template <class Cell>
double rows_of(const std::vector<Cell>& cells) {
  double n = 0.0;
  for (const Cell& cell : cells) n += cell.column == 0 ? cell.n : 0.0;
  return n;
}

template <class Cell>
void need_plain_missing(const std::vector<Cell>& of_root, const Codes& codes,
                        const MissingPolicy& missing) {
  if (missing.search == SearchControl::Unknown::ignored && missing.rows != UnknownRows::share)
    return;
  for (const Cell& cell : of_root) {
    if (cell.n > 0.0 && cell.code == codes[cell.column].codes)
      throw std::invalid_argument("with missing values counts need \"majority\" or \"drop\"");
  }
}

template <class Stat>
Tree grow_counted(CountSource<Stat> source, const Problem& problem, const StopRule& stop,
                  const MissingPolicy& missing, Team& team) {
  auto search = std::make_unique<HistogramSearch<CountSource<Stat>>>(std::move(source), 0, 1);
  const Node root = root_of(*search, problem.seed);
  return Grower(stop, missing, problem.response.n_classes, 0, 0)
      .grow(std::move(search), root, 0, team);
}

template <class W>
Tree grow_classes(const Problem& problem, std::shared_ptr<const ClassProblem> shared,
                  std::shared_ptr<const Codes> codes, std::vector<ClassCell> of_root,
                  const AskClasses& ask, const StopRule& stop, const MissingPolicy& missing,
                  Team& team) {
  using Stat = ClassHistogram<W>;
  if (by_c45(problem) || problem.control.random_cuts || !Stat::suits(*shared, 1.0, 1.0))
    throw std::invalid_argument("the criterion, or a setting, needs rows");
  const auto add = [](const ClassCell& cell, auto* counts) {
    counts[cell.label] += static_cast<typename Stat::Count>(cell.n);
  };
  const Stat stat(*shared);
  return grow_counted<Stat>(
      {std::move(shared), stat, std::move(codes), asking<Stat>(std::move(of_root), ask, add)},
      problem, stop, missing, team);
}

}  // namespace detail

// The problem's frame has the kinds and levels of its columns, but no values; its sample no rows.
// `codes`: the values of each column, see exact_codes().
inline Tree grow_from_counts(const Problem& asked, std::shared_ptr<const Codes> codes,
                             const AskClasses& ask, const StopRule& stop,
                             const MissingPolicy& missing, Team& team) {
  constexpr double most_in_table = 1 << 24;  // 16 bytes a row
  Problem problem = asked;
  problem.control.unknown = missing.search;
  std::vector<ClassCell> of_root = ask({});
  detail::need_plain_missing(of_root, *codes, missing);
  WeightFacts weights;
  weights.total = detail::rows_of(of_root);
  weights.least = 1.0;
  weights.unit = false;
  weights.whole = problem.factors.plain() && weights.total <= most_in_table;
  auto shared = std::make_shared<ClassProblem>();
  shared->factors = problem.factors;
  if (!problem.factors.plain()) {
    for (int s = 0; s < problem.response.n_classes; ++s)
      weights.least = std::min(weights.least, problem.factors.split_of(s));
  }
  share_classes(problem, weights, team, *shared);
  if (weights.whole) {
    return detail::grow_classes<WholeWeight>(problem, std::move(shared), std::move(codes),
                                             std::move(of_root), ask, stop, missing, team);
  }
  return detail::grow_classes<RealWeight>(problem, std::move(shared), std::move(codes),
                                          std::move(of_root), ask, stop, missing, team);
}

// Under least squares. `centre`: what is taken off the response; near its mean, so that no digits
// are lost.
inline Tree grow_from_counts(const Problem& asked, std::shared_ptr<const Codes> codes,
                             const AskNumbers& ask, double centre, const StopRule& stop,
                             const MissingPolicy& missing, Team& team) {
  Problem problem = asked;
  problem.control.unknown = missing.search;
  std::vector<NumberCell> of_root = ask({});
  detail::need_plain_missing(of_root, *codes, missing);
  auto shared = std::make_shared<NumberProblem>();
  shared->frame = &problem.frame;
  shared->control = problem.control;
  if (problem.criterion != LeastSquares::info().name || problem.control.random_cuts ||
      !TableOfNumbers::suits(*shared))
    throw std::invalid_argument("the criterion, or a setting, needs rows");
  const auto add = [](const NumberCell& cell, NumberTotal& into) {
    into += NumberTotal{cell.n, cell.sum, cell.squares};
  };
  auto asks = detail::asking<TableOfNumbers>(std::move(of_root), ask, add);
  return detail::grow_counted<TableOfNumbers>(
      {std::move(shared), TableOfNumbers(centre), std::move(codes), std::move(asks)}, problem, stop,
      missing, team);
}

}  // namespace tectree

// Trees from counts: no row is in memory, and a node is known by how often each value of a column
// occurs with each class, or by the sums of the response. A database or a table of counts is asked
// for these, once for every split in two; the tree is the one that the rows would give.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <type_traits>
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

// How many rows have a value, by its code in the column (missing: after the last), and a class,
// from 0.
struct ClassCell {
  std::uint32_t column;
  int code, label;
  double n;
  double rows = 0.0;  // the number of rows, if they have weights
};

// The same for numbers: rows, and the sum of their numbers minus a centre, and of its squares.
struct NumberCell {
  std::uint32_t column;
  int code;
  double n, sum, squares;
  double rows = 0.0;
};

// The cells of the rows that a path leads to, for every column, in any order; cells without rows
// may be left out.
using AskClasses = std::function<std::vector<ClassCell>(const Path&)>;
using AskNumbers = std::function<std::vector<NumberCell>(const Path&)>;

namespace detail {

inline void need(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

// Requirements on an answer before its cells are added up.
template <class Cell>
std::vector<Cell> checked(std::vector<Cell> cells, const Codes& codes, int n_classes) {
  for (const Cell& cell : cells) {
    need(cell.column < codes.size(), "a cell has an unknown column");
    need(cell.code >= 0 && cell.code <= codes[cell.column].codes,
         "a cell has a code that its column lacks");
    need(cell.n >= 0.0 && cell.n < 0x1p53 && cell.n == std::floor(cell.n),
         "a cell has a count that is not a whole number");
    if constexpr (std::is_same_v<Cell, ClassCell>)
      need(cell.label >= 0 && cell.label < n_classes, "a cell has an unknown class");
  }
  return cells;
}

template <class Stat, class Cell, class Add>
auto asking(std::vector<Cell> of_root, std::function<std::vector<Cell>(const Path&)> ask,
            const std::shared_ptr<const Codes>& codes, int n_classes, Add add) {
  return [=](const Path& path, const CellLayout& cells, typename Stat::Counts& counts) {
    const auto add_all = [&](const std::vector<Cell>& answer) {
      for (const Cell& cell : answer)
        add(cell, counts.at(cells.first(cell.column) + static_cast<std::size_t>(cell.code)));
    };
    if (path.empty()) return add_all(of_root);
    add_all(checked(ask(path), *codes, n_classes));
  };
}

// The first answer, for all rows.
template <class Cell>
std::vector<Cell> ask_root(const std::function<std::vector<Cell>(const Path&)>& ask,
                           const Codes& codes, int n_classes, const MissingPolicy& missing) {
  need(!missing.looks_for_surrogates(), "surrogates need rows");
  std::vector<Cell> cells = checked(ask({}), codes, n_classes);
  const bool plain =
      missing.search == SearchControl::Unknown::ignored && missing.rows != UnknownRows::share;
  bool any = false;
  for (const Cell& cell : cells) {
    any = any || cell.n > 0.0;
    need(plain || cell.n == 0.0 || cell.code < codes[cell.column].codes,
         "with missing values counts need \"majority\" or \"drop\"");
  }
  need(any, "there are no rows");
  return cells;
}

// The total weight of the rows in the search.
inline double weight_of(const std::vector<ClassCell>& cells, const ClassFactors& factors) {
  double total = 0.0;
  for (const ClassCell& cell : cells)
    total += cell.column == 0 ? cell.n * factors.split_of(cell.label) : 0.0;
  return total;
}

template <class Stat>
Tree grow_counted(CountSource<Stat> source, const Problem& problem, const StopRule& stop,
                  const MissingPolicy& missing, Team& team) {
  auto search =
      std::make_unique<HistogramSearch<CountSource<Stat>>>(std::move(source), 0, team.size());
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
  need(!by_c45(problem) && !by_p_value(problem) && !stop.has_test() &&
           !problem.control.random_cuts && Stat::suits(*shared, {}, 1.0, 1.0),
       "the criterion, or a setting, needs rows");
  const auto add = [](const ClassCell& cell, auto* counts) {
    counts[cell.label] += static_cast<typename Stat::Count>(cell.n);
  };
  const Stat stat(*shared);
  auto asks = asking<Stat>(std::move(of_root), ask, codes, problem.response.n_classes, add);
  return grow_counted<Stat>({std::move(shared), stat, std::move(codes), std::move(asks)}, problem,
                            stop, missing, team);
}

}  // namespace detail

// The problem's frame has the kinds and levels of its columns, but no values; its sample has no
// rows. `codes`: the values of each column, see exact_codes().
inline Tree grow_from_counts(const Problem& asked, std::shared_ptr<const Codes> codes,
                             const AskClasses& ask, const StopRule& stop,
                             const MissingPolicy& missing, Team& team) {
  constexpr double most_in_table = 1 << 24;  // 16 bytes per row
  Problem problem = asked;
  problem.control.unknown = missing.search;
  auto of_root = detail::ask_root(ask, *codes, problem.response.n_classes, missing);
  WeightFacts weights;
  weights.total = detail::weight_of(of_root, problem.factors);
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

// With least squares. `centre`: subtracted from the response; close to its mean, so no digits are
// lost.
inline Tree grow_from_counts(const Problem& asked, std::shared_ptr<const Codes> codes,
                             const AskNumbers& ask, double centre, const StopRule& stop,
                             const MissingPolicy& missing, Team& team) {
  Problem problem = asked;
  problem.control.unknown = missing.search;
  auto of_root = detail::ask_root(ask, *codes, 0, missing);
  auto shared = std::make_shared<NumberProblem>();
  shared->frame = &problem.frame;
  shared->control = problem.control;
  detail::need(problem.criterion == LeastSquares::info().name && !problem.control.random_cuts &&
                   TableOfNumbers::suits(*shared),
               "the criterion, or a setting, needs rows");
  const auto add = [](const NumberCell& cell, NumberTotal& into) {
    into += NumberTotal{cell.n, cell.sum, cell.squares};
  };
  auto asks = detail::asking<TableOfNumbers>(std::move(of_root), ask, codes, 0, add);
  return detail::grow_counted<TableOfNumbers>(
      {std::move(shared), TableOfNumbers(centre), std::move(codes), std::move(asks)}, problem, stop,
      missing, team);
}

}  // namespace tectree

// The statistic of a problem: how its searches count rows. It has one of a few types, for each of
// which the code behind NodeSearch is compiled; task() is that of the sorted search, and takes the
// setup.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "../search/c45/c45_task.hpp"
#include "../search/chaid/chaid_task.hpp"
#include "../search/numbers/mean_stat.hpp"
#include "../search/numbers/median_stat.hpp"
#include "searches.hpp"

namespace tectree {

// Rows are counted by class, with weights of type W.
template <class W>
struct ByClass {
  template <class Index>
  static auto task(const Problem&, ClassSetup& setup, const Arena<Index>&, Team&) {
    return SortedTask(
        ClassStat<Index, W>(setup.shared, std::move(setup.label), std::move(setup.rows)));
  }
};

// The same, where columns are cut and chosen by the rules of C4.5.
template <class W>
struct ByClassAsC45 {
  template <class Index>
  static auto task(const Problem& problem, ClassSetup& setup, const Arena<Index>& rows,
                   Team& team) {
    const auto facts = std::make_shared<c45::Facts>(
        c45::facts_of_sample(problem.frame, problem.sample, problem.control, rows, team));
    if (problem.training) {
      facts->many_levels =
          c45::columns_of_many_levels(problem.frame, *problem.training, problem.control);
    }
    return C45Task<Index, W>(ByClass<W>::task(problem, setup, rows, team), facts);
  }
};

// By their numbers: sums for the mean, ranks for the median.
template <class Criterion>
struct ByNumber {
  static_assert(is_deviation<Criterion>());

  template <class Index>
  static auto task(const Problem&, NumberSetup& setup, const Arena<Index>& rows, Team&) {
    if constexpr (Criterion::about == About::mean) {
      if (setup.weights.unit) setup.shared->inverse = inverses(rows.n);
      return SortedTask(MeanStat<Index, Criterion>(setup.shared, std::move(setup.numbers)));
    } else {
      return SortedTask(MedianStat<Index>(setup.shared, std::move(setup.numbers)));
    }
  }
};

// Either, if columns are divided and chosen by p values.
template <class Statistic>
struct ByPValue {
  template <class Index, class Setup>
  static auto task(const Problem& problem, Setup& setup, const Arena<Index>& rows, Team& team) {
    auto base = Statistic::task(problem, setup, rows, team);
    return ChaidTask(std::move(base),
                     chaid::bounds_of(problem.frame, problem.whole(), problem.control, team));
  }
};

using ClassStatistic = std::variant<ByPValue<ByClass<WholeWeight>>, ByPValue<ByClass<RealWeight>>,
                                    ByClass<WholeWeight>, ByClass<RealWeight>,
                                    ByClassAsC45<WholeWeight>, ByClassAsC45<RealWeight>>;

inline ClassStatistic pick_statistic(const Problem& problem, const ClassSetup& setup) {
  if (by_p_value(problem)) {
    if (setup.weights.whole) return ByPValue<ByClass<WholeWeight>>{};
    return ByPValue<ByClass<RealWeight>>{};
  }
  if (by_c45(problem)) {  // its scan reads no table of whole weights
    if (setup.weights.unit) return ByClassAsC45<WholeWeight>{};
    return ByClassAsC45<RealWeight>{};
  }
  if (setup.weights.whole) return ByClass<WholeWeight>{};
  return ByClass<RealWeight>{};
}

namespace detail {
template <class Criteria>
struct ByNumberOf;
template <class... C>
struct ByNumberOf<std::variant<C...>> {
  using type = std::variant<ByNumber<C>..., ByPValue<ByNumber<LeastSquares>>>;
};
}  // namespace detail

using NumberStatistic = detail::ByNumberOf<Regression>::type;

inline NumberStatistic pick_statistic(const Problem& problem, const NumberSetup&) {
  if (by_p_value(problem)) return ByPValue<ByNumber<LeastSquares>>{};
  return std::visit(
      [](auto criterion) -> NumberStatistic { return ByNumber<decltype(criterion)>{}; },
      pick_regression(problem.criterion));
}

}  // namespace tectree

// From a problem to its sorted search: picks the criterion's task, the weights' type and the
// arena's width.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "../search/c45/c45_task.hpp"
#include "../search/classes/class_stat.hpp"
#include "../search/numbers/mean_stat.hpp"
#include "../search/numbers/median_stat.hpp"
#include "../search/sorted/sorted_search.hpp"
#include "../search/sorted/sorted_task.hpp"
#include "setup.hpp"

namespace tectree {

// Where a search's arena comes from: the columns of the problem's sample, sorted.
struct SortedHere {
  static constexpr bool narrow = true;  // on 16 bits where the rows are few
  template <class Index>
  Arena<Index> arena(const Problem& problem, Team& team) const {
    return make_arena<Index>(problem.frame, problem.sample, team);
  }
};

// The same for what is done once a call: on 32 bits always, which saves a copy of the search's
// code.
struct SortedOnce : SortedHere {
  static constexpr bool narrow = false;
};

template <class Sorted, class Run>
auto with_index(const Problem& problem, Run run) {
  if constexpr (Sorted::narrow) {
    if (problem.sample.size <= problem.small_node) return run(std::uint16_t{});
  }
  return run(std::uint32_t{});
}

// Calls use(W{}) with the type of the rows' weights.
template <class Use>
auto with_weight(const Problem& problem, const ClassSetup& setup, Use use) {
  // C4.5's scan reads no table of whole weights.
  const bool whole = by_c45(problem) ? setup.weights.unit : setup.weights.whole;
  return whole && !setup.by_class ? use(WholeWeight{}) : use(RealWeight{});
}

template <class Index>
std::shared_ptr<const c45::Facts> c45_facts(const Problem& problem, const Arena<Index>& arena,
                                            Team& team) {
  const auto facts = std::make_shared<c45::Facts>(
      c45::facts_of_sample(problem.frame, problem.sample, problem.control, arena, team));
  if (problem.training) {
    facts->many_levels =
        c45::columns_of_many_levels(problem.frame, *problem.training, problem.control);
  }
  return facts;
}

// Calls use(search) with the sorted search that fits the problem.
template <class Use, class Sorted = SortedHere>
auto with_class_search(const Problem& problem, ClassSetup setup, Team& team, Use use,
                       const Sorted& sorted = {}) {
  const auto run = [&](auto index, auto w) {
    using Index = decltype(index);
    using Task = SortedTask<ClassStat<Index, decltype(w)>>;
    auto arena = sorted.template arena<Index>(problem, team);
    Task task(setup.shared, std::move(setup.label), std::move(setup.weight),
              std::move(setup.case_weight));
    const auto search = [&](auto its_task) {
      return use(std::make_shared<SortedSearch<Index, decltype(its_task)>>(
          problem.frame, problem.sample, std::move(arena), std::move(its_task), team.size()));
    };
    if (by_c45(problem)) {
      auto facts = c45_facts(problem, arena, team);
      return search(C45Task<Index, decltype(w)>(std::move(task), std::move(facts)));
    }
    return search(std::move(task));
  };
  return with_weight(problem, setup, [&](auto w) {
    return with_index<Sorted>(problem, [&](auto index) { return run(index, w); });
  });
}

// How a criterion for numbers has the rows counted.
template <class Index, class Criterion>
using NumberStat = std::conditional_t<Criterion::about == About::mean, MeanStat<Index, Criterion>,
                                      MedianStat<Index>>;

template <class Criterion, class Use, class Sorted = SortedHere>
auto with_search_by(const Problem& problem, NumberSetup setup, Team& team, Use use,
                    const Sorted& sorted = {}) {
  if (setup.weights.unit && Criterion::about == About::mean)
    setup.shared->inverse = inverses(problem.sample.size);
  return with_index<Sorted>(problem, [&](auto index) {
    using Index = decltype(index);
    using Task = SortedTask<NumberStat<Index, Criterion>>;
    auto arena = sorted.template arena<Index>(problem, team);
    return use(std::make_shared<SortedSearch<Index, Task>>(
        problem.frame, problem.sample, std::move(arena),
        Task(setup.shared, std::move(setup.numbers)), team.size()));
  });
}

template <class Use, class Sorted = SortedHere>
auto with_number_search(const Problem& problem, NumberSetup setup, Team& team, Use use,
                        const Sorted& sorted = {}) {
  return with_regression(problem.criterion, [&](auto criterion) {
    return with_search_by<decltype(criterion)>(problem, std::move(setup), team, use, sorted);
  });
}

// Calls use(search) with the sorted search that fits the problem, for a use that is not growth.
template <class Use>
auto with_sorted(const Problem& problem, Team& team, Use use) {
  return problem.response.is_class()
             ? with_class_search(problem, set_up_classes(problem, team), team, use, SortedOnce())
             : with_number_search(problem, set_up_numbers(problem), team, use, SortedOnce());
}

}  // namespace tectree

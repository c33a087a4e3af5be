// From a problem to its searches: picks the criterion's task, the weights' type and the arena's
// width.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "../search/c45/c45_task.hpp"
#include "../search/histogram/histogram_search.hpp"
#include "../search/numbers/mean_stat.hpp"
#include "../search/numbers/median_stat.hpp"
#include "../search/statistic/class_histogram.hpp"
#include "../search/statistic/number_histogram.hpp"
#include "searches.hpp"

namespace tectree {

// use(W{}) with the type of the rows' weights.
template <class Use>
auto with_weight(const Problem& problem, const ClassSetup& setup, Use use) {
  // C4.5's scan reads no table of whole weights.
  const bool whole = by_c45(problem) ? setup.weights.unit : setup.weights.whole;
  return whole && !setup.by_class ? use(WholeWeight{}) : use(RealWeight{});
}

// Levels that are grouped stand in no order where nothing but groups of them is asked for: not by
// C4.5's rules, not for surrogates, nor where rows are shared out.
template <class Index>
Arena<Index> class_rows(const Problem& problem, Team& team) {
  const bool groups_only = sizeof(Index) == 2 && !by_c45(problem) &&
                           problem.control.unknown == SearchControl::Unknown::ignored;
  return make_arena<Index>(problem.frame, problem.sample, team, [&](std::size_t c) {
    return groups_only && needs_no_order(problem.control, problem.frame.columns[c],
                                         static_cast<std::size_t>(problem.response.n_classes));
  });
}

template <class Index>
Arena<Index> sorted_rows(const Problem& problem, const SortedPart* part, Team& team) {
  if (!part && problem.response.is_class()) return class_rows<Index>(problem, team);
  if (!part) return make_arena<Index>(problem.frame, problem.sample, team);
  const Arena<std::uint32_t>& whole = part->columns;
  Taken<std::uint32_t> taken(0, whole.n, whole.n);
  for (std::uint32_t position : part->positions) taken.add(position, 1.0);
  const bool shared = Team::worth(whole.n * whole.columns.size());
  Arena<Index> out = take_rows<Index>(whole, taken, whole.present, team, shared);
  if (!part->of_problem) out.origin.clear();
  return out;
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

// use(task) with the task of sorted rows.
template <class Index, class Use>
auto with_task(const Problem& problem, ClassSetup setup, const Arena<Index>& arena, Team& team,
               Use use) {
  return with_weight(problem, setup, [&](auto w) {
    using W = decltype(w);
    SortedTask task(ClassStat<Index, W>(setup.shared, std::move(setup.label),
                                        std::move(setup.weight), std::move(setup.case_weight)));
    if (by_c45(problem))
      return use(C45Task<Index, W>(std::move(task), c45_facts(problem, arena, team)));
    return use(std::move(task));
  });
}

// The criterion says how rows are counted.
template <class Criteria = Regression, class Index, class Use>
auto with_task(const Problem& problem, NumberSetup setup, const Arena<Index>&, Team&, Use use) {
  return with_regression<Criteria>(problem.criterion, [&](auto criterion) {
    using Criterion = decltype(criterion);
    constexpr bool mean = Criterion::about == About::mean;
    if (setup.weights.unit && mean) setup.shared->inverse = inverses(problem.sample.size);
    using Stat = std::conditional_t<mean, MeanStat<Index, Criterion>, MedianStat<Index>>;
    return use(SortedTask(Stat(setup.shared, std::move(setup.numbers))));
  });
}

template <class Setup>
std::unique_ptr<NodeSearch> sorted_search(const Problem& problem, Setup setup, Team& team,
                                          const SortedPart* part) {
  const auto make = [&](auto index) {
    auto arena = sorted_rows<decltype(index)>(problem, part, team);
    return with_task(problem, std::move(setup), arena, team, [&](auto task) {
      return make_sorted(problem.frame, problem.sample, std::move(arena), std::move(task),
                         team.size());
    });
  };
  const std::size_t n = part ? part->positions.size() : problem.sample.size;
  return n <= problem.small_node ? make(std::uint16_t{}) : make(std::uint32_t{});
}

template <class Setup>
bool suits_histogram(const Problem& problem, const Setup& setup) {
  if (problem.sorted_only || problem.control.random_cuts || by_c45(problem)) return false;
  if constexpr (std::is_same_v<Setup, ClassSetup>) {
    return with_weight(problem, setup, [&](auto w) {
      return ClassHistogram<decltype(w)>::suits(*setup.shared, setup.cases.least,
                                                setup.cases.total);
    });
  } else {
    return problem.criterion == NumberHistogram::Criterion::info().name &&
           NumberHistogram::suits(*setup.shared, setup.numbers);
  }
}

template <class Stat>
class CodedBy : public CodedProblem {
 public:
  CodedBy(typename Stat::Task task, std::shared_ptr<const Codes> codes)
      : CodedProblem(std::move(codes), Stat::pass_on(task)), task_(std::move(task)) {}
  std::unique_ptr<NodeSearch> search(std::vector<std::uint32_t> kept, std::size_t small,
                                     int threads) const override {
    using Search =
        std::conditional_t<std::is_same_v<typename Stat::Problem, ClassProblem>,
                           SharedHistogramSearch<Stat>, HistogramSearch<RowSource<Stat>>>;
    return std::make_unique<Search>(RowSource<Stat>(task_, codes, std::move(kept)), small, threads);
  }

 private:
  typename Stat::Task task_;
};

template <class Setup>
std::unique_ptr<CodedProblem> coded(const Problem& problem, Setup setup,
                                    std::shared_ptr<const Codes> codes) {
  if constexpr (std::is_same_v<Setup, ClassSetup>) {
    return with_weight(problem, setup, [&](auto w) -> std::unique_ptr<CodedProblem> {
      using Stat = ClassHistogram<decltype(w)>;
      typename Stat::Task task(typename Stat::Task::Stat(setup.shared, std::move(setup.label),
                                                         std::move(setup.weight),
                                                         std::move(setup.case_weight)));
      return std::make_unique<CodedBy<Stat>>(std::move(task), std::move(codes));
    });
  } else {
    NumberHistogram::Task task(NumberHistogram::Task::Stat(setup.shared, std::move(setup.numbers)));
    // For every node that may be passed on.
    setup.shared->inverse =
        inverses(std::max(NumberHistogram::pass_on(task).to_the_end, problem.small_node));
    return std::make_unique<CodedBy<NumberHistogram>>(std::move(task), std::move(codes));
  }
}

}  // namespace tectree

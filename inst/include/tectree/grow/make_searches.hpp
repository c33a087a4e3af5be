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

// use(Index{}, rows), as narrow as the rows allow.
template <class Use>
auto with_index(const Problem& problem, const SortedPart* part, Use use) {
  const std::size_t n = part ? part->positions.size() : problem.sample.size;
  return n <= problem.small_node ? use(std::uint16_t{}) : use(std::uint32_t{});
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
  Arena<Index> out = part->columns.arena<Index>(part->positions, team);
  if (part->of_problem) out.origin = part->positions;
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
template <class W, class Index, class Use>
auto with_class_task(const Problem& problem, ClassSetup setup, const Arena<Index>& arena,
                     Team& team, Use use) {
  SortedTask<ClassStat<Index, W>> task(setup.shared, std::move(setup.label),
                                       std::move(setup.weight), std::move(setup.case_weight));
  if (by_c45(problem))
    return use(C45Task<Index, W>(std::move(task), c45_facts(problem, arena, team)));
  return use(std::move(task));
}

// How a criterion for numbers has the rows counted.
template <class Index, class Criterion>
using NumberTask = SortedTask<std::conditional_t<Criterion::about == About::mean,
                                                 MeanStat<Index, Criterion>, MedianStat<Index>>>;

template <class Index, class Criterion>
NumberTask<Index, Criterion> number_task(const Problem& problem, NumberSetup setup) {
  if (setup.weights.unit && Criterion::about == About::mean)
    setup.shared->inverse = inverses(problem.sample.size);
  return {setup.shared, std::move(setup.numbers)};
}

template <class W>
std::unique_ptr<NodeSearch> class_search(const Problem& problem, ClassSetup setup,
                                         const SortedPart* part, Team& team) {
  return with_index(problem, part, [&](auto index) {
    using Index = decltype(index);
    auto arena = sorted_rows<Index>(problem, part, team);
    return with_class_task<W>(problem, std::move(setup), arena, team, [&](auto task) {
      return make_sorted(problem.frame, problem.sample, std::move(arena), std::move(task),
                         team.size());
    });
  });
}

template <class Criteria>
std::unique_ptr<NodeSearch> number_search(const Problem& problem, NumberSetup setup,
                                          const SortedPart* part, Team& team) {
  return with_regression<Criteria>(problem.criterion, [&](auto criterion) {
    return with_index(problem, part, [&](auto index) {
      using Index = decltype(index);
      return make_sorted(problem.frame, problem.sample, sorted_rows<Index>(problem, part, team),
                         number_task<Index, decltype(criterion)>(problem, std::move(setup)),
                         team.size());
    });
  });
}

inline bool may_count(const Problem& problem) {
  return !problem.sorted_only && !problem.control.random_cuts && !by_c45(problem);
}

template <class W>
bool suits_histogram(const Problem& problem, const ClassSetup& setup) {
  return may_count(problem) &&
         ClassHistogram<W>::suits(*setup.shared, setup.cases.least, setup.cases.total);
}
template <class Criterion>
bool suits_histogram(const Problem& problem, const NumberSetup& setup) {
  static_assert(std::is_same_v<Criterion, NumberHistogram::Criterion>);
  return may_count(problem) && NumberHistogram::suits(*setup.shared, setup.numbers);
}

template <class Stat>
class CodedBy : public CodedProblem {
 public:
  CodedBy(typename Stat::Task task, std::shared_ptr<const Codes> codes)
      : CodedProblem(std::move(codes), Stat::pass_on(task)), task_(std::move(task)) {}
  std::unique_ptr<NodeSearch> search(std::vector<std::uint32_t> kept, std::size_t small,
                                     int threads) const override {
    return std::make_unique<HistogramSearch<RowSource<Stat>>>(
        RowSource<Stat>(task_, codes, std::move(kept)), small, threads);
  }

 private:
  typename Stat::Task task_;
};

template <class W>
std::unique_ptr<CodedProblem> coded(ClassSetup setup, std::shared_ptr<const Codes> codes) {
  using Stat = ClassHistogram<W>;
  return std::make_unique<CodedBy<Stat>>(
      typename Stat::Task(setup.shared, std::move(setup.label), std::move(setup.weight),
                          std::move(setup.case_weight)),
      std::move(codes));
}
template <class Criterion>
std::unique_ptr<CodedProblem> coded(const Problem& problem, NumberSetup setup,
                                    std::shared_ptr<const Codes> codes) {
  NumberHistogram::Task task(setup.shared, std::move(setup.numbers));
  // For every node that may be passed on.
  setup.shared->inverse =
      inverses(std::max(NumberHistogram::pass_on(task).to_the_end, problem.small_node));
  return std::make_unique<CodedBy<NumberHistogram>>(std::move(task), std::move(codes));
}

}  // namespace tectree

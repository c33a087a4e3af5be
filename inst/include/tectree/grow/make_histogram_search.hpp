// From a problem to its histogram search: the statistic, the columns' codes, the search.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../search/histogram/histogram_search.hpp"
#include "../search/statistic/class_histogram.hpp"
#include "../search/statistic/number_histogram.hpp"
#include "pick_statistic.hpp"

namespace tectree {

// What the histogram search counts by code for a statistic; void if it does not support it.
template <class Statistic>
struct HistogramOf {
  using type = void;
  template <class Setup>
  static bool suits(const Setup&) {
    return false;
  }
};
template <class W>
struct HistogramOf<ByClass<W>> {
  using type = ClassHistogram<W>;
  static bool suits(const ClassSetup& setup) {
    return type::suits(*setup.shared, setup.rows, setup.cases.least, setup.cases.total);
  }
  static auto task(const Problem&, ClassSetup& setup, const Codes&) {
    return SortedTask(
        typename type::SortedStat(setup.shared, std::move(setup.label), std::move(setup.rows)));
  }
};
template <>
struct HistogramOf<ByNumber<NumberHistogram::Criterion>> {
  using type = NumberHistogram;
  static bool suits(const NumberSetup& setup) { return type::suits(*setup.shared, setup.numbers); }
  static auto task(const Problem& problem, NumberSetup& setup, const Codes& codes) {
    SortedTask task(type::SortedStat(setup.shared, std::move(setup.numbers)));
    // For every node whose columns are searched by value: those that are passed on, or all.
    const bool any = std::any_of(codes.begin(), codes.end(),
                                 [](const CodedColumn& column) { return column.by_value; });
    const std::size_t passed_on =
        std::max(type::pass_on_at(task.stat(), codes).to_the_end, problem.pass_on_at);
    setup.shared->inverse = inverses(any ? std::max(passed_on, problem.sample.size) : passed_on);
    return task;
  }
};

template <class Stat>
class CodedBy : public CodedProblem {
 public:
  CodedBy(typename Stat::Task task, std::shared_ptr<const Codes> codes)
      : CodedProblem(codes, Stat::pass_on_at(task.stat(), *codes)), task_(std::move(task)) {}
  std::unique_ptr<NodeSearch> search(std::vector<std::uint32_t> kept, std::size_t pass_on_at,
                                     int threads) const override {
    return std::make_unique<HistogramSearch<Stat>>(RowSource<Stat>(task_, codes, std::move(kept)),
                                                   pass_on_at, threads);
  }

 private:
  typename Stat::Task task_;
};

template <class Statistic, class Setup>
std::unique_ptr<CodedProblem> coded_by(Statistic, const Problem& problem, Setup& setup,
                                       std::shared_ptr<const Codes> codes) {
  using Of = HistogramOf<Statistic>;
  if constexpr (std::is_void_v<typename Of::type>) {
    return nullptr;
  } else {
    auto task = Of::task(problem, setup, *codes);
    return std::make_unique<CodedBy<typename Of::type>>(std::move(task), std::move(codes));
  }
}

TECTREE_SEARCH bool suits_histogram(const Problem& problem, const Setup& setup) {
  if (problem.sorted_only || problem.control.random_cuts || by_c45(problem)) return false;
  if (by_p_value(problem)) return false;
  return std::visit(
      [&](const auto& of) {
        return std::visit(
            [&](auto statistic) { return HistogramOf<decltype(statistic)>::suits(of); },
            pick_statistic(problem, of));
      },
      setup);
}

TECTREE_SEARCH std::unique_ptr<CodedProblem> coded(const Problem& problem, Setup setup,
                                                   std::shared_ptr<const Codes> codes) {
  return std::visit(
      [&](auto& of) {
        return std::visit(
            [&](auto statistic) { return coded_by(statistic, problem, of, std::move(codes)); },
            pick_statistic(problem, of));
      },
      setup);
}

}  // namespace tectree

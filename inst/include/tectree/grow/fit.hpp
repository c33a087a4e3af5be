// From a problem to its tree: picks the criterion's task, the weights' type and the arena's width, then grows.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../criterion/registry.hpp"
#include "../search/class_task.hpp"
#include "../search/moment_task.hpp"
#include "../search/presorted.hpp"
#include "../search/rank_task.hpp"
#include "grower.hpp"

namespace tectree {

// A node of at most this many rows is grown in an arena of its own: 20 columns then take some 300 kB.
constexpr std::size_t small_node = 4096;

struct WeightFacts {
  double total = 0.0, least = HUGE_VAL;
  bool whole = true, unit = true;
};

inline WeightFacts weigh(const Sample& sample) {
  WeightFacts f;
  for (std::size_t i = 0; i < sample.size; ++i) {
    const double w = sample.weight(i);
    f.total += w;
    f.least = std::min(f.least, w);
    f.whole = f.whole && w == std::floor(w);
    f.unit = f.unit && w == 1.0;
  }
  // phi's table has a cell for every count up to the total: worth it while that is of the order of the rows.
  f.whole = f.whole && f.total <= 16.0 * static_cast<double>(sample.size) + 1e6;
  return f;
}

struct Problem {
  Frame frame;
  Sample sample;
  Response response;
  std::string criterion;
  double parameter = 0.0;
  SearchControl control;
};

// Calls use(search) with the presorted search that fits the problem.
template <class Use>
auto with_class_search(const Problem& problem, Team& team, Use use) {
  const WeightFacts weights = weigh(problem.sample);
  auto shared = std::make_shared<ClassProblem>();
  shared->frame = &problem.frame;
  shared->sample = &problem.sample;
  shared->n_classes = problem.response.n_classes;
  shared->criterion = make_criterion(problem.criterion, problem.parameter, weights.total, weights.least);
  shared->control = problem.control;
  shared->half_least = weights.whole ? 0.5 : weights.least / 2;
  if (weights.whole) {
    shared->table = KernelTable(shared->criterion->kernel(), static_cast<std::size_t>(weights.total), team);
  }
  std::vector<std::uint16_t> label(problem.sample.size);
  std::vector<double> weight(weights.unit ? 0 : problem.sample.size);
  for (std::size_t i = 0; i < problem.sample.size; ++i) {
    label[i] = static_cast<std::uint16_t>(problem.response.code[problem.sample.row(i)] - 1);
    if (!weights.unit) weight[i] = problem.sample.weight(i);
  }
  const auto run = [&](auto index, auto w) {
    using Index = decltype(index);
    using Task = ClassTask<Index, decltype(w)>;
    auto arena = make_arena<Index>(problem.frame, problem.sample, sizeof(Index) > 2, team);
    return use(std::make_shared<PresortedSearch<Index, Task>>(
        problem.frame, problem.sample, std::move(arena), Task(shared, std::move(label), std::move(weight)), team.size()));
  };
  const auto pick = [&](auto w) {
    return problem.sample.size <= small_node ? run(std::uint16_t{}, w) : run(std::uint32_t{}, w);
  };
  if (weights.unit) return pick(UnitWeight{});
  return weights.whole ? pick(WholeWeight{}) : pick(RealWeight{});
}

// The arena's rows by their number.
template <class Index>
std::vector<Entry<Index>> order_of(const std::vector<double>& y) {
  std::vector<Keyed> items, spare;
  for (std::size_t i = 0; i < y.size(); ++i) items.push_back({order_key(y[i] + 0.0), static_cast<std::uint32_t>(i)});
  radix_sort(items, spare);
  std::vector<Entry<Index>> order;
  for (const Keyed& item : items) order.push_back({0, static_cast<Index>(item.position)});
  return order;
}

template <class Use>
auto with_number_search(const Problem& problem, Team& team, Use use) {
  const WeightFacts weights = weigh(problem.sample);
  auto shared = std::make_shared<NumberProblem>(NumberProblem{&problem.frame, &problem.sample, problem.control});
  Numbers numbers;
  for (std::size_t i = 0; i < problem.sample.size; ++i) {
    numbers.y.push_back(problem.response.number[problem.sample.row(i)]);
    if (!weights.unit) numbers.weight.push_back(problem.sample.weight(i));
  }
  const bool absolute = problem.criterion == LeastAbsolute::info().name;
  const auto run = [&](auto index) {
    using Index = decltype(index);
    // Medians need the rows of a value, not a sum over them, so nothing is binned for l1.
    auto arena = make_arena<Index>(problem.frame, problem.sample, sizeof(Index) > 2 && !absolute, team);
    const auto search = [&](auto task) {
      return use(std::make_shared<PresortedSearch<Index, decltype(task)>>(problem.frame, problem.sample, std::move(arena),
                                                                          std::move(task), team.size()));
    };
    if (!absolute) return search(MomentTask<Index>(shared, std::move(numbers)));
    auto order = order_of<Index>(numbers.y);
    return search(RankTask<Index>(shared, std::move(numbers), std::move(order)));
  };
  return problem.sample.size <= small_node ? run(std::uint16_t{}) : run(std::uint32_t{});
}

// Calls use(search) with the search that fits the problem.
template <class Use>
auto with_search(const Problem& problem, Team& team, Use use) {
  return problem.response.is_class() ? with_class_search(problem, team, use) : with_number_search(problem, team, use);
}

inline Tree grow_tree(const Problem& problem, const StopRule& stop, const MissingPolicy& missing, Team& team) {
  return with_search(problem, team, [&](auto search) {
    Grower grower(stop, missing, problem.response.n_classes, problem.sample.size <= small_node ? 0 : small_node);
    const Range root = search->root();
    return grower.grow(search, root, 0, team);
  });
}

}  // namespace tectree

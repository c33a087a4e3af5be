// From a problem to its tree: picks the criterion's task, the weights' type and the arena's width,
// then grows.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../criterion/registry.hpp"
#include "../missing/registry.hpp"
#include "../search/c45_task.hpp"
#include "../search/class_task.hpp"
#include "../search/coarse_search.hpp"
#include "../search/moment_task.hpp"
#include "../search/presorted.hpp"
#include "../search/rank_task.hpp"
#include "actual_values.hpp"
#include "grower.hpp"

namespace tectree {

// A node of at most this many rows is grown in an arena of its own: 20 columns then take some 300
// kB.
constexpr std::size_t small_node = 4096;

// From how many rows on the coarse search passes a node on. Where a price ends growth early, few
// nodes below pay for their sorting.
inline std::size_t coarse_until(const StopRule& stop) {
  return stop.has_price() ? small_node / 4 : small_node;
}

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
  // phi's table has a cell for every count up to the total: worth it while that is of the order of
  // the rows.
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
  Loss loss;
  ClassFactors factors;
  bool presorted = false;  // only the presorted search, for comparison
  std::optional<Sample> training =
      std::nullopt;  // where `sample` is but one node of a tree: all its rows

  const Sample& whole() const { return training ? *training : sample; }
};

inline bool by_c45(const Problem& problem) {
  return problem.response.is_class() && problem.control.rules == SearchControl::Rules::c45;
}

// A classification problem as its searches take it.
struct ClassSetup {
  WeightFacts weights;
  std::shared_ptr<ClassProblem> shared = std::make_shared<ClassProblem>();
  std::vector<std::uint16_t> label;  // by position in the sample
  std::vector<double> weight;        // likewise; empty where all are 1
  std::vector<double> case_weight;   // likewise, where `weight` is more than that
  bool by_class = false;             // classes count differently
};

// What the rows of a sample add to the weight of their nodes, by row of the frame; none where that
// is the case weight.
inline std::vector<double> row_masses(const Problem& problem) {
  if (!problem.response.is_class() || problem.factors.plain()) return {};
  std::vector<double> out(problem.frame.n_rows, 0.0);
  for (std::size_t i = 0; i < problem.sample.size; ++i) {
    const std::size_t row = problem.sample.row(i);
    out[row] = problem.sample.weight(i) * problem.factors.prior_of(problem.response.code[row] - 1);
  }
  return out;
}

inline void apply_factors(const ClassFactors& factors, const Sample& sample, ClassSetup& setup) {
  setup.by_class = true;
  setup.shared->factors = factors;
  setup.case_weight = std::move(setup.weight);
  setup.weight.resize(sample.size);
  setup.weights = WeightFacts();
  setup.weights.whole = setup.weights.unit = false;
  for (std::size_t i = 0; i < sample.size; ++i) {
    const double w = sample.weight(i) * factors.split_of(setup.label[i]);
    setup.weight[i] = w;
    setup.weights.total += w;
    setup.weights.least = std::min(setup.weights.least, w);
  }
}

inline ClassSetup set_up_classes(const Problem& problem, Team& team) {
  ClassSetup out;
  out.weights = weigh(problem.sample);
  ClassProblem& shared = *out.shared;
  shared.frame = &problem.frame;
  shared.sample = &problem.sample;
  shared.n_classes = problem.response.n_classes;
  shared.control = problem.control;
  shared.loss = problem.loss;
  out.label.resize(problem.sample.size);
  out.weight.resize(out.weights.unit ? 0 : problem.sample.size);
  for (std::size_t i = 0; i < problem.sample.size; ++i) {
    out.label[i] = static_cast<std::uint16_t>(problem.response.code[problem.sample.row(i)] - 1);
    if (!out.weights.unit) out.weight[i] = problem.sample.weight(i);
  }
  if (!problem.factors.plain()) apply_factors(problem.factors, problem.sample, out);
  shared.criterion =
      make_criterion(problem.criterion, problem.parameter, out.weights.total, out.weights.least);
  shared.half_least = out.weights.whole ? 0.5 : out.weights.least / 2;
  if (out.weights.whole) {
    shared.table =
        KernelTable(shared.criterion->kernel(), static_cast<std::size_t>(out.weights.total), team);
  }
  return out;
}

// Where a search's arena comes from: the columns of the problem's sample, sorted.
struct SortedHere {
  static constexpr bool narrow = true;  // on 16 bits where the rows are few
  template <class Index>
  Arena<Index> arena(const Problem& problem, bool bins, Team& team) const {
    return make_arena<Index>(problem.frame, problem.sample, bins, team);
  }
};

// The same for what is done once a call: on 32 bits always, which saves a copy of the search's
// code.
struct SortedOnce {
  static constexpr bool narrow = false;
  template <class Index>
  Arena<Index> arena(const Problem& problem, bool bins, Team& team) const {
    return make_arena<Index>(problem.frame, problem.sample,
                             bins && problem.sample.size > small_node, team);
  }
};

template <class Sorted, class Run>
auto with_index(const Problem& problem, Run run) {
  if constexpr (Sorted::narrow) {
    if (problem.sample.size <= small_node) return run(std::uint16_t{});
  }
  return run(std::uint32_t{});
}

// Calls use(search) with the presorted search that fits the problem.
template <class Use, class Sorted = SortedHere>
auto with_class_search(const Problem& problem, ClassSetup setup, Team& team, Use use,
                       const Sorted& sorted = {}) {
  const auto run = [&](auto index, auto w) {
    using Index = decltype(index);
    using Task = ClassTask<Index, decltype(w)>;
    auto arena = sorted.template arena<Index>(problem, sizeof(Index) > 2, team);
    Task task(setup.shared, std::move(setup.label), std::move(setup.weight),
              std::move(setup.case_weight));
    const auto search = [&](auto its_task) {
      return use(std::make_shared<PresortedSearch<Index, decltype(its_task)>>(
          problem.frame, problem.sample, std::move(arena), std::move(its_task), team.size()));
    };
    if constexpr (!std::is_same_v<decltype(w), WholeWeight>) {
      if (by_c45(problem)) {
        const auto facts = std::make_shared<c45::Facts>(
            c45::facts_of_sample(problem.frame, problem.sample, problem.control, arena, team));
        if (problem.training) {
          facts->many_levels =
              c45::columns_of_many_levels(problem.frame, *problem.training, problem.control);
        }
        return search(C45Task<Index, decltype(w)>(std::move(task), facts));
      }
    }
    return search(std::move(task));
  };
  const auto pick = [&](auto w) {
    return with_index<Sorted>(problem, [&](auto index) { return run(index, w); });
  };
  if (setup.by_class) return pick(ClassWeight{});
  if (setup.weights.unit) return pick(UnitWeight{});
  // C4.5's scan reads no table of whole weights.
  return setup.weights.whole && !by_c45(problem) ? pick(WholeWeight{}) : pick(RealWeight{});
}

// The arena's rows by their number.
template <class Index>
std::vector<Entry<Index>> order_of(const std::vector<double>& y) {
  std::vector<Keyed> items, spare;
  for (std::size_t i = 0; i < y.size(); ++i) items.push_back(keyed(y[i] + 0.0, i));
  std::vector<Entry<Index>> order;
  in_order(
      items, spare, [&](std::uint32_t position) { return y[position] + 0.0; },
      [&](std::uint32_t position, bool) {
        order.push_back({0, static_cast<Index>(position)});
      });
  return order;
}

inline bool is_absolute(const Problem& problem) {
  return problem.criterion == LeastAbsolute::info().name;
}

template <class Use, class Sorted = SortedHere>
auto with_number_search(const Problem& problem, Team& team, Use use, const Sorted& sorted = {}) {
  const WeightFacts weights = weigh(problem.sample);
  auto shared = std::make_shared<NumberProblem>(
      NumberProblem{&problem.frame, &problem.sample, problem.control});
  Numbers numbers;
  for (std::size_t i = 0; i < problem.sample.size; ++i) {
    numbers.y.push_back(problem.response.number[problem.sample.row(i)]);
    if (!weights.unit) numbers.weight.push_back(problem.sample.weight(i));
  }
  const bool absolute = is_absolute(problem);
  const auto run = [&](auto index) {
    using Index = decltype(index);
    // Medians need the rows of a value, not a sum over them, so nothing is binned for l1.
    auto arena = sorted.template arena<Index>(problem, sizeof(Index) > 2 && !absolute, team);
    const auto search = [&](auto task) {
      return use(std::make_shared<PresortedSearch<Index, decltype(task)>>(
          problem.frame, problem.sample, std::move(arena), std::move(task), team.size()));
    };
    if (!absolute) return search(MomentTask<Index>(shared, std::move(numbers)));
    auto order = order_of<Index>(numbers.y);
    return search(RankTask<Index>(shared, std::move(numbers), std::move(order)));
  };
  return with_index<Sorted>(problem, run);
}

// Calls use(search) with the presorted search that fits the problem, for a use that is not growth.
template <class Use>
auto with_presorted(const Problem& problem, Team& team, Use use) {
  return problem.response.is_class()
             ? with_class_search(problem, set_up_classes(problem, team), team, use, SortedOnce())
             : with_number_search(problem, team, use, SortedOnce());
}

inline bool any_missing(const Frame& frame, const Sample& sample, Team& team) {
  std::vector<char> holed(frame.columns.size(), 0);
  // A block at a time: within one nothing stops, so that several rows are looked at together.
  constexpr std::size_t block = 4096;
  team.each(frame.columns.size(), [&](std::size_t c, Team&) {
    const Column& column = frame.columns[c];
    for (std::size_t i = 0; i < sample.size && !holed[c]; i += block) {
      const std::size_t end = std::min(i + block, sample.size);
      unsigned holes = 0;
      if (column.real) {
        for (std::size_t j = i; j < end; ++j) holes |= std::isnan(column.real[sample.row(j)]);
      } else {
        for (std::size_t j = i; j < end; ++j) holes |= column.whole[sample.row(j)] == missing_code;
      }
      holed[c] = holes > 0;
    }
  });
  return std::find(holed.begin(), holed.end(), 1) != holed.end();
}

// Whether the tree can be grown as if rows without a value were not there until they are sent to
// a branch: the coarse search knows no other way.
inline bool plain_missing(const Problem& problem, const MissingPolicy& missing, Team& team) {
  using Unknown = SearchControl::Unknown;
  if (missing.surrogates().most > 0 || problem.control.unknown == Unknown::filled) return false;
  const bool ignored =
      problem.control.unknown == Unknown::ignored && missing.rows() == UnknownRows::branch;
  return ignored || !any_missing(problem.frame, problem.sample, team);
}

inline bool suits_coarse(const Problem& problem, const ClassSetup& setup,
                         const MissingPolicy& missing, Team& team) {
  return problem.sample.size > small_node && setup.weights.unit && !problem.presorted &&
         !by_c45(problem) && CoarseSearch::suits(*setup.shared) &&
         plain_missing(problem, missing, team);
}

// Grows the tree of a search over the rows of the problem's sample.
template <class Search>
Tree grow_from(std::shared_ptr<Search> search, const Problem& problem, const StopRule& stop,
               const MissingPolicy& missing, Team& team, std::size_t small = small_node) {
  const std::size_t n = problem.sample.size;
  const bool large = n > small_node;
  // Some subtrees a thread, so that they end at about the same time.
  const std::size_t aside = large && team.size() > 1 ? n / (8 * team.size()) : 0;
  Grower grower(stop, missing, problem.response.n_classes, large ? small : 0, aside);
  const Range root = search->root();
  Tree tree = grower.grow(std::move(search), root, 0, team);
  if (!grower.in_preorder()) tree = assemble(tree, {}, {});
  if (by_c45(problem)) cut_at_actual_values(tree, problem.frame, problem.sample, team);
  return tree;
}

inline std::vector<std::uint32_t> all_positions(std::size_t n) {
  std::vector<std::uint32_t> out(n);
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

inline Tree grow_tree(const Problem& asked, const StopRule& stop, const MissingPolicy& missing,
                      Team& team) {
  Problem problem = asked;
  problem.control.unknown = missing.search();
  const auto grow = [&](auto search) { return grow_from(search, problem, stop, missing, team); };
  if (!problem.response.is_class()) return with_number_search(problem, team, grow);
  ClassSetup setup = set_up_classes(problem, team);
  if (suits_coarse(problem, setup, missing, team)) {
    auto coded = std::make_shared<CoarseSearch::Coded>(*setup.shared, std::move(setup.label), team);
    const std::size_t small = coarse_until(stop);
    auto search = std::make_shared<CoarseSearch>(
        setup.shared, std::move(coded), all_positions(problem.sample.size), small, team.size());
    return grow_from(std::move(search), problem, stop, missing, team, small);
  }
  return with_class_search(problem, std::move(setup), team, grow);
}

}  // namespace tectree

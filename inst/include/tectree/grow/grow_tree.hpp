// From a problem to its tree: the histogram search where it will do, the sorted one otherwise, and
// growth.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "../missing/registry.hpp"
#include "../search/histogram/class_histograms.hpp"
#include "../search/histogram/number_histograms.hpp"
#include "after/actual_values.hpp"
#include "grower.hpp"
#include "with_search.hpp"

namespace tectree {

// Whether the tree can be grown as if rows without a value were not there until they are sent to
// a branch: the histogram search knows no other way.
inline bool plain_missing(const Problem& problem, const MissingPolicy& missing, Team& team) {
  using Unknown = SearchControl::Unknown;
  if (missing.surrogates().most > 0 || problem.control.unknown == Unknown::filled) return false;
  const bool ignored =
      problem.control.unknown == Unknown::ignored && missing.rows() == UnknownRows::branch;
  return ignored || !any_missing(problem.frame, problem.sample, team);
}

// Whether all but missing values suits the histogram search.
inline bool suits_histograms(const Problem& problem, const ClassSetup& setup) {
  return problem.sample.size > problem.small_node && setup.weights.unit && !problem.sorted_only &&
         !by_c45(problem) && ClassHistograms::suits(*setup.shared);
}
inline bool suits_histograms(const Problem& problem, const ClassSetup& setup,
                             const MissingPolicy& missing, Team& team) {
  return suits_histograms(problem, setup) && plain_missing(problem, missing, team);
}
inline bool suits_histograms(const Problem& problem, const NumberSetup& setup,
                             const MissingPolicy& missing, Team& team) {
  return problem.sample.size > problem.small_node && setup.weights.unit && !problem.sorted_only &&
         !is_absolute(problem) && NumberHistograms::suits(*setup.shared) &&
         NumberHistograms::suits(setup.numbers.y) && plain_missing(problem, missing, team);
}

// The most rows of a node of the histogram search that gets an arena of its own.
inline std::size_t passed_on(const PassOn& rows, const Problem& problem, const StopRule& stop,
                             std::size_t threads) {
  if (stop.has_price()) return rows.price;
  const std::size_t n = problem.sample.size, most = std::min(rows.to_the_end, problem.small_node);
  const double levels = stop.max_depth - std::log2(static_cast<double>(n) / most);
  if (levels < 4) return rows.few_levels;
  const std::size_t share = threads > 1 ? n / (4 * threads) : n;  // so that each has some
  return std::clamp(share, std::min(rows.few_levels, most), most);
}

// Rows of a tree whose subtrees threads are given to grow.
constexpr std::size_t worth_sharing = 4096;

// Grows the tree of a search over the rows of the problem's sample.
inline Tree grow_from(std::shared_ptr<NodeSearch> search, const Problem& problem,
                      const StopRule& stop, const MissingPolicy& missing, Team& team,
                      std::size_t small) {
  const std::size_t n = problem.sample.size;
  // Some subtrees a thread, so that they end at about the same time.
  const std::size_t aside = n > worth_sharing && team.size() > 1 ? n / (8 * team.size()) : 0;
  Grower grower(stop, missing, problem.response.n_classes, n > small ? small : 0, aside);
  const Range root = search->root();
  Tree tree = grower.grow(std::move(search), root, 0, team);
  if (!grower.in_preorder()) tree = assemble(tree, {}, {});
  if (by_c45(problem)) cut_at_actual_values(tree, problem.frame, problem.sample, team);
  return tree;
}

// A problem whose columns are coded for the histogram search.
template <class Search>
struct CodedProblem {
  std::shared_ptr<const typename Search::Problem> problem;
  std::shared_ptr<const typename Search::Coded> coded;

  // From the positions `kept`, increasing; `part`: of the problem, these rows.
  Tree grow(std::vector<std::uint32_t> kept, const Problem& part, const StopRule& stop,
            const MissingPolicy& missing, Team& team) const {
    const std::size_t small =
        passed_on(Search::pass_on, part, stop, static_cast<std::size_t>(team.size()));
    auto search = std::make_shared<Search>(problem, coded, std::move(kept), small, team.size());
    return grow_from(std::move(search), part, stop, missing, team, small);
  }
};

// Takes from the setup what it needs; none where the sorted search is to be used.
inline std::optional<CodedProblem<ClassHistograms>> code_columns(const Problem& problem,
                                                                 ClassSetup& setup,
                                                                 const MissingPolicy& missing,
                                                                 Team& team) {
  if (!suits_histograms(problem, setup, missing, team)) return std::nullopt;
  return CodedProblem<ClassHistograms>{
      setup.shared,
      std::make_shared<ClassHistograms::Coded>(*setup.shared, std::move(setup.label), team)};
}
inline std::optional<CodedProblem<NumberHistograms>> code_columns(const Problem& problem,
                                                                  NumberSetup& setup,
                                                                  const MissingPolicy& missing,
                                                                  Team& team) {
  if (!suits_histograms(problem, setup, missing, team)) return std::nullopt;
  setup.shared->inverse = inverses(NumberHistograms::pass_on.to_the_end);
  return CodedProblem<NumberHistograms>{
      setup.shared,
      std::make_shared<NumberHistograms::Coded>(*setup.shared, std::move(setup.numbers), team)};
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
  const auto grow = [&](auto search) {
    return grow_from(search, problem, stop, missing, team, problem.small_node);
  };
  const auto grow_coded = [&](const auto& coded) {
    return coded.grow(all_positions(problem.sample.size), problem, stop, missing, team);
  };
  if (problem.response.is_class()) {
    ClassSetup setup = set_up_classes(problem, team);
    if (const auto coded = code_columns(problem, setup, missing, team)) return grow_coded(*coded);
    return with_class_search(problem, std::move(setup), team, grow);
  }
  NumberSetup setup = set_up_numbers(problem);
  if (const auto coded = code_columns(problem, setup, missing, team)) return grow_coded(*coded);
  return with_number_search(problem, std::move(setup), team, grow);
}

}  // namespace tectree

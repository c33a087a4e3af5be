// Room grow/: from a problem to its tree.
//
// grow_tree(): the histogram search if it suits the problem, otherwise the sorted one, and growth.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../missing/policies.hpp"
#include "actual_values.hpp"
#include "grower.hpp"
#include "look_ahead.hpp"
#include "searches.hpp"
#ifndef TECTREE_SEARCHES_APART
#include "make_histogram_search.hpp"
#include "make_sorted_search.hpp"
#endif

namespace tectree {

// Whether the counts of a column's rows with a value are all that its search needs.
inline bool known_rows_suffice(const Problem& problem, const MissingPolicy& missing) {
  using Unknown = SearchControl::Unknown;
  const Unknown unknown = problem.control.unknown;
  if (unknown == Unknown::ignored) return missing.rows == UnknownRows::branch;
  const bool scaled = unknown == Unknown::scaled || unknown == Unknown::grouped;
  if (!scaled || !problem.response.is_class() || by_p_value(problem)) return false;
  return best_cut_wins(*make_criterion(problem.criterion, problem.parameter, 1.0, 1.0),
                       problem.control);
}

// Which columns the histogram search searches by value, since rows with a missing value count
// there. None if all columns must be sorted, for surrogates, or if that is as fast, since most are
// incomplete.
inline std::optional<std::vector<char>> columns_by_value(const Problem& problem,
                                                         const MissingPolicy& missing, Team& team) {
  if (missing.looks_for_surrogates()) return std::nullopt;
  std::vector<char> out(problem.frame.columns.size(), 0);
  if (known_rows_suffice(problem, missing)) return out;
  out = incomplete_columns(problem.frame, problem.sample, team);
  const auto n = static_cast<std::size_t>(std::count(out.begin(), out.end(), 1));
  if (2 * n > out.size()) return std::nullopt;
  return out;
}

// The problem's columns coded for the histogram search; none for a small sample, where sorted
// columns are as fast.
inline std::shared_ptr<const Codes> code_columns(const Problem& problem,
                                                 const MissingPolicy& missing, Team& team) {
  if (!problem.codes && problem.sample.size <= problem.pass_on_at) return nullptr;
  const auto by_value = columns_by_value(problem, missing, team);
  if (!by_value) return nullptr;
  const bool all_counted = std::count(by_value->begin(), by_value->end(), 1) == 0;
  if (problem.codes) return all_counted ? problem.codes : nullptr;
  Codes out = make_codes(problem.frame, problem.sample, team);
  team.each(out.size(), [&](std::size_t c, Team&) {
    const Column& column = problem.frame.columns[c];
    const bool needs_order = problem.control.unknown == SearchControl::Unknown::filled ||
                             divided_by_value(problem.control, column.kind);
    if ((*by_value)[c]) search_by_value(column, problem.sample, needs_order, out[c]);
  });
  return std::make_shared<const Codes>(std::move(out));
}

// The maximum number of rows of a node that the histogram search passes on to its own arena.
inline std::size_t pick_pass_on_at(const PassOnAt& rows, const Codes& codes, const Problem& problem,
                                   const StopRule& stop, std::size_t threads) {
  if (are_exact(codes)) return std::min(rows_to_count(codes), problem.pass_on_at);
  if (stop.has_penalty()) return rows.penalty;
  const std::size_t n = problem.sample.size, most = std::min(rows.to_the_end, problem.pass_on_at);
  const double levels =
      stop.max_depth - std::log2(static_cast<double>(n) / static_cast<double>(most));
  if (levels < 4) return rows.few_levels;
  const std::size_t share = threads > 1 ? n / (4 * threads) : n;  // so each thread gets some
  return std::clamp(share, std::min(rows.few_levels, most), most);
}

// The minimum number of rows of a tree whose subtrees are grown by several threads.
constexpr std::size_t worth_sharing = 4096;

// Grows the tree of a search over the rows of the problem's sample, with thresholds as the search
// found them.
inline Tree grow_as_found(std::unique_ptr<NodeSearch> search, const Problem& problem,
                          const StopRule& stop, const MissingPolicy& missing, Team& team,
                          std::size_t pass_on_at) {
  const std::size_t n = problem.sample.size;
  // Several subtrees per thread, so that threads end at about the same time.
  const std::size_t wait_at =
      n > worth_sharing && team.size() > 1 ? n / (std::size_t{8} * team.size()) : 0;
  const Node root = root_of(*search, problem.seed);
  const SplitTest split_test(problem, stop);
  const SplitTest* test = stop.has_test() ? &split_test : nullptr;
  if (stop.looks_ahead()) {
    if (by_c45(problem)) throw std::invalid_argument("C4.5's rules do not look ahead");
    if (stop.has_test()) throw std::invalid_argument("growth that looks ahead cannot test splits");
    return LookAhead(problem, stop, missing, pass_on_at, wait_at)
        .grow(std::move(search), root, team);
  }
  Grower grower(stop, missing, problem.response.n_classes, n > pass_on_at ? pass_on_at : 0, wait_at,
                test, nullptr, problem.memory.get());
  return grower.grow(std::move(search), root, 0, team);
}

inline Tree grow_from(std::unique_ptr<NodeSearch> search, const Problem& problem,
                      const StopRule& stop, const MissingPolicy& missing, Team& team,
                      std::size_t pass_on_at) {
  Tree tree = grow_as_found(std::move(search), problem, stop, missing, team, pass_on_at);
  if (by_c45(problem)) cut_at_actual_values(tree, problem.frame, problem.sample, team);
  return tree;
}

// Takes the setup, or is null if the sorted search is to be used.
inline std::unique_ptr<CodedProblem> code_problem(const Problem& problem, Setup& setup,
                                                  const MissingPolicy& missing, Team& team) {
  if (!suits_histogram(problem, setup)) return nullptr;
  auto codes = code_columns(problem, missing, team);
  return codes ? coded(problem, std::move(setup), std::move(codes)) : nullptr;
}

// Grows from the positions `kept`, increasing; `part` is the problem of these rows.
inline Tree grow_coded(const CodedProblem& coded, std::vector<std::uint32_t> kept,
                       const Problem& part, const StopRule& stop, const MissingPolicy& missing,
                       Team& team) {
  // The cuts that are tried depend on the search, so threads must not decide it.
  const auto threads = static_cast<std::size_t>(stop.looks_ahead() ? 1 : team.size());
  const std::size_t pass_on_at =
      pick_pass_on_at(coded.may_pass_on_at, *coded.codes, part, stop, threads);
  return grow_from(coded.search(std::move(kept), pass_on_at, team.size()), part, stop, missing,
                   team, pass_on_at);
}

inline std::vector<std::uint32_t> all_positions(std::size_t n) {
  std::vector<std::uint32_t> out(n);
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

inline Tree grow_tree(const Problem& asked, const StopRule& stop, const MissingPolicy& missing,
                      Team& team) {
  Problem problem = asked;
  problem.control.unknown = missing.search;
  if (by_c45(problem) && missing.search == SearchControl::Unknown::learned)
    throw std::invalid_argument("C4.5's rules learn no side for missing values");
  Setup setup = set_up(problem, team);
  if (const auto coded = code_problem(problem, setup, missing, team))
    return grow_coded(*coded, all_positions(problem.sample.size), problem, stop, missing, team);
  return grow_from(sorted_search(problem, std::move(setup), team), problem, stop, missing, team,
                   problem.pass_on_at);
}

// On one thread; rows with a missing value go to the heaviest branch.
inline Tree grow_tree(const Problem& problem, const StopRule& stop = {}) {
  Team team(1);
  return grow_tree(problem, stop, MissingPolicy(), team);
}

}  // namespace tectree

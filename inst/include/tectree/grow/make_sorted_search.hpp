// From a problem to its sorted search: the statistic, the rows in sorted columns, the search.
#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <variant>

#include "../data/take.hpp"
#include "../search/sorted/sorted_search.hpp"
#include "pick_statistic.hpp"

namespace tectree {

// Levels that are only grouped need no order; C4.5's rules and surrogates need one.
template <class Index>
bool only_groups(const Problem& problem, std::size_t c) {
  return sizeof(Index) == 2 && problem.response.is_class() && !by_c45(problem) &&
         !by_p_value(problem) &&
         needs_no_order(problem.control, problem.frame.columns[c],
                        static_cast<std::size_t>(problem.response.n_classes));
}

// The rows of a sample whose columns are sorted when drawn.
template <class Index>
Arena<Index> rows_to_sort(const Problem& problem) {
  std::vector<std::uint32_t> all(problem.frame.columns.size());
  std::iota(all.begin(), all.end(), 0u);
  Arena<Index> out(problem.sample.size, all.size(), all);
  for (std::uint32_t i = 0; i < out.n; ++i) out.place.push_back(problem.ranks->place(i));
  sort_when_drawn(problem.ranks, out);
  for (std::uint32_t c : out.present) {
    if (only_groups<Index>(problem, c)) list_when_drawn(c, out);
  }
  return out;
}

template <class Index>
Arena<Index> sorted_rows(const Problem& problem, const SortedPart* part, Team& team) {
  if (problem.ranks) return rows_to_sort<Index>(problem);
  if (!part) {
    return make_arena<Index>(problem.frame, problem.sample, team,
                             [&](std::size_t c) { return only_groups<Index>(problem, c); });
  }
  const Arena<std::uint32_t>& whole = part->columns;
  Taken<std::uint32_t> taken(0, whole.n, whole.n);
  for (std::uint32_t position : part->positions) taken.add(position, 1.0);
  const bool shared = Team::worth(whole.n * whole.columns.size());
  Arena<Index> out = take_rows<Index>(whole, taken, whole.present, team, shared);
  if (!part->of_problem) out.origin.clear();
  return out;
}

// The type of a row's number: 16 bits if they are enough.
using RowNumber = std::variant<std::uint16_t, std::uint32_t>;
inline RowNumber pick_row_number(const Problem& problem, std::size_t n_rows) {
  if (n_rows <= problem.pass_on_at) return std::uint16_t{};
  return std::uint32_t{};
}

// A search is composed of these parts, each of a type that is chosen for the problem.
template <class Statistic, class Index, class Setup>
std::unique_ptr<NodeSearch> compose_sorted(Statistic, Index, const Problem& problem, Setup& setup,
                                           const SortedPart* part, Team& team) {
  auto rows = sorted_rows<Index>(problem, part, team);
  auto task = Statistic::task(problem, setup, rows, team);
  return make_sorted(problem.frame, problem.sample, std::move(rows), std::move(task), team.size());
}

TECTREE_SEARCH std::unique_ptr<NodeSearch> sorted_search(const Problem& problem, Setup setup,
                                                         Team& team, const SortedPart* part) {
  const std::size_t n = part ? part->positions.size() : problem.sample.size;
  return std::visit(
      [&](auto& of) {
        return std::visit(
            [&](auto statistic, auto row_number) {
              return compose_sorted(statistic, row_number, problem, of, part, team);
            },
            pick_statistic(problem, of), pick_row_number(problem, n));
      },
      setup);
}

}  // namespace tectree

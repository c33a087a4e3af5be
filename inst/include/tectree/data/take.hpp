// Some rows of a node in an arena of their own, with weights of their own. A row may be taken into
// several arenas, in parts.
#pragma once

#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "../base/team.hpp"
#include "arena.hpp"

namespace tectree {

constexpr std::uint32_t not_taken = std::numeric_limits<std::uint32_t>::max();

template <class Index>
struct Taken {
  std::size_t node_begin = 0, node_end = 0;  // of the node in its arena
  std::vector<Index> rows;                   // those taken, in the order of the node's rows
  std::vector<double> weight;                // of each
  std::vector<std::uint32_t> place;          // by row of the arena: its number in `rows`

  Taken(std::size_t begin, std::size_t end, std::size_t arena_rows)
      : node_begin(begin), node_end(end), place(arena_rows, not_taken) {}

  void expect(std::size_t most) {
    rows.reserve(most);
    weight.reserve(most);
  }
  void add(Index row, double w) {
    place[row] = static_cast<std::uint32_t>(rows.size());
    rows.push_back(row);
    weight.push_back(w);
  }
};

namespace detail {

// Without branches that depend on whose row it is: that cannot be predicted.
template <class Index, class Small>
void take_entries(const ArenaColumn<Index>& from, const Taken<Index>& taken,
                  ArenaColumn<Small>& out) {
  const Entry<Index>* e = from.entries.data() + taken.node_begin;
  const std::size_t n = taken.node_end - taken.node_begin,
                    known = from.known(taken.node_begin, taken.node_end);
  const std::uint32_t* place = taken.place.data();
  out.entries.resize(taken.rows.size() + 1);  // one more is written, and counts no more
  Entry<Small>* to = out.entries.data();
  std::size_t rank = 0, kept = 0;
  Index last = known > 0 ? e[0].rank : Index{0};
  for (std::size_t i = 0; i < known; ++i) {
    const std::uint32_t at = place[e[i].row];
    const bool here = at != not_taken;
    rank += here && kept > 0 && e[i].rank != last;
    last = here ? e[i].rank : last;
    to[kept] = {static_cast<Small>(rank), static_cast<Small>(at)};
    kept += here;
  }
  const std::size_t with_value = kept;
  for (std::size_t i = known; i < n; ++i) {
    const std::uint32_t at = place[e[i].row];
    to[kept] = {missing_rank<Small>, static_cast<Small>(at)};
    kept += at != not_taken;
  }
  out.has_missing = kept > with_value;
  out.entries.resize(kept);
}

}  // namespace detail

template <class Small, class Index>
Arena<Small> take_rows(const Arena<Index>& from, const Taken<Index>& taken,
                       const std::vector<std::uint32_t>& columns, Team& team, bool shared) {
  Arena<Small> arena;
  arena.n = taken.rows.size();
  arena.columns.resize(from.columns.size());
  arena.present = columns;
  arena.rows.resize(arena.n);
  std::iota(arena.rows.begin(), arena.rows.end(), Small{0});
  arena.origin.reserve(arena.n);
  for (Index row : taken.rows)
    arena.origin.push_back(static_cast<std::uint32_t>(from.position(row)));
  team.each_if(shared, columns.size(), [&](std::size_t i, Team&) {
    detail::take_entries(from.columns[columns[i]], taken, arena.columns[columns[i]]);
  });
  return arena;
}

}  // namespace tectree

// Some rows of a node in their own arena. Its columns are already sorted, so each is filtered in
// order, in one pass instead of a sort. A row may be taken into several arenas, in parts.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "../base/team.hpp"
#include "ranks.hpp"

namespace tectree {

constexpr std::uint32_t not_taken = std::numeric_limits<std::uint32_t>::max();

template <class Index>
struct Taken {
  std::size_t node_begin = 0, node_end = 0;  // of the node in its arena
  std::vector<Index> rows;                   // the rows taken, in the order of the node's rows
  std::vector<double> weight, part;          // of each row; the part of its size
  std::vector<std::uint32_t> place;          // by row of the arena: its number in `rows`

  Taken(std::size_t begin, std::size_t end, std::size_t arena_rows)
      : node_begin(begin), node_end(end), place(arena_rows, not_taken) {}

  void add(Index row, double w, double of_size = 1.0) {
    place[row] = static_cast<std::uint32_t>(rows.size());
    rows.push_back(row);
    weight.push_back(w);
    part.push_back(of_size);
  }
};

// By row of n, its number in a list of rows.
inline std::vector<std::uint32_t> places_of(const std::vector<std::uint32_t>& rows, std::size_t n) {
  std::vector<std::uint32_t> out(n, not_taken);
  for (std::size_t i = 0; i < rows.size(); ++i) out[rows[i]] = static_cast<std::uint32_t>(i);
  return out;
}

// Takes n rows' entries from the entries [begin, end) of a sorted column, by `place`, with new
// ranks. With 16-bit places, all rows of the node have one. Avoids branches on whether a row is
// taken: they cannot be predicted.
template <class Index, class Place, class Small>
void take_entries(const ArenaColumn<Index>& from, std::size_t begin, std::size_t end, std::size_t n,
                  const std::vector<Place>& places, ArenaColumn<Small>& out) {
  const Entry<Index>* e = from.entries.data() + begin;
  const Place* place = places.data();
  const auto is_here = [](Place at) { return sizeof(Place) == 2 || at != not_taken; };
  const std::size_t all = end - begin, known = from.known(begin, end);
  out.entries.resize(n + 1);  // one more is written but not counted
  Entry<Small>* to = out.entries.data();
  std::size_t rank = 0, kept = 0;
  Index last = known > 0 ? e[0].rank : Index{0};
  for (std::size_t i = 0; i < known; ++i) {
    const Place at = place[e[i].row];
    const bool here = is_here(at);
    rank += here && kept > 0 && e[i].rank != last;
    last = here ? e[i].rank : last;
    to[kept] = {static_cast<Small>(rank), static_cast<Small>(at)};
    kept += here;
  }
  const std::size_t with_value = kept;
  for (std::size_t i = known; i < all; ++i) {
    const Place at = place[e[i].row];
    to[kept] = {missing_rank<Small>, static_cast<Small>(at)};
    kept += is_here(at);
  }
  out.has_missing = kept > with_value;
  out.entries.resize(kept);
}

// Some rows of an arena in their own, without columns yet unless these are sorted, by their ranks,
// when they are drawn.
template <class To, class Index>
Arena<To> own_arena(const Arena<Index>& from, const std::vector<Index>& some,
                    std::vector<std::uint32_t> columns,
                    const std::shared_ptr<const Ranks>& ranks = nullptr) {
  Arena<To> out(some.size(), from.columns.size(), std::move(columns));
  out.origin.reserve(some.size());
  for (Index row : some) out.origin.push_back(static_cast<std::uint32_t>(from.position(row)));
  if (!ranks) return out;
  out.place.reserve(some.size());
  for (std::uint32_t position : out.origin) out.place.push_back(ranks->place(position));
  sort_when_drawn(ranks, out);
  return out;
}

template <class Small, class Index>
Arena<Small> take_rows(const Arena<Index>& from, const Taken<Index>& taken,
                       const std::vector<std::uint32_t>& columns, Team& team, bool shared) {
  auto out = own_arena<Small>(from, taken.rows, columns);
  team.each_if(shared, columns.size(), [&](std::size_t i, Team&) {
    take_entries(from.columns[columns[i]], taken.node_begin, taken.node_end, out.n, taken.place,
                 out.columns[columns[i]]);
  });
  return out;
}

}  // namespace tectree

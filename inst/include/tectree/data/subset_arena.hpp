// The arena of some rows of another: its columns are sorted already, so each is filtered in order,
// one pass instead of a sort.
#pragma once

#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "../base/team.hpp"
#include "arena.hpp"

namespace tectree {

namespace detail {

constexpr std::uint32_t left_out = std::numeric_limits<std::uint32_t>::max();

// The entries of the rows that are kept; ranks are numbered anew, so that they fit.
template <class To, class From>
void filter_entries(const ArenaColumn<From>& from, const std::vector<std::uint32_t>& place,
                    std::size_t n, ArenaColumn<To>& out) {
  out.entries.reserve(n);
  From last{};
  To rank = 0;
  for (const Entry<From>& e : from.entries) {
    const std::uint32_t row = place[e.row];
    if (row == left_out) continue;
    if (from.has_missing && e.rank == missing_rank<From>) {
      out.has_missing = true;
      out.entries.push_back({missing_rank<To>, static_cast<To>(row)});
      continue;
    }
    if (!out.entries.empty() && e.rank != last) ++rank;
    last = e.rank;
    out.entries.push_back({rank, static_cast<To>(row)});
  }
}

}  // namespace detail

// `kept`: rows of `from`, an arena of a whole sample, increasing. Row i of the result is kept[i].
template <class To, class From>
Arena<To> subset_arena(const Arena<From>& from, const std::vector<std::uint32_t>& kept,
                       Team& team) {
  std::vector<std::uint32_t> place(from.n, detail::left_out);
  for (std::size_t i = 0; i < kept.size(); ++i) place[kept[i]] = static_cast<std::uint32_t>(i);
  Arena<To> out;
  out.n = kept.size();
  out.columns.resize(from.columns.size());
  out.present = from.present;
  out.rows.resize(out.n);
  std::iota(out.rows.begin(), out.rows.end(), To{0});
  team.each_if(Team::worth(from.n * from.columns.size()), from.columns.size(),
               [&](std::size_t c, Team&) {
                 detail::filter_entries(from.columns[c], place, kept.size(), out.columns[c]);
               });
  return out;
}

// The columns of a whole sample sorted once, as narrow as its rows allow, and the arenas of its
// parts.
class SortedColumns {
 public:
  SortedColumns(const Frame& frame, const Sample& sample, bool narrow, Team& team) {
    if (narrow) {
      narrow_ = make_arena<std::uint16_t>(frame, sample, team);
    } else {
      wide_ = make_arena<std::uint32_t>(frame, sample, team);
    }
  }

  template <class Index>
  Arena<Index> arena(const std::vector<std::uint32_t>& kept, Team& team) const {
    if (wide_) return subset_arena<Index>(*wide_, kept, team);
    return subset_arena<Index>(*narrow_, kept, team);
  }

 private:
  std::optional<Arena<std::uint16_t>> narrow_;
  std::optional<Arena<std::uint32_t>> wide_;
};

}  // namespace tectree

// Passes over rows: blocks of a fixed size, on all threads. Sums of doubles are added block by
// block in their order, so no result depends on the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "team.hpp"

namespace tectree {

// A block takes much longer than its start, and what it reads fits the cache.
constexpr std::size_t rows_of_pass = 4096;

inline std::size_t passes_over(std::size_t n) {
  return (n + rows_of_pass - 1) / rows_of_pass;
}

// use(first, end, inner) for blocks of the rows 0..n-1, in any order, where `inner` is the team of
// the block's thread. `cells`: of data that the pass looks at in a row.
template <class Use>
void pass_over(std::size_t n, std::size_t cells, Team& team, Use use) {
  team.each_if(Team::worth(n * cells), passes_over(n), [&](std::size_t b, Team& inner) {
    const std::size_t first = b * rows_of_pass;
    use(first, std::min(n, first + rows_of_pass), inner);
  });
}

// The sum of of(first, end) over the blocks.
template <class Of>
auto sum_over(std::size_t n, std::size_t cells, Team& team, Of of) {
  using Sum = decltype(of(n, n));
  std::vector<Sum> by_block(passes_over(n));
  pass_over(n, cells, team, [&](std::size_t first, std::size_t end, Team&) {
    by_block[first / rows_of_pass] = of(first, end);
  });
  Sum out{};
  for (const Sum& one : by_block) out += one;
  return out;
}

}  // namespace tectree

// The columns of a node that are searched, among those that it has: all in their order, or drawn at
// random. Where the columns drawn have no split, more are drawn.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../../base/stream.hpp"
#include "../door/node_search.hpp"

namespace tectree {

// search(node), which finds the winner among the node's columns, null where there is none.
template <class Search>
const Winner* search_drawn(const SearchControl& control, Range& node, Search search) {
  if (control.max_columns == 0 && !control.random_ties) return search(node);
  std::vector<std::uint32_t> all = *node.columns;
  const std::size_t n = all.size(),
                    most = control.max_columns > 0 ? std::min(control.max_columns, n) : n;
  Stream(node.stream).shuffle(all);
  for (std::size_t first = 0; first < n; first += most) {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(first + most, n));
    std::vector<std::uint32_t> drawn(all.begin() + static_cast<std::ptrdiff_t>(first), end);
    // Of columns that tie the first wins.
    if (!control.random_ties) std::sort(drawn.begin(), drawn.end());
    Range part = node;
    part.columns = std::make_shared<const std::vector<std::uint32_t>>(std::move(drawn));
    if (const Winner* winner = search(part)) return winner;
  }
  return nullptr;
}

}  // namespace tectree

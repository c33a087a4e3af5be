// A node whose rows are in memory, as its search sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "node_search.hpp"

namespace tectree {

// Its rows are [begin, end) of the search's rows, and of every column's entries. A view of a Node.
struct Range {
  std::size_t begin = 0, end = 0;
  const std::vector<std::uint32_t>* columns = nullptr;
  std::uint64_t stream = 0;

  std::size_t size() const { return end - begin; }
};

// The key of such a node is where its rows begin.
inline Range range_of(const Node& node) {
  const auto begin = static_cast<std::size_t>(node.key);
  return {begin, begin + node.n_rows, node.columns.get(), node.stream};
}

}  // namespace tectree

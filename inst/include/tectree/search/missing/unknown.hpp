// Rows without a value in the column being searched: how much they count, and the value that stands
// in for theirs, in a column's entries as they are searched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../data/arena.hpp"
#include "../door/node_search.hpp"

namespace tectree {

struct UnknownWeight {
  double share = 1.0;   // of the node's weight that has a value
  double weight = 0.0;  // as one more group in an entropy of branch sizes

  UnknownWeight() = default;
  // `complete`: every row has a value.
  UnknownWeight(SearchControl::Unknown rule, bool complete, double known, double of_node) {
    using Rule = SearchControl::Unknown;
    if (complete || rule == Rule::ignored || rule == Rule::filled) return;
    share = known / of_node;
    if (rule == Rule::grouped) weight = of_node - known;
  }
};

// The place, among values in ascending order, of the one that stands in: the heaviest (the first
// among equals), or the lower weighted median.
inline std::size_t place_to_fill(const std::vector<double>& weight, bool median) {
  std::size_t at = 0;
  if (!median) {
    for (std::size_t g = 1; g < weight.size(); ++g) {
      if (weight[g] > weight[at] * (1 + 1e-12)) at = g;
    }
    return at;
  }
  double total = 0.0, below = 0.0;
  for (double w : weight) total += w;
  for (; at + 1 < weight.size(); ++at) {
    below += weight[at];
    if (below >= total / 2 * (1 - 1e-12)) break;
  }
  return at;
}

// A node's entries of a sorted column, of which the first `known` have a value.
template <class Index>
struct NodeColumn {
  const Entry<Index>* e;
  std::size_t known, size;

  bool complete() const { return known == size; }
  bool constant() const { return known < 2 || e[0].rank == e[known - 1].rank; }
};

template <class Index>
NodeColumn<Index> column_of(const Arena<Index>& arena, const Range& node, std::uint32_t c) {
  const ArenaColumn<Index>& column = arena.columns[c];
  return {column.entries.data() + node.begin, column.known(node.begin, node.end), node.size()};
}

// The filled-in entries of one column.
template <class Index>
class Filling {
 public:
  Index row = 0;  // one with the value that stands in

  // Where the entries of the value that stands in end; some rows have one.
  template <class WeightOf>
  std::size_t end(const NodeColumn<Index>& column, bool median, WeightOf weight_of) {
    const Entry<Index>* e = column.e;
    weight_.clear();
    for (std::size_t i = 0; i < column.known; ++i) {
      if (i == 0 || e[i].rank != e[i - 1].rank) weight_.push_back(0.0);
      weight_.back() += weight_of(e[i].row);
    }
    const std::size_t place = place_to_fill(weight_, median);
    std::size_t group = 0, i = 1;
    for (; i < column.known; ++i) {
      group += e[i].rank != e[i - 1].rank;
      if (group > place) break;
    }
    return i;
  }

  // The column with the other rows beside the last of that value.
  template <class WeightOf>
  NodeColumn<Index> fill(const NodeColumn<Index>& column, bool median, WeightOf weight_of) {
    const std::size_t last = end(column, median, weight_of);
    const Entry<Index>* e = column.e;
    row = e[last - 1].row;
    filled_.assign(e, e + last);
    for (std::size_t i = column.known; i < column.size; ++i) {
      filled_.push_back(e[i]);
      filled_.back().rank = e[last - 1].rank;
    }
    filled_.insert(filled_.end(), e + last, e + column.known);
    return {filled_.data(), column.size, column.size};
  }

 private:
  std::vector<double> weight_;  // of each value
  std::vector<Entry<Index>> filled_;
};

}  // namespace tectree

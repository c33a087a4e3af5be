// Rows without a value in the column being searched: how much they count, and the value that stands
// in for theirs.
#pragma once

#include <cstddef>
#include <vector>

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

}  // namespace tectree

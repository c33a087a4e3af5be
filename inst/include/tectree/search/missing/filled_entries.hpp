// A column's entries as they are searched where a value stands in for those missing.
#pragma once

#include <cstddef>
#include <vector>

#include "../../data/arena.hpp"
#include "../choose/unknown.hpp"

namespace tectree {

// Where the entries of the value that stands in end; the first `known` have one. weight_of(row);
// `weight` is working space.
template <class Index, class WeightOf>
std::size_t end_of_filling(const Entry<Index>* e, std::size_t known, bool median,
                           WeightOf weight_of, std::vector<double>& weight) {
  weight.clear();
  for (std::size_t i = 0; i < known; ++i) {
    if (i == 0 || e[i].rank != e[i - 1].rank) weight.push_back(0.0);
    weight.back() += weight_of(e[i].row);
  }
  const std::size_t place = place_to_fill(weight, median);
  std::size_t group = 0, i = 1;
  for (; i < known; ++i) {
    group += e[i].rank != e[i - 1].rank;
    if (group > place) break;
  }
  return i;
}

// The entries e[0, n), of which the first `known` have a value, with the others beside the last of
// the value that stands in for theirs, which ends at `end`.
template <class Index>
void fill_entries(const Entry<Index>* e, std::size_t known, std::size_t n, std::size_t end,
                  std::vector<Entry<Index>>& out) {
  const Index rank = e[end - 1].rank;
  out.assign(e, e + end);
  for (std::size_t i = known; i < n; ++i) {
    out.push_back(e[i]);
    out.back().rank = rank;
  }
  out.insert(out.end(), e + end, e + known);
}

}  // namespace tectree

// Room search/missing/: rows without a value while a column is searched; surrogates.
//
// The surrogates of a node's split: the best of every other column, of these the best few.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../../split/split.hpp"
#include "../door/node_search.hpp"
#include "../groups/divisions.hpp"
#include "surrogate.hpp"

namespace tectree {

template <class Index>
class SurrogateSearch {
 public:
  explicit SurrogateSearch(int threads) : groups_(threads) {}

  // For a new split, of rows numbered below `n`: put() each of the node before find().
  void start(std::size_t n) {
    side_.resize(n);
    weight_.resize(n);
    known_[0] = known_[1] = 0.0;
  }
  void put(Index row, int branch, double weight) {
    side_[row] = branch == no_branch ? no_side : static_cast<std::uint8_t>(branch);
    weight_[row] = weight;
    if (branch != no_branch) known_[branch] += weight;
  }

  // The best first; `shared`: looked for by all threads of the team.
  std::vector<Surrogate> find(const Arena<Index>& arena, const Frame& frame, const Sample& sample,
                              const SearchControl& control, const Range& node, int split_column,
                              const SurrogateRule& rule, bool shared, Team& team) {
    const std::vector<std::uint32_t>& columns = *node.columns;
    std::vector<std::optional<Surrogate>> of_column(columns.size());
    team.each_if(shared, columns.size(), [&](std::size_t i, Team& inner) {
      const auto c = static_cast<int>(columns[i]);
      if (c == split_column) return;
      const Column& column = frame.columns[c];
      const bool by_level = !divided_by_value(control, column.kind);
      of_column[i] = best_surrogate(
          arena, c, column, sample, node, by_level, side_, [&](Index row) { return weight_[row]; },
          known_, rule, groups_[inner.worker()]);
    });
    std::vector<Surrogate> found;
    for (std::optional<Surrogate>& s : of_column) {
      if (s) found.push_back(std::move(*s));
    }
    keep_best_surrogates(found, rule.most);
    return found;
  }

 private:
  std::vector<Groups> groups_;      // by worker
  std::vector<std::uint8_t> side_;  // by row: of the split
  std::vector<double> weight_;      // likewise
  double known_[2] = {0.0, 0.0};    // the weight of each side
};

}  // namespace tectree

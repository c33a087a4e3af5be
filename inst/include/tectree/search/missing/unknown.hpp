// Room search/missing/: rows with a missing value in the column being searched.
//
// How such rows count, the value imputed for them, and how they are distributed over the branches.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../data/arena.hpp"
#include "../../data/take.hpp"
#include "../../split/split.hpp"
#include "../../tally/weights.hpp"
#include "../door/node_search.hpp"

namespace tectree {

struct UnknownWeight {
  double share = 1.0;   // of the node's weight with a value
  double weight = 0.0;  // of the other rows, if they are one more group in a split entropy

  UnknownWeight() = default;
  // `complete`: every row has a value.
  UnknownWeight(SearchControl::Unknown rule, bool complete, double known, double of_node) {
    using Rule = SearchControl::Unknown;
    if (complete || (rule != Rule::scaled && rule != Rule::grouped)) return;
    share = known / of_node;
    if (rule == Rule::grouped) weight = of_node - known;
  }
};

// The imputed value, among ascending values with these weights: the lower weighted median, or the
// heaviest (the first on ties).
inline std::size_t place_to_fill(const std::vector<double>& weight, bool median) {
  if (!median) return heaviest(weight.data(), weight.size());
  std::size_t at = 0;
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
  std::size_t known, rows;

  bool complete() const { return known == rows; }
  bool constant() const { return known < 2 || e[0].rank == e[known - 1].rank; }
  // The end of the entries with the lowest value, or of those with the highest: the values given to
  // rows on either side of any cut.
  std::size_t end_of(int side) const {
    return side == 0 ? static_cast<std::size_t>(end_of_run(e, e + known) - e) : known;
  }
};

template <class Index>
NodeColumn<Index> column_of(const Arena<Index>& arena, const Range& node, std::uint32_t c) {
  const ArenaColumn<Index>& column = arena.columns[c];
  return {column.entries.data() + node.begin, column.known(node.begin, node.end), node.size()};
}

// A column's entries with missing values imputed.
template <class Index>
class Filling {
 public:
  Index row = 0;  // one with the imputed value

  // The end of the entries with the value imputed by "mode"; some rows must have a value.
  template <class WeightOf>
  std::size_t end(const NodeColumn<Index>& column, bool median, WeightOf weight_of) {
    const Entry<Index>* e = column.e;
    weight_.clear();
    end_.clear();
    for (std::size_t i = 0; i < column.known; ++i) {
      if (i == 0 || e[i].rank != e[i - 1].rank) {
        weight_.push_back(0.0);
        end_.push_back(0);
      }
      weight_.back() += weight_of(e[i].row);
      end_.back() = i + 1;
    }
    return end_[place_to_fill(weight_, median)];
  }

  // The column with the missing values after the entries of one value, which end at `last`.
  NodeColumn<Index> fill(const NodeColumn<Index>& column, std::size_t last) {
    const Entry<Index>* e = column.e;
    row = e[last - 1].row;
    filled_.assign(e, e + last);
    for (std::size_t i = column.known; i < column.rows; ++i) {
      filled_.push_back(e[i]);
      filled_.back().rank = e[last - 1].rank;
    }
    filled_.insert(filled_.end(), e + last, e + column.known);
    return {filled_.data(), column.rows, column.rows};
  }

 private:
  std::vector<double> weight_;    // of each value
  std::vector<std::size_t> end_;  // likewise
  std::vector<Entry<Index>> filled_;
};

// The rows of a node by branch; rows with a missing value go into all branches in parts, in
// proportion to the branches' weights.
template <class Index>
class RowShares {
 public:
  RowShares(const Range& node, int branches) : node_(node), weight_(branches, 0.0) {
    rows_.reserve(node.size());
  }

  // Adds one of the node's rows, with its case weight and its contribution to the weight of its
  // branch.
  void add(Index row, int branch, double weight, double node_weight) {
    rows_.push_back({row, branch, weight});
    if (branch == no_branch) return;
    weight_[branch] += node_weight;
    known_weight_ += node_weight;
  }

  // Whether the branch has a row with a value.
  bool has_rows(int branch) const { return weight_[branch] > 0.0; }

  // use(row, weight, part) for the rows of a branch. The weights of parts are multiples of `unit`,
  // a power of two; 0: any.
  template <class Use>
  void each(int branch, double unit, Use use) const {
    const double share = weight_[branch] / known_weight_;
    for (const Row& row : rows_) {
      if (row.branch != no_branch && row.branch != branch) continue;
      const double part = row.branch == no_branch ? share : 1.0;
      double weight = row.weight * part;
      if (row.branch == no_branch && unit > 0.0) weight = std::nearbyint(weight / unit) * unit;
      // A part may be too small for a unit, or a double.
      if (weight > 0.0) use(row.number, weight, part);
    }
  }
  Taken<Index> of(int branch, std::size_t arena_rows, double unit) const {
    Taken<Index> taken(node_.begin, node_.end, arena_rows);
    each(branch, unit,
         [&](Index row, double weight, double part) { taken.add(row, weight, part); });
    return taken;
  }

 private:
  struct Row {
    Index number;
    int branch;
    double weight;
  };

  const Range& node_;
  std::vector<Row> rows_;
  std::vector<double> weight_;  // by branch
  double known_weight_ = 0.0;
};

}  // namespace tectree

// Rows without a value in the column being searched: how much they count, the value that stands in
// for theirs, and how they are shared out over the branches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../data/arena.hpp"
#include "../../data/take.hpp"
#include "../../split/split.hpp"
#include "../../tally/weights.hpp"
#include "../door/range.hpp"

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
  std::vector<double> weight_;    // of each value
  std::vector<std::size_t> end_;  // likewise
  std::vector<Entry<Index>> filled_;
};

// The rows of a node by branch, where those that their value sends nowhere are shared out over all
// branches by weight.
template <class Index>
class RowShares {
 public:
  RowShares(const Range& node, int branches) : node_(node), mass_(branches, 0.0) {
    rows_.reserve(node.size());
  }

  // The node's rows, one after the other. `weight`: the whole row's; `mass`: what it adds to the
  // weight of its branch.
  void put(Index row, int branch, double weight, double mass) {
    rows_.push_back({row, branch, weight});
    if (branch == no_branch) {
      all_sent_ = false;
      return;
    }
    mass_[branch] += mass;
    sent_ += mass;
  }

  bool all_sent() const { return all_sent_; }
  // Whether a row has its value send it there.
  bool takes(int branch) const { return mass_[branch] > 0.0; }

  Taken<Index> of(int branch, std::size_t arena_rows) const {
    Taken<Index> taken(node_.begin, node_.end, arena_rows);
    const double share = mass_[branch] / sent_;
    for (const Row& row : rows_) {
      if (row.branch != no_branch && row.branch != branch) continue;
      // A part so small that a double cannot hold it is none.
      const double part = row.branch == no_branch ? row.weight * share : row.weight;
      if (part > 0.0) taken.add(row.number, part);
    }
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
  std::vector<double> mass_;  // by branch
  double sent_ = 0.0;
  bool all_sent_ = true;
};

}  // namespace tectree

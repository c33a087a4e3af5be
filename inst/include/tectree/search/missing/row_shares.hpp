// The rows of a node by branch, where those that their value sends nowhere are shared out over all
// branches by weight.
#pragma once

#include <cstdint>
#include <vector>

#include "../../data/take.hpp"
#include "../../split/split.hpp"
#include "../door/node_search.hpp"

namespace tectree {

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
    taken.expect(rows_.size());
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

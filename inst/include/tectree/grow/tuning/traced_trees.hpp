// The nodes of the trees of a run, if wanted: a node belongs to the criteria whose trees contain
// it, and is recorded once. In the order of growth, so parents come first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "../../tree/records.hpp"
#include "left_out.hpp"

namespace tectree {

class TracedTrees {
 public:
  using Criteria = std::shared_ptr<const CriteriaSet>;

  struct TracedNode {
    int parent, depth;
    double weight, yval;
    Criteria criteria;
  };

  // A criterion's split of a node; others may split it differently.
  struct TracedSplit {
    int node;
    Criteria criteria;
    SplitKind kind;
    int column, breaks;
  };

  // One criterion's tree; numbers from 0, parents before their children, the root's parent -1.
  struct One {
    std::vector<int> node;  // where the node's shares are
    std::vector<int> parent, depth, kind, column, breaks;
    std::vector<double> weight, yval;
  };

  explicit TracedTrees(int n_classes) : n_classes_(n_classes) {}

  int add_node(int parent, int depth, const NodeFacts& facts, const double* shares,
               Criteria criteria) {
    nodes_.push_back({parent, depth, facts.weight, facts.yval, std::move(criteria)});
    shares_.insert(shares_.end(), shares, shares + n_classes_);
    return static_cast<int>(nodes_.size()) - 1;
  }

  void add_split(int node, const Split& split, Criteria criteria) {
    splits_.push_back({node, std::move(criteria), split.kind, split.column,
                       static_cast<int>(split.breaks.size())});
  }

  One tree_of(std::uint32_t criterion) const {
    One out;
    std::vector<int> place(nodes_.size(), -1);
    for (std::size_t v = 0; v < nodes_.size(); ++v) {
      const TracedNode& node = nodes_[v];
      if (!has(node.criteria, criterion)) continue;
      place[v] = static_cast<int>(out.node.size());
      out.node.push_back(static_cast<int>(v));
      out.parent.push_back(node.parent < 0 ? -1 : place[node.parent]);
      out.depth.push_back(node.depth);
      out.weight.push_back(node.weight);
      out.yval.push_back(node.yval);
    }
    out.kind.assign(out.node.size(), 0);
    out.column.assign(out.node.size(), -1);
    out.breaks.assign(out.node.size(), 0);
    for (const TracedSplit& split : splits_) {
      if (!has(split.criteria, criterion)) continue;
      const int at = place[split.node];
      out.kind[at] = static_cast<int>(split.kind);
      out.column[at] = split.column;
      out.breaks[at] = split.breaks;
    }
    return out;
  }

  const double* shares(int node) const {
    return shares_.data() + static_cast<std::size_t>(node) * n_classes_;
  }

 private:
  static bool has(const Criteria& criteria, std::uint32_t criterion) {
    return std::find(criteria->begin(), criteria->end(), criterion) != criteria->end();
  }

  int n_classes_;
  std::vector<TracedNode> nodes_;
  std::vector<TracedSplit> splits_;
  std::vector<double> shares_;
};

}  // namespace tectree

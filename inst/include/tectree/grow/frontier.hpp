// The nodes that may be split, in the order of growth: the newest first (depth-first), or the one
// whose split reduces the impurity of the sample most (best-first, where a node is added with its
// split).
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "../search/door/node_search.hpp"
#include "../tree/spread.hpp"

namespace tectree {

// The node of all rows of a search, with this stream.
inline Node root_of(const NodeSearch& search, std::uint64_t stream) {
  Node root = search.root();
  root.stream = stream;
  return root;
}

// A node of a finished tree that growth follows until it finds a better subtree; null if none.
struct Plan {
  std::shared_ptr<const Tree> tree;
  int at = 0;

  Plan child(int branch) const { return tree ? Plan{tree, child_of(*tree, at, branch)} : Plan(); }
};

struct OpenNode {
  int at = 0;  // its position in the tree
  Node node;
  std::shared_ptr<NodeSearch> search;
  Winner winner;  // best-first only, like the next one
  double weighted_gain = 0.0;
  bool own = false;  // the search belongs to this node only
  Plan plan = {};
};

enum class GrowthOrder { depth_first, best_first };

class Frontier {
 public:
  explicit Frontier(GrowthOrder order) : order_(order) {}

  bool empty() const { return nodes_.empty(); }
  void push(OpenNode node) {
    node.weighted_gain = rounded(node.weighted_gain);
    nodes_.push_back(std::move(node));
    if (order_ == GrowthOrder::best_first) std::push_heap(nodes_.begin(), nodes_.end(), goes_later);
  }
  OpenNode pop() {
    if (order_ == GrowthOrder::best_first) std::pop_heap(nodes_.begin(), nodes_.end(), goes_later);
    OpenNode node = std::move(nodes_.back());
    nodes_.pop_back();
    return node;
  }

 private:
  // Two gains that differ by rounding are equal, so the older node goes first whatever the order of
  // the rows.
  static double rounded(double x) {
    int exponent;
    const double mantissa = std::frexp(x, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(mantissa, 34)), exponent - 34);
  }
  static bool goes_later(const OpenNode& a, const OpenNode& b) {
    return a.weighted_gain != b.weighted_gain ? a.weighted_gain < b.weighted_gain : a.at > b.at;
  }

  GrowthOrder order_;
  std::vector<OpenNode> nodes_;
};

}  // namespace tectree

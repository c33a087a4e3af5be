// The nodes whose split is known but not yet made. The order of growth is a comparator: the newest first
// (depth-first), or the one that takes most impurity off the sample (best-first).
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "../search/door.hpp"

namespace tectree {

struct OpenNode {
  int node = 0;
  Range range;
  std::shared_ptr<NodeSearch> search;
  Winner winner;
  double weighted_gain = 0.0;
  long number = 0;  // in order of making
};

enum class GrowthOrder { depth_first, best_first };

class Frontier {
 public:
  explicit Frontier(GrowthOrder order) : order_(order) {}

  bool empty() const { return heap_.empty(); }
  void push(OpenNode node) {
    node.number = made_++;
    node.weighted_gain = rounded(node.weighted_gain);
    heap_.push_back(std::move(node));
    std::push_heap(heap_.begin(), heap_.end(), later());
  }
  OpenNode pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later());
    OpenNode node = std::move(heap_.back());
    heap_.pop_back();
    return node;
  }

 private:
  // Two gains that differ by rounding are one, so that the older node goes first whatever the order of the rows.
  static double rounded(double x) {
    int exponent;
    const double mantissa = std::frexp(x, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(mantissa, 34)), exponent - 34);
  }
  std::function<bool(const OpenNode&, const OpenNode&)> later() const {
    if (order_ == GrowthOrder::depth_first) return [](const OpenNode& a, const OpenNode& b) { return a.number < b.number; };
    return [](const OpenNode& a, const OpenNode& b) {
      return a.weighted_gain != b.weighted_gain ? a.weighted_gain < b.weighted_gain : a.number > b.number;
    };
  }

  GrowthOrder order_;
  long made_ = 0;
  std::vector<OpenNode> heap_;
};

}  // namespace tectree

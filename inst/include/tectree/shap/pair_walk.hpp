// The Shapley values of one row against one background row in one tree in which no row is divided
// into parts.
//
// At a node where both go the same way, nothing is decided. If they part, and nothing above has
// decided whose value of this predictor counts, both ways are open: with the row's own value, or
// with that of the background row. A leaf below a of the former and b of the latter decisions is
// reached when the a predictors are known and the b are not, whatever the others: knowing one more
// of them reaches it with the weight (a - 1)! b! / (a + b)!, and leaves it with a! (b - 1)! / (a +
// b)!. Two predictors together reach it, or leave it, in the same way, with the weight a'! b'! /
// (a' + b' + 1)! for the a' and b' decisions on others.
#pragma once

#include <cstddef>
#include <vector>

#include "shapley_walk.hpp"

namespace tectree {

class PairWalk {
 public:
  PairWalk(const WeighedForest& in, const std::vector<Column>& columns, Outputs outputs,
           const ShapleyCells& cells)
      : in_(in),
        columns_(columns),
        outputs_(outputs),
        cells_(cells),
        decided_(columns.size(), Decided::open) {
    std::size_t most = 0;
    for (const std::size_t d : in.predictors) most = std::max(most, d);
    weights_.resize((most + 1) * (most + 1));
    width_ = most + 1;
    for (std::size_t b = 0; b <= most; ++b) {
      // a! b! / (a + b + 1)!
      double weight = 1.0 / (static_cast<double>(b) + 1.0);
      for (std::size_t a = 0; a + b <= most; ++a) {
        weights_[a * width_ + b] = weight;
        weight *= (static_cast<double>(a) + 1.0) / static_cast<double>(a + b + 2);
      }
    }
  }

  // Adds to `sums`, by cell.
  void add(std::size_t tree, const double* own, const double* other, double* sums) {
    tree_ = tree;
    open_.push_back({in_.forest.root(tree), 0, false, Decided::open, 0});
    while (!open_.empty()) {
      Visit at = open_.back();
      open_.pop_back();
      back_to(at.depth);
      if (at.by != Decided::open) decide(at.column, at.by);
      while (!at.stops && !in_.forest.is_leaf(at.node)) {
        const std::size_t column = in_.forest.column(at.node);
        const Decided by = decided_[column];
        const int a = by == Decided::other ? stay : way(at.node, column, own[column]);
        const int b = by == Decided::own ? a : way(at.node, column, other[column]);
        if (by == Decided::open && a != b) {
          go(at.node, b, column, Decided::other);
          go(at.node, a, column, Decided::own);
          break;
        }
        const int to = by == Decided::other ? b : a;
        if (to == stay) at.stops = true;
        if (to != stay) at.node = child(at.node, to);
      }
      if (at.stops || in_.forest.is_leaf(at.node)) pay_out(at.node, at.stops, sums);
    }
    back_to(0);
  }

 private:
  // Whose value of a predictor counts.
  enum class Decided : char { open, own, other };
  static constexpr int stay = 0;  // otherwise 1 left, 2 right
  struct Visit {
    std::size_t node, depth;
    bool stops;
    Decided by;  // the decision on `column` that leads here
    std::size_t column;
  };

  int way(std::size_t node, std::size_t column, double x) const {
    const ForestView& forest = in_.forest;
    const int side = side_of(forest, node, columns_[column], x);
    if (side != 0 || forest.unknown == UnknownRows::stop) return side;
    return forest.variable[node] > 0 ? 1 : 2;
  }
  std::size_t child(std::size_t node, int side) const {
    return side == 1 ? in_.forest.left_child(node) : in_.forest.right_child(node);
  }
  void go(std::size_t node, int side, std::size_t column, Decided by) {
    open_.push_back(
        {side == stay ? node : child(node, side), path_.size(), side == stay, by, column});
  }

  void decide(std::size_t column, Decided by) {
    decided_[column] = by;
    path_.push_back(column);
    n_own_ += by == Decided::own;
  }
  void back_to(std::size_t depth) {
    for (; path_.size() > depth; path_.pop_back()) {
      n_own_ -= decided_[path_.back()] == Decided::own;
      decided_[path_.back()] = Decided::open;
    }
  }

  void pay_out(std::size_t node, bool stops, double* sums) const {
    if (path_.empty()) return;
    const std::size_t a = n_own_, b = path_.size() - a;
    const double reaches = a > 0 ? weights_[(a - 1) * width_ + b] : 0.0;
    const double leaves = b > 0 ? weights_[a * width_ + b - 1] : 0.0;
    const Payment pay(in_, outputs_, tree_, node, stops);
    if (pay.nothing) return;
    for (std::size_t i = 0; i < path_.size(); ++i) {
      give(pay, cells_.of(path_[i]), is_own(i) ? reaches : -leaves, sums);
      for (std::size_t j = 0; cells_.pairs() && j < i; ++j) share(pay, i, j, sums);
    }
  }

  bool is_own(std::size_t i) const { return decided_[path_[i]] == Decided::own; }

  // Half of the joint effect of two predictors goes from each one's own value to their pair.
  void share(const Payment& pay, std::size_t i, std::size_t j, double* sums) const {
    const std::size_t own = static_cast<std::size_t>(is_own(i)) + is_own(j);
    const std::size_t a = n_own_ - own, b = path_.size() - n_own_ - (2 - own);
    const double both = (own == 1 ? -0.5 : 0.5) * weights_[a * width_ + b];
    give(pay, cells_.of(path_[i], path_[j]), both, sums);
    give(pay, cells_.of(path_[j], path_[i]), both, sums);
    give(pay, cells_.of(path_[i]), -both, sums);
    give(pay, cells_.of(path_[j]), -both, sums);
  }

  void give(const Payment& pay, std::size_t cell, double moved, double* sums) const {
    double* to = sums + cell;
    if (pay.pure) {
      to[pay.only] += moved;
    } else {
      for (std::size_t k = 0; k < outputs_.count; ++k) to[k] += moved * pay.values[k];
    }
  }

  const WeighedForest& in_;
  const std::vector<Column>& columns_;
  Outputs outputs_;
  const ShapleyCells& cells_;
  std::size_t tree_ = 0, width_ = 1;
  std::vector<double> weights_;
  std::vector<Visit> open_;
  std::vector<Decided> decided_;   // by column
  std::vector<std::size_t> path_;  // columns decided on
  std::size_t n_own_ = 0;
};

}  // namespace tectree

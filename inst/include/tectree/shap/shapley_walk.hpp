// The Shapley values of one row in one tree.
//
// The game: the value v(S) of a set S of predictors is what the tree predicts for a row of which
// only the values in S are known. At a split on another predictor, parts of the row go to both
// sides: in proportion to the weights of the training rows, or as a background row goes. So a leaf
// is reached by the part
//
//   prod_{i in S} with_i  prod_{i not in S} without_i
//
// where the products run over the predictors on its path; with_i is the part of the row that passes
// all splits on i if its value is known (0 or 1, or between where it has no value and goes down
// both sides), and without_i if it is not. v(S) is the sum of the leaves' predictions by these
// parts. The weights of Shapley's mean over all S are integrals, s! (d - 1 - s)! / d! =
// int t^s (1 - t)^(d - 1 - s) dt, so that a leaf that predicts y adds to the value of predictor j
//
//   y int_0^1 (with_j - without_j) prod_{i != j} (t with_i + (1 - t) without_i) dt,
//
// the integral of a polynomial of degree d - 1: Gauss-Legendre quadrature with d / 2 points is
// exact. All factors are positive and nothing is subtracted, so that it is stable at any depth.
//
// The walk keeps the product over all predictors of the path at each point; (with_j - without_j) /
// (t with_j + (1 - t) without_j) is kept by predictor. It is -1 / (1 - t) for all predictors that
// the row does not pass (with_j = 0), so these share one sum a leaf.
#pragma once

#include <cstddef>
#include <vector>

#include "../base/simd.hpp"
#include "quadrature.hpp"
#include "weighed_forest.hpp"

// Compiled once for any processor and once, within a TECTREE_SIMD function, for AVX2.
#define TECTREE_WITHIN __attribute__((always_inline)) inline

namespace tectree {

// Which parts of a row go to the sides of a node, and stop there.
struct Parts {
  double left, right, stop;
};

// A row's values, numbers or level codes, NaN where there is none.
class RowParts {
 public:
  RowParts(const WeighedForest& in, const std::vector<char>& by_sides, const double* values)
      : in_(&in), by_sides_(by_sides.data()), values_(values) {}

  TECTREE_WITHIN Parts operator()(std::size_t node) const {
    const ForestView& forest = in_->forest;
    const std::size_t column = forest.column(node);
    const double x = values_[column];
    int side = x <= forest.cut[node] ? 1 : x > forest.cut[node] ? 2 : 0;
    if (by_sides_[column]) {
      side = x >= 1.0 ? forest.sides[static_cast<std::size_t>(forest.cut[node] + x) - 1] : 0;
    }
    if (side == 0 && forest.unknown == UnknownRows::share)
      return {in_->left[node], in_->right(node), 0.0};
    if (side == 0 && forest.unknown == UnknownRows::stop) return {0.0, 0.0, 1.0};
    if (side == 0) side = forest.variable[node] > 0 ? 1 : 2;
    return {side == 1 ? 1.0 : 0.0, side == 2 ? 1.0 : 0.0, 0.0};
  }

 private:
  const WeighedForest* in_;
  const char* by_sides_;  // by column: whether its values are codes of levels
  const double* values_;  // by column
};

// A row of which nothing is known.
class WeightParts {
 public:
  explicit WeightParts(const WeighedForest& in) : in_(&in) {}
  TECTREE_WITHIN Parts operator()(std::size_t node) const {
    return {in_->left[node], in_->right(node), 0.0};
  }

 private:
  const WeighedForest* in_;
};

// Which outputs are asked for: one class, or all.
struct Outputs {
  std::size_t first = 0, count = 1;
};

class ShapleyWalk {
 public:
  ShapleyWalk(const WeighedForest& in, Outputs outputs, std::size_t n_columns)
      : in_(in), outputs_(outputs), last_(n_columns, none) {}

  // Adds the values of the row, predictor after predictor, to `to`.
  template <class Without>
  void add(std::size_t tree, const RowParts& with, const Without& without, double* to) {
    const std::size_t packs = (in_.predictors[tree] + 2 * pack - 1) / (2 * pack);
    if (packs == 0) return;
    set_points(packs);
    tree_ = tree;
    to_ = to;
    if (packs == 1) {
      run<1>(with, without);
    } else if (packs == 2) {
      run<2>(with, without);
    } else {
      run<0>(with, without);
    }
  }

 private:
  static constexpr std::size_t pack = 4;
  static constexpr int none = -1;
  // Four doubles at any address.
  using Four = double __attribute__((vector_size(32), aligned(8), may_alias));

  // A split on the path and all those above it on the same predictor.
  struct Edge {
    std::size_t column, slot;
    int above;  // the edge of the last split above, or none
    double with, without;
  };
  // A node to come to, by an edge unless that changes nothing.
  struct Visit {
    std::size_t node, depth;
    bool by_edge, stops;
    std::size_t column;
    double with, without;
  };

  void set_points(std::size_t packs) {
    if (packs_ == packs) return;
    packs_ = packs;
    const Quadrature q(packs * pack);
    point_ = q.point;
    rest_ = q.rest;
    failed_.clear();
    for (double rest : rest_) failed_.push_back(-1.0 / rest);
    product_ = q.weight;
    edges_.clear();
    inverse_.clear();
    pull_.clear();
  }

  template <int known, class Without>
  void run(const RowParts& with, const Without& without) {
#ifdef TECTREE_AVX2
    if (has_simd()) return run_simd<known>(with, without);
#endif
    walk<known>(with, without);
  }
#ifdef TECTREE_AVX2
  template <int known, class Without>
  TECTREE_SIMD void run_simd(const RowParts& with, const Without& without) {
    walk<known>(with, without);
  }
#endif

  // `known`: the number of packs where the compiler is to know it, else 0.
  template <int known, class Without>
  TECTREE_WITHIN void walk(const RowParts& with, const Without& without) {
    const std::size_t packs = known > 0 ? known : packs_;
    depth_ = 0;
    slots_.clear();
    open_.clear();
    open_.push_back({in_.forest.root(tree_), 0, false, false, 0, 1.0, 1.0});
    while (!open_.empty()) {
      const Visit at = open_.back();
      open_.pop_back();
      while (depth_ > at.depth) leave();
      if (at.by_edge) enter(at, packs);
      if (at.stops || in_.forest.is_leaf(at.node)) {
        pay_out(at, packs);
        continue;
      }
      const std::size_t column = in_.forest.column(at.node);
      const int above = last_[column];
      const double own = above == none ? 1.0 : edges_[static_cast<std::size_t>(above)].with;
      const double other = above == none ? 1.0 : edges_[static_cast<std::size_t>(above)].without;
      const Parts a = with(at.node), b = without(at.node);
      if (a.stop + b.stop > 0.0) open(at.node, column, true, own * a.stop, other * b.stop);
      open(in_.forest.right_child(at.node), column, false, own * a.right, other * b.right);
      open(in_.forest.left_child(at.node), column, false, own * a.left, other * b.left);
    }
    while (depth_ > 0) leave();
  }

  // A leaf that no part comes to, by either row, adds nothing.
  TECTREE_WITHIN void open(std::size_t node, std::size_t column, bool stops, double with,
                           double without) {
    if (!(with > 0.0) && !(without > 0.0)) return;
    const bool changes = with != 1.0 || without != 1.0;
    open_.push_back({node, depth_, changes, stops, column, with, without});
  }

  void leave() {
    const Edge& edge = edges_[--depth_];
    last_[edge.column] = edge.above;
    if (edge.above == none) {
      slots_.pop_back();
    } else {
      slots_[edge.slot] = static_cast<std::size_t>(edge.above);
    }
  }

  void make_room(std::size_t packs) {
    const std::size_t points = packs * pack;
    edges_.resize(depth_ + 1);
    product_.resize((depth_ + 2) * points);
    inverse_.resize((depth_ + 1) * points);
    pull_.resize((depth_ + 1) * points);
  }

  TECTREE_WITHIN void enter(const Visit& by, std::size_t packs) {
    if (edges_.size() <= depth_) make_room(packs);
    const std::size_t points = packs * pack;
    Edge& edge = edges_[depth_];
    edge = {by.column, slots_.size(), last_[by.column], by.with, by.without};
    const auto above = static_cast<std::size_t>(edge.above == none ? 0 : edge.above);
    const bool first = edge.above == none;
    if (first) {
      slots_.push_back(depth_);
    } else {
      edge.slot = edges_[above].slot;
      slots_[edge.slot] = depth_;
    }
    last_[by.column] = static_cast<int>(depth_);
    const double* before = product_.data() + depth_ * points;
    double* after = product_.data() + (depth_ + 1) * points;
    const double* undo = inverse_.data() + above * points;
    if (by.with > 0.0) {
      double* inverse = inverse_.data() + depth_ * points;
      double* pull = pull_.data() + depth_ * points;
      const double moved = by.with - by.without;
      for (std::size_t i = 0; i < packs; ++i) {
        const Four factor = at(rest_.data(), i) * by.without + at(point_.data(), i) * by.with;
        at(inverse, i) = 1.0 / factor;
        at(pull, i) = moved * at(inverse, i);
        at(after, i) = at(before, i) * factor;
        if (!first) at(after, i) *= at(undo, i);
      }
    } else if (!first && !(edges_[above].with > 0.0)) {
      const double ratio = by.without / edges_[above].without;
      for (std::size_t i = 0; i < packs; ++i) at(after, i) = at(before, i) * ratio;
    } else {
      for (std::size_t i = 0; i < packs; ++i) {
        at(after, i) = at(before, i) * (at(rest_.data(), i) * by.without);
        if (!first) at(after, i) *= at(undo, i);
      }
    }
    ++depth_;
  }

  static TECTREE_WITHIN Four& at(double* p, std::size_t i) {
    return reinterpret_cast<Four*>(p)[i];
  }
  static TECTREE_WITHIN const Four& at(const double* p, std::size_t i) {
    return reinterpret_cast<const Four*>(p)[i];
  }
  static TECTREE_WITHIN double dot(const double* a, const double* b, std::size_t packs) {
    Four sum = at(a, 0) * at(b, 0);
    for (std::size_t i = 1; i < packs; ++i) sum += at(a, i) * at(b, i);
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
  }

  TECTREE_WITHIN void pay_out(const Visit& leaf, std::size_t packs) {
    if (slots_.empty()) return;
    const std::size_t points = packs * pack;
    const double* product = product_.data() + depth_ * points;
    const double where_failed = dot(product, failed_.data(), packs);
    const ForestView& forest = in_.forest;
    const int pure = forest.n_classes > 0 && !leaf.stops ? forest.pure_class(leaf.node) : -1;
    const double* shares = leaf.stops ? in_.at_stop.data() + leaf.node * in_.n_outputs
                           : forest.n_classes > 0 && pure < 0 ? forest.leaf_shares(leaf.node)
                                                              : nullptr;
    const auto only = static_cast<std::size_t>(pure) - outputs_.first;
    if (pure >= 0 && only >= outputs_.count) return;
    // Of a number only what is beyond the tree's mean matters, and keeps its digits.
    const double number =
        forest.n_classes > 0
            ? 0.0
            : (shares ? *shares : forest.number(leaf.node)) - in_.mean[tree_ * in_.n_outputs];
    for (const std::size_t slot : slots_) {
      const Edge& edge = edges_[slot];
      const double moved =
          edge.with > 0.0 ? dot(product, pull_.data() + slot * points, packs) : where_failed;
      double* to = to_ + edge.column * outputs_.count;
      if (forest.n_classes == 0) {
        *to += moved * number;
      } else if (pure >= 0) {
        to[only] += moved;
      } else {
        for (std::size_t k = 0; k < outputs_.count; ++k) to[k] += moved * shares[outputs_.first + k];
      }
    }
  }

  const WeighedForest& in_;
  Outputs outputs_;
  std::size_t tree_ = 0;
  double* to_ = nullptr;
  std::size_t packs_ = 0;  // of points
  std::vector<double> point_, rest_, failed_;
  std::vector<Visit> open_;
  std::size_t depth_ = 0;           // edges of the path
  std::vector<Edge> edges_;         // by depth
  std::vector<std::size_t> slots_;  // by predictor on the path: its last edge
  std::vector<int> last_;           // by column: its last edge, or none
  // By depth, at each point: the product of the factors of all predictors, times the point's
  // weight; by edge, 1 / factor, and by how much knowing the value moves the product.
  std::vector<double> product_, inverse_, pull_;
};

}  // namespace tectree

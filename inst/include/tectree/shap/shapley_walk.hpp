// The Shapley values of four rows in one tree.
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
// The interaction of two predictors (Fujimoto et al. 2006, half of it on each side, as Lundberg et
// al. 2020 have it) is likewise the integral
//
//   y / 2 (with_i - without_i) (with_j - without_j) int_0^1 prod_{k != i, j} (...) dt,
//
// and what a predictor has with itself is its value less all its interactions.
//
// The walk keeps the product of the factors of all predictors of the path at each point, and by
// predictor 1 / factor. Rows go down together, whichever side their values send them to: one
// instruction does four, and no branch depends on a value.
#pragma once

#include <cstddef>
#include <vector>

#include "../base/simd.hpp"
#include "four_rows.hpp"
#include "quadrature.hpp"
#include "shapley_cells.hpp"
#include "weighed_forest.hpp"

namespace tectree {

// Which outputs are asked for: one class, or all.
struct Outputs {
  std::size_t first = 0, count = 1;
};

// What the end of a path adds, by output. Of numbers only what is beyond the tree's mean: it
// matters alone, and keeps its digits.
struct Payment {
  bool nothing = false, pure = false;
  std::size_t only = 0;  // the output that a pure leaf adds 1 to
  double number = 0.0;
  const double* values = &number;

  Payment(const WeighedForest& in, Outputs outputs, std::size_t tree, std::size_t node,
          bool stops) {
    const ForestView& forest = in.forest;
    if (stops) values = in.at_stop.data() + node * in.n_outputs + outputs.first;
    if (forest.n_classes == 0) {
      number = (stops ? *values : forest.number(node)) - in.mean[tree];
      values = &number;
    } else if (!stops && forest.pure_class(node) >= 0) {
      pure = true;
      only = static_cast<std::size_t>(forest.pure_class(node)) - outputs.first;
      nothing = only >= outputs.count;
    } else if (!stops) {
      values = forest.leaf_shares(node) + outputs.first;
    }
  }
  Payment(const Payment&) = delete;
  Payment& operator=(const Payment&) = delete;
};

class ShapleyWalk {
 public:
  ShapleyWalk(const WeighedForest& in, Outputs outputs, const ShapleyCells& cells)
      : in_(in), outputs_(outputs), cells_(cells), last_(cells.n_columns(), none) {}

  // Adds the values of the rows to `sums`, by cell.
  template <class Without>
  void add(std::size_t tree, const ValueParts& with, const Without& without, FourVector& sums) {
    if (in_.predictors[tree] == 0) return;
    set_points((in_.predictors[tree] + 1) / 2);
    tree_ = tree;
    sums_ = sums.four();
#ifdef TECTREE_AVX2
    if (has_simd()) return walk_simd(with, without);
#endif
    walk(with, without);
  }

 private:
  static constexpr int none = -1;

  // A split on the path, with all those above it on the same predictor.
  struct Edge {
    std::size_t column, slot;
    int above;  // the edge of the last split above, or none
  };
  // A node to come to, by an edge unless it is the root; or to stop at.
  struct Visit {
    std::size_t node, depth;
    int column;
    bool stops;
  };

  void set_points(std::size_t points) {
    if (points_ == points) return;
    points_ = points;
    const Quadrature q(points);
    point_ = q.point;
    rest_ = q.rest;
    room_ = 0;
    make_room();
    for (std::size_t i = 0; i < points; ++i) {
      for (std::size_t row = 0; row < lanes; ++row) product_.at(i, row) = q.weight[i];
    }
  }

  void make_room() {
    room_ = 2 * room_ + 16;
    edges_.resize(room_);
    slots_.resize(room_);
    with_.resize(room_);
    without_.resize(room_);
    inverse_.resize(room_ * points_);
    product_.resize((room_ + 1) * points_);
    open_.resize(2 * room_ + 4);
    parts_.resize(2 * (2 * room_ + 4));
  }

#ifdef TECTREE_AVX2
  template <class Without>
  TECTREE_SIMD void walk_simd(const ValueParts& with, const Without& without) {
    walk(with, without);
  }
#endif

  template <class Without>
  TECTREE_WITHIN void walk(const ValueParts& with, const Without& without) {
    depth_ = n_slots_ = 0;
    open_[0] = {in_.forest.root(tree_), 0, none, false};
    n_open_ = 1;
    while (n_open_ > 0) {
      const Visit at = open_[--n_open_];
      while (depth_ > at.depth) leave();
      if (at.column != none) enter(static_cast<std::size_t>(at.column));
      if (at.stops || in_.forest.is_leaf(at.node)) {
        pay_out(at);
        continue;
      }
      if (depth_ + 1 >= room_) make_room();
      const std::size_t column = in_.forest.column(at.node);
      Parts own, other;
      with.at(at.node, &own);
      without.at(at.node, &other);
      if (last_[column] != none) {
        const auto above = static_cast<std::size_t>(last_[column]);
        const Four a = with_.four()[above], b = without_.four()[above];
        own.left *= a, own.right *= a, own.stop *= a;
        other.left *= b, other.right *= b, other.stop *= b;
      }
      if (in_.forest.unknown == UnknownRows::stop)
        open(at.node, column, true, &own.stop, &other.stop);
      open(in_.forest.right_child(at.node), column, false, &own.right, &other.right);
      open(in_.forest.left_child(at.node), column, false, &own.left, &other.left);
    }
    while (depth_ > 0) leave();
  }

  // Where no part of any row comes adds nothing.
  TECTREE_WITHIN void open(std::size_t node, std::size_t column, bool stops, const Four* with,
                           const Four* without) {
    const Four both = *with + *without;
    if (!((both[0] + both[1]) + (both[2] + both[3]) > 0.0)) return;
    parts_.four()[2 * n_open_] = *with;
    parts_.four()[2 * n_open_ + 1] = *without;
    open_[n_open_++] = {node, depth_, static_cast<int>(column), stops};
  }

  TECTREE_WITHIN void leave() {
    const Edge& edge = edges_[--depth_];
    last_[edge.column] = edge.above;
    if (edge.above == none) {
      --n_slots_;
    } else {
      slots_[edge.slot] = static_cast<std::size_t>(edge.above);
    }
  }

  // Along the edge whose parts were last in `parts_`.
  TECTREE_WITHIN void enter(std::size_t column) {
    const int last = last_[column];
    const auto above = static_cast<std::size_t>(last == none ? 0 : last);
    const std::size_t slot = last == none ? n_slots_++ : edges_[above].slot, points = points_;
    edges_[depth_] = {column, slot, last};
    slots_[slot] = depth_;
    last_[column] = static_cast<int>(depth_);
    const Four with = parts_.four()[2 * n_open_], without = parts_.four()[2 * n_open_ + 1];
    with_.four()[depth_] = with;
    without_.four()[depth_] = without;
    const double *point = point_.data(), *rest = rest_.data();
    const Four* before = product_.four() + depth_ * points;
    const Four* undo = inverse_.four() + above * points;
    Four* after = product_.four() + (depth_ + 1) * points;
    Four* inverse = inverse_.four() + depth_ * points;
    const Four one = {1.0, 1.0, 1.0, 1.0};
    for (std::size_t i = 0; i < points; ++i) {
      const Four factor = without * rest[i] + with * point[i];
      // No part of such a row comes here, nor to what is below.
      inverse[i] = one / (factor > too_small ? factor : one);
      after[i] = before[i] * factor;
    }
    if (last != none) {
      for (std::size_t i = 0; i < points; ++i) after[i] *= undo[i];
    }
    ++depth_;
  }

  TECTREE_WITHIN void pay_out(const Visit& leaf) {
    const Payment pay(in_, outputs_, tree_, leaf.node, leaf.stops);
    if (pay.nothing) return;
    const std::size_t points = points_;
    const Four* product = product_.four() + depth_ * points;
    for (std::size_t s = 0; s < n_slots_; ++s) {
      const std::size_t edge = slots_[s];
      const Four* inverse = inverse_.four() + edge * points;
      Four moved = product[0] * inverse[0];
      for (std::size_t i = 1; i < points; ++i) moved += product[i] * inverse[i];
      moved *= with_.four()[edge] - without_.four()[edge];
      give(pay, cells_.of(edges_[edge].column), &moved);
      for (std::size_t r = 0; cells_.pairs() && r < s; ++r) share(pay, product, edge, slots_[r]);
    }
  }

  // What two predictors do together goes by halves from what each does alone to their pair.
  TECTREE_WITHIN void share(const Payment& pay, const Four* product, std::size_t one,
                            std::size_t other) {
    const Four *a = inverse_.four() + one * points_, *b = inverse_.four() + other * points_;
    Four both = product[0] * a[0] * b[0];
    for (std::size_t i = 1; i < points_; ++i) both += product[i] * a[i] * b[i];
    both *= 0.5 * (with_.four()[one] - without_.four()[one]);
    both *= with_.four()[other] - without_.four()[other];
    const Four less = -both;
    const std::size_t c = edges_[one].column, d = edges_[other].column;
    give(pay, cells_.of(c, d), &both);
    give(pay, cells_.of(d, c), &both);
    give(pay, cells_.of(c), &less);
    give(pay, cells_.of(d), &less);
  }

  TECTREE_WITHIN void give(const Payment& pay, std::size_t cell, const Four* moved) {
    Four* to = sums_ + cell;
    if (pay.pure) {
      to[pay.only] += *moved;
    } else {
      for (std::size_t k = 0; k < outputs_.count; ++k) to[k] += *moved * pay.values[k];
    }
  }

  static constexpr double too_small = 1e-290;

  const WeighedForest& in_;
  Outputs outputs_;
  const ShapleyCells& cells_;
  std::size_t tree_ = 0;
  std::size_t points_ = 0;
  std::vector<double> point_, rest_;
  std::size_t room_ = 0;  // for edges on the path
  std::vector<Visit> open_;
  FourVector parts_;  // by open visit, two: with and without the value
  std::size_t n_open_ = 0, depth_ = 0, n_slots_ = 0;
  std::vector<Edge> edges_;         // by depth
  FourVector with_, without_;       // by edge
  std::vector<std::size_t> slots_;  // by predictor on the path: its last edge
  std::vector<int> last_;           // by column: its last edge, or none
  FourVector product_;              // by depth and point, times the point's weight
  FourVector inverse_;              // by edge and point: 1 / factor
  Four* sums_ = nullptr;
};

}  // namespace tectree

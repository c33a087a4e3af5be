// The Shapley values of rows in one tree.
//
// The game: the value v(S) of a set S of predictors is the tree's prediction for a row of which
// only the values in S are known. At a split on another predictor, parts of the row go to both
// sides: in proportion to the weights of the training rows, or as a background row goes. So a leaf
// is reached by the part
//
//   prod_{i in S} with_i  prod_{i not in S} without_i
//
// where the products run over the predictors on its path; with_i is the part of the row that passes
// all splits on i if its value is known (0 or 1, or between if it is missing and the row goes down
// both sides), and without_i if it is not. v(S) is the sum of the leaves' predictions by these
// parts. The weights of Shapley's mean over all S are integrals, s! (d - 1 - s)! / d! =
// int t^s (1 - t)^(d - 1 - s) dt, so that a leaf that predicts y adds to the value of predictor j
//
//   y int_0^1 (with_j - without_j) prod_{i != j} (t with_i + (1 - t) without_i) dt,
//
// the integral of a polynomial of degree d - 1: Gauss-Legendre quadrature with d / 2 points is
// exact.
//
// The sum over the leaves is taken split by split. At a point t, with the factors f_i = t with_i +
// (1 - t) without_i of the splits so far, the part prod_i f_i of a row reaches a node. From there
// the share f_j' / f_j goes on to a child by a split on j, where f_j' is the factor with this split
// and f_j that before it, 1 if there was none. So what a node predicts at t is the mean of its
// children's predictions by these shares, and the derivative of the root's by t_j is a sum over the
// splits on j of
//
//   prod_{i != j} f_i / f_j  sum_children (with_j' without_j - with_j without_j') prediction
//
// in which the terms with the same prediction for all children cancel: only the differences between
// the children count. All factors are positive, and shares at most 1, so it is stable at any depth.
//
// The interaction of two predictors (Fujimoto et al. 2006, half of it on each side, as Lundberg et
// al. 2020 have it) is likewise the integral
//
//   y / 2 (with_i - without_i) (with_j - without_j) int_0^1 prod_{k != i, j} (...) dt,
//
// and what a predictor has with itself is its value less all its interactions. What a split on j
// changes is multiplied by (with_i - without_i) / f_i for each i on the path above.
//
// Rows go down together, whichever side their values send them to: one instruction does four, no
// branch depends on a value, and several fours share what is done once for a node.
#pragma once

#include <cstddef>
#include <vector>

#include "../base/simd.hpp"
#include "four_rows.hpp"
#include "quadrature.hpp"
#include "shapley_cells.hpp"
#include "weighed_forest.hpp"

namespace tectree {

// The requested outputs: one class, or all.
struct Outputs {
  std::size_t first = 0, count = 1;
};

// What the end of a path adds, by output. For numbers only the difference from the tree's mean: it
// alone matters, and keeps its digits.
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
  // Rows that go down together, in fours: work done once per node serves them all.
  static constexpr std::size_t most = 8;

  ShapleyWalk(const WeighedForest& in, Outputs outputs, const ShapleyCells& cells)
      : in_(in), outputs_(outputs), cells_(cells), last_(cells.n_columns(), none) {}

  // Adds the values of `n` fours, at most `most`, to `sums`, by cell: four i with the parts with[i]
  // and without[i].
  template <class Without>
  void add(std::size_t tree, const ValueParts* with, const Without* without, FourVector* sums,
           std::size_t n) {
    if (in_.predictors[tree] == 0) return;
    set_points((in_.predictors[tree] + 1) / 2);
    tree_ = tree;
    n_ = n;
    sums_ = sums;
    n_ways_ = in_.forest.unknown == UnknownRows::stop ? 3 : 2;
#ifdef TECTREE_AVX2
    if (has_simd()) return walk_simd(with, without);
#endif
    walk(with, without);
  }

 private:
  static constexpr std::size_t none = 0;
  // The ways on from a node; parts that stop do not reach a child.
  static constexpr std::size_t left = 0, right = 1, stop = 2, ways = 3;

  // A split on the path.
  struct Level {
    std::size_t node, column;
    std::size_t way;    // the current one
    std::size_t above;  // the edge of the last split above on the same predictor, or none
  };

  void set_points(std::size_t points) {
    if (points_ == points) return;
    points_ = points;
    const Quadrature q(points);
    point_ = q.point;
    rest_ = q.rest;
    room_ = 0;
    make_room();
    for (std::size_t i = 0; i < most * points * lanes; ++i)
      reach_.at(i / lanes, i % lanes) = q.weight[i / lanes % points];
    changes_.resize(points);
  }

  void make_room() {
    room_ = 2 * room_ + 16;
    const std::size_t edges = edge(room_, left), by_point = most * points_;
    levels_.resize(room_);
    ends_.resize(edges);
    with_.resize(edges * most);
    without_.resize(edges * most);
    moves_.resize(edges * most);
    reach_.resize(edges * by_point);
    share_.resize(edges * by_point);
    mean_.resize(edges * by_point * outputs_.count);
    slope_.resize(room_ * by_point);
    if (cells_.pairs()) pull_.resize(edges * by_point);
  }

  // From the node at a depth; the edge `none` leads to the root.
  static std::size_t edge(std::size_t depth, std::size_t way) {
    return 1 + depth * ways + way;
  }
  std::size_t edge_to(std::size_t depth) const {
    return depth == 0 ? none : edge(depth - 1, levels_[depth - 1].way);
  }
  // By edge and four, then by point.
  std::size_t at(std::size_t edge, std::size_t four) const {
    return (edge * most + four) * points_;
  }
  Four* mean(std::size_t edge, std::size_t four, std::size_t output) {
    return mean_.four() + at(edge * outputs_.count + output, four);
  }

#ifdef TECTREE_AVX2
  template <class Without>
  TECTREE_SIMD void walk_simd(const ValueParts* with, const Without* without) {
    walk(with, without);
  }
#endif

  template <class Without>
  TECTREE_WITHIN void walk(const ValueParts* with, const Without* without) {
    const ForestView& forest = in_.forest;
    std::size_t depth = 0;
    levels_[0].node = forest.root(tree_);
    come(0, with, without);
    while (true) {
      Level& here = levels_[depth];
      if (here.way == n_ways_) {
        last_[here.column] = here.above;
        for (std::size_t four = 0; four < n_; ++four) sum_up(depth, four);
        if (depth == 0) return;
        ++levels_[--depth].way;
        continue;
      }
      const std::size_t by = edge(depth, here.way);
      const std::size_t child =
          here.way == left ? forest.left_child(here.node) : forest.right_child(here.node);
      if (here.way == stop || forest.is_leaf(child) || !comes(by)) {
        end(here.way == stop ? here.node : child, here.way == stop, by);
        ++here.way;
        continue;
      }
      last_[here.column] = by;
      ends_[by] = 0;
      if (depth + 1 == room_) make_room();
      levels_[++depth].node = child;
      come(depth, with, without);
    }
  }

  // Whether a part of any row does.
  TECTREE_WITHIN bool comes(std::size_t by) const {
    const Four *with = with_.four() + by * most, *without = without_.four() + by * most;
    Four sum = with[0] + without[0];
    for (std::size_t four = 1; four < n_; ++four) sum += with[four] + without[four];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]) > 0.0;
  }

  // To a node: the parts that go on from there.
  template <class Without>
  TECTREE_WITHIN void come(std::size_t depth, const ValueParts* with, const Without* without) {
    Level& here = levels_[depth];
    here.column = in_.forest.column(here.node);
    here.way = left;
    here.above = last_[here.column];
    const Four one = {1.0, 1.0, 1.0, 1.0};
    const std::size_t first = edge(depth, left) * most, n = n_;
    Four *to_with = with_.four() + first, *to_without = without_.four() + first;
    Four* moves = moves_.four() + first;
    for (std::size_t four = 0; four < n; ++four) {
      Parts own, other;
      with[four].at(here.node, &own);
      without[four].at(here.node, &other);
      Four a = one, b = one;
      if (here.above != none) {
        a = with_.four()[here.above * most + four];
        b = without_.four()[here.above * most + four];
      }
      to_with[four] = a * own.left, to_without[four] = b * other.left;
      to_with[most + four] = a * own.right, to_without[most + four] = b * other.right;
      moves[four] = to_with[four] * b - a * to_without[four];
      moves[most + four] = to_with[most + four] * b - a * to_without[most + four];
      if (n_ways_ == ways) {
        to_with[2 * most + four] = a * own.stop;
        to_without[2 * most + four] = b * other.stop;
      }
      share_out(depth, four, a, b);
      if (cells_.pairs()) set_pulls(depth, four);
    }
  }

  TECTREE_WITHIN void share_out(std::size_t depth, std::size_t four, const Four& a, const Four& b) {
    const std::size_t points = points_, by = edge(depth, left), next = most * points;
    const double *point = point_.data(), *rest = rest_.data();
    const Four with = a, without = b, one = {1.0, 1.0, 1.0, 1.0};
    const Four *to_with = with_.four() + by * most + four,
               *to_without = without_.four() + by * most + four;
    const Four with_left = to_with[0], with_right = to_with[most];
    const Four without_left = to_without[0], without_right = to_without[most];
    const Four* reach = reach_.four() + at(edge_to(depth), four);
    Four *reach_left = reach_.four() + at(by, four), *reach_right = reach_left + next;
    Four *share_left = share_.four() + at(by, four), *share_right = share_left + next;
    Four* slope = slope_.four() + at(depth, four);
    const Level& here = levels_[depth];
    const bool repeats = here.above != none, stops = n_ways_ == ways;
    const bool on_left = !in_.forest.is_leaf(in_.forest.left_child(here.node));
    const bool on_right = !in_.forest.is_leaf(in_.forest.right_child(here.node));
    for (std::size_t i = 0; i < points; ++i) {
      const Four to_left = without_left * rest[i] + with_left * point[i];
      const Four to_right = without_right * rest[i] + with_right * point[i];
      Four inverse = one;
      if (repeats) {
        const Four factor = without * rest[i] + with * point[i];
        // No part of such a row comes here, nor below.
        inverse = one / (factor > too_small ? factor : one);
      }
      const Four others = reach[i] * inverse;
      slope[i] = others * inverse;
      share_left[i] = to_left * inverse;
      if (stops) share_right[i] = to_right * inverse;
      if (on_left) reach_left[i] = others * to_left;
      if (on_right) reach_right[i] = others * to_right;
    }
  }

  // How much more, as a factor, comes along an edge with the value of its predictor than without.
  TECTREE_WITHIN void set_pulls(std::size_t depth, std::size_t four) {
    const Four one = {1.0, 1.0, 1.0, 1.0};
    for (const std::size_t by : {edge(depth, left), edge(depth, right)}) {
      const Four with = with_.four()[by * most + four], without = without_.four()[by * most + four];
      Four* pull = pull_.four() + at(by, four);
      for (std::size_t i = 0; i < points_; ++i) {
        const Four factor = without * rest_[i] + with * point_[i];
        pull[i] = (with - without) / (factor > too_small ? factor : one);
      }
    }
  }

  // The prediction of a leaf, of a node for parts that stop there, or anything for an unreached
  // node.
  TECTREE_WITHIN void end(std::size_t node, bool stops, std::size_t by) {
    ends_[by] = 1;
    const Four zero = {0.0, 0.0, 0.0, 0.0};
    for (std::size_t k = 0; k < outputs_.count; ++k) *mean(by, 0, k) = zero;
    if (!stops && !in_.forest.is_leaf(node)) return;
    const Payment pay(in_, outputs_, tree_, node, stops);
    if (pay.nothing) return;
    if (pay.pure) {
      *mean(by, 0, pay.only) = zero + 1.0;
    } else {
      for (std::size_t k = 0; k < outputs_.count; ++k) *mean(by, 0, k) = zero + pay.values[k];
    }
  }

  // The prediction of a node, from those of its children; and the contribution of its split to its
  // predictor.
  TECTREE_WITHIN void sum_up(std::size_t depth, std::size_t four) {
    const std::size_t points = points_, last = edge(depth, n_ways_ - 1);
    const std::size_t last_step = ends_[last] != 0 ? 0 : 1;
    const Four* slope = slope_.four() + at(depth, four);
    Four* sum = sums_[four].four() + cells_.of(levels_[depth].column);
    for (std::size_t k = 0; k < outputs_.count; ++k) {
      const Four* base = mean(last, four * last_step, k);
      Four* to = mean(edge_to(depth), four, k);
      const Four* so_far = base;
      std::size_t so_far_step = last_step;
      for (std::size_t by = edge(depth, left); by < last; ++by) {
        const std::size_t step = ends_[by] != 0 ? 0 : 1;
        const Four *from = mean(by, four * step, k), *share = share_.four() + at(by, four);
        Four moved = {0.0, 0.0, 0.0, 0.0};
        for (std::size_t i = 0; i < points; ++i) {
          const Four off = from[i * step] - base[i * last_step];
          moved += slope[i] * off;
          to[i] = so_far[i * so_far_step] + share[i] * off;
        }
        const Four moves = moves_.four()[by * most + four];
        sum[k] += moved * moves;
        if (cells_.pairs()) sum_pairs(depth, four, k, by);
        so_far = to;
        so_far_step = 1;
      }
    }
  }

  // Half of the joint effect of two predictors goes from each one's own value to their pair.
  TECTREE_WITHIN void sum_pairs(std::size_t depth, std::size_t four, std::size_t k,
                                std::size_t by) {
    const std::size_t last = edge(depth, n_ways_ - 1), points = points_;
    const std::size_t step = ends_[by] != 0 ? 0 : 1, last_step = ends_[last] != 0 ? 0 : 1;
    const Four *from = mean(by, four * step, k), *base = mean(last, four * last_step, k);
    const Four *slope = slope_.four() + at(depth, four),
               half = moves_.four()[by * most + four] * 0.5;
    Four* change = changes_.four();
    for (std::size_t i = 0; i < points; ++i)
      change[i] = half * slope[i] * (from[i * step] - base[i * last_step]);
    Four* sum = sums_[four].four() + k;
    const std::size_t own = levels_[depth].column;
    for (std::size_t d = 1; d <= depth; ++d) {
      const std::size_t above = edge_to(d), other = levels_[d - 1].column;
      if (other == own || last_[other] != above) continue;
      const Four* pull = pull_.four() + at(above, four);
      Four both = change[0] * pull[0];
      for (std::size_t i = 1; i < points; ++i) both += change[i] * pull[i];
      sum[cells_.of(own, other)] += both;
      sum[cells_.of(other, own)] += both;
      sum[cells_.of(own)] -= both;
      sum[cells_.of(other)] -= both;
    }
  }

  static constexpr double too_small = 1e-290;

  const WeighedForest& in_;
  Outputs outputs_;
  const ShapleyCells& cells_;
  std::size_t tree_ = 0, n_ = 0;
  std::size_t points_ = 0, n_ways_ = 2;
  std::vector<double> point_, rest_;
  std::size_t room_ = 0;           // for levels
  std::vector<Level> levels_;      // the path
  std::vector<std::size_t> last_;  // by column: its last edge on the path, or none
  std::vector<char> ends_;         // by edge: whether the prediction is the same at all points
  FourVector with_, without_;      // by edge: what has passed all splits on its predictor
  FourVector moves_;               // by edge
  FourVector reach_;               // by edge and point: what comes along it, times the weight
  FourVector share_;               // by edge and point: its share of what comes to the node
  FourVector slope_;               // by level and point
  FourVector mean_;                // by edge, output and point: what is predicted there
  FourVector pull_;                // by edge and point, for pairs
  FourVector changes_;             // by point
  FourVector* sums_ = nullptr;
};

}  // namespace tectree

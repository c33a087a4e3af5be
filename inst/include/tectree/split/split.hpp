// Room split/: the record of a split, and where a value goes.
//
// One split record for every kind of split, and route(): the only code that decides where a value
// goes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../data/frame.hpp"

namespace tectree {

enum class SplitKind {
  leaf = 0,
  threshold = 1,
  intervals = 2,
  level = 3,
  subset = 4,
  multiway = 5
};

// A split's parts in memory that a Split or a tree's pools own.
struct SplitView {
  SplitKind kind = SplitKind::leaf;
  int branches = 0;
  const double* breaks = nullptr;  // ascending; branch j holds breaks[j-1] < x <= breaks[j]
  int n_breaks = 0;
  const int* level = nullptr;  // ascending codes of the levels present in training
  const int* level_child = nullptr;
  int n_levels = 0;
};

struct Split {
  SplitKind kind = SplitKind::leaf;
  int column = -1;
  int branches = 0;
  std::vector<double> breaks;
  std::vector<int> level, level_child;

  SplitView view() const {
    return {kind,
            branches,
            breaks.data(),
            static_cast<int>(breaks.size()),
            level.data(),
            level_child.data(),
            static_cast<int>(level.size())};
  }
};

inline bool same_split(const Split& a, const Split& b) {
  return a.column == b.column && a.kind == b.kind && a.breaks == b.breaks && a.level == b.level &&
         a.level_child == b.level_child;
}

constexpr int no_branch = -1;  // the value is missing, or a level that the node never saw

inline int route_number(const SplitView& s, double x) {
  if (std::isnan(x)) return no_branch;
  if (s.n_breaks == 1) return x <= s.breaks[0] ? 0 : 1;
  return static_cast<int>(std::lower_bound(s.breaks, s.breaks + s.n_breaks, x) - s.breaks);
}

inline int route_code(const SplitView& s, int code) {
  if (code == missing_code) return no_branch;
  if (s.kind == SplitKind::level) return code <= s.breaks[0] ? 0 : 1;
  if (s.kind == SplitKind::multiway) return code >= 1 && code <= s.branches ? code - 1 : no_branch;
  const int* end = s.level + s.n_levels;
  const int* found = std::lower_bound(s.level, end, code);
  return found != end && *found == code ? s.level_child[found - s.level] : no_branch;
}

inline bool splits_numbers(const SplitView& s) {
  return s.kind == SplitKind::threshold || s.kind == SplitKind::intervals;
}
inline int route(const SplitView& s, const Column& column, std::size_t row) {
  return splits_numbers(s) ? route_number(s, column.value(row)) : route_code(s, column.level(row));
}
// `x`: a number, or the code of a level; less than 1 (-infinity) if no row has the level.
inline int route_value(const SplitView& s, double x) {
  if (splits_numbers(s)) return route_number(s, x);
  return x >= 1.0 ? route_code(s, static_cast<int>(x)) : no_branch;
}

// A threshold t with a <= t < b for neighbouring values a < b: their midpoint, finite unless only
// a is possible.
inline double between(double a, double b) {
  if (std::isinf(a) && std::isinf(b)) return 0.0;
  if (std::isinf(a)) return std::nextafter(b, a);
  if (std::isinf(b)) return a;
  double t = std::isinf(b - a) ? a / 2 + b / 2 : a + (b - a) / 2;
  return t >= b ? a : t;
}

// ---- rows with a missing value at a split: first surrogates, then the default ----

// What happens to a row at a split if neither its value nor a surrogate decides: it goes to one
// branch, is divided into parts over all branches, or stays at the node.
enum class UnknownRows { branch = 0, share = 1, stop = 2 };

// A split in two of another column that predicts the branch. `flipped`: its own branch 0 means
// branch 1.
struct Surrogate {
  Split split;
  bool flipped = false;
  double agree = 0.0, adj = 0.0;  // share of rows sent alike; the same beyond the larger branch
};

struct SurrogateView {
  SplitView split;
  int column = -1;
  bool flipped = false;
};

inline SurrogateView view_of(const Surrogate& s) {
  return {s.split.view(), s.split.column, s.flipped};
}

// An absent column decides nothing.
inline int route(const SurrogateView& s, const Frame& frame, std::size_t row) {
  const Column& column = frame.columns[s.column];
  if (!column.present()) return no_branch;
  const int branch = route(s.split, column, row);
  return branch != no_branch && s.flipped ? 1 - branch : branch;
}

// For training: `branch` is no_branch if the rows leave the tree.
struct MissingRoute {
  int branch = 0;
  const std::vector<Surrogate>* surrogates = nullptr;

  int of(const Frame& frame, std::size_t row) const {
    if (surrogates) {
      for (const Surrogate& s : *surrogates) {
        const int to = route(view_of(s), frame, row);
        if (to != no_branch) return to;
      }
    }
    return branch;
  }
};

}  // namespace tectree

// The way of a row that has no value at a split: first the surrogates, then what is left for it.
#pragma once

#include <cstddef>
#include <vector>

#include "split.hpp"

namespace tectree {

// What happens to a row at a split that neither its value nor a surrogate decides: it goes to one
// branch, is shared out over all of them, or stays where it is.
enum class UnknownRows { branch = 0, share = 1, stop = 2 };

// A split in two of another column that predicts the branch. `flipped`: its own branch 0 stands
// for branch 1.
struct Surrogate {
  Split split;
  bool flipped = false;
  double agree = 0.0, adj = 0.0;  // share of rows foretold; the same beyond the larger branch's
};

struct SurrogateView {
  SplitView split;
  int column = -1;
  bool flipped = false;
};

inline SurrogateView view_of(const Surrogate& s) {
  return {s.split.view(), s.split.column, s.flipped};
}

// A column that is absent decides nothing.
inline int route(const SurrogateView& s, const Frame& frame, std::size_t row) {
  const Column& column = frame.columns[s.column];
  if (!column.present()) return no_branch;
  const int branch = route(s.split, column, row);
  return branch != no_branch && s.flipped ? 1 - branch : branch;
}

// For training: `branch` is no_branch where the rows leave the tree.
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

// Folds that follow from the data alone, so that a tree pruned by cross-validation is the same in
// every session: the caller brings rows into an order that does not depend on where they stand, and
// a stream with a fixed seed shuffles them.
#pragma once

#include <cstddef>
#include <vector>

#include "../base/stream.hpp"

namespace tectree {

// The fold of each row, from 0. `order` has the rows, from 0, those of a class together, and
// `class_of` their classes. Each class is shuffled and goes on with the fold at which the last one
// stopped, so that every class is spread over the folds as evenly as can be.
inline std::vector<int> own_folds(const std::vector<int>& order, const std::vector<int>& class_of,
                                  int count) {
  Stream stream(0);
  std::vector<int> fold(order.size());
  std::vector<int> rows;
  std::size_t dealt = 0;
  for (std::size_t from = 0, to; from < order.size(); from = to) {
    const int first = class_of[order[from]];
    to = from;
    while (to < order.size() && class_of[order[to]] == first) ++to;
    rows.assign(order.begin() + static_cast<std::ptrdiff_t>(from),
                order.begin() + static_cast<std::ptrdiff_t>(to));
    stream.shuffle(rows);
    for (int row : rows) fold[row] = static_cast<int>(dealt++ % static_cast<std::size_t>(count));
  }
  return fold;
}

}  // namespace tectree

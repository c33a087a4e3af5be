// Folds that depend on the data alone, so a tree pruned by cross-validation is the same in every
// session: the caller brings the rows into an order that does not depend on their positions, and a
// stream with a fixed seed shuffles them.
#pragma once

#include <cstddef>
#include <vector>

#include "../base/stream.hpp"

namespace tectree {

// The fold of each row, from 0. `order` contains the rows, from 0, grouped by class, and `class_of`
// their classes. Each class is shuffled and continues with the fold at which the previous one
// stopped, so every class is spread over the folds as evenly as possible.
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

// Folds that depend on the data alone.
#include "check.h"

#include <tectree/prune/own_folds.hpp>

#include <algorithm>

using namespace tectree;

namespace {

std::vector<int> rows_by_class(const std::vector<int>& class_of) {
  std::vector<int> order(class_of.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return class_of[a] < class_of[b]; });
  return order;
}

}  // namespace

TEST(every_class_is_spread_evenly_over_the_folds) {
  for (int count : {1, 2, 3, 10}) {
    for (int n : {1, 2, 9, 50, 237}) {
      std::vector<int> class_of(static_cast<std::size_t>(n));
      for (int i = 0; i < n; ++i) class_of[i] = i % 7 == 0 ? 2 : i == 3 ? 5 : 1;
      const std::vector<int> fold = own_folds(rows_by_class(class_of), class_of, count);
      CHECK(fold.size() == class_of.size());
      for (int c : {0, 1, 2, 5}) {
        std::vector<int> size(static_cast<std::size_t>(count), 0);
        for (int i = 0; i < n; ++i) {
          CHECK(fold[i] >= 0 && fold[i] < count);
          // 0 means all classes together.
          if (c == 0 || class_of[i] == c) ++size[fold[i]];
        }
        const auto range = std::minmax_element(size.begin(), size.end());
        CHECK(*range.second - *range.first <= 1);
      }
    }
  }
}

TEST(folds_follow_the_rows_wherever_they_stand) {
  std::vector<int> class_of(60), order(60), moved_class(60), moved_order(60);
  for (int i = 0; i < 60; ++i) class_of[i] = i / 20;
  order = rows_by_class(class_of);
  // Row i is now at place 59 - i.
  for (int i = 0; i < 60; ++i) {
    moved_class[59 - i] = class_of[i];
    moved_order[i] = 59 - order[i];
  }
  const std::vector<int> fold = own_folds(order, class_of, 10);
  const std::vector<int> moved = own_folds(moved_order, moved_class, 10);
  for (int i = 0; i < 60; ++i) CHECK(moved[59 - i] == fold[i]);
  CHECK(own_folds(order, class_of, 10) == fold);
  // Shuffled, not dealt out in order.
  CHECK(fold[0] != 0 || fold[1] != 1 || fold[2] != 2 || fold[3] != 3);
}

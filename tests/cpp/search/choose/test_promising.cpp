// Which of the splits that were measured in a node are tried, and in which order.
#include "check.h"

#include <tectree/search/choose/promising.hpp>

using namespace tectree;

namespace {

// A cut of a column of 100 rows, `left` of them on its left.
Offer cut(int column, double left, double score, double measure = 0.0) {
  Offer out;
  out.winner.split = {SplitKind::threshold, column, 2, {left}, {}, {}};
  out.winner.score = score;
  out.winner.cut = measure;
  out.winner.branch_weight = {left, 100.0 - left};
  return out;
}

// The columns of the splits that are tried.
std::vector<int> columns_of(const Tried& tried) {
  std::vector<int> out;
  for (const Winner& winner : tried.splits) out.push_back(winner.split.column);
  return out;
}

}  // namespace

TEST(the_largest_scores_are_tried_first) {
  Promising all({{cut(0, 50, 0.1)}, {cut(1, 50, 0.4)}, {cut(2, 50, 0.2)}, {cut(3, 50, 0.4)}},
                nullptr, 0.5, Eligible::all);
  CHECK((columns_of(all.take(3)) == std::vector<int>{1, 3, 2}));
}

TEST(columns_that_are_not_eligible_come_after_those_that_are) {
  // The mean of the cut measures is 2.
  Promising all({{cut(0, 50, 0.9, 1.0)}, {cut(1, 50, 0.1, 3.0)}, {cut(2, 50, 0.2, 2.0)}}, nullptr,
                0.5, Eligible::mean);
  CHECK((columns_of(all.take(3)) == std::vector<int>{2, 1, 0}));
}

TEST(a_cut_with_few_rows_between_it_and_a_better_one_comes_last) {
  Promising all({{cut(0, 50, 0.9), cut(0, 52, 0.8), cut(0, 70, 0.7)}, {cut(1, 52, 0.1)}}, nullptr,
                0.5, Eligible::all);
  const Tried tried = all.take(4);
  CHECK((columns_of(tried) == std::vector<int>{0, 0, 1, 0}));
  CHECK(tried.splits.size() == 4 && tried.splits[1].split.breaks[0] == 70.0 &&
        tried.splits[3].split.breaks[0] == 52.0);
}

// Where a value goes, for every kind of split: at and around its breaks, missing, and with unseen
// levels.
#include "check.h"

#include <tectree/split/split.hpp>

#include "support/random.h"

using namespace tectree;

namespace {

const double inf = std::numeric_limits<double>::infinity();
const double nan_value = std::numeric_limits<double>::quiet_NaN();

Split split_of(SplitKind kind, int branches, std::vector<double> breaks) {
  Split s;
  s.kind = kind;
  s.column = 0;
  s.branches = branches;
  s.breaks = std::move(breaks);
  return s;
}

Split subset(std::vector<int> level, std::vector<int> child) {
  Split s = split_of(SplitKind::subset, 2, {});
  s.level = std::move(level);
  s.level_child = std::move(child);
  return s;
}

int routed(const Split& s, double x) {
  Column column;
  column.real = &x;
  return route(s.view(), column, 0);
}

int routed_code(const Split& s, int code) {
  Column column;
  column.kind = Kind::nominal;
  column.whole = &code;
  return route(s.view(), column, 0);
}

}  // namespace

TEST(a_threshold_takes_its_own_value_to_the_left) {
  const Split s = split_of(SplitKind::threshold, 2, {2.5});
  CHECK(routed(s, 2.5) == 0);
  CHECK(routed(s, std::nextafter(2.5, inf)) == 1);
  CHECK(routed(s, std::nextafter(2.5, -inf)) == 0);
  CHECK(routed(s, -inf) == 0 && routed(s, inf) == 1);
  CHECK(routed(s, nan_value) == no_branch);
  const Split zero = split_of(SplitKind::threshold, 2, {0.0});
  CHECK(routed(zero, -0.0) == 0 && routed(zero, 0.0) == 0);
  CHECK(routed(zero, std::numeric_limits<double>::denorm_min()) == 1);
}

TEST(a_threshold_reads_whole_numbers) {
  const Split s = split_of(SplitKind::threshold, 2, {2.5});
  CHECK(routed_code(s, 2) == 0 && routed_code(s, 3) == 1);
  CHECK(routed_code(s, INT_MAX) == 1 && routed_code(s, INT_MIN + 1) == 0);
  CHECK(routed_code(s, missing_code) == no_branch);
}

TEST(intervals_hold_their_upper_break) {
  const Split s = split_of(SplitKind::intervals, 4, {-1.0, 0.0, 10.0});
  const std::vector<double> x = {-inf, -1.0, -0.5, -0.0, 0.0, 0.1, 10.0, 10.1, inf};
  const std::vector<int> expected = {0, 0, 1, 1, 1, 2, 2, 3, 3};
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(routed(s, x[i]) == expected[i]);
  CHECK(routed(s, nan_value) == no_branch);
}

TEST(intervals_agree_with_counting_breaks) {
  support::Random random(1);
  for (int n : {1, 2, 7, 50}) {
    std::vector<double> breaks;
    for (int i = 0; i < n; ++i) breaks.push_back(i * 3.0);
    const Split s = split_of(n == 1 ? SplitKind::threshold : SplitKind::intervals, n + 1, breaks);
    for (int i = 0; i < 300; ++i) {
      const double x = random.below(6 * n + 8) / 2.0 - 2;
      int below = 0;
      for (double b : breaks) below += b < x;
      CHECK(routed(s, x) == below);
    }
  }
}

TEST(a_level_cut_compares_codes) {
  const Split s = split_of(SplitKind::level, 2, {3.0});
  CHECK(routed_code(s, 1) == 0 && routed_code(s, 3) == 0 && routed_code(s, 4) == 1);
  CHECK(routed_code(s, missing_code) == no_branch);
}

TEST(a_subset_knows_only_the_levels_of_its_training) {
  const Split s = subset({2, 3, 7, 9}, {0, 1, 1, 0});
  CHECK(routed_code(s, 2) == 0 && routed_code(s, 3) == 1 && routed_code(s, 7) == 1 &&
        routed_code(s, 9) == 0);
  for (int unseen : {-5, 0, 1, 4, 6, 8, 10, INT_MAX}) CHECK(routed_code(s, unseen) == no_branch);
  CHECK(routed_code(s, missing_code) == no_branch);
  CHECK(routed_code(subset({}, {}), 1) == no_branch);
}

TEST(a_multiway_split_has_one_branch_per_declared_level) {
  const Split s = split_of(SplitKind::multiway, 4, {});
  for (int code = 1; code <= 4; ++code) CHECK(routed_code(s, code) == code - 1);
  for (int unseen : {-1, 0, 5, INT_MAX}) CHECK(routed_code(s, unseen) == no_branch);
  CHECK(routed_code(s, missing_code) == no_branch);
}

TEST(a_view_shows_its_split) {
  const Split s = subset({1, 4}, {0, 1});
  const SplitView v = s.view();
  CHECK(v.kind == SplitKind::subset && v.branches == 2 && v.n_levels == 2 && v.n_breaks == 0);
  CHECK(v.level[1] == 4 && v.level_child[1] == 1);
  const Split t = split_of(SplitKind::intervals, 3, {1.0, 2.0});
  CHECK(t.view().n_breaks == 2 && t.view().breaks[1] == 2.0 && t.view().branches == 3);
}

TEST(a_level_that_no_row_has_goes_nowhere) {
  const Split by_level = split_of(SplitKind::level, 2, {2.0});
  const Split by_set = subset({1, 2}, {0, 1});
  for (double code : {-inf, nan_value, -1e300, 0.0, 0.5}) {
    CHECK(route_value(by_level.view(), code) == no_branch);
    CHECK(route_value(by_set.view(), code) == no_branch);
  }
  CHECK(route_value(by_level.view(), 2.0) == 0 && route_value(by_level.view(), 3.0) == 1);
}

// What each state of a column tells about it.
#include "check.h"

#include <tectree/search/choose/column_result.hpp>

using namespace tectree;

using State = ColumnResult::State;

TEST(a_column_without_contenders_has_no_split) {
  ColumnResult result;
  result.reset();
  result.open_contenders();
  CHECK(result.state == State::none);
  CHECK(!result.has_split() && !result.may_split());
}

TEST(bounds_alone_are_no_split) {
  ColumnResult result;
  result.state = State::bounded;
  CHECK(!result.is_open() && !result.has_split() && !result.may_split());
}

TEST(an_open_column_may_split_until_its_score_says_that_it_gains_too_little) {
  ColumnResult result;
  result.contenders.offer(3, 0.1, 0.2);
  result.contenders.offer(5, 0.15, 0.25);
  result.open_contenders();
  CHECK(result.state == State::open && result.low == 0.15 && result.high == 0.25);
  CHECK(result.is_open() && result.has_split() && result.may_split() && !result.can_split());
  result.keep_cut(5, {0.2, 0.2, 0.4}, false);
  CHECK(result.state == State::scored && result.at == 5);
  CHECK(result.is_scored() && result.has_split() && !result.may_split() && !result.can_split());
}

TEST(a_scored_column_is_complete_with_its_split) {
  ColumnResult result;
  result.keep_cut(5, {0.2, 0.1, 0.4}, true);
  CHECK(result.can_split() && result.may_split());
  result.close_spans();
  CHECK(result.cut.low == 0.2 && result.cut.high == 0.2);
  CHECK(result.score.low == 0.4 && result.score.high == 0.4);
  Split split;
  split.column = 7;
  result.complete(split);
  CHECK(result.state == State::complete && result.winner.split.column == 7);
  CHECK(result.can_split() && result.winner.gain == 0.1);
  result.reset();
  CHECK(result.state == State::none && !result.has_split());
}

TEST(a_previewed_column_is_open) {
  ColumnResult result;
  result.state = State::previewed;
  CHECK(result.is_open() && result.has_split() && result.may_split() && !result.is_scored());
}

TEST(a_cut_by_value_is_exact_whatever_the_column_had_in_another_node) {
  ColumnResult result;
  result.keep_cut(5, {0.2, 0.1, 0.4}, true);
  result.winner.exact = false;  // as for a grouping of many levels
  result.winner.filled = 1;
  result.winner.test.df = 1.0;
  result.reset();
  result.keep_cut(2, {0.2, 0.1, 0.4}, true);
  CHECK(result.winner.exact && result.winner.filled == no_branch && !result.winner.test.exists());
}

// Friedman's (1991) rules for the places of knots.
#include "check.h"
#include "tectree/splines/spans.hpp"

using namespace tectree;

TEST(a_negative_min_span_is_the_number_of_knots) {
  SpanRules rules;
  rules.min_span = -3;
  rules.end_span = 5;
  const Spans three = find_spans(rules, 2, 1, 100, 100);
  // After 25, 50 and 75 rows.
  CHECK(three.step == 25 && three.start == 24 && three.end == 5);
  // The first knots are too close to the end.
  rules.end_span = 30;
  const Spans later = find_spans(rules, 2, 1, 100, 100);
  CHECK(later.step == 25 && later.start == 49 && later.end == 30);
}

TEST(spans_by_the_equations_grow_with_predictors_and_rows) {
  SpanRules rules;
  // eq. 45: 3 - log2(0.05 / 4) = 9.3; eq. 43: -log2(-log(0.95) / (4 * 1000)) / 2.5 = 6.5.
  const Spans all = find_spans(rules, 4, 1, 1000, 1000);
  CHECK(all.end == 9 && all.step == 6);
  // 1000 - 2 * 9 rows have room for 163 steps of 6, and 4 rows are left, half of them in front.
  CHECK(all.start == 9 + 2);
  // With few positive rows of the parent knots are closer.
  CHECK(find_spans(rules, 4, 1, 1000, 10).step == 3);
  CHECK(find_spans(rules, 4, 1, 1000, 0).step == 1);
  // Terms of two predictors have end spans three times as long; at least one row, at most half.
  CHECK(find_spans(rules, 4, 2, 1000, 1000).end == 27);
  CHECK(find_spans(rules, 4, 1, 10, 10).end == 4);
  CHECK(find_spans(rules, 4, 1, 3, 3).end == 1);
  rules.min_span = 4;
  // 20 - 2 * 9 rows are less than a step.
  CHECK(find_spans(rules, 4, 1, 20, 20).start == 10);
  // 982 = 245 * 4 + 2; 980 = 245 * 4 has no rest, so the first knot is half a step in.
  CHECK(find_spans(rules, 4, 1, 1000, 1000).start == 10);
  CHECK(find_spans(rules, 4, 1, 998, 998).start == 11);
}

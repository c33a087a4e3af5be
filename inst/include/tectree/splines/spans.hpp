// Where knots may be: Friedman's (1991) rules for the rows between two knots and before the first.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tectree {

struct SpanRules {
  int min_span = 0;         // rows from knot to knot; 0: by eq. 43; negative: the number of knots
  int end_span = 0;         // rows at each end without a knot; 0: by eq. 45
  double end_adjust = 2.0;  // terms of two or more predictors: this many end spans are added
};

struct Spans {
  long start = 1;  // among the rows where the parent is positive, from the top: the first knot
  long step = 1;
  long end = 1;
};

inline long end_span(const SpanRules& rules, std::size_t n_columns, int degree, long n) {
  // log2(20) + 3 + log2(columns): the probability of a run of errors of one sign is 5 %.
  long span = rules.end_span > 0
                  ? rules.end_span
                  : static_cast<long>(7.32193 + std::log(static_cast<double>(n_columns)) / 0.69315);
  if (degree >= 2)
    span += static_cast<long>(std::floor(rules.end_adjust * static_cast<double>(span) + 0.5));
  return std::max(1L, std::min(span, n / 2 - 1));
}

// `positive`: rows in which the parent is not 0. `degree`: of the terms searched for.
inline Spans find_spans(const SpanRules& rules, std::size_t n_columns, int degree, long n,
                        long positive) {
  Spans out;
  out.end = end_span(rules, n_columns, degree, n);
  if (rules.min_span < 0) {
    out.step = static_cast<long>(std::ceil(static_cast<double>(n) / (1.0 - rules.min_span)));
    out.start = out.step;
    while (out.start < out.end) out.start += out.step;
    out.start = std::max(1L, out.start - 1);
    return out;
  }
  out.step = rules.min_span;
  if (rules.min_span == 0 && positive > 0) {
    const double pairs = static_cast<double>(n_columns) * static_cast<double>(positive);
    out.step = static_cast<long>((2.9702 + std::log(pairs)) / 1.7329);
  }
  out.step = std::max(1L, out.step);
  // The remainder is shared by both ends.
  const long room = std::max(0L, n - 2 * out.end);
  long before = room / 2;
  if (room > out.step) {
    const long left = room % out.step;
    before = left == 0 ? out.step / 2 : left / 2;
  }
  out.start = std::max(1L, out.end + before);
  return out;
}

}  // namespace tectree

#include <algorithm>
#include <cmath>
#include <vector>

#include "check.h"
#include "support/random.h"
#include "tectree/splines/backward_pass.hpp"
#include "tectree/splines/forward_pass.hpp"

namespace {

using Columns = std::vector<std::vector<double>>;

// The squared error of y on the columns, by Gram and Schmidt, twice for the digits.
double squared_error(const Columns& columns, std::vector<double> y) {
  Columns q;
  for (std::vector<double> c : columns) {
    double length = 0, rest = 0;
    for (double v : c) length += v * v;
    for (int turn = 0; turn < 2; ++turn) {
      for (const auto& o : q) {
        double b = 0;
        for (std::size_t i = 0; i < c.size(); ++i) b += o[i] * c[i];
        for (std::size_t i = 0; i < c.size(); ++i) c[i] -= b * o[i];
      }
    }
    for (double v : c) rest += v * v;
    if (rest <= 1e-18 * length) continue;
    for (double& v : c) v /= std::sqrt(rest);
    q.push_back(c);
  }
  for (const auto& o : q) {
    double b = 0;
    for (std::size_t i = 0; i < y.size(); ++i) b += o[i] * y[i];
    for (std::size_t i = 0; i < y.size(); ++i) y[i] -= b * o[i];
  }
  double sum = 0;
  for (double v : y) sum += v * v;
  return sum;
}

struct Case {
  std::size_t n, p;
  std::vector<double> x, y;
  tectree::SplineData data() const { return {n, p, 1, x.data(), y.data(), nullptr}; }
};

Case random_case(support::Random& random) {
  Case out{static_cast<std::size_t>(random.between(4, 60)),
           static_cast<std::size_t>(random.between(1, 4)),
           {},
           {}};
  for (std::size_t i = 0; i < out.n * out.p; ++i)
    out.x.push_back(random.chance(0.3) ? random.between(0, 3) : random.between(0, 1000) / 100.0);
  for (std::size_t i = 0; i < out.n; ++i)
    out.y.push_back(std::fabs(out.x[i] - 2) + random.between(0, 100) / 100.0);
  return out;
}

}  // namespace

TEST(terms_are_products_of_hinges_and_lower_the_error) {
  support::Random random(5);
  for (int turn = 0; turn < 60; ++turn) {
    const Case one = random_case(random);
    tectree::SplineRules rules;
    rules.degree = random.between(1, 3);
    rules.terms = random.between(1, 15);
    const tectree::SplineData data = one.data();
    tectree::Team team(random.between(1, 2));
    tectree::ForwardPass pass(data, rules, team);
    pass.run();
    CHECK(pass.terms.size() <= static_cast<std::size_t>(std::max(1, rules.terms)));
    double before = HUGE_VAL;
    for (std::size_t m = 1; m <= pass.terms.size(); m += 2) {
      Columns columns;
      for (std::size_t t = 0; t < m; ++t)
        if (pass.terms[t].used) columns.push_back(pass.terms[t].values);
      const double now = squared_error(columns, one.y);
      CHECK(now <= before + 1e-9);
      before = now;
    }
    for (const auto& term : pass.terms) {
      CHECK(term.degree <= rules.degree);
      if (!term.used) continue;
      for (std::size_t i = 0; i < one.n; ++i) {
        double value = 1;
        for (std::size_t j = 0; j < one.p; ++j) {
          const double x = one.x[j * one.n + i], cut = term.cut[j];
          if (term.side[j] == tectree::Side::above) value *= std::fmax(0, x - cut);
          if (term.side[j] == tectree::Side::below) value *= std::fmax(0, cut - x);
          if (term.side[j] == tectree::Side::whole) value *= x;
        }
        CHECK_NEAR(term.values[i], value, 1e-9 * std::fmax(1, std::fabs(value)));
      }
    }
  }
}

TEST(the_first_step_is_the_best_of_all_columns_and_knots) {
  support::Random random(6);
  int hinges = 0;
  for (int turn = 0; turn < 150; ++turn) {
    const Case one = random_case(random);
    if (one.n < 8) continue;
    tectree::SplineRules rules;
    rules.degree = 1;
    rules.terms = 4;
    rules.thresh = 0;
    rules.spans.min_span = rules.spans.end_span = 1;
    const tectree::SplineData data = one.data();
    tectree::Team team(1);
    tectree::ForwardPass pass(data, rules, team);
    pass.run();
    const std::vector<double> ones(one.n, 1.0);
    double best = squared_error({ones}, one.y);
    for (std::size_t j = 0; j < one.p; ++j) {
      const std::vector<double> x(one.x.begin() + static_cast<long>(j * one.n),
                                  one.x.begin() + static_cast<long>((j + 1) * one.n));
      std::vector<double> sorted = x;
      std::sort(sorted.begin(), sorted.end());
      best = std::min(best, squared_error({ones, x}, one.y));
      // No knot at the lowest value or below the second row from the top.
      for (std::size_t i = 1; i + 1 < one.n; ++i) {
        std::vector<double> hinge;
        for (double v : x) hinge.push_back(std::fmax(0, v - sorted[i]));
        // A hinge must have 1 % beyond the column.
        const double square = squared_error({ones}, hinge);
        if (squared_error({ones, x}, hinge) <= 0.01 * square) continue;
        best = std::min(best, squared_error({ones, x, hinge}, one.y));
      }
    }
    Columns columns{ones};
    for (std::size_t t = 1; t < std::min<std::size_t>(3, pass.terms.size()); ++t) {
      if (!pass.terms[t].used) continue;
      columns.push_back(pass.terms[t].values);
      ++hinges;
    }
    CHECK_NEAR(squared_error(columns, one.y), best, 1e-7 * (1 + best));
  }
  CHECK(hinges > 50);
}

TEST(a_response_of_one_value_has_the_intercept_alone) {
  Case one{5, 1, {1, 2, 3, 4, 5}, {0, 0, 0, 0, 0}};
  const tectree::SplineData data = one.data();
  const tectree::SplineRules rules;
  tectree::Team team(1);
  tectree::ForwardPass pass(data, rules, team);
  pass.run();
  CHECK(pass.terms.size() == 1);
  CHECK(pass.end == tectree::SplineEnd::constant);
}

TEST(a_pair_that_explains_less_than_the_threshold_ends_the_pass) {
  Case one{40, 1, {}, {}};
  for (int i = 0; i < 40; ++i) {
    one.x.push_back(i);
    one.y.push_back(i % 2);
  }
  const tectree::SplineData data = one.data();
  tectree::SplineRules rules;
  tectree::Team team(1);
  for (double thresh : {0.5, 0.0}) {
    rules.thresh = thresh;
    tectree::ForwardPass pass(data, rules, team);
    pass.run();
    CHECK((pass.end == tectree::SplineEnd::little) == (thresh > 0));
    CHECK((pass.terms.size() == 1) == (thresh > 0));
  }
}

TEST(the_backward_pass_takes_out_the_cheapest_term) {
  support::Random random(8);
  for (int turn = 0; turn < 40; ++turn) {
    // A triangle is its own decomposition.
    const std::size_t m = static_cast<std::size_t>(random.between(2, 7));
    std::vector<double> r(m * m, 0.0), z(2 * m);
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t i = 0; i <= j; ++i) r[i + j * m] = random.between(1, 9) * (i == j ? 1 : 0.3);
    for (double& v : z) v = random.between(-9, 9);
    const std::size_t k = static_cast<std::size_t>(random.between(1, 2));
    const auto error = [&](const std::vector<int>& terms) {
      Columns columns;
      for (int t : terms)
        columns.emplace_back(r.begin() + t * static_cast<long>(m),
                             r.begin() + (t + 1) * static_cast<long>(m));
      double sum = 3;
      for (std::size_t o = 0; o < k; ++o)
        sum += squared_error(columns, {z.begin() + static_cast<long>(o * m),
                                       z.begin() + static_cast<long>((o + 1) * m)});
      return sum;
    };
    tectree::Team team(1);
    const tectree::Subsets out = tectree::BackwardPass(r.data(), z.data(), m, k, 3).run(team);
    std::vector<int> left;
    for (std::size_t t = 0; t < m; ++t) left.push_back(static_cast<int>(t));
    for (std::size_t size = m; size >= 1; --size) {
      CHECK(out.terms[size - 1].size() == size);
      CHECK_NEAR(out.rss[size - 1], error(out.terms[size - 1]), 1e-8);
      CHECK(out.rss[size - 1] <= error(left) + 1e-8);
      std::vector<int> best;
      for (std::size_t at = 1; at < left.size(); ++at) {
        std::vector<int> some = left;
        some.erase(some.begin() + static_cast<long>(at));
        if (best.empty() || error(some) < error(best) - 1e-12) best = some;
      }
      left = best;
    }
  }
}

TEST(spans_leave_the_ends_alone) {
  const tectree::SpanRules rules;
  for (long n = 2; n < 200; ++n) {
    const tectree::Spans spans = tectree::find_spans(rules, 3, 1, n, n);
    CHECK(spans.step >= 1);
    CHECK(spans.end >= 1);
    CHECK(spans.start >= spans.end);
    CHECK(spans.end <= std::max(1L, n / 2 - 1));
  }
}

// The terms as the scans see them: orthonormal, with mean 0, and with the same span as the terms.
#include "check.h"

#include <cmath>
#include <vector>

#include "support/random.h"
#include "tectree/splines/orthonormal_terms.hpp"

using support::Random;

TEST(entered_terms_are_orthonormal_for_any_number_of_rows) {
  Random random(8);
  for (std::size_t n : {7, 8, 9, 10, 11, 23}) {
    for (bool weighted : {false, true}) {
      const std::size_t responses = 2, terms = 5;
      std::vector<double> x, y, weights;
      for (std::size_t i = 0; i < n; ++i) {
        x.push_back(random.uniform());
        weights.push_back(weighted ? 0.5 + random.uniform() : 1.0);
      }
      for (std::size_t i = 0; i < n * responses; ++i) y.push_back(random.uniform());
      const tectree::SplineData data{n,        1,        responses,
                                     x.data(), y.data(), weighted ? weights.data() : nullptr};
      tectree::Team team(1);
      const tectree::SplineRows rows(data, team);
      tectree::OrthonormalTerms orthonormal(rows, 9);
      std::vector<std::vector<double>> entered;
      for (std::size_t t = 0; t < terms; ++t) {
        tectree::SplineTerm term;
        term.used = true;
        for (std::size_t i = 0; i < n; ++i) term.values.push_back(random.uniform() * 10);
        orthonormal.enter(term);
        entered.push_back(term.values);
      }
      orthonormal.make_products();
      const tectree::ScanView view = orthonormal.view();
      // By term: the scaled rows.
      std::vector<std::vector<double>> q(terms, std::vector<double>(n));
      for (std::size_t t = 0; t < terms; ++t) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
          sum += view.terms[i * view.stride + t];
          q[t][i] = view.terms[i * view.stride + t] / std::sqrt(weights[i]);
        }
        CHECK_NEAR(sum, 0.0, 1e-12);
      }
      const auto product = [&](const std::vector<double>& a, const std::vector<double>& b) {
        double out = 0;
        for (std::size_t i = 0; i < n; ++i) out += a[i] * b[i];
        return out;
      };
      for (std::size_t a = 0; a < terms; ++a) {
        for (std::size_t b = 0; b < terms; ++b)
          CHECK_NEAR(product(q[a], q[b]), a == b ? 1.0 : 0.0, 1e-10);
        // What is left of a term, beyond its mean and the first terms.
        double mean = 0;
        for (std::size_t i = 0; i < n; ++i) mean += weights[i] * entered[a][i];
        mean /= view.total_weight;
        std::vector<double> rest(n);
        for (std::size_t i = 0; i < n; ++i)
          rest[i] = std::sqrt(weights[i]) * (entered[a][i] - mean);
        for (std::size_t b = 0; b <= a; ++b) {
          const double part = product(rest, q[b]);
          for (std::size_t i = 0; i < n; ++i) rest[i] -= part * q[b][i];
        }
        CHECK_NEAR(product(rest, rest), 0.0, 1e-18 + 1e-14 * product(entered[a], entered[a]));
      }
      for (std::size_t r = 0; r < responses; ++r) {
        for (std::size_t t = 0; t < terms; ++t) {
          double expected = 0;
          for (std::size_t i = 0; i < n; ++i)
            expected += view.terms[i * view.stride + t] * y[r * n + i];
          CHECK_NEAR(view.products[r * view.padded() + t], expected, 1e-10);
        }
      }
    }
  }
}

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "check.h"
#include "support/jacobi.h"
#include "support/random.h"
#include "tectree/ensemble/rotation.hpp"

namespace {

// Numeric columns, some equal and some constant, with classes and weights.
struct Numbers {
  std::vector<std::vector<double>> x;
  std::vector<int> code;
  std::vector<double> weight;
  tectree::Frame frame;
  tectree::Sample sample;
  tectree::Response response;

  Numbers(std::size_t n, std::size_t p, support::Random& random) : x(p), code(n), weight(n) {
    for (std::size_t c = 0; c < p; ++c) {
      for (std::size_t i = 0; i < n; ++i) {
        const double noise = random.uniform() * 4.0 - 2.0;
        x[c].push_back(c % 5 == 4 ? 1.0 : c % 3 == 1 ? x[c - 1][i] * 2.0 + noise / 8 : noise);
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      code[i] = random.between(1, 3);
      weight[i] = random.between(1, 3);
    }
    for (const auto& column : x) frame.add_numbers(column);
    sample.size = n;
    sample.weights = weight.data();
    response.n_classes = 4;  // the last one has no rows
    response.code = code.data();
  }
  Numbers(const Numbers&) = delete;
};

}  // namespace

TEST(components_are_orthonormal_and_do_not_covary) {
  support::Random random(1);
  for (int round = 0; round < 60; ++round) {
    const auto p = static_cast<std::size_t>(random.between(1, 11));
    const Numbers data(60, p, random);
    tectree::RotationRule rule;
    rule.group_size = static_cast<std::size_t>(random.between(1, static_cast<int>(p)));
    rule.fraction = random.one_of<double>({0.3, 0.5, 1.0});
    const tectree::RotationDrawer drawer(data.frame, data.sample, data.response, rule,
                                         support::jacobi);
    std::vector<int> order(p), again(p);
    std::vector<double> axes(tectree::loadings_of(p, rule.group_size));
    const std::uint64_t seed = random.bits();
    tectree::Team team(1);
    drawer.draw(seed, order.data(), axes.data(), team);
    CHECK(std::set<int>(order.begin(), order.end()).size() == p);
    const tectree::RotationView view{p, rule.group_size, order.data(), axes.data()};
    drawer.draw_rows(seed, again.data(), [&](std::size_t first, const auto& rows) {
      const std::size_t size = view.size_of(first);
      std::set<int> classes;
      for (std::uint32_t i : rows) classes.insert(data.code[i]);
      double all = 0;
      for (int s : data.code) all += static_cast<double>(classes.count(s));
      CHECK(rows.size() ==
            static_cast<std::size_t>(std::max(1.0, std::round(rule.fraction * all))));
      CHECK(std::set<std::uint32_t>(rows.begin(), rows.end()).size() == rows.size());
      double before = HUGE_VAL;
      for (std::size_t a = 0; a < size; ++a) {
        const double* one = view.loadings(first + a);
        double largest = 0;
        for (std::size_t j = 0; j < size; ++j)
          if (std::fabs(one[j]) > std::fabs(largest) + 1e-6) largest = one[j];
        CHECK(largest > 0);
        for (std::size_t b = 0; b <= a; ++b) {
          const double* other = view.loadings(first + b);
          double product = 0, covariance = 0, total = 0, mean_a = 0, mean_b = 0;
          for (std::size_t j = 0; j < size; ++j) product += one[j] * other[j];
          CHECK_NEAR(product, a == b ? 1.0 : 0.0, 1e-12);
          std::vector<double> u(60), v(60);
          tectree::rotate(view, first + a, data.frame, 0, 60, u.data());
          tectree::rotate(view, first + b, data.frame, 0, 60, v.data());
          for (std::uint32_t i : rows) {
            total += data.weight[i];
            mean_a += data.weight[i] * u[i];
            mean_b += data.weight[i] * v[i];
          }
          for (std::uint32_t i : rows)
            covariance +=
                data.weight[i] / total * (u[i] - mean_a / total) * (v[i] - mean_b / total);
          if (a != b) {
            CHECK_NEAR(covariance, 0.0, 1e-10);
          } else {
            CHECK(covariance <= before + 1e-10);
            before = covariance;
          }
        }
      }
    });
    CHECK(again == order);
  }
}

TEST(a_rotation_is_a_product_of_matrices) {
  support::Random random(2);
  const Numbers data(40, 7, random);
  tectree::RotationRule rule;
  const tectree::RotationDrawer drawer(data.frame, data.sample, data.response, rule,
                                       support::jacobi);
  std::vector<int> order(7);
  std::vector<double> axes(tectree::loadings_of(7, 3)), part(10);
  CHECK(axes.size() == 9 + 9 + 1);
  tectree::Team team(1);
  drawer.draw(5, order.data(), axes.data(), team);
  const tectree::RotationView view{7, 3, order.data(), axes.data()};
  for (std::size_t c = 0; c < 7; ++c) {
    tectree::rotate(view, c, data.frame, 20, 10, part.data());
    for (std::size_t i = 0; i < 10; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < view.size_of(c / 3 * 3); ++j)
        sum += view.loadings(c)[j] * data.x[view.column(c / 3 * 3 + j)][20 + i];
      CHECK_NEAR(part[i], sum, 1e-12);
    }
  }
}

TEST(components_that_are_constant_except_for_rounding_are_constant) {
  // Two columns with a constant sum, and another one.
  support::Random random(3);
  std::vector<std::vector<double>> x(3);
  for (int i = 0; i < 1000; ++i) {
    x[0].push_back(random.uniform());
    x[1].push_back(0.1 - x[0].back());
    x[2].push_back(random.uniform());
  }
  tectree::Frame frame;
  for (const auto& column : x) frame.add_numbers(column);
  const double root = std::sqrt(0.5);
  const std::vector<int> order = {1, 2, 3};
  const std::vector<double> axes = {root, root, 0, root, -root, 0, 0, 0, 1};
  const tectree::RotationView view{3, 3, order.data(), axes.data()};
  const std::vector<double> largest = tectree::largest_of(frame);
  const auto range = [&](std::size_t component, double more) {
    std::vector<double> values(1000);
    tectree::rotate(view, component, frame, 0, 1000, values.data());
    values[7] += more;
    tectree::flatten(view, component, largest, 1000, values.data());
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return *high - *low;
  };
  CHECK(range(0, 0) == 0.0);
  CHECK(range(0, 1e-14) == 0.0);
  CHECK(range(0, 1e-11) > 0.0);
  CHECK(range(1, 0) > 0.5);
  CHECK(range(2, 0) > 0.5);
}

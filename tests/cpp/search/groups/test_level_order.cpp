// Orders of levels along which a cut is the best grouping, or a good one.
#include "check.h"

#include <tectree/criterion/registry.hpp>
#include <tectree/search/groups/component_order.hpp>

#include <numeric>

#include "support/groups.h"
#include "support/random.h"

using namespace tectree;
using support::groups_of;
using support::Random;
using Order = std::vector<std::uint32_t>;

namespace {

Groups random_groups(std::size_t m, int k, Random& random) {
  std::vector<std::vector<double>> counts(m, std::vector<double>(static_cast<std::size_t>(k)));
  for (auto& c : counts) {
    for (double& x : c) x = random.below(20);
    c[0] += 1;
  }
  return groups_of(counts);
}

double gain_of(const Criterion& criterion, const Groups& groups, const double* left,
               double weight) {
  std::vector<double> right;
  for (int s = 0; s < groups.stride; ++s)
    right.push_back(groups.total[static_cast<std::size_t>(s)] - left[s]);
  Partition p;
  p.start(groups.stride);
  p.add(left, weight);
  p.add(right.data(), groups.n - weight);
  return criterion.measure(p).cut;
}

double best_prefix(const Criterion& criterion, const Groups& groups, const Order& order) {
  double best = -HUGE_VAL;
  each_prefix(groups, order, [&](std::uint32_t, const LeftSide& left) {
    best = std::max(best, gain_of(criterion, groups, left.sums, left.weight));
  });
  return best;
}

double best_grouping(const Criterion& criterion, const Groups& groups) {
  double best = -HUGE_VAL;
  each_grouping(groups, [&](std::uint32_t, const LeftSide& left) {
    best = std::max(best, gain_of(criterion, groups, left.sums, left.weight));
  });
  return best;
}

}  // namespace

TEST(an_order_is_ascending_with_ties_by_level) {
  CHECK((order_by({3, 1, 2}) == Order{1, 2, 0}));
  CHECK((order_by({1, 0, 1, 0, 1}) == Order{1, 3, 0, 2, 4}));
  CHECK(order_by({}).empty());
}

TEST(levels_are_ordered_by_the_share_of_one_class) {
  const Groups groups = groups_of({{1, 3}, {1, 1}, {2, 2}, {5, 0}, {0, 2}});
  CHECK((order_by_share(groups, 1) == Order{3, 1, 2, 0, 4}));
  CHECK((order_by_share(groups, 0) == Order{4, 0, 1, 2, 3}));
}

TEST(classes_present_are_those_with_weight) {
  CHECK((classes_present(groups_of({{0, 1, 0, 2}, {0, 0, 0, 1}})) == std::vector<int>{1, 3}));
}

TEST(two_classes_best_grouping_is_a_cut_of_their_order) {
  Random random(1);
  for (const char* name : {"tsallis", "shannon", "gini", "cair"}) {
    for (double q : {0.1, 0.5, 1.0, 1.5, 2.0, 4.0}) {
      for (std::size_t m : {2, 3, 6, 9}) {
        const Groups groups = random_groups(m, 2, random);
        const auto criterion = make_criterion(name, q, groups.n, 1.0);
        CHECK(criterion->linear() && criterion->concave());
        const double all = best_grouping(*criterion, groups);
        CHECK_NEAR(best_prefix(*criterion, groups, order_by_share(groups, 1)), all, 1e-12);
      }
    }
  }
}

// Of A'A: multiplication makes it longer by a constant factor, and no vector by a larger one.
TEST(the_first_eigenvector_is_one_and_the_longest) {
  Random random(4);
  for (std::size_t k : {1, 2, 3, 7, 30}) {
    for (int i = 0; i < 20; ++i) {
      std::vector<double> a(k * k), matrix(k * k);
      for (double& x : a) x = random.uniform() - 0.5;
      for (std::size_t r = 0; r < k; ++r) {
        for (std::size_t s = 0; s < k; ++s) {
          for (std::size_t t = 0; t < k; ++t) matrix[s * k + t] += a[r * k + s] * a[r * k + t];
        }
      }
      const auto times = [&](const std::vector<double>& v) {
        std::vector<double> product(k);
        for (std::size_t s = 0; s < k; ++s) {
          for (std::size_t t = 0; t < k; ++t) product[s] += matrix[s * k + t] * v[t];
        }
        return product;
      };
      const auto inner = [](const std::vector<double>& v, const std::vector<double>& w) {
        return std::inner_product(v.begin(), v.end(), w.begin(), 0.0);
      };
      const std::vector<double> v = first_eigenvector(matrix, k), product = times(v);
      const double value = inner(v, product) / inner(v, v);
      for (std::size_t s = 0; s < k; ++s)
        CHECK_NEAR(product[s], value * v[s], 1e-9 * value * std::sqrt(inner(v, v)));
      std::vector<double> other(k);
      for (int j = 0; j < 50; ++j) {
        for (double& x : other) x = random.uniform() - 0.5;
        CHECK(inner(other, times(other)) <= value * inner(other, other) * (1 + 1e-12));
      }
    }
  }
  // Two equal eigenvalues: any vector of their plane. None: zeros.
  const std::vector<double> plane = first_eigenvector({2, 0, 0, 0, 2, 0, 0, 0, 1}, 3);
  CHECK(std::fabs(plane[2]) < 1e-12 && plane[0] > 0);
  for (double x : first_eigenvector({0, 0, 0, 0}, 2)) CHECK(x == 0);
}

TEST(with_two_classes_the_principal_component_orders_by_share) {
  Random random(2);
  for (int i = 0; i < 50; ++i) {
    const Groups groups = random_groups(14, 2, random);
    Order component = order_by_component(groups, {0, 1});
    const auto share = [&](std::uint32_t g) { return groups.of(g)[1] / groups.weight[g]; };
    if (share(component.front()) > share(component.back()))
      std::reverse(component.begin(), component.end());
    for (std::size_t j = 1; j < component.size(); ++j)
      CHECK(share(component[j - 1]) <= share(component[j]) + 1e-12);
  }
}

TEST(the_principal_component_holds_every_level_once_and_parts_clear_groups) {
  // Levels of three kinds; the two most different kinds must lie at the ends.
  std::vector<std::vector<double>> counts;
  for (int l = 0; l < 15; ++l) {
    counts.push_back(l % 3 == 0   ? std::vector<double>{9, 1, 0}
                     : l % 3 == 1 ? std::vector<double>{0, 1, 9}
                                  : std::vector<double>{5, 1, 4});
  }
  const Groups groups = groups_of(counts);
  const Order order = order_by_component(groups, {0, 1, 2});
  Order sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t g = 0; g < 15; ++g) CHECK(sorted[g] == g);
  for (std::size_t i = 0; i < 15; ++i)
    CHECK(order[i] % 3 == (i < 5 ? order[0] % 3 : i < 10 ? 2u : order[14] % 3));
  CHECK(order[0] % 3 != order[14] % 3);
}

// Lanczos's method, for many classes, finds the component that squaring the whole matrix finds.
TEST(the_component_of_many_classes_is_the_first_eigenvector) {
  Random random(7);
  for (const auto& [m, k] :
       std::vector<std::pair<std::size_t, int>>{{3, 70}, {40, 100}, {200, 80}}) {
    const Groups groups = random_groups(m, k, random);
    const LevelShares shares(groups, classes_present(groups));
    const std::vector<double> v = component_of_many(shares),
                              w = first_eigenvector(shares.scatter(), shares.k);
    const auto inner = [](const std::vector<double>& a, const std::vector<double>& b) {
      return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    };
    CHECK_NEAR(inner(v, w) * inner(v, w), inner(v, v) * inner(w, w),
               1e-6 * inner(v, v) * inner(w, w));
    // Neither an empty class nor its position affects the order.
    std::vector<std::vector<double>> counts(m);
    for (std::size_t g = 0; g < m; ++g) {
      counts[g] = {groups.of(g), groups.of(g) + k};
      counts[g].insert(counts[g].begin() + 5, 0.0);
    }
    const Groups wider = groups_of(counts);
    CHECK(order_by_component(wider, classes_present(wider)) ==
          order_by_component(groups, classes_present(groups)));
  }
  // The cube of these numbers would take minutes.
  const Groups large = random_groups(500, 3000, random);
  CHECK(order_by_component(large, classes_present(large)).size() == 500);
  // Equal levels stay in their order.
  const Groups same = groups_of(std::vector<std::vector<double>>(20, std::vector<double>(70, 1.0)));
  CHECK(order_by_component(same, classes_present(same)) == natural_order(20));
}

TEST(groups_of_some_classes_hold_their_counts) {
  const Groups groups = groups_of({{1, 0, 2, 0}, {3, 0, 0, 4}});
  CHECK(classes_present(groups) == (std::vector<int>{0, 2, 3}));
  const Groups some = of_classes(groups, {0, 2, 3});
  CHECK(some.stride == 3 && some.size() == 2 && some.n == 10 && some.total_case_weight == 10);
  CHECK(some.tally == (std::vector<double>{1, 2, 0, 3, 0, 4}));
  CHECK(some.total == (std::vector<double>{4, 2, 4}));
  CHECK(some.weight == groups.weight && some.value == groups.value);
}

TEST(the_principal_component_s_cut_is_good) {
  Random random(3);
  double found = 0, possible = 0;
  for (int i = 0; i < 30; ++i) {
    const Groups groups = random_groups(9, 4, random);
    const auto criterion = make_criterion("gini", 0, groups.n, 1.0);
    const double best = best_grouping(*criterion, groups);
    const double cut = best_prefix(*criterion, groups, order_by_component(groups, {0, 1, 2, 3}));
    CHECK(cut > 0 && cut <= best + 1e-12);
    found += cut;
    possible += best;
  }
  CHECK(found > 0.9 * possible);
}

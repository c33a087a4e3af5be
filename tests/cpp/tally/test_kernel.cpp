// The kernel's entropies against textbook formulas, for q from -5 to 50 and for counts up to
// billions.
#include "check.h"

#include <tectree/tally/kernel.hpp>

#include "support/entropy.h"
#include "support/random.h"

using namespace tectree;
using support::Counts;
using support::Random;
using support::sum;

namespace {

const std::vector<double> all_q = {
    -5,        -2.5,     -1,  -0.5, 0,    0.01, 0.25, 0.49, 0.5, 0.6, 1 - 1e-6, 1 - 1e-12, 1,
    1 + 1e-12, 1 + 1e-6, 1.1, 1.4,  1.49, 1.5,  1.51, 2,    2.5, 3,   7,        20,        50};

double entropy(const Kernel& kernel, const Counts& counts) {
  return kernel.entropy(counts.data(), static_cast<int>(counts.size()), sum(counts));
}

Counts random_counts(int k, int most, Random& random) {
  Counts counts(static_cast<std::size_t>(k));
  for (double& c : counts) c = random.chance(0.2) ? 0 : random.between(1, most);
  counts[0] = random.between(1, most);
  return counts;
}

// Within `digits` of the larger of the true value and the terms of its difference.
void check_entropy(const Kernel& kernel, const Counts& counts, double digits) {
  const double expected = support::tsallis(counts, kernel.q());
  const double found = entropy(kernel, counts);
  CHECK(std::isfinite(found));
  CHECK_NEAR(found, expected, digits * std::max(1.0, expected));
}

}  // namespace

TEST(entropy_is_the_textbook_s) {
  Random random(1);
  for (double q : all_q) {
    for (int i = 0; i < 50; ++i) {
      const Counts counts = random_counts(random.between(1, 8), 1000, random);
      check_entropy(Kernel(q, sum(counts)), counts, 1e-12);
      if (std::fabs(q - 1) < 0.2) continue;
      const double defined = support::tsallis_by_definition(counts, q);
      CHECK_NEAR(entropy(Kernel(q, sum(counts)), counts), defined, 1e-12 * std::max(1.0, defined));
    }
  }
}

TEST(special_q_give_known_entropies) {
  const Counts counts = {5, 0, 3, 2};
  CHECK_NEAR(entropy(Kernel(0, 10), counts), 2.0, 1e-14);                     // classes - 1
  CHECK_NEAR(entropy(Kernel(2, 10), counts), 1 - 0.25 - 0.09 - 0.04, 1e-15);  // Gini
  CHECK_NEAR(entropy(Kernel(1, 10), counts),
             -(0.5 * std::log(0.5) + 0.3 * std::log(0.3) + 0.2 * std::log(0.2)), 1e-14);  // Shannon
  CHECK(entropy(Kernel(2, 10), {5, 5}) == 0.5);
}

TEST(entropy_is_continuous_at_one) {
  const Counts counts = {17, 4, 250, 1};
  const double shannon = entropy(Kernel(1, 272), counts);
  for (double step : {1e-15, 1e-12, 1e-9, 1e-6}) {
    CHECK_NEAR(entropy(Kernel(1 + step, 272), counts), shannon, 4 * step + 1e-14);
    CHECK_NEAR(entropy(Kernel(1 - step, 272), counts), shannon, 4 * step + 1e-14);
    // It falls with q.
    CHECK(step < 1e-12 || entropy(Kernel(1 + step, 272), counts) < shannon);
    CHECK(step < 1e-12 || entropy(Kernel(1 - step, 272), counts) > shannon);
  }
}

TEST(a_pure_node_has_no_entropy) {
  for (double q : all_q) {
    for (double n : {1.0, 7.0, 1e6, 2147483648.0}) {
      CHECK(entropy(Kernel(q, n), {n}) == 0.0);
      CHECK(entropy(Kernel(q, n), {0, n, 0}) == 0.0);
    }
    CHECK(Kernel(q, 10).entropy(nullptr, 0, 0.0) == 0.0);
  }
}

TEST(billions_of_rows_neither_overflow_nor_vanish) {
  for (double n : {1e9, 2147483648.0, 4294967294.0}) {
    for (double q : all_q) {
      const Kernel kernel(q, n);
      check_entropy(kernel, {n / 2, n / 2}, 2e-11);
      check_entropy(kernel, {n - 1, 1}, 2e-11);
      check_entropy(kernel, {n / 4, n / 4 - 3, n / 2 + 3}, 2e-11);
      check_entropy(kernel, {1, 1}, 1e-12);
      check_entropy(kernel, {1, 2, 3}, 1e-12);
      for (double c : {0.0, 1.0, 2.0, n / 2, n}) {
        CHECK(std::isfinite(kernel.phi(c)) && std::isfinite(kernel.alpha(c)) &&
              std::isfinite(kernel.power(c)) == (c > 0 || q >= 0));
      }
    }
  }
}

TEST(fractional_weights_neither_overflow_nor_vanish) {
  for (double q : all_q) {
    check_entropy(Kernel(q, 1e4, 0.01), {0.01, 0.02, 0.25}, 1e-12);
    check_entropy(Kernel(q, 1e4, 0.01), {5000, 4999.5, 0.5}, 1e-11);
  }
}

TEST(large_q_takes_many_rows_of_small_weight) {
  for (double q : {20.0, 50.0}) {
    for (double least : {0.5, 0.01, 1e-4}) {
      const Kernel kernel(q, 1e6, least);
      check_entropy(kernel, {5e5, 3e5, 2e5}, 1e-11);
      check_entropy(kernel, {least, least}, 1e-11);
    }
  }
}

TEST(weights_of_many_orders_of_magnitude_stay_finite) {
  for (double q : {1.0, 2.0, 3.0, 20.0, 50.0}) {
    check_entropy(Kernel(q, 1e12), {1, 1}, 1e-11);
    check_entropy(Kernel(q, 1e12), {5e11, 5e11}, 1e-11);
    check_entropy(Kernel(q, 1e6, 1e-200), {0.5, 0.5}, 1e-11);
    check_entropy(Kernel(q, 1e6, 1e-200), {1e-200, 1e-200}, 1e-11);
  }
}

TEST(counts_may_be_scaled) {
  const Counts counts = {12, 5, 0, 90};
  Counts tripled = counts;
  for (double& c : tripled) c *= 3;
  for (double q : all_q) {
    const double s = entropy(Kernel(q, 107), counts), tolerance = 1e-11 * std::max(1.0, s);
    CHECK_NEAR(entropy(Kernel(q, 321), tripled), s, tolerance);
    CHECK_NEAR(entropy(Kernel(q, 1e9), counts), s, tolerance);
    CHECK_NEAR(entropy(Kernel(q, 107, 0.25), counts), s, tolerance);
  }
}

TEST(alpha_and_power_weigh_branches_linearly) {
  Random random(2);
  for (double q : all_q) {
    for (int i = 0; i < 20; ++i) {
      const Counts counts = random_counts(4, 50, random);
      const double n = sum(counts);
      const Kernel kernel(q, n);
      double b = 0;
      for (double c : counts) b += kernel.phi(c);
      const double s = support::tsallis(counts, q), tolerance = 1e-11 * std::max(1.0, s);
      CHECK_NEAR(kernel.alpha(n) * (kernel.phi(n) - b) / (n * kernel.scale()), s, tolerance);
      CHECK_NEAR((kernel.phi(n) - b) / kernel.power(n), s, tolerance);
    }
  }
}

TEST(joint_entropy_obeys_the_chain_rule) {
  Random random(3);
  for (double q : all_q) {
    const Counts joint = random_counts(12, 30, random);  // 3 x 4
    const double n = sum(joint);
    const Kernel kernel(q, n);
    Counts rows(3, 0);
    double conditional = 0;
    for (std::size_t r = 0; r < 3; ++r) {
      const Counts row(joint.begin() + static_cast<std::ptrdiff_t>(4 * r),
                       joint.begin() + static_cast<std::ptrdiff_t>(4 * r + 4));
      rows[r] = sum(row);
      if (rows[r] > 0) conditional += std::pow(rows[r] / n, q) * entropy(kernel, row);
    }
    const double s = entropy(kernel, joint);
    CHECK_NEAR(entropy(kernel, rows) + conditional, s, 1e-11 * std::max(1.0, s));
  }
}

TEST(independent_variables_add_up_by_tsallis_rule) {
  const Counts x = {1, 2, 5}, y = {3, 4};
  Counts joint;
  for (double a : x) {
    for (double b : y) joint.push_back(a * b);
  }
  for (double q : all_q) {
    const double sx = entropy(Kernel(q, 8), x), sy = entropy(Kernel(q, 7), y),
                 s = entropy(Kernel(q, 56), joint);
    CHECK_NEAR(s, sx + sy + (1 - q) * sx * sy, 1e-11 * std::max(1.0, s));
  }
}

TEST(a_table_holds_the_function) {
  for (double q : {-5.0, 0.0, 0.5, 1.0, 1 + 1e-9, 2.0, 50.0}) {
    for (std::size_t n : {0, 1, 5, 16382, 16383, 16384, 40000}) {
      for (int threads : {1, 2, 4}) {
        Team team(threads);
        const Kernel kernel(q, static_cast<double>(n));
        const KernelTable table(kernel, n, team);
        CHECK(!table.empty() && table.phi.size() > n && table.alpha.size() > n &&
              table.step.size() >= n);
        bool same = true;
        for (std::size_t c = 0; c <= n; ++c) {
          const double x = static_cast<double>(c);
          same = same && table.phi[c] == kernel.phi(x) && table.alpha[c] == kernel.alpha(x);
          same = same && (c == n || table.step[c] == kernel.phi(x + 1) - kernel.phi(x));
        }
        CHECK(same);
      }
    }
  }
  CHECK(KernelTable().empty());
}

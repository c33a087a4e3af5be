// phi and alpha of any weight by parabolas: within the stated error, and exact outside the table.
#include "check.h"

#include <tectree/tally/phi_curve.hpp>

#include <algorithm>

#include "support/random.h"

using namespace tectree;
using support::Random;

TEST(parabolas_stay_within_the_stated_error) {
  Random random(1);
  for (double q : {0.1, 0.5, 0.9, 1.0, 1.3, 2.0, 3.7, 8.0, 16.0}) {
    for (double least : {0.01, 1.0, 30.0}) {
      const double most = least * 1e5;
      const Kernel kernel(q, most, least);
      const auto curve = PhiCurve::of(kernel, least, most);
      CHECK(curve != nullptr);
      for (int i = 0; i < 2000; ++i) {
        const double c = least / 32 * std::pow(32 * most / least, random.uniform());
        const double off = q / 124 * std::ldexp(std::exp2((q + 3) / 128), -24), phi = kernel.phi(c),
                     alpha = kernel.alpha(c);
        CHECK(std::fabs(curve->phi(c) - phi) <=
              off * std::fabs(q - 2) * std::pow(c * kernel.scale(), q) + 2e-15 * std::fabs(phi));
        CHECK(std::fabs(curve->alpha(c) - alpha) <=
              (off * std::fabs((1 - q) * (1 + q)) + 2e-15) * alpha);
      }
    }
  }
}

TEST(outside_the_table_the_kernel_is_used) {
  const Kernel kernel(1.5, 1000.0, 0.5);
  const auto curve = PhiCurve::of(kernel, 0.5, 1000.0);
  for (double c : {0.0, -1.0, 1e-9, 0.0001, 1e9}) {
    CHECK(curve->phi(c) == kernel.phi(c));
    CHECK(curve->alpha(c) == kernel.alpha(c));
  }
}

TEST(there_is_no_curve_if_it_would_not_suffice) {
  CHECK(PhiCurve::of(Kernel(-1.0, 100.0), 1.0, 100.0) == nullptr);
  CHECK(PhiCurve::of(Kernel(20.0, 100.0), 1.0, 100.0) == nullptr);
  CHECK(PhiCurve::of(Kernel(1.5, 1e30), 1e-10, 1e30) == nullptr);
}

// The gain of random cuts of random counts, by the curve and exactly.
TEST(a_gain_stays_within_the_stated_error) {
  Random random(2);
  for (double q : {0.2, 0.7, 1.0, 1.5, 2.0, 5.0, 16.0}) {
    const Kernel kernel(q, 1e6, 0.2);
    const auto curve = PhiCurve::of(kernel, 0.2, 1e6);
    double worst = 0.0;
    for (int round = 0; round < 3000; ++round) {
      const int k = random.between(2, 12);
      double n[2] = {}, b[2] = {}, c[2] = {};
      for (int s = 0; s < k; ++s) {
        for (int side : {0, 1}) {
          const double count =
              random.chance(0.3) ? 0.0 : 0.2 + std::pow(10.0, random.uniform() * 5);
          n[side] += count;
          b[side] += kernel.phi(count);
          c[side] += curve->phi(count);
        }
      }
      if (n[0] + n[1] == 0.0) continue;
      double exact = 0.0, near = 0.0;
      for (int side : {0, 1}) {
        if (!(n[side] > 0.0)) continue;
        exact += kernel.alpha(n[side]) * (kernel.phi(n[side]) - b[side]);
        near += curve->alpha(n[side]) * (curve->phi(n[side]) - c[side]);
      }
      const double off = std::fabs(exact - near) / ((n[0] + n[1]) * kernel.scale());
      CHECK(off <= curve->error(k));
      worst = std::max(worst, off / curve->error(k));
    }
    CHECK(worst > 0.005);  // otherwise the bound would be useless
  }
}

// Its last parabola ends at a power of two.
TEST(the_end_of_the_table_is_outside) {
  const Kernel kernel(1.5, 1000.0, 0.5);
  const auto curve = PhiCurve::of(kernel, 0.5, 1000.0);
  for (double c : {2048.0, std::ldexp(1.0, -7)}) {
    CHECK_NEAR(curve->phi(c), kernel.phi(c), 1e-12 * std::fabs(kernel.phi(c)));
    CHECK_NEAR(curve->alpha(c), kernel.alpha(c), 1e-12 * kernel.alpha(c));
  }
}

// Weights that are each off by a small part of themselves change S_q by less than stated.
TEST(the_error_covers_weights_that_are_not_exact) {
  Random random(3);
  for (double q : {0.3, 0.5, 0.9, 1.0, 1.5, 3.0}) {
    const Kernel kernel(q, 1e6, 0.2);
    const auto curve = PhiCurve::of(kernel, 0.2, 1e6);
    for (int round = 0; round < 200; ++round) {
      const int k = random.between(2, 12);
      const double off = 1e-3;
      double n[2] = {}, b[2] = {};
      for (int s = 0; s < k; ++s) {
        const double count = 1.0 + random.below(1000);
        const double other = count * (1.0 + (2.0 * random.uniform() - 1.0) * off);
        n[0] += count;
        n[1] += other;
        b[0] += kernel.phi(count);
        b[1] += kernel.phi(other);
      }
      double entropy[2];
      for (int i : {0, 1})
        entropy[i] = kernel.alpha(n[i]) * (kernel.phi(n[i]) - b[i]) / (n[i] * kernel.scale());
      CHECK(std::fabs(entropy[0] - entropy[1]) <= curve->error(k, off));
    }
  }
}

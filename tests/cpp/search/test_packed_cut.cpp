// Cuts that look their steps up: sums from either end are those of the class counts, and two that
// meet in the middle value every cut of a column, each once.
#include "check.h"

#include <tectree/criterion/registry.hpp>
#include <tectree/search/both_ends.hpp>

#include <algorithm>
#include <vector>

#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

struct Rows {
  std::uint32_t n;
  std::vector<std::uint8_t> lane;
  std::vector<std::uint32_t> total;

  Rows(std::uint32_t rows, int k, Random& random) : n(rows), total(static_cast<std::size_t>(k)) {
    for (std::uint32_t i = 0; i < n; ++i) {
      // One class dies out.
      const auto s = static_cast<std::size_t>(i < n / 3 ? random.below(k) : random.below(k - 1));
      lane.push_back(CrossingSteps::lane(s));
      ++total[s];
    }
  }
  std::uint8_t label_at(std::uint32_t i) const { return lane[i]; }

  // B of the rows [from, to).
  double sum(const KernelTable& table, std::uint32_t from, std::uint32_t to) const {
    double b = 0.0;
    for (std::size_t s = 0; s < total.size(); ++s)
      b += table.phi[static_cast<std::size_t>(
          std::count(lane.begin() + from, lane.begin() + to, CrossingSteps::lane(s)))];
    return b;
  }
};

KernelTable table_of(double q, std::uint32_t n) {
  Team team(1);
  return KernelTable(Kernel(q, n), n + 1, team);
}

bool near(double a, double b, double size) {
  return std::fabs(a - b) <= 1e-12 * std::max(std::fabs(size), 1.0);
}

}  // namespace

TEST(sums_are_those_of_the_counts) {
  Random random(11);
  for (double q : {0.2, 1.0, 1.7, 2.0, 3.5}) {
    for (int i = 0; i < 30; ++i) {
      const Rows rows(static_cast<std::uint32_t>(random.between(2, 120)), random.between(2, 4),
                      random);
      const KernelTable table = table_of(q, rows.n);
      CrossingSteps steps;
      steps.make(table, rows.total, false);
      TwoCuts<ApartCut> apart(steps);
      CrossingSteps joint_steps;
      joint_steps.make(table, rows.total, true);
      TwoCuts<JointCut> joint(joint_steps);
      for (std::uint32_t l = 1; l < rows.n; ++l) {
        const double left = rows.sum(table, 0, l), right = rows.sum(table, l, rows.n),
                     whole = steps.whole();
        apart.low.move(rows.lane[l - 1]);
        joint.low.move(rows.lane[l - 1]);
        CHECK(near(apart.low.sums.left(), left, whole));
        CHECK(near(apart.low.sums.right(), right, whole));
        CHECK(near(joint.low.promise(0.0, nullptr), left + right, whole));
        const std::uint32_t back = rows.n - l;
        apart.high.move(rows.lane[back]);
        joint.high.move(rows.lane[back]);
        const double head = rows.sum(table, 0, back), tail = rows.sum(table, back, rows.n);
        CHECK(near(apart.high.sums.left(), head, whole));
        CHECK(near(apart.high.sums.right(), tail, whole));
        CHECK(near(joint.high.promise(0.0, nullptr), head + tail, whole));
      }
      apart.low.sum_afresh();
      CHECK(apart.low.sums.left() == rows.sum(table, 0, rows.n - 1));
      CHECK(apart.low.sums.right() == rows.sum(table, rows.n - 1, rows.n));
    }
  }
}

TEST(every_cut_is_valued_once_whatever_the_number_of_blocks) {
  Random random(12);
  Promises promises;
  for (std::uint32_t n = 2; n < 300; n += n < 140 ? 1 : 13) {
    const Rows rows(n, 3, random);
    const KernelTable table = table_of(1.7, n);
    CrossingSteps steps;
    steps.make(table, rows.total, false);
    std::vector<double> base(n + 1);
    std::vector<SideWeights> weight(n + 1);
    for (std::uint32_t l = 0; l <= n; ++l) {
      base[l] = random.below(100);
      weight[l] = {Pair{1.0 + l, -0.5 * l}};
    }
    for (std::uint32_t least : {1u, 2u, 7u}) {
      if (least > n / 2) continue;
      value_from_both_ends(rows, least, n - least, base.data(), weight.data(),
                           TwoCuts<ApartCut>(steps), promises);
      double most = -HUGE_VAL;
      for (std::uint32_t l = least; l <= n - least; ++l) {
        const double expected =
            base[l] + (1.0 + l) * rows.sum(table, 0, l) + 0.5 * l * rows.sum(table, l, n);
        CHECK(near(promises.of(l), expected, n * steps.whole()));
        most = std::max(most, promises.of(l));
      }
      CHECK(promises.most() == most);
      std::uint32_t seen = 0;
      promises.each(
          -HUGE_VAL, [](std::uint32_t) { return false; },
          [&](std::uint32_t l) { CHECK(l == least + seen++); });
      CHECK(seen == n - 2 * least + 1);
    }
  }
}

// The side that shrinks keeps its digits up to the middle, at large q too.
TEST(halves_lose_no_digits) {
  Random random(13);
  Promises promises;
  for (double q : {0.1, 1.5, 2.5, 4.0}) {
    for (std::uint32_t n : {33u, 64u, 65u, 96u, 97u, 500u, 4000u}) {
      for (int shape = 0; shape < 6; ++shape) {
        Rows rows(n, 2 + shape % 3, random);
        // Classes one after the other, the largest first or last: sums shrink as fast as they can.
        if (shape >= 3) std::sort(rows.lane.begin(), rows.lane.end());
        if (shape == 5) std::reverse(rows.lane.begin(), rows.lane.end());
        const KernelTable table = table_of(q, n);
        const Kernel kernel(q, n);
        CrossingSteps steps;
        steps.make(table, rows.total, false);
        std::vector<double> base(n + 1, 0.0);
        std::vector<SideWeights> weight(n + 1);
        for (std::uint32_t l = 0; l <= n; ++l)
          weight[l] = {Pair{kernel.alpha(l), -kernel.alpha(n - l)}};
        value_from_both_ends(rows, 1, n - 1, base.data(), weight.data(), TwoCuts<ApartCut>(steps),
                             promises);
        const double size = kernel.alpha(n) * kernel.phi(n);
        for (std::uint32_t l = 1; l < n; ++l) {
          const double expected =
              kernel.alpha(l) * rows.sum(table, 0, l) + kernel.alpha(n - l) * rows.sum(table, l, n);
          CHECK(near(promises.of(l), expected, size));
        }
      }
    }
  }
}

// The inner loop of absolute deviations: the contenders always include the best cut, missing values
// do not count, and a floor excludes no cut that reaches it.
#include "check.h"

#include <tectree/search/numbers/number_problem.hpp>
#include <tectree/search/numbers/number_scan.hpp>

#include "search/numbers/numbered.h"

using namespace tectree;
using support::Numbered;
using support::Random;

namespace {

// The deviation of the entries [from, to) from their median.
double deviation(const Numbered& c, std::uint32_t from, std::uint32_t to) {
  std::vector<double> x;
  for (std::uint32_t i = from; i < to; ++i) x.push_back(c.of(i));
  std::sort(x.begin(), x.end());
  double sum = 0.0;
  for (double v : x) sum += std::fabs(v - x[x.size() / 2]);
  return sum;
}

double impurity(const Numbered& c) {
  return deviation(c, 0, c.n()) / c.n();
}

double true_gain(const Numbered& c, std::uint32_t known, std::uint32_t at) {
  const double rest = deviation(c, 0, at) + deviation(c, at, known);
  return (deviation(c, 0, known) - rest) / known;
}

// A scan is reused from node to node: data left by a larger one must not matter.
template <class Index>
Contenders scan(MedianScan<Index>& scan, const Numbered& c, std::uint32_t known,
                std::uint32_t least, double floor) {
  std::vector<Index> order, place(c.n());
  for (std::uint32_t i = 0; i < c.n(); ++i) order.push_back(static_cast<Index>(i));
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return c.y[a] < c.y[b]; });
  std::vector<double> sorted;
  for (std::uint32_t i = 0; i < c.n(); ++i) {
    place[order[i]] = static_cast<Index>(i);
    sorted.push_back(c.y[order[i]] - c.y[order[c.n() / 2]]);
  }
  std::vector<Entry<Index>> entries;
  for (const auto& e : c.entries)
    entries.push_back({static_cast<Index>(e.rank), static_cast<Index>(e.row)});
  Contenders out;
  scan.offer_cuts({entries.data(), known, c.n(), 1.0, slack_of_sums(impurity(c), known),
                   static_cast<double>(least), floor},
                  {place.data(), sorted.data(), deviation(c, 0, c.n())}, out);
  return out;
}

template <class Index>
bool holds(MedianScan<Index>& work, const Numbered& c, std::uint32_t known, std::uint32_t least) {
  return holds_the_best(c, known, least, impurity(c), scan(work, c, known, least, -HUGE_VAL),
                        [&](std::uint32_t at) { return true_gain(c, known, at); });
}

}  // namespace

TEST(no_cut_that_ties_with_the_best_is_lost) {
  Random random(1);
  MedianScan<std::uint16_t> small;
  MedianScan<std::uint32_t> large;
  for (std::uint32_t n : {200u, 2u, 3u, 4u, 5u, 32u, 33u, 34u, 65u}) {
    for (int shape : {0, 1, 2}) {
      for (int ties : {0, 3, 9}) {
        const Numbered c = random_numbers(n, ties, shape, random);
        for (std::uint32_t least : {0u, 1u, 2u, 3u, 21u}) {
          CHECK(holds(small, c, n, least));
          CHECK(holds(large, c, n, least));
        }
      }
    }
  }
}

TEST(rows_without_a_value_do_not_count) {
  Random random(2);
  MedianScan<std::uint16_t> work;
  for (int i = 0; i < 200; ++i) {
    const auto n = static_cast<std::uint32_t>(random.between(3, 90));
    const auto known = static_cast<std::uint32_t>(random.between(2, static_cast<int>(n)));
    const Numbered c = random_numbers(n, random.below(9), random.below(3), random);
    for (std::uint32_t least : {1u, 2u, 5u}) CHECK(holds(work, c, known, least));
  }
}

// Beyond 16 bits. The node is too large for every true gain: the best is that of a step.
TEST(a_large_node_is_cut_at_its_step) {
  for (std::uint32_t n : {65534u, 65535u, 65536u, 70001u}) {
    Numbered c;
    for (std::uint32_t i = 0; i < n; ++i) {
      c.entries.push_back({i, i});
      c.y.push_back((i * 7919u) % 64 / 64.0 + (i < 40000 ? 0 : 3));
    }
    MedianScan<std::uint32_t> work;
    Contenders found = scan(work, c, n, 1, -HUGE_VAL);
    const auto cuts = found.settle();
    CHECK(cuts.size() == 1 && cuts[0].at == 40000);
    CHECK_NEAR(cuts[0].high, true_gain(c, n, 40000), 1e-9);
  }
}

TEST(a_floor_keeps_the_cuts_that_reach_it) {
  Random random(3);
  MedianScan<std::uint32_t> work;
  for (int i = 0; i < 100; ++i) {
    const auto n = static_cast<std::uint32_t>(random.between(2, 150));
    const Numbered c = random_numbers(n, random.below(9), random.below(3), random);
    Contenders all = scan(work, c, n, 1, -HUGE_VAL);
    if (all.empty()) continue;
    const double best = all.floor(), scale = impurity(c);
    for (double off : {-0.1, -1e-9, 0.0}) {
      Contenders kept = scan(work, c, n, 1, best + off * scale);
      CHECK(kept.settle().size() == all.settle().size() && kept.floor() == all.floor());
    }
    CHECK(scan(work, c, n, 1, best + 1e-6 * scale).empty());
  }
}

// Gains below the range of a double are rounded: all cuts that tie because of it stay.
TEST(numbers_next_to_nothing_are_cut_as_others) {
  Random random(4);
  MedianScan<std::uint32_t> work;
  for (int i = 0; i < 50; ++i) {
    Numbered c = random_numbers(40, 0, 0, random);
    for (double& y : c.y) y *= 5e-322;
    CHECK(holds(work, c, 40, 1));
  }
}

TEST(no_bucket_is_too_large) {
  Random random(5);
  MedianScan<std::uint32_t> work;
  const Numbered c = random_numbers(100, 0, 0, random);
  for (std::uint32_t least : {51u, 2147483648u, 4294967295u})
    CHECK(scan(work, c, 100, least, -HUGE_VAL).empty());
}

// Bags against a naive implementation.
#include "check.h"

#include <tectree/grow/many/bag.hpp>

#include "support/random.h"

using namespace tectree;

namespace {

using Rows = std::vector<std::uint32_t>;

// One draw after another from a list of rows; a row that can occur only once is removed.
void draw_naively(Stream& stream, Rows rows, std::size_t draws, const Draws& how,
                  std::vector<int>& counts) {
  if (how.weights.empty()) {
    for (std::size_t i = 0; i < draws; ++i) {
      if (how.replace) {
        ++counts[rows[stream.below(rows.size())]];
      } else {
        std::swap(rows[i], rows[i + stream.below(rows.size() - i)]);
        ++counts[rows[i]];
      }
    }
    return;
  }
  std::vector<double> weight = how.weights;
  double total = 0.0, gone = 0.0;
  const auto sum = [&] {
    total = 0.0;
    for (std::uint32_t row : rows) total += weight[row];
  };
  std::vector<double> seen = weight;  // the weights that sum to `total`
  sum();
  for (std::size_t i = 0; i < draws;) {
    const double at = stream.uniform() * total;
    double below = 0.0;
    std::uint32_t drawn = 0;
    for (std::uint32_t row : rows) {
      if (!(seen[row] > 0.0)) continue;
      drawn = row;
      below += seen[row];
      if (at < below) break;
    }
    if (weight[drawn] == 0.0) continue;
    ++counts[drawn];
    ++i;
    if (how.replace) continue;
    gone += weight[drawn];
    weight[drawn] = 0.0;
    if (gone < 0.5 * total) continue;
    seen = weight;
    sum();
    gone = 0.0;
  }
}

std::vector<int> naive_bag(std::uint64_t seed, std::size_t n, const Draws& how,
                           const std::vector<std::uint16_t>& classes) {
  Stream stream(Stream::part(seed, 0));
  std::vector<int> counts(n, 0);
  for (std::size_t s = 0; s < how.of_class.size(); ++s) {
    Rows rows;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (how.of_class.size() == 1 || classes[i] == s) rows.push_back(i);
    }
    draw_naively(stream, rows, how.of_class[s], how, counts);
  }
  return counts;
}

std::vector<int> counts_of(const Bag& bag, std::size_t n) {
  std::vector<int> out(n, 0);
  for (std::size_t i = 0; i < bag.positions.size(); ++i) {
    CHECK(i == 0 || bag.positions[i] > bag.positions[i - 1]);
    out[bag.positions[i]] = bag.counts.empty() ? 1 : static_cast<int>(bag.counts[i]);
  }
  return out;
}

}  // namespace

TEST(bags_are_those_of_a_naive_drawer) {
  support::Random random(1);
  for (int round = 0; round < 400; ++round) {
    const std::size_t n = static_cast<std::size_t>(random.between(3, 200));
    std::vector<std::uint16_t> classes;
    for (std::size_t i = 0; i < n; ++i)
      classes.push_back(static_cast<std::uint16_t>(i < 3 ? i : random.below(3)));
    Draws how;
    how.replace = random.chance(0.5);
    if (random.chance(0.5)) {
      for (std::size_t i = 0; i < n; ++i)
        how.weights.push_back(i >= 3 && random.chance(0.2) ? 0.0 : random.between(1, 64) / 8.0);
    }
    const auto drawable = [&](int s) {
      int rows = 0;
      for (std::size_t i = 0; i < n; ++i)
        rows += (s < 0 || classes[i] == s) && (how.weights.empty() || how.weights[i] > 0.0);
      return rows;
    };
    const auto draws = [&](int s) {
      return static_cast<std::size_t>(how.replace ? random.between(0, 2 * static_cast<int>(n))
                                                  : random.between(0, drawable(s)));
    };
    if (random.chance(0.4)) {
      how.of_class = {draws(0), draws(1), draws(2)};
    } else {
      how.of_class = {random.chance(0.2) ? std::min<std::size_t>(n / 20, drawable(-1)) : draws(-1)};
    }
    const Urns urns(n, how, classes);
    Drawer drawer(urns);
    for (std::uint64_t seed : {random.bits(), random.bits()}) {
      const auto expected = naive_bag(seed, n, how, classes);
      CHECK(counts_of(drawer.draw(seed), n) == expected);
      CHECK(counts_of(drawer.draw(seed), n) == expected);  // a bag leaves no state behind
    }
  }
}

TEST(a_table_of_draws) {
  Draws how;
  how.of_class = {8};
  const Urns again(8, how, {});
  CHECK((counts_of(Drawer(again).draw(1), 8) == std::vector<int>{1, 2, 1, 0, 0, 1, 2, 1}));
  CHECK((counts_of(Drawer(again).draw(9007199254740991u), 8) ==
         std::vector<int>{0, 1, 3, 0, 1, 2, 0, 1}));
  how.replace = false;
  how.of_class = {4};
  const Urns once(8, how, {});
  CHECK((counts_of(Drawer(once).draw(1), 8) == std::vector<int>{1, 0, 1, 0, 0, 0, 1, 1}));
}

TEST(rows_are_drawn_in_proportion_to_their_weights) {
  Draws how;
  how.of_class = {1000};
  how.weights = {1.0, 2.0, 0.0, 5.0};
  const Urns urns(4, how, {});
  Drawer drawer(urns);
  std::vector<double> total(4, 0.0);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto counts = counts_of(drawer.draw(seed), 4);
    for (std::size_t i = 0; i < 4; ++i) total[i] += counts[i];
  }
  for (std::size_t i = 0; i < 4; ++i) CHECK_NEAR(total[i] / 1e5, how.weights[i] / 8, 0.006);
}

TEST(a_heavy_row_does_not_keep_others_from_being_drawn) {
  Draws how;
  how.replace = false;
  how.of_class = {100};
  how.weights.assign(100, 1e-9);
  how.weights[17] = 1e9;
  const Urns urns(100, how, {});
  CHECK(counts_of(Drawer(urns).draw(5), 100) == std::vector<int>(100, 1));
}

TEST(more_draws_than_rows_are_refused) {
  Draws how;
  how.replace = false;
  how.of_class = {3};
  CHECK_THROWS(Urns(2, how, {}));
  how.weights = {1.0, 0.0, 1.0};
  CHECK_THROWS(Urns(3, how, {}));
  how.replace = true;
  how.weights = {0.0, 0.0, 0.0};
  CHECK_THROWS(Urns(3, how, {}));
}

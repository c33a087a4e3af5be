// The best split of a column's sums of gradients, against all divisions of its values in two.
#include "check.h"

#include <tectree/search/gradients/gradient_cuts.hpp>

#include <memory>
#include <numeric>

#include "support/gradients.h"
#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

// Rows of one column with few values, some missing, and their gradients.
struct Case {
  Kind kind = Kind::numeric;
  int values = 0;
  std::vector<int> value;  // from 0; `values` if it is missing
  Gradients gradients;
  GradientRule rule;
  LeafBounds bounds;

  std::vector<GradientCell> cells(const GradientScale& scale) const {
    std::vector<GradientCell> out(static_cast<std::size_t>(values) + 1);
    for (std::size_t i = 0; i < value.size(); ++i)
      out[static_cast<std::size_t>(value[i])].add(scale.of(gradients.of[i]));
    return out;
  }
  GradientCut best(const double* leaf_of_level = nullptr) const {
    CodeColumn column;
    column.kind = kind;
    column.codes = values;
    const GradientScale scale(gradients);
    const std::vector<GradientCell> sums = cells(scale);
    GradientCell total;
    for (const GradientCell& one : sums) total.add(one);
    cuts = std::make_unique<GradientCuts>(scale, rule);
    return cuts->best(column, 0, sums.data(), total, bounds, leaf_of_level);
  }
  mutable std::unique_ptr<GradientCuts> cuts;
};

Case random_case(Random& random) {
  Case out;
  out.kind = random.one_of(std::vector<Kind>{Kind::numeric, Kind::ordered, Kind::nominal});
  out.values = random.between(1, 7);
  const int n = random.between(1, 30);
  const double missing = random.chance(0.5) ? 0.3 : 0.0;
  for (int i = 0; i < n; ++i) {
    out.value.push_back(random.chance(missing) ? out.values : random.below(out.values));
    const double g = random.uniform() * 2 - 1;
    support::add_gradient(out.gradients, g, random.uniform());
  }
  out.rule.lambda = random.chance(0.5) ? random.uniform() * 3 : 0.0;
  out.rule.min_rows = random.between(1, 5);
  out.rule.min_hessian = random.chance(0.5) ? random.uniform() * 2 : 0.0;
  if (out.kind != Kind::nominal && random.chance(0.5)) out.rule.monotone = {random.between(-1, 1)};
  if (random.chance(0.3)) out.bounds.low = random.uniform() - 1;
  if (random.chance(0.3)) out.bounds.high = random.uniform();
  if (random.chance(0.2)) out.rule.min_gain = random.uniform();
  return out;
}

// Twice the reduction of the loss by the rows as one leaf.
struct Side {
  double g = 0, h = 0;
  int n = 0;
  double value = 0, gain = 0;
};

template <class Inside>
Side side_of(const Case& of, Inside inside) {
  Side out;
  for (std::size_t i = 0; i < of.value.size(); ++i) {
    if (!inside(of.value[i])) continue;
    out.g += of.gradients.of[i].g;
    out.h += of.gradients.of[i].h;
    ++out.n;
  }
  const double by = out.h + of.rule.lambda;
  out.value = by > 0 ? -out.g / by : 0;
  out.value = std::fmin(std::fmax(out.value, of.bounds.low), of.bounds.high);
  out.gain = -2 * out.g * out.value - by * out.value * out.value;
  return out;
}

// The gain of a division, if it is allowed. `left`: by value, and for missing ones.
double gain_of(const Case& of, const std::vector<char>& left) {
  const auto goes = [&](int v) { return left[static_cast<std::size_t>(v)] != 0; };
  const Side l = side_of(of, goes), r = side_of(of, [&](int v) { return !goes(v); });
  const double least = of.rule.min_rows, direction = of.rule.direction(0);
  if (l.n < least || r.n < least) return 0;
  if (l.h < of.rule.min_hessian || r.h < of.rule.min_hessian) return 0;
  if (direction * (r.value - l.value) < 0) return 0;
  const double gain = l.gain + r.gain - side_of(of, [](int) { return true; }).gain;
  return gain > of.rule.min_gain ? gain : 0;
}

// Whether values in order are divided by a threshold.
bool is_cut(const Case& of, unsigned set, const std::vector<char>& there) {
  bool above = false;
  for (int v = 0; v < of.values; ++v) {
    if (!there[static_cast<std::size_t>(v)]) continue;
    const bool left = (set >> v) & 1u;
    if (left && above) return false;
    if (!left) above = true;
  }
  return true;
}

// The best gain of a cut between levels in the order of their means.
double best_prefix(const Case& of) {
  std::vector<double> g(of.values, 0.0), h(of.values, 0.0);
  for (std::size_t i = 0; i < of.value.size(); ++i) {
    g[of.value[i]] += of.gradients.of[i].g;
    h[of.value[i]] += of.gradients.of[i].h;
  }
  std::vector<int> order(of.values);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return g[a] / h[a] > g[b] / h[b]; });
  double best = 0;
  std::vector<char> left(static_cast<std::size_t>(of.values) + 1, 0);
  for (int i = 0; i + 1 < of.values; ++i) {
    left[order[i]] = 1;
    best = std::max(best, gain_of(of, left));
  }
  return best;
}

double best_of_all(const Case& of) {
  std::vector<char> there(static_cast<std::size_t>(of.values) + 1, 0);
  for (int v : of.value) there[static_cast<std::size_t>(v)] = 1;
  double best = 0;
  for (unsigned set = 0; set < (1u << of.values); ++set) {
    if (of.kind != Kind::nominal && !is_cut(of, set, there)) continue;
    std::vector<char> left;
    bool some_left = false, some_right = false;
    for (int v = 0; v < of.values; ++v) {
      left.push_back(static_cast<char>((set >> v) & 1u));
      if (there[static_cast<std::size_t>(v)]) (left.back() ? some_left : some_right) = true;
    }
    if (!some_left || !some_right) continue;  // known rows are on both sides
    for (char missing : {1, 0}) {
      left.push_back(missing);
      best = std::max(best, gain_of(of, left));
      left.pop_back();
    }
  }
  return best;
}

}  // namespace

TEST(the_best_split_is_that_of_an_exhaustive_search) {
  Random random(11);
  int found = 0, filled[3] = {0, 0, 0}, barred = 0;
  for (int turn = 0; turn < 4000; ++turn) {
    const Case one = random_case(random);
    const GradientCut cut = one.best();
    const double expected = best_of_all(one);
    CHECK_NEAR(cut.gain, expected, 1e-9 * (1 + expected));
    if (!(cut.gain > 0)) {
      ++barred;
      continue;
    }
    ++found;
    ++filled[cut.filled + 1];
    // The reported split has that gain, and its sides these numbers.
    std::vector<char> left(static_cast<std::size_t>(one.values) + 1, 0);
    const std::vector<int>& order = one.cuts->order();
    for (int i = 0; i <= cut.at; ++i) left[static_cast<std::size_t>(order[i])] = 1;
    left.back() = cut.filled == 0;
    CHECK_NEAR(gain_of(one, left), cut.gain, 1e-9 * (1 + expected));
    const auto goes = [&](int v) { return left[static_cast<std::size_t>(v)] != 0; };
    const Side l = side_of(one, goes), r = side_of(one, [&](int v) { return !goes(v); });
    CHECK_NEAR(cut.left, l.value, 1e-9 * (1 + std::fabs(l.value)));
    CHECK_NEAR(cut.right, r.value, 1e-9 * (1 + std::fabs(r.value)));
    CHECK(cut.next == cut.at + 1);
  }
  // All possible outcomes occurred.
  CHECK(found > 1000 && barred > 500 && filled[0] > 200 && filled[1] > 200 && filled[2] > 200);
}

TEST(twelve_levels_are_grouped_in_every_way_if_the_best_prefix_is_not_allowed) {
  Random random(13);
  int beyond_prefixes = 0;
  for (int turn = 0; turn < 60; ++turn) {
    Case one;
    one.kind = Kind::nominal;
    one.values = 12;
    for (int i = 0; i < 24; ++i) {
      one.value.push_back(i % 12);
      const double g = random.uniform() * 2 - 1;
      support::add_gradient(one.gradients, g, random.chance(0.5) ? 0.05 : random.uniform());
    }
    one.rule.min_rows = 1;
    one.rule.min_hessian = 3;
    const GradientCut cut = one.best();
    const double expected = best_of_all(one);
    CHECK_NEAR(cut.gain, expected, 1e-9 * (1 + expected));
    beyond_prefixes += best_prefix(one) < expected * (1 - 1e-6);
  }
  CHECK(beyond_prefixes > 5);
}

TEST(levels_that_other_rows_order_are_divided_like_ordered_ones) {
  Random random(14);
  int found = 0, beyond = 0;
  for (int turn = 0; turn < 1000; ++turn) {
    Case one = random_case(random);
    one.kind = Kind::nominal;
    one.rule.monotone.clear();
    const auto n = static_cast<std::size_t>(one.values);
    std::vector<int> rank(n);
    std::iota(rank.begin(), rank.end(), 0);
    for (std::size_t i = n; i > 1; --i)
      std::swap(rank[i - 1], rank[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
    if (turn % 2 == 1) {  // pairs of levels that the rows do not tell apart
      for (int& r : rank) r /= 2;
    }
    const std::vector<double> leaf(rank.begin(), rank.end());
    Case ordered;
    ordered.kind = Kind::ordered;
    ordered.values = turn % 2 == 1 ? (one.values + 1) / 2 : one.values;
    ordered.value = one.value;
    ordered.gradients = one.gradients;
    ordered.rule = one.rule;
    ordered.bounds = one.bounds;
    for (int& v : ordered.value)
      v = v < one.values ? rank[static_cast<std::size_t>(v)] : ordered.values;
    const double expected = best_of_all(ordered);
    CHECK_NEAR(one.best(leaf.data()).gain, expected, 1e-9 * (1 + expected));
    found += expected > 0;
    beyond += best_of_all(one) > expected * (1 + 1e-6);
  }
  CHECK(found > 300 && beyond > 100);
}

TEST(missing_rows_decide_nothing_alone) {
  Case one;
  one.values = 2;
  one.value = {0, 0, 0, 2, 2, 2};
  one.gradients = support::gradients_of({-1, -1, -1, 1, 1, 1}, {1, 1, 1, 1, 1, 1});
  CHECK(one.best().gain == 0.0);
}

TEST(bounds_of_children_keep_both_sides_apart) {
  Random random(12);
  for (int turn = 0; turn < 1000; ++turn) {
    LeafBounds bounds;
    double last = random.uniform();
    // Down any path values stay inside the bounds of all splits above.
    for (int depth = 0; depth < 5; ++depth) {
      const int direction = random.between(-1, 1);
      double a = bounds.clip(random.uniform() * 4 - 2), b = bounds.clip(random.uniform() * 4 - 2);
      if (direction * (b - a) < 0) std::swap(a, b);
      const LeafBounds left = bounds.of_child(direction, false, a, b),
                       right = bounds.of_child(direction, true, a, b);
      CHECK(left.clip(a) == a && right.clip(b) == b);
      for (int i = 0; i < 4; ++i) {
        const double x = left.clip(random.uniform() * 8 - 4), y = right.clip(last * 8 - 4);
        CHECK(direction * (y - x) >= 0);
        CHECK(bounds.clip(x) == x && bounds.clip(y) == y);
        last = random.uniform();
      }
      bounds = random.chance(0.5) ? left : right;
    }
  }
}

TEST(a_small_gain_is_not_taken_for_rounding) {
  Case of;
  of.values = 2;
  of.value = {0, 1};
  of.gradients = support::gradients_of({1.0, 1.0 + 0x1p-14}, {1.0, 1.0});
  // (a^2 + b^2 - (a + b)^2 / 2) = (a - b)^2 / 2
  CHECK_NEAR(of.best().gain, 0x1p-29, 1e-12);
}

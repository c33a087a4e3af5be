// Trees in a forest's vectors, and forests, against naive loops over trees grown alone.
#include <tectree/grow/many/grow_forest.hpp>

#include "check.h"
#include "grow/naive_forest.h"
#include "grow/parts.h"
#include "roads/generate.h"

using namespace tectree;
using forests::Grown;
using forests::NaiveForest;

namespace {

// The case's rows with some values of other rows, some missing, and unseen levels.
support::Table other_rows(const support::Table& table, support::Random& random) {
  support::Table out;
  const int n = static_cast<int>(table.rows());
  for (std::size_t c = 0; c < table.x.size(); ++c) {
    std::vector<double> x = table.x[c];
    for (double& v : x) {
      if (random.chance(0.3)) v = table.x[c][static_cast<std::size_t>(random.below(n))];
      if (random.chance(0.1)) v = NAN;
      if (table.n_levels[c] > 0 && random.chance(0.1)) v = random.between(1, table.n_levels[c]);
    }
    out.add(table.kind[c], table.n_levels[c], x);
  }
  out.n_classes = table.n_classes;
  out.y = table.y;
  out.number = table.number;
  return out;
}

// The leaf that a row reaches, counted from the left; -1 if it reaches several or none.
int leaf_in_order(const Tree& tree, const Frame& frame, std::size_t row) {
  std::vector<int> ends;
  spread(tree, frame, row, 1.0, 0, [&](int node, double) { ends.push_back(node); });
  if (ends.size() != 1 || tree.kind[ends[0]] != 0) return -1;
  return static_cast<int>(std::count(tree.kind.begin(), tree.kind.begin() + ends[0], 0));
}
int leaf_in_order(const ForestView& forest, std::size_t node) {
  return static_cast<int>(std::count(forest.variable, forest.variable + node, 0));
}

std::string difference_in_walk(const Tree& tree, const Forest& forest, const Frame& frame,
                               bool trusted) {
  const ForestView view = forest.view();
  RowBlock rows(frame);
  rows.fill(frame.n_rows, [](std::size_t i) { return i; });
  TreeWalk walk(rows, trusted);
  walk.follow(view, 0, all_positions(frame.n_rows));
  for (std::size_t i = 0; i < frame.n_rows; ++i) {
    const int leaf = leaf_in_order(tree, frame, i);
    if (leaf >= 0 && leaf_in_order(view, walk.node(i)) != leaf)
      return "row " + std::to_string(i) + " ends in another leaf";
    const std::vector<double> expected = forests::said_by(tree, frame, i);
    std::vector<double> found(expected.size(), 0.0);
    if (tree.n_classes > 0) {
      walk.add_class(i, found.data(), 1);
    } else {
      found[0] = walk.number(i);
    }
    for (std::size_t s = 0; s < found.size(); ++s) {
      if (!check::near(found[s], expected[s], 1e-10 * std::max(1.0, std::fabs(expected[s]))))
        return "row " + std::to_string(i) + " is predicted otherwise";
    }
  }
  return "";
}

// A small random problem without surrogates, which forests do not have.
roads::Case small_case(std::uint64_t seed) {
  roads::Case c = roads::Generator(seed).make(seed % 3 == 0 ? 300 : 60);
  if (c.missing == "surrogate") c.missing = "majority";
  return c;
}

}  // namespace

TEST(every_tree_predicts_the_same_in_a_forest) {
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    const roads::Case c = small_case(seed);
    const roads::Posed posed(c, roads::Way());
    support::Random random(seed);
    const support::Table rows = other_rows(c.table, random);
    const Frame frame = support::problem_of(rows, c.setting).frame;
    const Tree tree = posed.grow();
    Forest forest;
    append(tree, posed.problem.frame, forest);
    for (const Frame* of : {&posed.problem.frame, &frame}) {
      for (bool trusted : {true, false}) {
        const std::string said = difference_in_walk(tree, forest, *of, trusted);
        if (!said.empty()) check::fail("forest", static_cast<int>(seed), said);
      }
    }
    const std::vector<double> cover = cover_of(forest.view(), 0, forest.variable.size());
    CHECK_NEAR(cover[0] / tree.weight[0], 1.0, c.missing == "drop" ? 1.0 : 1e-9);
  }
}

namespace {

ForestPlan random_plan(const roads::Case& c, std::size_t trees, support::Random& random) {
  ForestPlan plan;
  for (std::size_t t = 0; t < trees; ++t) plan.seeds.push_back(random.bits() >> 11);
  const std::size_t n = c.rows();
  plan.draws.replace = random.chance(0.6);
  plan.draws.of_class = {plan.draws.replace ? n : std::max<std::size_t>(1, n * 2 / 3)};
  if (random.chance(0.2)) {
    for (std::size_t i = 0; i < n; ++i) plan.draws.weights.push_back(random.between(1, 8));
  }
  if (c.is_class() && plan.draws.replace && random.chance(0.2)) {
    plan.draws.of_class.assign(static_cast<std::size_t>(c.table.n_classes), 0);
    for (int y : c.table.y) plan.draws.of_class[static_cast<std::size_t>(y - 1)] = n / 5 + 1;
  }
  plan.importance = static_cast<Importance>(random.below(4));
  return plan;
}

}  // namespace

TEST(forests_are_those_of_naive_loops_on_any_number_of_threads) {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    roads::Case c = small_case(seed);
    support::Random random(seed);
    const ForestPlan plan = random_plan(c, 5, random);
    const roads::Posed posed(c, roads::Way());
    Problem problem = posed.problem;
    const auto k = static_cast<std::size_t>(problem.response.n_classes);
    if (k > 0 && random.chance(0.3)) {
      for (std::size_t i = 0; i < k * k; ++i)
        problem.loss.cost.push_back(i % (k + 1) == 0 ? 0.0 : random.between(0, 4));
    }
    if (random.chance(0.7)) {
      problem.control.max_columns =
          static_cast<std::size_t>(random.between(1, static_cast<int>(c.table.x.size())));
    }
    const Grown one = forests::grown(problem, posed.stop, posed.missing(), plan, 1);
    const Grown three = forests::grown(problem, posed.stop, posed.missing(), plan, 3);
    std::string said = forests::difference(one, three, 0.0);
    if (said.empty()) {
      const NaiveForest naive(problem, posed.stop, posed.missing(), plan);
      said = forests::difference(one, naive.result(), 1e-9);
    }
    if (!said.empty()) check::fail("forest", static_cast<int>(seed), said);
  }
}

namespace {

// On codes, in sorted columns, in columns that are sorted when drawn, and from few of the rows.
bool large_forest_agrees(const char* criterion, bool weights, bool replace, std::size_t draws,
                         std::size_t columns) {
  support::Random random(11);
  parts::Data d;
  parts::make(d, 9000, criterion, weights, random, false);
  d.problem.pass_on_at = 4096;
  d.problem.control.max_columns = columns;
  StopRule stop;
  stop.min_bucket = 5;
  ForestPlan plan;
  plan.seeds = {1, 2, 3};
  plan.draws.replace = replace;
  plan.draws.of_class = {draws};
  const MissingPolicy missing = missing_policy("majority");
  const Grown one = forests::grown(d.problem, stop, missing, plan, 1);
  const Grown two = forests::grown(d.problem, stop, missing, plan, 2);
  const NaiveForest naive(d.problem, stop, missing, plan);
  std::string said = forests::difference(one, two, 0.0);
  if (said.empty()) said = forests::difference(one, naive.result(), 1e-9);
  if (!said.empty()) std::printf("%s\n", said.c_str());
  return said.empty();
}

}  // namespace

TEST(forests_of_large_samples_are_those_of_naive_loops) {
  for (const char* criterion : {"gini", "gain_ratio", "l2"}) {
    for (bool weights : {false, true}) {
      for (std::size_t columns : {1, 2}) {  // with one, columns are sorted when drawn
        CHECK(large_forest_agrees(criterion, weights, true, 8000, columns));
        CHECK(large_forest_agrees(criterion, weights, false, 5500, columns));
        CHECK(large_forest_agrees(criterion, weights, true, 300, columns));
      }
    }
  }
}

TEST(one_tree_of_all_rows_and_columns_is_the_tree) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const roads::Case c = small_case(seed);
    const roads::Posed posed(c, roads::Way());
    ForestPlan plan;
    plan.seeds = {seed};
    plan.draws.replace = false;
    plan.draws.of_class = {c.rows()};
    Problem problem = posed.problem;
    problem.seed = Stream::part(seed, 1);
    const Grown grown = forests::grown(problem, posed.stop, posed.missing(), plan, 2);
    Team team(1);
    Forest alone;
    append(grow_tree(problem, posed.stop, posed.missing(), team), problem.frame, alone);
    CHECK(forests::same_vectors(grown.forest, alone));
    CHECK(std::count(grown.times.begin(), grown.times.end(), 0) ==
          static_cast<std::ptrdiff_t>(c.rows()));
  }
}

TEST(whole_weights_are_repeated_rows) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    support::Random random(seed);
    roads::Case c = small_case(seed);
    if (c.missing == "fractional" || c.setting.criterion == "l1") continue;
    // Permutation needs rows; and F of sums with different rounding may merge differently.
    if (c.setting.stop.permutations > 0) continue;
    if (c.setting.control.by_chaid() && !c.is_class()) continue;
    c.table.weight.clear();
    c.table.size.clear();
    for (double& y : c.table.number) y = std::floor(y);
    roads::Case repeated = c;
    repeated.table = support::Table();
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < c.rows(); ++i) {
      c.table.weight.push_back(random.below(5));
      for (int j = 0; j < c.table.weight[i]; ++j) rows.push_back(i);
    }
    forests::copy_rows(c.table, rows, repeated.table);
    const roads::Posed posed(c, roads::Way()), again(repeated, roads::Way());
    // Rows with weight 0 do not take part.
    Problem weighted = posed.problem, plain = again.problem;
    std::vector<int> used;
    for (std::size_t i = 0; i < c.rows(); ++i) {
      if (c.table.weight[i] > 0) used.push_back(static_cast<int>(i) + 1);
    }
    weighted.sample.rows = used.data();
    weighted.sample.size = used.size();
    weighted.control.max_columns = plain.control.max_columns = 2;
    ForestPlan plan;
    plan.seeds = {seed, seed + 1};
    plan.draws.replace = false;
    ForestPlan of_repeated = plan;
    plan.draws.of_class = {used.size()};
    of_repeated.draws.of_class = {rows.size()};
    const Grown a = forests::grown(weighted, posed.stop, posed.missing(), plan, 1);
    const Grown b = forests::grown(plain, again.stop, again.missing(), of_repeated, 1);
    // The mean of numbers is rounded.
    const bool same = c.is_class() ? forests::same_vectors(a.forest, b.forest)
                                   : a.forest.variable == b.forest.variable &&
                                         forests::near(a.forest.cut, b.forest.cut, 1e-12);
    if (!same) check::fail("whole weights", static_cast<int>(seed), "the forests differ");
  }
}

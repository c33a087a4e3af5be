// Rotation forests against trees grown alone on rotated columns.
#include <tectree/ensemble/rotation_forest.hpp>

#include "check.h"
#include "grow/common.h"
#include "support/jacobi.h"

using namespace tectree;

namespace {

struct TurnedCase {
  std::vector<std::vector<double>> x;
  std::vector<int> code;
  std::vector<double> number, weight;
  Problem problem;

  TurnedCase(std::size_t n, std::size_t p, bool classes, Random& random) : x(p), weight(n) {
    Frame frame;
    for (auto& column : x) {
      for (std::size_t i = 0; i < n; ++i) column.push_back(random.uniform() + random.between(0, 2));
      frame.add_numbers(column);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double sum = x[0][i] + x[p - 1][i] + random.uniform() / 2;
      code.push_back(sum < 2 ? 1 : sum < 3 ? 2 : 3);
      number.push_back(sum);
      weight[i] = random.between(1, 3);
    }
    problem = classes ? to_classify(frame, code, 3, "gini") : to_regress(frame, number);
    problem.sample.weights = weight.data();
  }
  TurnedCase(const TurnedCase&) = delete;
};

RotationForest grow_turned(const TurnedCase& c, const RotationPlan& plan, int threads) {
  std::atomic<std::size_t> done{0};
  Team team(threads);
  const StopRule stop;
  const MissingPolicy missing;
  RotationForest out =
      RotationGrower(c.problem, stop, missing, plan, support::jacobi).run(done, team);
  CHECK(done == out.trees.trees());
  return out;
}

}  // namespace

TEST(rotation_forests_are_trees_on_rotated_columns) {
  Random random(31);
  for (int round = 0; round < 12; ++round) {
    const auto p = static_cast<std::size_t>(random.between(1, 8));
    const std::size_t n = 150;
    const TurnedCase c(n, p, round % 2 == 0, random);
    RotationPlan plan;
    plan.seeds = {7, 8, 9};
    plan.rule.group_size = static_cast<std::size_t>(random.between(1, static_cast<int>(p)));
    const RotationForest forest = grow_turned(c, plan, 1);
    const Rotations all{p, plan.rule.group_size, forest.order.data(), forest.axes.data()};
    const std::size_t k = round % 2 == 0 ? 3 : 1;
    std::vector<double> expected(n * k, 0.0), gain(p, 0.0), found(n * k, 0.0);
    for (std::size_t t = 0; t < 3; ++t) {
      std::vector<std::vector<double>> turned(p, std::vector<double>(n));
      Frame frame;
      for (std::size_t j = 0; j < p; ++j) {
        rotate(all.of(t), j, c.problem.frame, 0, n, turned[j].data());
        frame.add_numbers(turned[j]);
      }
      Problem problem = c.problem;
      problem.frame = frame;
      const Tree tree = grow_tree(problem);
      for (std::size_t v = 0; v < tree.size(); ++v) {
        if (tree.kind[v] == 0) continue;
        const auto component = static_cast<std::size_t>(tree.variable[v]);
        const std::size_t first = all.of(t).first_of(component);
        for (std::size_t j = 0; j < all.of(t).size_of(first); ++j) {
          const double loading = all.of(t).loadings(component)[j];
          gain[all.of(t).column(first + j)] +=
              loading * loading * tree.gain[v] * tree.weight[v] / tree.weight[0] / 3.0;
        }
      }
      for (std::size_t i = 0; i < n; ++i) {
        spread(tree, frame, i, 1.0, 0, [&](int node, double) {
          for (std::size_t s = 0; s < k; ++s)
            expected[s * n + i] += k == 1 ? tree.yval[node] : tree.shares(node)[s];
        });
      }
    }
    for (std::size_t j = 0; j < p; ++j) CHECK_NEAR(forest.gain[j], gain[j], 1e-10);
    Team team(2);
    const ForestView view = forest.trees.view();
    each_block(view, c.problem.frame, team, RowTurner(view, all, c.problem.frame),
               [&](auto, auto first, auto count, auto& walk) {
                 for (std::size_t i = 0; i < count; ++i) {
                   if (k == 1) {
                     found[first + i] += walk.number(i);
                   } else {
                     walk.add_class(i, found.data() + first + i, n);
                   }
                 }
               });
    for (std::size_t i = 0; i < n * k; ++i) CHECK_NEAR(found[i], expected[i], 1e-10);
    const RotationForest again = grow_turned(c, plan, 2);
    CHECK(again.trees.cut == forest.trees.cut && again.axes == forest.axes);
    CHECK(again.gain == forest.gain);
  }
}

TEST(a_rotation_forest_out_of_time_has_its_first_tree) {
  Random random(32);
  const TurnedCase c(60, 4, true, random);
  RotationPlan plan;
  plan.seeds = {1, 2, 3};
  const RotationForest all = grow_turned(c, plan, 1);
  plan.seconds = 0.0;
  const RotationForest one = grow_turned(c, plan, 1);
  CHECK(one.trees.trees() == 1);
  CHECK(std::equal(one.axes.begin(), one.axes.end(), all.axes.begin()));
}

namespace {

// Trees with one split each, of these components.
Forest stumps(const std::vector<int>& components) {
  Forest out;
  for (int component : components) {
    for (int variable : {component + 1, 0, 0}) {
      out.variable.push_back(variable);
      out.cut.push_back(0.5);
      out.right.push_back(variable > 0 ? 2 : -static_cast<int>(out.weight.size()) - 1);
      if (variable == 0) out.weight.push_back(1.0);
    }
    out.start.push_back(static_cast<int>(out.variable.size()));
  }
  return out;
}

}  // namespace

TEST(only_the_components_of_a_tree_are_rotated) {
  const std::vector<double> x(9, 3.0), y(9, 4.0);
  Frame frame;
  frame.add_numbers(x);
  frame.add_numbers(y);
  const std::vector<int> order = {1, 2, 1, 2, 1, 2};
  const std::vector<double> axes(6, 1.0);
  const Rotations rotations{2, 1, order.data(), axes.data()};
  // The component of the last tree is that of a damaged forest.
  const Forest forest = stumps({0, 1, 2});
  const ForestView view = forest.view();
  for (std::size_t tree : {0, 1, 2}) {
    RowBlock rows(frame);
    rows.make_room(9);
    for (std::size_t c : {0, 1}) rows.put_column(c, 9, [](std::size_t) { return -1.0; });
    RowTurner(view, rotations, frame)(rows, tree, 0, 9);
    CHECK(rows.row(8)[0] == (tree == 0 ? 3.0 : -1.0));
    CHECK(rows.row(8)[1] == (tree == 1 ? 4.0 : -1.0));
  }
}

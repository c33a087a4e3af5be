// AdaBoost: votes and weights against a naive loop over the resulting trees, and stumps against all
// stumps with the weights of their round.
#include <tectree/ensemble/adaboost.hpp>

#include "check.h"
#include "grow/common.h"
#include "support/walk.h"

namespace {

Table weighted_classes(int n_classes, bool weighted, Random& random) {
  Table table;
  const std::size_t n = 60;
  table.n_classes = n_classes;
  for (int c = 0; c < 3; ++c) {
    std::vector<double> x(n);
    for (double& v : x) v = c == 0 ? random.below(5) : random.uniform();
    table.add_numbers(x);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const int said = 1 + static_cast<int>(table.x[1][i] * n_classes);
    table.y.push_back(random.chance(0.3) ? random.between(1, n_classes) : said);
    if (weighted) table.weight.push_back(random.between(1, 3));
  }
  return table;
}

// The class predicted by a leaf, from 1: the first on ties.
int class_of(const tectree::ForestView& forest, std::size_t leaf) {
  if (forest.pure_class(leaf) >= 0) return forest.pure_class(leaf) + 1;
  const double* share = forest.leaf_shares(leaf);
  int best = 0;
  for (int s = 1; s < forest.n_classes; ++s) {
    if (share[s] > share[best] * (1 + 1e-12)) best = s;
  }
  return best + 1;
}

// Gini impurity times weight of the rows on both sides of a division.
template <class Left>
double gini_of(const Table& table, const std::vector<double>& weight, Left left) {
  double out = 0;
  for (bool side : {true, false}) {
    std::vector<double> by_class(static_cast<std::size_t>(table.n_classes), 0.0);
    double all = 0, squares = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) {
      if (left(i) != side) continue;
      by_class[static_cast<std::size_t>(table.y[i] - 1)] += weight[i];
      all += weight[i];
    }
    for (double w : by_class) squares += w * w;
    if (all > 0) out += all - squares / all;
  }
  return out;
}

double best_stump(const Table& table, const std::vector<double>& weight) {
  double best = HUGE_VAL;
  for (const auto& x : table.x) {
    for (double cut : x)
      best = std::min(best, gini_of(table, weight, [&](std::size_t i) { return x[i] <= cut; }));
  }
  return best;
}

}  // namespace

TEST(samme_weights_and_votes_are_those_of_a_naive_loop) {
  Random random(51);
  for (int turn = 0; turn < 24; ++turn) {
    const int k = random.between(2, 4);
    const Table table = weighted_classes(k, turn % 2 == 1, random);
    Setting setting = of_criterion("gini");
    setting.control.min_bucket = setting.stop.min_split = 0.0;
    setting.stop.max_depth = turn % 3 == 2 ? 2 : 1;
    const tectree::Problem problem = support::problem_of(table, setting);
    tectree::Team team(1 + turn % 2);
    std::atomic<std::size_t> done{0};
    const double rate = turn % 4 == 0 ? 0.5 : 1.0;
    const tectree::AdaBoosted out =
        tectree::boost_by_weights(problem, support::stop_of(setting),
                                  tectree::missing_policy("learned"), 10, rate, done, team);
    const tectree::ForestView forest = out.trees.view();
    CHECK(!out.vote.empty() && forest.trees == out.vote.size());
    std::vector<double> weight;
    double total = 0;
    for (std::size_t i = 0; i < table.rows(); ++i)
      total += table.w(i), weight.push_back(table.w(i));
    for (std::size_t t = 0; t < out.vote.size(); ++t) {
      std::vector<std::size_t> leaf;
      for (std::size_t i = 0; i < table.rows(); ++i)
        leaf.push_back(support::leaf_of(forest, t, problem.frame, i));
      if (setting.stop.max_depth == 1) {
        const std::size_t left = forest.root(t) + 1;
        CHECK_NEAR(gini_of(table, weight, [&](std::size_t i) { return leaf[i] == left; }),
                   best_stump(table, weight), 1e-9 * total);
      }
      double error = 0;
      std::vector<char> wrong;
      for (std::size_t i = 0; i < table.rows(); ++i) {
        wrong.push_back(class_of(forest, leaf[i]) != table.y[i]);
        if (wrong[i]) error += weight[i] / total;
      }
      CHECK_NEAR(out.error[t], error, 1e-12);
      const double vote = rate * (std::log((1 - error) / error) + std::log(k - 1.0));
      CHECK_NEAR(out.vote[t], vote, 1e-9);
      double sum = 0;
      for (std::size_t i = 0; i < weight.size(); ++i) {
        if (wrong[i]) weight[i] *= std::exp(vote);
        sum += weight[i];
      }
      for (double& w : weight) w *= total / sum;
    }
    for (std::size_t i = 0; i < weight.size(); ++i) CHECK_NEAR(out.weight[i], weight[i], 1e-10);
  }
}

TEST(a_tree_without_an_error_ends_adaboost) {
  Table table;
  table.n_classes = 2;
  table.add_numbers({1, 2, 3, 4});
  table.y = {1, 1, 2, 2};
  Setting setting = of_criterion("gini");
  setting.control.min_bucket = setting.stop.min_split = 0.0;
  const tectree::Problem problem = support::problem_of(table, setting);
  tectree::Team team(1);
  std::atomic<std::size_t> done{0};
  const tectree::AdaBoosted out = tectree::boost_by_weights(
      problem, support::stop_of(setting), tectree::missing_policy("learned"), 10, 1.0, done, team);
  CHECK((out.vote == std::vector<double>{1.0}));
  CHECK((out.error == std::vector<double>{0.0}));
}

// Forests, boosting, rotation forests, splines, prediction and Shapley values, when an allocation
// fails, on one thread and on two.
#include <tectree/ensemble/adaboost.hpp>
#include <tectree/ensemble/boost.hpp>
#include <tectree/ensemble/rotation_forest.hpp>
#include <tectree/ensemble/shapes.hpp>
#include <tectree/grow/many/grow_forest.hpp>
#include <tectree/predict/forest_walk.hpp>
#include <tectree/predict/predictor.hpp>
#include <tectree/shap/shapley_values.hpp>
#include <tectree/splines/backward_pass.hpp>
#include <tectree/splines/forward_pass.hpp>

#include "check.h"
#include "faults/everywhere.h"
#include "shap/random_forest.h"
#include "support/jacobi.h"
#include "support/random.h"

namespace {

using faults::Digest;
using faults::everywhere;
using tectree::Kind;
using tectree::Team;

// Complete numbers and levels, three classes and a number.
struct Rows {
  std::vector<double> few, many, number, weight;
  std::vector<int> level, code;
  tectree::Frame numbers, all;
  std::size_t n;

  Rows(std::size_t size, support::Random& random) : n(size) {
    for (std::size_t i = 0; i < n; ++i) {
      few.push_back(random.between(0, 6));
      many.push_back(random.uniform());
      level.push_back(random.between(1, 4));
      number.push_back(few[i] / 3 + 2 * many[i] + (level[i] == 2) + random.uniform());
      code.push_back(number[i] < 1.5 ? 1 : number[i] < 2.5 ? 2 : 3);
      weight.push_back(random.between(1, 3));
    }
    for (tectree::Frame* frame : {&numbers, &all}) {
      frame->add_numbers(few);
      frame->add_numbers(many);
    }
    all.add_levels(level, 4);
    numbers.add_numbers(number);
  }
  Rows(const Rows&) = delete;

  tectree::Problem problem(bool classes, const tectree::Frame& frame) const {
    tectree::Problem out =
        classes ? tectree::to_classify(frame, code, 3, "gini") : tectree::to_regress(frame, number);
    out.sample.weights = weight.data();
    return out;
  }
};

// The poll has more to remember than a function object holds without an allocation.
Team team_of(int threads) {
  const long ballast[4] = {1, 2, 3, 4};
  return Team(threads, [ballast] { CHECK(ballast[3] == 4); });
}

}  // namespace

TEST(forests_survive_a_failed_allocation) {
  support::Random random(1);
  const Rows rows(60, random);
  const tectree::StopRule stop;
  for (const int threads : {1, 2}) {
    for (const bool classes : {true, false}) {
      const tectree::Problem problem = rows.problem(classes, rows.all);
      tectree::ForestPlan plan;
      plan.seeds = {3, 4, 5};
      plan.draws.of_class = {rows.n};
      plan.importance = classes ? tectree::Importance::permutation : tectree::Importance::corrected;
      everywhere(threads == 1 ? "forest" : "forest, two threads", 220, [&] {
        Team team = team_of(threads);
        std::atomic<std::size_t> done{0};
        tectree::GrownForest grown =
            tectree::grow_trees(problem, stop, tectree::MissingPolicy(), plan, done, team);
        const std::size_t k = classes ? 3 : 1;
        std::vector<int> votes(rows.n * k), times(rows.n);
        std::vector<double> shares(rows.n * k), sum(rows.n), square(rows.n), curve(3);
        tectree::OutOfBag to;
        to.votes = votes.data(), to.shares = shares.data(), to.sum = sum.data();
        to.square = square.data(), to.times = times.data(), to.curve = curve.data();
        tectree::OutOfBagPass(problem, grown.trees, false, to).run(team);
        const auto importance = tectree::mean_importance(grown.importance, 3);
        return Digest()
            .add(tectree::join(grown.trees, problem.frame))
            .add(curve)
            .add(importance.mean);
      });
    }
  }
}

TEST(boosting_survives_a_failed_allocation) {
  support::Random random(2);
  const Rows rows(60, random);
  for (const auto loss : {tectree::BoostLoss::squared, tectree::BoostLoss::multinomial}) {
    tectree::BoostPlan plan;
    plan.loss = loss;
    plan.seeds = {1, 2, 3};
    plan.rate = 0.3;
    plan.draws = 40;
    plan.columns = 2;
    plan.stop.max_depth = 2;
    plan.rule.monotone = {1, 0, 0};
    tectree::ScoredRows start;
    start.outputs = loss == tectree::BoostLoss::squared ? 1 : 3;
    for (std::size_t i = 0; i < rows.n; ++i)
      start.y.push_back(start.outputs == 1 ? rows.number[i] : rows.code[i] - 1);
    start.score.assign(rows.n * start.outputs, 0.1);
    tectree::Sample sample;
    sample.size = rows.n;
    const std::vector<int> held_out{1, 2, 3, 4};
    everywhere("boosting", 300, [&] {
      Team team = team_of(2);
      tectree::ScoredRows training = start, validation;
      validation.outputs = start.outputs;
      validation.y.assign(start.y.begin(), start.y.begin() + 4);
      validation.score.assign(4 * start.outputs, 0.1);
      std::atomic<std::size_t> done{0};
      tectree::Booster booster(rows.all, sample, training, held_out, validation, plan, team);
      const tectree::BoostedTrees out = booster.run(done, 0, team);
      const tectree::ForestView view = out.trees.view();
      tectree::ShapeTables shapes(view, rows.all, out.output.data(), start.outputs);
      shapes.run(team);
      return Digest()
          .add(out.trees)
          .add(out.curve.validation)
          .add(training.score)
          .add(shapes.tables()[0].value);
    });
  }
  const tectree::Problem problem = rows.problem(true, rows.all);
  tectree::StopRule stop;
  stop.max_depth = 2;
  everywhere("boosting by weights", 300, [&] {
    Team team = team_of(1);
    std::atomic<std::size_t> done{0};
    const auto out =
        tectree::boost_by_weights(problem, stop, tectree::MissingPolicy(), 3, 1.0, done, team);
    return Digest().add(out.trees).add(out.vote).add(out.weight);
  });
}

TEST(rotation_forests_survive_a_failed_allocation) {
  support::Random random(3);
  const Rows rows(60, random);
  const tectree::Problem problem = rows.problem(true, rows.numbers);
  const tectree::StopRule stop;
  const tectree::MissingPolicy missing;
  tectree::RotationPlan plan;
  plan.seeds = {7, 8, 9};
  plan.rule.group_size = 2;
  for (const int threads : {1, 2}) {
    everywhere("rotation forest", 350, [&] {
      Team team = team_of(threads);
      std::atomic<std::size_t> done{0};
      const tectree::RotationForest out =
          tectree::RotationGrower(problem, stop, missing, plan, support::jacobi).run(done, team);
      const tectree::Rotations all{3, 2, out.order.data(), out.axes.data()};
      const tectree::ForestView view = out.trees.view();
      std::vector<double> shares(rows.n * 3, 0.0);
      tectree::each_block(view, rows.numbers, team, tectree::RowTurner(view, all, rows.numbers),
                          [&](auto, auto first, auto count, auto& walk) {
                            for (std::size_t i = 0; i < count; ++i)
                              walk.add_class(i, shares.data() + first + i, rows.n);
                          });
      return Digest().add(out.trees).add(out.axes).add(out.gain).add(shares);
    });
  }
}

TEST(splines_survive_a_failed_allocation) {
  support::Random random(4);
  const Rows rows(60, random);
  std::vector<double> x(rows.few);
  x.insert(x.end(), rows.many.begin(), rows.many.end());
  const tectree::SplineData data{rows.n, 2, 1, x.data(), rows.number.data(), rows.weight.data()};
  tectree::SplineRules rules;
  rules.degree = 2;
  rules.terms = 9;
  const double triangle[] = {2, 0, 0, 1, 3, 0, 1, 1, 2}, products[] = {5, 2, 1};
  for (const int threads : {1, 2}) {
    everywhere("splines", 300, [&] {
      Team team = team_of(threads);
      tectree::ForwardPass pass(data, rules, team);
      pass.run();
      Digest out;
      for (const auto& term : pass.terms) out.add(term.cut).add(term.values);
      const auto left = tectree::BackwardPass(triangle, products, 3, 1, 3).run(team);
      return out.add(left.rss).add(left.terms[0]);
    });
  }
}

TEST(prediction_survives_a_failed_allocation) {
  support::Random random(5);
  for (const auto unknown :
       {tectree::UnknownRows::branch, tectree::UnknownRows::share, tectree::UnknownRows::stop}) {
    support::ForestCase c;
    c.forest.n_classes = 3;
    c.forest.unknown = unknown;
    c.kinds = {Kind::numeric, Kind::nominal, Kind::ordered};
    for (int t = 0; t < 3; ++t) c.add_tree(random);
    const support::RandomRows rows(c, 200, 0.2, random);
    const tectree::ForestView view = c.forest.view();
    everywhere("forest's predictions", 120, [&] {
      Team team = team_of(2);
      std::vector<double> shares(200 * 3, 0.0);
      tectree::each_block(view, rows.frame, team, [&](auto, auto first, auto n, auto& walk) {
        for (std::size_t i = 0; i < n; ++i) walk.add_class(i, shares.data() + first + i, 200);
      });
      return Digest().add(shares);
    });
  }
  const Rows rows(60, random);
  const tectree::Problem problem = rows.problem(false, rows.all);
  Team one(1);
  tectree::Tree tree = tectree::grow_tree(problem, {}, tectree::missing_policy("fractional"), one);
  std::vector<double> holes(9000, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < holes.size(); i += 2) holes[i] = static_cast<double>(i % 7);
  const std::vector<int> levels(holes.size(), 9);
  tectree::Frame frame;
  frame.add_numbers(holes);
  frame.add_numbers(holes);
  frame.add_levels(levels, 9);
  everywhere("tree's predictions", 100, [&] {
    Team team = team_of(2);
    tectree::check_tree(tree, 3);
    std::vector<int> leaf(holes.size());
    tectree::predict_leaves(tree, frame, leaf.data(), team);
    return Digest().add(leaf);
  });
  frame.n_rows = 50;
  everywhere("parts of rows", 100, [&] {
    Team team = team_of(1);
    return Digest().add(tectree::shared_rows(tree, frame, team).share);
  });
}

TEST(shapley_values_survive_a_failed_allocation) {
  support::Random random(6);
  for (const bool pairs : {false, true}) {
    for (const auto unknown : {tectree::UnknownRows::branch, tectree::UnknownRows::share}) {
      support::ForestCase c;
      c.forest.unknown = unknown;
      c.kinds = {Kind::numeric, Kind::nominal, Kind::ordered};
      for (int t = 0; t < 2; ++t) c.add_tree(random);
      const support::RandomRows rows(c, 9, 0.2, random), others(c, 5, 0.2, random);
      for (const tectree::Frame* background :
           {static_cast<const tectree::Frame*>(nullptr), &others.frame}) {
        everywhere("Shapley values", 150, [&] {
          Team team = team_of(2);
          const tectree::WeighedForest in(c.forest.view());
          std::vector<double> out(9 * 3 * (pairs ? 3 : 1), 0.0);
          tectree::ShapleyValues(in, rows.frame, background, {0, 1}, pairs).find(out.data(), team);
          return Digest().add(out);
        });
      }
    }
  }
}

TEST(failures_are_many_and_reach_the_caller) {
  std::printf("%ld failed allocations, %ld of which reached the caller\n", faults::count().points,
              faults::count().thrown);
  CHECK(faults::count().points > 4000);
  CHECK(faults::count().thrown > faults::count().points / 2);
}

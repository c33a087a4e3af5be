// Whole boosting runs: Newton leaves against naive sums over the rows in them, scores against trees
// followed row by row, directions on a grid.
#include "check.h"

#include <tectree/ensemble/boost.hpp>
#include <tectree/ensemble/boost_folds.hpp>

#include <algorithm>
#include <limits>
#include <map>

#include "support/gradients.h"
#include "support/random.h"
#include "support/walk.h"

using namespace tectree;
using support::Random;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// Numbers with few and with many values, a factor and an ordered one, with some missing values.
struct Data {
  std::vector<double> few, many, weight;
  std::vector<int> level, grade;
  Frame frame;
  Sample sample;
  ScoredRows rows;

  Data(BoostLoss loss, std::size_t n, int levels, bool weighted, Random& random) {
    rows.outputs = loss == BoostLoss::multinomial ? 3 : 1;
    for (std::size_t i = 0; i < n; ++i) {
      few.push_back(random.chance(0.1) ? none : random.below(6));
      many.push_back(random.uniform());
      level.push_back(random.chance(0.1) ? missing_code : random.between(1, levels));
      grade.push_back(random.between(1, 4));
      const double x = (level[i] == missing_code ? 0 : level[i] % 3) + 3 * many[i] + grade[i] / 2.0;
      const double y = x + random.uniform() * 2;
      rows.y.push_back(loss == BoostLoss::squared    ? y
                       : loss == BoostLoss::logistic ? y > 4.0
                                                     : (y > 3.0) + (y > 5.0));
      if (weighted) weight.push_back(0.5 + random.uniform());
      for (std::size_t k = 0; k < rows.outputs; ++k) rows.score.push_back(random.uniform() - 0.5);
    }
    rows.weight = weight;
    frame.add_numbers(few);
    frame.add_numbers(many);
    frame.add_levels(level, levels);
    frame.add_levels(grade, 4, Kind::ordered);
    sample.size = n;
    if (weighted) sample.weights = weight.data();
  }
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
};

BoostPlan plan_of(BoostLoss loss, std::size_t rounds, double depth) {
  BoostPlan out;
  out.loss = loss;
  for (std::size_t r = 0; r < rounds; ++r) out.seeds.push_back(r + 1);
  out.rate = 0.3;
  out.rule.lambda = 1.0;
  out.rule.min_rows = 2.0;
  out.stop.min_split = out.stop.min_bucket = 0.0;
  out.stop.max_depth = depth;
  return out;
}

BoostedTrees run(Data& data, const BoostPlan& plan, int threads = 1) {
  Team team(threads);
  ScoredRows nothing;
  nothing.outputs = data.rows.outputs;
  const std::vector<int> no_rows;
  Booster booster(data.frame, data.sample, data.rows, no_rows, nothing, plan, team);
  std::atomic<std::size_t> done{0};
  return booster.run(done, 0, team);
}

// The sums of gradients and Hessians of the rows in each leaf.
struct LeafSums {
  double g = 0, h = 0, n = 0;
};
std::map<std::size_t, LeafSums> sums_by_leaf(const Data& data, const ForestView& forest,
                                             std::size_t tree, const Gradients& of) {
  std::map<std::size_t, LeafSums> out;
  for (std::size_t i = 0; i < data.rows.size(); ++i) {
    LeafSums& leaf = out[support::leaf_of(forest, tree, data.frame, i)];
    leaf.g += of.of[i].g;
    leaf.h += of.of[i].h;
    leaf.n += 1;
  }
  return out;
}

constexpr BoostLoss losses[] = {BoostLoss::squared, BoostLoss::logistic, BoostLoss::multinomial};

}  // namespace

TEST(leaves_are_newton_steps_and_scores_the_sums_of_trees) {
  Random random(41);
  for (int turn = 0; turn < 24; ++turn) {
    const BoostLoss loss = losses[turn % 3];
    const std::size_t n = turn % 8 < 3 ? 9000 : 150;  // several blocks of rows, or one
    Data data(loss, n, turn % 4 == 3 ? 300 : 5, turn % 2 == 1, random);
    const BoostPlan plan = plan_of(loss, 5, random.between(1, 5));
    ScoredRows now = data.rows;  // as it was before
    const BoostedTrees out = run(data, plan);
    const ForestView forest = out.trees.view();
    const std::size_t k = now.outputs;
    CHECK(forest.trees == 5 * k);
    for (std::size_t r = 0; r < 5; ++r) {
      const ScoredRows before = now;
      for (std::size_t s = 0; s < k; ++s) {
        const std::size_t t = r * k + s;
        CHECK(out.output[t] == static_cast<int>(s) && out.round[t] == static_cast<int>(r));
        const Gradients of = support::gradients_of(loss, before)[s];
        for (const auto& [leaf, sums] : sums_by_leaf(data, forest, t, of)) {
          CHECK_NEAR(forest.number(leaf), -plan.rate * sums.g / (sums.h + plan.rule.lambda), 1e-10);
          CHECK(sums.n >= plan.rule.min_rows);
        }
        for (std::size_t i = 0; i < now.size(); ++i)
          now.of(i)[s] += support::number_of(forest, t, data.frame, i);
      }
      CHECK_NEAR(out.curve.training[r], support::mean_loss_of(loss, now), 1e-10);
    }
    for (std::size_t i = 0; i < now.score.size(); ++i)
      CHECK_NEAR(data.rows.score[i], now.score[i], 1e-10);
  }
}

TEST(rows_outside_a_tree_order_the_levels_of_its_factors) {
  Random random(47);
  int splits = 0, absent = 0;
  for (int turn = 0; turn < 12; ++turn) {
    const BoostLoss loss = losses[turn % 3];
    const std::size_t n = 400;
    const int levels = turn % 2 == 0 ? 60 : 300;
    Data data(loss, n, levels, turn % 4 == 1, random);
    BoostPlan plan = plan_of(loss, 1, 3);
    plan.draws = n / 2;
    Draws how;
    how.replace = false;
    how.of_class = {plan.draws};
    Urns urns(n, how, std::vector<std::uint16_t>());
    std::vector<char> drawn(n, 0);
    for (std::uint32_t i : Drawer(urns).draw(plan.seeds[0]).positions) drawn[i] = 1;
    const std::vector<Gradients> gradients = support::gradients_of(loss, data.rows);
    const BoostedTrees out = run(data, plan, 1 + turn % 3);
    const ForestView forest = out.trees.view();
    for (std::size_t t = 0; t < forest.trees; ++t) {
      std::vector<LeafSums> others(static_cast<std::size_t>(levels));
      std::vector<char> inside(static_cast<std::size_t>(levels), 0);
      for (std::size_t i = 0; i < n; ++i) {
        if (data.level[i] == missing_code) continue;
        const auto level = static_cast<std::size_t>(data.level[i] - 1);
        if (drawn[i]) {
          inside[level] = 1;
          continue;
        }
        const Gradient& of = gradients[t].of[i];
        others[level].g += of.g;
        others[level].h += of.h;
        others[level].n += 1;
      }
      for (std::size_t node = forest.root(t); node < forest.root(t + 1); ++node) {
        if (forest.is_leaf(node) || forest.column(node) != 2) continue;
        ++splits;
        double most[2] = {-HUGE_VAL, -HUGE_VAL}, least[2] = {HUGE_VAL, HUGE_VAL};
        for (std::size_t b = 0; b < others.size(); ++b) {
          const int side = forest.sides[static_cast<std::size_t>(forest.cut[node]) + b];
          // Levels that no row has are on no side; those of other rows are on one.
          CHECK(side != 0 || others[b].n == 0 || others[b].g == 0);
          CHECK(side == 0 || others[b].n > 0 || inside[b]);
          absent += side != 0 && !inside[b];
          if (side == 0) continue;
          const double leaf = -others[b].g / (others[b].h + plan.rule.lambda);
          most[side - 1] = std::max(most[side - 1], leaf);
          least[side - 1] = std::min(least[side - 1], leaf);
        }
        const double slack = 1e-6;  // gradients are counted in units
        CHECK(most[0] <= least[1] + slack || most[1] <= least[0] + slack);
      }
    }
  }
  CHECK(splits > 10 && absent > 100);
}

TEST(rows_left_out_and_rows_held_out_follow_the_trees) {
  Random random(42);
  for (int turn = 0; turn < 12; ++turn) {
    const BoostLoss loss = losses[turn % 3];
    Data data(loss, 200, 5, false, random);
    BoostPlan plan = plan_of(loss, 6, 3);
    plan.draws = 60;
    plan.columns = 2;
    // The second half is held out.
    const std::vector<int> training = [] {
      std::vector<int> rows;
      for (int i = 1; i <= 100; ++i) rows.push_back(i);
      return rows;
    }();
    std::vector<int> held_out;
    for (int i = 101; i <= 200; ++i) held_out.push_back(i);
    data.sample.rows = training.data();
    data.sample.size = 100;
    const std::size_t k = data.rows.outputs;
    const auto part = [&](std::size_t first) {
      ScoredRows some;
      some.outputs = k;
      some.y.assign(data.rows.y.begin() + static_cast<long>(first),
                    data.rows.y.begin() + static_cast<long>(first + 100));
      some.score.assign(data.rows.score.begin() + static_cast<long>(first * k),
                        data.rows.score.begin() + static_cast<long>((first + 100) * k));
      return some;
    };
    ScoredRows inside = part(0), outside = part(100);
    Team team(1 + turn % 2);
    Booster booster(data.frame, data.sample, inside, held_out, outside, plan, team);
    std::atomic<std::size_t> done{0};
    const BoostedTrees out = booster.run(done, 0, team);
    CHECK(done.load() == 6);
    const ForestView forest = out.trees.view();
    std::vector<double> expected = data.rows.score;
    for (std::size_t t = 0; t < forest.trees; ++t) {
      std::vector<std::size_t> used;
      const std::size_t end = t + 1 < forest.trees ? forest.root(t + 1) : forest.nodes;
      double weight = 0;
      for (std::size_t node = forest.root(t); node < end; ++node) {
        if (forest.is_leaf(node)) {
          weight += forest.leaf_weight(node);
        } else if (std::find(used.begin(), used.end(), forest.column(node)) == used.end()) {
          used.push_back(forest.column(node));
        }
      }
      CHECK(weight == 60.0);
      CHECK(used.size() <= 2);
      for (std::size_t i = 0; i < 200; ++i)
        expected[i * k + static_cast<std::size_t>(out.output[t])] +=
            support::number_of(forest, t, data.frame, i);
    }
    for (std::size_t i = 0; i < 100 * k; ++i) {
      CHECK_NEAR(inside.score[i], expected[i], 1e-10);
      CHECK_NEAR(outside.score[i], expected[100 * k + i], 1e-10);
    }
    CHECK_NEAR(out.curve.validation.back(), support::mean_loss_of(loss, outside), 1e-10);
  }
}

TEST(no_leaf_violates_a_direction) {
  Random random(43);
  for (int turn = 0; turn < 1000; ++turn) {
    const BoostLoss loss = losses[turn % 2];
    Data data(loss, 60, 4, turn % 5 == 0, random);
    BoostPlan plan = plan_of(loss, 4, random.between(1, 5));
    plan.rate = 0.8;
    plan.rule.lambda = turn % 4 == 0 ? 0.0 : 1.0;
    plan.rule.monotone = {0, random.chance(0.5) ? 1 : -1, 0, random.chance(0.5) ? 1 : -1};
    const BoostedTrees out = run(data, plan);
    const ForestView forest = out.trees.view();
    // Each row, with one predictor moved.
    const auto sum = [&](const Frame& frame) {
      double all = 0;
      for (std::size_t t = 0; t < forest.trees; ++t) all += support::number_of(forest, t, frame, 0);
      return all;
    };
    for (std::size_t i = 0; i < 8; ++i) {
      std::vector<double> few{data.few[i]}, many{data.many[i]};
      std::vector<int> level{data.level[i]}, grade{data.grade[i]};
      Frame one;
      one.add_numbers(few);
      one.add_numbers(many);
      one.add_levels(level, 4);
      one.add_levels(grade, 4, Kind::ordered);
      double last = -HUGE_VAL * plan.rule.monotone[1];
      for (int step = 0; step <= 40; ++step) {
        many[0] = step / 40.0;
        const double now = sum(one);
        CHECK(plan.rule.monotone[1] * (now - last) >= -1e-12);
        last = now;
      }
      many[0] = data.many[i];
      last = -HUGE_VAL * plan.rule.monotone[3];
      for (int step = 1; step <= 4; ++step) {
        grade[0] = step;
        const double now = sum(one);
        CHECK(plan.rule.monotone[3] * (now - last) >= -1e-12);
        last = now;
      }
    }
  }
}

TEST(a_stump_on_many_levels_is_the_best_prefix_of_their_means) {
  Random random(44);
  for (int levels : {40, 256, 700}) {
    const std::size_t n = 2000;
    std::vector<int> level(n);
    Frame frame;
    Sample sample;
    sample.size = n;
    ScoredRows rows;
    std::map<int, std::pair<double, double>> of;  // sum and number, by level
    for (std::size_t i = 0; i < n; ++i) {
      level[i] = random.between(1, levels);
      rows.y.push_back(level[i] % 7 + random.uniform());
      rows.score.push_back(0.0);
      of[level[i]].first += rows.y[i];
      of[level[i]].second += 1;
    }
    frame.add_levels(level, levels);
    std::vector<std::pair<double, double>> sums;
    for (const auto& one : of) sums.push_back(one.second);
    std::sort(sums.begin(), sums.end(),
              [](const auto& a, const auto& b) { return a.first / a.second < b.first / b.second; });
    double all = 0, left = 0, n_left = 0, best = 0;
    for (const auto& [sum, count] : sums) all += sum;
    for (const auto& [sum, count] : sums) {
      left += sum;
      n_left += count;
      const double n_right = static_cast<double>(n) - n_left;
      if (n_right == 0) break;
      best = std::max(best, left * left / n_left + (all - left) * (all - left) / n_right);
    }
    BoostPlan plan = plan_of(BoostLoss::squared, 1, 1);
    plan.rate = 1.0;
    plan.rule.lambda = 0.0;
    plan.rule.min_rows = 1.0;
    Team team(2);
    ScoredRows nothing;
    const std::vector<int> no_rows;
    Booster booster(frame, sample, rows, no_rows, nothing, plan, team);
    std::atomic<std::size_t> done{0};
    const BoostedTrees out = booster.run(done, 0, team);
    CHECK(out.trees.variable.size() == 3);
    double squares = 0;  // of the predictions: as much as the split reduces the loss
    for (double score : rows.score) squares += score * score;
    CHECK_NEAR(squares, best, 1e-8 * best);
  }
}

TEST(of_equal_columns_the_first_is_split) {
  Random random(45);
  Data data(BoostLoss::squared, 200, 5, false, random);
  Frame twice;
  for (int copy = 0; copy < 3; ++copy) twice.add_numbers(data.many);
  BoostPlan plan = plan_of(BoostLoss::squared, 3, 3);
  Team team(1);
  ScoredRows nothing;
  const std::vector<int> no_rows;
  Booster booster(twice, data.sample, data.rows, no_rows, nothing, plan, team);
  std::atomic<std::size_t> done{0};
  const BoostedTrees out = booster.run(done, 0, team);
  int splits = 0;
  for (int variable : out.trees.variable) {
    CHECK(std::abs(variable) <= 1);  // the first column, or a leaf
    splits += variable != 0;
  }
  CHECK(splits > 5);
}

// The same model, scores and losses with any number of threads; many rows, so all passes are
// shared.
TEST(threads_change_nothing) {
  int turn = 0;
  for (BoostLoss loss : losses) {
    for (std::size_t n : {30000, 9000, 500}) {
      for (bool weighted : {false, true}) {
        BoostPlan plan = plan_of(loss, 2, 1 + 2 * (turn % 3));
        if (turn % 4 == 1) plan.draws = n / 2;
        if (turn % 4 == 2) plan.turns = {{1}, {0, 3}, {2}};
        if (turn % 4 == 3) plan.columns = 2;
        if (turn % 5 == 0) plan.rule.monotone = {0, 1, 0, -1};
        if (turn % 7 == 3) plan.stop.max_leaves = 5;
        ++turn;
        Random random(45 + turn);
        const Random same = random;
        Data data(loss, n, turn % 2 == 0 ? 300 : 7, weighted, random);
        const BoostedTrees first = run(data, plan, 1);
        for (int threads : {2, 3, 16}) {
          Random again = same;
          Data other(loss, n, turn % 2 == 0 ? 300 : 7, weighted, again);
          const BoostedTrees second = run(other, plan, threads);
          CHECK(first.trees.variable == second.trees.variable);
          CHECK(first.trees.cut == second.trees.cut);
          CHECK(first.trees.sides == second.trees.sides);
          CHECK(first.trees.right == second.trees.right);
          CHECK(first.trees.weight == second.trees.weight);
          CHECK(first.gain == second.gain);
          CHECK(first.curve.training == second.curve.training);
          CHECK(data.rows.score == other.rows.score);
        }
      }
    }
  }
}

TEST(trees_of_turns_split_the_columns_of_their_turn) {
  Random random(61);
  for (const BoostLoss loss : losses) {
    Data data(loss, 120, 5, false, random);
    BoostPlan plan = plan_of(loss, 4, 3);
    plan.turns = {{1}, {0, 3}, {2}};
    const BoostedTrees out = run(data, plan);
    const ForestView forest = out.trees.view();
    const std::size_t k = data.rows.outputs;
    CHECK(forest.trees == 4 * 3 * k);
    std::size_t splits = 0;
    for (std::size_t t = 0; t < forest.trees; ++t) {
      CHECK(out.round[t] == static_cast<int>(t / (3 * k)));
      const auto& turn = plan.turns[t / k % 3];
      const std::size_t end = t + 1 < forest.trees ? forest.root(t + 1) : forest.nodes;
      for (std::size_t v = forest.root(t); v < end; ++v) {
        if (forest.is_leaf(v)) continue;
        ++splits;
        CHECK(std::count(turn.begin(), turn.end(), forest.column(v)) == 1);
      }
    }
    CHECK(splits > 12);
  }
}

TEST(the_gain_of_columns_is_that_of_one_tree_of_them) {
  Random random(62);
  for (const BoostLoss loss : losses) {
    Data data(loss, 150, 5, true, random);
    BoostPlan plan = plan_of(loss, 1, 2);
    plan.turns = {{1, 3}};
    Team team(1);
    ScoredRows nothing;
    nothing.outputs = data.rows.outputs;
    const std::vector<int> no_rows;
    ScoredRows scores = data.rows;
    Booster booster(data.frame, data.sample, scores, no_rows, nothing, plan, team);
    const double gain = booster.gain_of({1, 3}, team);
    CHECK(scores.score == data.rows.score);
    const BoostedTrees out = run(data, plan);
    double sum = 0.0;
    for (double g : out.gain) sum += g;
    CHECK(gain > 0.0);
    if (data.rows.outputs == 1) CHECK_NEAR(gain, sum, 1e-9 * gain);
    CHECK(booster.gain_of({0}, team) < gain);
  }
}

TEST(a_run_ends_after_rounds_without_improvement) {
  Random random(63);
  Data data(BoostLoss::squared, 100, 5, false, random);
  BoostPlan plan = plan_of(BoostLoss::squared, 40, 4);
  plan.rate = 1.0;
  plan.patience = 3;
  // Held-out numbers without any relation to the columns.
  ScoredRows held;
  std::vector<int> rows;
  for (int i = 1; i <= 60; ++i) {
    rows.push_back(i);
    held.y.push_back(20 * random.uniform());
    held.score.push_back(10.0);
  }
  Team team(1);
  Booster booster(data.frame, data.sample, data.rows, rows, held, plan, team);
  std::atomic<std::size_t> done{0};
  const BoostedTrees out = booster.run(done, 0, team);
  const std::vector<double>& loss = out.curve.validation;
  const auto best = std::min_element(loss.begin(), loss.end()) - loss.begin();
  CHECK(loss.size() < 40 && static_cast<int>(loss.size()) == best + 1 + 3);
  CHECK(done == loss.size());
}

// The folds of rows 1 to n: every third row is held out in turn.
static std::vector<BoostFold> folds_of(const Data& data, const BoostPlan& plan,
                                       std::vector<std::vector<int>>& rows) {
  std::vector<BoostFold> out(3);
  rows.assign(3, {});
  const std::size_t k = data.rows.outputs;
  for (std::size_t f = 0; f < 3; ++f) {
    BoostFold& fold = out[f];
    fold.plan = plan;
    fold.training.outputs = fold.validation.outputs = k;
    for (std::size_t i = 0; i < data.rows.size(); ++i) {
      const bool held = i % 3 == f;
      ScoredRows& part = held ? fold.validation : fold.training;
      part.y.push_back(data.rows.y[i]);
      for (std::size_t s = 0; s < k; ++s) part.score.push_back(data.rows.score[i * k + s]);
      (held ? fold.held_out : rows[f]).push_back(static_cast<int>(i) + 1);
    }
    fold.sample.rows = rows[f].data();
    fold.sample.size = rows[f].size();
  }
  return out;
}

TEST(folds_have_the_losses_of_their_own_runs_until_the_mean_stops_falling) {
  Random random(47);
  for (int turn = 0; turn < 60; ++turn) {
    const BoostLoss loss = losses[turn % 3];
    Data data(loss, 90, 4, false, random);
    BoostPlan plan = plan_of(loss, 45, 3);
    plan.draws = turn % 2 == 0 ? 0 : 40;
    std::vector<std::vector<int>> rows;
    std::vector<BoostFold> folds = folds_of(data, plan, rows);
    std::vector<std::vector<double>> alone;
    for (BoostFold one : folds) {
      Team team(1);
      std::atomic<std::size_t> done{0};
      Booster booster(data.frame, one.sample, one.training, one.held_out, one.validation, one.plan,
                      team);
      alone.push_back(booster.run(done, 0, team).curve.validation);
    }
    const std::size_t patience = static_cast<std::size_t>(random.between(0, 6));
    std::size_t expected = 45, since = 0;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < 45 && expected == 45; ++r) {
      const double mean = alone[0][r] + alone[1][r] + alone[2][r];
      since = mean < best ? 0 : since + 1;
      best = std::min(best, mean);
      if (patience > 0 && since >= patience) expected = r + 1;
    }
    Team team(1 + turn % 4);
    std::atomic<std::size_t> done{0};
    const auto found = losses_of_folds(data.frame, folds, patience, done, team);
    CHECK(found.size() == 3);
    for (std::size_t f = 0; f < 3; ++f) {
      CHECK(found[f].size() == expected);
      for (std::size_t r = 0; r < expected; ++r) CHECK(found[f][r] == alone[f][r]);
    }
  }
}

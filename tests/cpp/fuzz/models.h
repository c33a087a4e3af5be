// Models of a problem, each with the properties that must hold for it.
#pragma once

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "fuzz/ensembles.h"
#include "fuzz/predictions.h"
#include "fuzz/tree_properties.h"
#include "grow/ledger_source.h"
#include "roads/roads.h"
#include "support/jacobi.h"
#include "tectree/ensemble/adaboost.hpp"
#include "tectree/ensemble/rotation_forest.hpp"
#include "tectree/grow/counted/grow_collected.hpp"
#include "tectree/prune/error_based.hpp"
#include "tectree/prune/reduced_error.hpp"
#include "tectree/prune/rpart_penalties.hpp"
#include "tectree/splines/forward_pass.hpp"

namespace fuzz {

inline void require_same(const Forest& a, const Forest& b, const char* what) {
  require(a.start == b.start && a.variable == b.variable && a.right == b.right && a.cut == b.cut &&
              a.sides == b.sides && a.shares == b.shares && a.weight == b.weight,
          what);
}

// A road that admits the problem leads to the same tree.
inline void take_road(const roads::Case& c, const Tree& usual, int which) {
  const std::size_t all = roads::all_roads().size();
  const std::size_t at = static_cast<std::size_t>(which) % (all + roads::oracle_roads().size());
  const roads::Road& road = at < all ? roads::all_roads()[at] : roads::oracle_roads()[at - all];
  if (road.refusal(c)) return;
  const std::string said = road.run(c, usual);
  require(said.empty(), road.name, said);
}

inline void prune(const roads::Case& c, const roads::Posed& posed, const Tree& tree, int how) {
  const tectree::Problem& p = posed.problem;
  const tectree::NodeRisk risk{c.loss, (how & 1) != 0};
  const std::vector<double> mass = tectree::row_masses(p);
  tectree::Sample sample = p.sample;
  if (!mass.empty()) sample.weights = mass.data();
  Team team(1);
  std::vector<Tree> pruned;
  if (c.is_class()) {
    pruned.push_back(tectree::prune_pessimistic(tree, risk));
    pruned.push_back(tectree::collapse(tree, risk));
    pruned.push_back(tectree::ErrorBasedPruner(tree, risk, 0.25, nullptr).run(team));
  }
  const auto loss = tectree::row_loss(risk.loss, p.response, p.criterion);
  pruned.push_back(tectree::prune_reduced_error(tree, p.frame, sample, loss, team));
  for (const auto rule : {tectree::PenaltyRule::weakest_link, tectree::PenaltyRule::rpart}) {
    const auto penalties = tectree::penalties_by(rule, tree, risk);
    const double at = penalties[static_cast<std::size_t>(how) % penalties.size()];
    pruned.push_back(tectree::prune_at_penalty(tree, risk, penalties, std::max(at, 0.0)));
  }
  for (const Tree& one : pruned) {
    require(one.size() >= 1 && one.size() <= tree.size(), "a pruned tree is larger");
    require(one.n[0] == tree.n[0], "a pruned tree has other rows");
    require_sound(one, c, p.frame);
  }
}

inline void explain(const Tree& tree, const tectree::Frame& frame) {
  Forest one;
  tectree::append(tree, frame, one);
  tectree::check_forest(one.view(), frame);
  explain(one.view(), frame);
}

inline void grow_forest(const roads::Case& c, const roads::Posed& posed, int how) {
  const Forest forest = grown_forest(c, posed, how, 1);
  const tectree::ForestView view = forest.view();
  tectree::check_forest(view, posed.problem.frame);
  if (how >= 128) require_same(forest, grown_forest(c, posed, how, 2), "a forest by two threads");
  const std::size_t n = c.rows();
  const std::vector<double> said = predictions(view, posed.problem.frame, 1);
  for (std::size_t i = 0; i < n && c.is_class(); ++i) {
    double sum = 0.0;
    for (std::size_t s = 0; s < view.outputs(); ++s) sum += said[s * n + i];
    require(is_near(sum, 2.0), "shares of a forest");
  }
  explain(view, posed.problem.frame);
}

// Scores are the sums of the trees' numbers.
inline void boost(const roads::Case& c, const roads::Posed& posed, int how) {
  if (c.table.n_classes == 1) return;
  tectree::ScoredRows rows;
  const tectree::BoostedTrees out = boosted(c, posed, how, 1, rows);
  tectree::check_forest(out.trees.view(), posed.problem.frame);
  std::vector<double> sum(rows.score.size(), 0.0);
  for (std::size_t t = 0; t < out.trees.trees(); ++t) {
    tectree::ForestView one = out.trees.view();
    one.start += t;
    one.trees = 1;
    Team team(1);
    tectree::RowBlock block(posed.problem.frame);
    block.fill(c.rows(), [](std::size_t i) { return i; });
    std::vector<std::uint32_t> all = tectree::all_positions(c.rows());
    tectree::TreeWalk walk(block, true);
    walk.follow(one, 0, all);
    for (std::size_t i = 0; i < c.rows(); ++i)
      sum[i * rows.outputs + static_cast<std::size_t>(out.output[t])] += walk.number(i);
  }
  for (std::size_t i = 0; i < sum.size(); ++i)
    require(is_near(sum[i], rows.score[i]), "scores of a boosted model",
            std::to_string(rows.score[i]) + " instead of " + std::to_string(sum[i]));
  if (how < 128) return;
  for (int threads : {2, 3, 16}) {
    tectree::ScoredRows again;
    require_same(out.trees, boosted(c, posed, how, threads, again).trees, "boosting by threads");
    require(again.score == rows.score, "scores by threads");
  }
}

inline void boost_classes(const roads::Case& c, const roads::Posed& posed) {
  if (c.table.n_classes < 2) return;
  Team team(1);
  std::atomic<std::size_t> done{0};
  tectree::StopRule stop = posed.stop;
  stop.max_depth = std::min(stop.max_depth, 3.0);
  const auto out =
      tectree::boost_by_weights(posed.problem, stop, posed.missing(), 3, 1.0, done, team);
  double sum = 0.0, before = 0.0;
  for (std::size_t i = 0; i < c.rows(); ++i) {
    require(out.weight[i] >= 0.0, "a weight of boosting");
    sum += out.weight[i];
    before += c.table.w(i);
  }
  require(is_near(sum, before), "weights of boosting");
  require(out.trees.trees() == out.vote.size(), "votes of boosting");
}

// Complete numbers only.
inline bool is_complete(const roads::Case& c) {
  if (c.has_missing()) return false;
  for (const auto kind : c.table.kind) {
    if (kind != tectree::Kind::numeric) return false;
  }
  return true;
}

inline void rotate(const roads::Case& c, const roads::Posed& posed, int how) {
  if (!is_complete(c)) return;
  tectree::RotationPlan plan;
  plan.seeds = {c.seed, c.seed + 1};
  plan.rule.group_size = 1 + static_cast<std::size_t>(how) % c.table.x.size();
  const auto grow = [&](int threads) {
    Team team(threads);
    std::atomic<std::size_t> done{0};
    return tectree::RotationGrower(posed.problem, posed.stop, posed.missing(), plan,
                                   support::jacobi)
        .run(done, team);
  };
  const tectree::RotationForest forest = grow(1);
  tectree::check_forest(forest.trees.view(), posed.problem.frame);
  for (double x : forest.axes) require(std::fabs(x) <= 1.0 + 1e-9, "a loading");
  if (how >= 128) require_same(forest.trees, grow(2).trees, "a rotation forest by two threads");
}

inline void fit_splines(const roads::Case& c, int how) {
  if (c.is_class() || !is_complete(c) || c.rows() < 4) return;
  std::vector<double> x;
  for (const auto& column : c.table.x) x.insert(x.end(), column.begin(), column.end());
  const tectree::SplineData data{
      c.rows(), c.table.x.size(),      1,
      x.data(), c.table.number.data(), c.table.weight.empty() ? nullptr : c.table.weight.data()};
  tectree::SplineRules rules;
  rules.degree = 1 + how % 3;
  rules.terms = 1 + (how >> 2) % 16;
  Team one(1), two(2);
  tectree::ForwardPass pass(data, rules, one), again(data, rules, two);
  pass.run();
  again.run();
  require(pass.terms.size() <= static_cast<std::size_t>(rules.terms), "terms of splines");
  require(pass.terms.size() == again.terms.size(), "splines by two threads");
  for (std::size_t t = 0; t < pass.terms.size(); ++t) {
    require(pass.terms[t].degree <= rules.degree, "the degree of a term");
    require(pass.terms[t].values == again.terms[t].values, "splines by two threads");
    for (double v : pass.terms[t].values) require(std::isfinite(v), "a value of a term");
  }
}

template <class Chooser>
Tree grow_by_level(const roads::Case& c, const roads::Posed& posed) {
  const support::LedgerTable<Chooser> table(posed.problem);
  const auto ledger = table.ledger();
  Team team(1);
  for (;;) {
    Tree tree = ledger->grow(posed.stop, tectree::missing_policy(c.missing.c_str()), team);
    const std::vector<int> asks = ledger->asks();
    if (asks.empty()) {
      if (roads::by_c45(c)) tectree::cut_at_values(tree, posed.problem.frame, table.codes(), team);
      return tree;
    }
    for (int id : asks) ledger->answer(id, table.cells_of(*ledger, id));
    require(ledger->settle(), "the counts of a table add up");
  }
}

// A tree from counts is the tree from rows, if counts suit the problem.
inline void count(const roads::Case& c, const roads::Posed& posed, const Tree& usual) {
  if (c.missing != "majority" && c.missing != "drop") return;
  if (!c.table.size.empty() || !c.factors.plain() || !c.loss.empty()) return;
  if (posed.problem.control.random_cuts || posed.stop.has_test()) return;
  for (double w : c.table.weight) {
    if (w != std::floor(w)) return;
  }
  Tree tree;
  try {
    tree = posed.problem.response.is_class() ? grow_by_level<tectree::ClassesOfCells>(c, posed)
                                             : grow_by_level<tectree::NumbersOfCells>(c, posed);
  } catch (const std::invalid_argument&) {
    return;  // a setting that needs rows
  }
  roads::Terms terms;
  terms.tolerance = 1e-9;
  // Frequencies are rows to counts.
  if (!c.table.weight.empty()) return require_sums(tree, false);
  const std::string said = roads::Difference(usual, tree, terms).said();
  require(said.empty(), "a tree from counts", said);
}

}  // namespace fuzz

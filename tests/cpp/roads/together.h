// The roads behind a tuning run and tec_scores(): trees on subsets, trees by several criteria grown
// together, and the candidates of the root.
#pragma once

#include <tectree/grow/after/list_candidates.hpp>
#include <tectree/grow/many/folds.hpp>
#include <tectree/grow/tuning/criteria_grower.hpp>
#include <tectree/predict/predictor.hpp>

#include <numeric>
#include <string>
#include <vector>

#include "roads/problem.h"
#include "roads/same.h"

namespace roads {

inline std::vector<std::uint32_t> positions(std::size_t n) {
  std::vector<std::uint32_t> out(n);
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

// The case's rows as a subset of those and of as many others between them.
inline std::string subset_of_a_sample(const Case& c, const Tree& usual) {
  Way way;
  way.small = c.seed % 2 == 0 ? way.small : c.small;
  for (std::size_t i = 0; i < c.rows(); i += 3) way.strangers.push_back(i);
  Posed posed(c, way);
  // The sample includes the strangers, the subset excludes them.
  std::vector<std::uint32_t> kept;
  for (std::size_t i = 0; i < posed.problem.sample.size; ++i)
    kept.push_back(static_cast<std::uint32_t>(posed.problem.sample.row(i)));
  posed.problem.sample.rows = nullptr;
  posed.problem.sample.size = posed.problem.frame.n_rows;
  tectree::Team team(1);
  Terms terms;
  terms.tolerance = close_by;
  terms.surrogates = !tectree::surrogates_can_wait(posed.problem, posed.missing(), team);
  const tectree::TreeGrower grower(posed.problem, posed.missing(), team);
  return Difference(usual, grower.grow(kept, posed.stop, team), terms).said();
}

inline const char* to_forest(const Case& c) {
  if (!c.is_class()) return "no classes";
  const Posed posed(c, Way());
  tectree::Team team(1);
  return tectree::suits_criteria_run(posed.problem, posed.stop, posed.missing(), team)
             ? nullptr
             : "what a forest does not grow";
}

// The prediction of every row of the frame.
struct Predicted {
  std::vector<int> value;
  std::vector<double> share;  // row by class
};

// The totals of the parts of a row that ends in several nodes.
inline void mix(const Tree& tree, const tectree::SharedRows& shared, std::size_t n,
                Predicted& out) {
  const int k = tree.n_classes;
  for (std::size_t j = 0; j < shared.row.size(); ++j) {
    const auto row = static_cast<std::size_t>(shared.row[j]);
    const bool first = j == 0 || shared.row[j - 1] != shared.row[j];
    double most = 0.0;
    for (int s = 0; s < k; ++s) {
      double& sum = out.share[s * n + row];
      sum = (first ? 0.0 : sum) + shared.share[j] * tree.shares(shared.node[j])[s];
      most = std::max(most, sum);
    }
    int best = 0;
    while (out.share[best * n + row] < most * (1 - 1e-12)) ++best;
    out.value[row] = best;
  }
}

inline Predicted predict(const Tree& tree, const tectree::Frame& frame, tectree::Team& team) {
  const std::size_t n = frame.n_rows;
  std::vector<int> leaf(n);
  tectree::predict_leaves(tree, frame, leaf.data(), team);
  Predicted out{std::vector<int>(n),
                std::vector<double>(n * static_cast<std::size_t>(tree.n_classes))};
  for (std::size_t i = 0; i < n; ++i) {
    out.value[i] = static_cast<int>(tree.yval[leaf[i]]);
    for (int s = 0; s < tree.n_classes; ++s) out.share[s * n + i] = tree.shares(leaf[i])[s];
  }
  mix(tree, tectree::shared_rows(tree, frame, team), n, out);
  return out;
}

inline std::string lane_difference(const tectree::Outcome& outcome, std::size_t lane,
                                   const Tree& tree, const Predicted& alone) {
  const auto differs = [&](const char* what, int a, int b) {
    return std::string(what) + ' ' + std::to_string(b) + " instead of " + std::to_string(a);
  };
  const int n = static_cast<int>(tree.size());
  if (outcome.nodes[lane] != n) return differs("nodes", n, outcome.nodes[lane]);
  const int leaves = static_cast<int>(std::count(tree.kind.begin(), tree.kind.end(), 0));
  if (outcome.leaves[lane] != leaves) return differs("leaves", leaves, outcome.leaves[lane]);
  if (outcome.value[lane] != alone.value) return "classes of the rows differ";
  for (std::size_t i = 0; i < alone.share.size(); ++i) {
    if (std::fabs(outcome.share[lane][i] - alone.share[i]) > 1e-12)
      return "shares of the rows differ";
  }
  return "";
}

// By three criteria at once, each against its own tree; every row is predicted.
inline std::string grown_together(const Case& c, const Tree& usual) {
  Way way;
  way.small = c.seed % 2 == 0 ? way.small : c.small;
  const Posed posed(c, way);
  tectree::Team team(c.seed % 16 == 0 ? 2 : 1);
  const std::vector<tectree::CriterionChoice> criteria{
      {c.setting.criterion, c.setting.parameter}, {"gini", 2.0}, {"tsallis", 1.3}};
  const tectree::CriteriaGrower grower(posed.problem, criteria, posed.stop, posed.missing(), team);
  const std::size_t n = posed.problem.frame.n_rows;
  tectree::Outcome outcome(positions(n), criteria.size(), c.table.n_classes, true, 0.0);
  grower.grow(positions(n), outcome, team);
  for (std::size_t lane = 0; lane < criteria.size(); ++lane) {
    Case alone;
    if (lane > 0) {
      alone = c;
      alone.setting.criterion = criteria[lane].name;
      alone.setting.parameter = criteria[lane].parameter;
    }
    const Tree tree = lane == 0 ? usual : Posed(alone, Way()).grow();
    const std::string said =
        lane_difference(outcome, lane, tree, predict(tree, posed.problem.frame, team));
    if (!said.empty()) return criteria[lane].name + ": " + said;
  }
  return "";
}

// The winner among the root's candidates is the tree's first split.
inline std::string candidates_of_root(const Case& c, const Tree& usual) {
  Posed posed(c, Way());
  posed.problem.control.unknown = posed.missing().search;
  tectree::Team team(1);
  const tectree::Tree& tree = usual;
  int chosen = 0;
  for (const tectree::Candidate& found : tectree::list_candidates(posed.problem, false, team)) {
    if (!found.chosen) continue;
    ++chosen;
    if (tree.kind[0] == 0) continue;
    if (!tectree::same_split(found.split, tree.split_at(0))) return "another split at the root";
    if (std::fabs(found.gain - tree.gain[0]) > close_by * (1 + tree.impurity[0]) ||
        std::fabs(found.score - tree.score[0]) > close_by * (1 + tree.impurity[0]))
      return "another gain or score at the root";
  }
  // The tree may stop although there is a split to make.
  return tree.kind[0] != 0 && chosen != 1 ? "no candidate is chosen at the root" : "";
}

}  // namespace roads

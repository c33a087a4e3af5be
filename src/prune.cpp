// Pruning as called by R. A tree that R has held is checked first.
#include "marshal.h"

#include <map>

#include <tectree/prune/error_based.hpp>
#include <tectree/prune/own_folds.hpp>
#include <tectree/prune/prunings.hpp>
#include <tectree/prune/reduced_error.hpp>

using Rcpp::as;
using tectree::NodeRisk;
using tectree::Team;
using tectree::Tree;

namespace {

// Children must follow their parent, as pruning requires, and every node's parent must be the one
// that lists it as a child.
Tree as_checked_tree(const Rcpp::List& list, R_xlen_t n_columns) {
  Tree tree = as_described_tree(list);
  tectree::check_tree(tree, static_cast<std::size_t>(n_columns));
  for (std::size_t v = 0; v < tree.size(); ++v) {
    if (tree.kind[v] == 0) tree.n_children[v] = 0;
    for (int j = 0; j < tree.n_children[v]; ++j) {
      if (tree.parent[tectree::child_of(tree, static_cast<int>(v), j)] != static_cast<int>(v))
        throw tectree::DamagedTree("the parent of a child of node " + std::to_string(v + 1));
    }
  }
  for (std::size_t v = 0; v < tree.size(); ++v) {
    const bool before =
        v == 0 ? tree.parent[v] == -1 : tree.parent[v] >= 0 && tree.parent[v] < static_cast<int>(v);
    if (!before) throw tectree::DamagedTree("the parent of node " + std::to_string(v + 1));
  }
  return tree;
}

}  // namespace

// The tree with some inner nodes turned into leaves; numbers from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_cut_(Rcpp::List tree, double n_columns, Rcpp::IntegerVector nodes) {
  return interruptible([&] {
    const Tree whole = as_checked_tree(tree, static_cast<R_xlen_t>(n_columns));
    std::vector<char> marked(whole.size(), 0);
    for (int node : nodes) {
      if (node < 1 || static_cast<std::size_t>(node) > whole.size())
        Rcpp::stop("there is no node %d", node);
      marked[node - 1] = 1;
    }
    return as_list(tectree::cut_at(whole, [&](int v) { return marked[v] != 0; }));
  });
}

// Pruning that needs only the tree: "pep", "ebp" without raising, "collapse", or "ccp" at a
// penalty.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_prune_(Rcpp::List tree, double n_columns, std::string method, double value,
                      Rcpp::List risk, std::string rule = "weakest_link") {
  return interruptible([&] {
    const Tree whole = as_checked_tree(tree, static_cast<R_xlen_t>(n_columns));
    const NodeRisk node_risk = as_risk(risk, whole.n_classes);
    Team team = make_team(1);
    if (method == "pep") return as_list(tectree::prune_pessimistic(whole, node_risk));
    if (method == "collapse") return as_list(tectree::collapse(whole, node_risk));
    if (method == "ebp")
      return as_list(tectree::ErrorBasedPruner(whole, node_risk, value, nullptr).run(team));
    const auto penalties = tectree::penalties_by(as_penalty_rule(rule), whole, node_risk);
    return as_list(tectree::prune_at_penalty(whole, node_risk, penalties, value));
  });
}

// Pruning that runs rows down the tree: "rep" on rows it was not grown from, "ebp" with raising on
// its training rows.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_prune_rows_(Rcpp::List tree, std::string method, double value, Rcpp::List risk,
                           Rcpp::List problem) {
  return interruptible([&] {
    const MarshalledProblem m = as_problem(problem);
    const tectree::Problem& p = m.problem;
    const Tree whole = as_checked_tree(tree, static_cast<R_xlen_t>(p.frame.columns.size()));
    const NodeRisk node_risk = as_risk(risk, whole.n_classes);
    const std::vector<double> mass = tectree::row_masses(p);
    tectree::Sample sample = p.sample;
    if (!mass.empty()) sample.weights = mass.data();
    check_columns(whole, p.frame);
    Team team = make_team(m.threads);
    if (method == "rep") {
      const auto loss = tectree::row_loss(node_risk.loss, p.response, p.criterion);
      return as_list(tectree::prune_reduced_error(whole, p.frame, sample, loss, team));
    }
    const tectree::WeightFacts w = tectree::weigh(sample, team);
    const auto made = tectree::make_criterion(p.criterion, p.parameter, w.total, w.least);
    tectree::RaisedRows raised(whole, p.frame, sample, p.response, *made, node_risk, team);
    return as_list(tectree::ErrorBasedPruner(whole, node_risk, value, &raised).run(team));
  });
}

// The tree left by rpart's rule for growth at a penalty: absolute, or with `relative` a share of
// the root's risk.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_grown_by_rpart_(Rcpp::List tree, double n_columns, Rcpp::List risk, double penalty,
                               bool relative) {
  return interruptible([&] {
    const Tree whole = as_checked_tree(tree, static_cast<R_xlen_t>(n_columns));
    const NodeRisk node_risk = as_risk(risk, whole.n_classes);
    const double least = relative ? penalty * node_risk(whole, 0) : penalty;
    const auto penalties = tectree::rpart_penalties(whole, node_risk, least);
    return as_list(tectree::prune_at_penalty(whole, node_risk, penalties, least));
  });
}

// The sequence of cost-complexity pruning down to a penalty: absolute, or with `relative` a share
// of the root's risk.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_penalties_(Rcpp::List tree, double n_columns, Rcpp::List risk, double floor,
                          bool relative, std::string rule) {
  return interruptible([&] {
    const Tree whole = as_checked_tree(tree, static_cast<R_xlen_t>(n_columns));
    const NodeRisk node_risk = as_risk(risk, whole.n_classes);
    const auto penalties = tectree::penalties_by(as_penalty_rule(rule), whole, node_risk);
    const double root = node_risk(whole, 0);
    const tectree::PenaltyTable table =
        tectree::penalty_table(whole, node_risk, penalties, relative ? floor * root : floor);
    using Rcpp::_;
    return Rcpp::List::create(
        _["penalty"] = table.penalty, _["leaves"] = table.leaves, _["splits"] = table.splits,
        _["risk"] = table.risk, _["root_risk"] = root,
        _["root_loss"] = whole.n_classes > 0 ? node_risk.errors(whole, 0) : root,
        _["weight"] = whole.weight[0], _["node_penalty"] = penalties);
  });
}

// Prunings of one tree by bounds on the depth and on the weight of a split node, and by penalties
// per leaf: in units of the mean risk, or with `relative` a share of the root's risk; NA if there
// is none. For each of the nodes `at` (a row) the node of each pruning (a column) that contains its
// rows; `like`, the first pruning with the same column; and the sizes of the prunings.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_prunings_(Rcpp::List tree, double n_columns, Rcpp::List risk,
                         std::vector<double> max_depth, std::vector<double> min_split,
                         Rcpp::NumericVector penalty, Rcpp::LogicalVector relative,
                         Rcpp::IntegerVector at, std::string rule) {
  return interruptible([&] {
    const Tree whole = as_checked_tree(tree, static_cast<R_xlen_t>(n_columns));
    const NodeRisk node_risk = as_risk(risk, whole.n_classes);
    const double root = node_risk(whole, 0);
    for (int v : at) {
      if (v < 1 || static_cast<std::size_t>(v) > whole.size())
        Rcpp::stop("node %d does not exist", v);
    }
    std::vector<tectree::Pruning> prunings;
    for (std::size_t i = 0; i < max_depth.size(); ++i) {
      const bool penalized = !Rcpp::NumericVector::is_na(penalty[i]);
      const double unit = relative[i] ? root : whole.weight[0];
      prunings.push_back(
          {max_depth[i], min_split[i], penalized, penalized ? penalty[i] * unit : 0.0});
    }
    const int n = static_cast<int>(prunings.size());
    Rcpp::IntegerMatrix end(static_cast<int>(at.size()), n);
    Rcpp::IntegerVector like(n), nodes(n), leaves(n), depth(n);
    std::map<std::vector<int>, int> met;
    Team team = make_team(1);
    tectree::each_pruning(
        whole, node_risk, as_penalty_rule(rule), prunings, [&](std::size_t i, const auto& pruned) {
          team.check();
          std::vector<int> column;
          for (int v : at) column.push_back(pruned.end[v - 1] + 1);
          std::copy(column.begin(), column.end(),
                    end.begin() + i * static_cast<R_xlen_t>(at.size()));
          like[i] = met.emplace(std::move(column), static_cast<int>(i) + 1).first->second;
          nodes[i] = pruned.nodes;
          leaves[i] = pruned.leaves;
          depth[i] = pruned.depth;
        });
    using Rcpp::_;
    return Rcpp::List::create(_["end"] = end, _["like"] = like, _["nodes"] = nodes,
                              _["leaves"] = leaves, _["depth"] = depth);
  });
}

// The expected errors of leaves, from their training errors (C4.5's estimate at confidence `cf`).
// [[Rcpp::export(rng = false)]]
std::vector<double> tec_expected_errors_(std::vector<double> weight, std::vector<double> errors,
                                         double cf) {
  if (weight.size() != errors.size()) Rcpp::stop("there must be one weight per leaf");
  const tectree::ErrorEstimate estimate(cf);
  for (std::size_t v = 0; v < errors.size(); ++v) errors[v] = estimate(weight[v], errors[v]);
  return errors;
}

// The fold of each row, from 1, drawn from the data alone. `order` contains the rows from 1,
// grouped by class.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector tec_own_folds_(std::vector<int> order, std::vector<int> class_of, int count) {
  if (order.size() != class_of.size() || count < 1) Rcpp::stop("there must be one class per row");
  for (int& row : order) {
    if (row < 1 || static_cast<std::size_t>(row) > class_of.size()) Rcpp::stop("no such row");
    --row;
  }
  std::vector<int> fold = tectree::own_folds(order, class_of, count);
  for (int& f : fold) ++f;
  return Rcpp::wrap(fold);
}

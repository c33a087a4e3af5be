// Growth of one tree, of the trees of a cross-validation, and of those of a tuning run. R has
// validated the arguments.
#include "marshal.h"

#include <algorithm>

#include <tectree/grow/tuning/criteria_grower.hpp>
#include <tectree/prune/cross_validate.hpp>

using tectree::Team;
using tectree::Tree;

// [[Rcpp::export(rng = false)]]
Rcpp::List tec_fit_(Rcpp::List problem) {
  return interruptible([&] {
    MarshalledProblem m = as_problem(problem);
    Team team = make_team(m.threads);
    m.bring_to_scale(team);
    const tectree::MissingPolicy missing = tectree::defer_surrogates(m.problem, m.missing, team);
    Tree tree = tectree::grow_tree(m.problem, m.stop, missing, team);
    m.scale.undo(tree);
    return as_list(tree);
  });
}

// The tree with the surrogates of its splits, for the rows it was grown from, if growth postponed
// them.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_surrogates_(Rcpp::List tree, Rcpp::List problem) {
  return interruptible([&] {
    MarshalledProblem m = as_problem(problem);
    Team team = make_team(m.threads);
    m.bring_to_scale(team);
    if (!tectree::surrogates_can_wait(m.problem, m.missing, team)) return tree;
    Tree whole = as_described_tree(tree);
    tectree::add_surrogates(whole, m.problem, m.missing.surrogates, team);
    return as_list(whole);
  });
}

// Sums over the rows of each fold, by penalty, of the loss by a tree grown without the fold, and of
// its square. `group`: by position among the rows used, from 1. `least`: the penalty that the trees
// are grown at.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_cross_validate_(Rcpp::List problem, Rcpp::List risk, Rcpp::IntegerVector group,
                               int n_folds, std::vector<double> penalties, double least,
                               std::string rule) {
  return interruptible([&] {
    MarshalledProblem m = as_problem(problem);
    Team team = make_team(m.threads);
    m.bring_to_scale(team);
    const tectree::Problem& p = m.problem;
    for (double& penalty : penalties) penalty = m.scale.scaled_risk(penalty);
    const tectree::PenaltySequence sequence{as_risk(risk, p.response.n_classes),
                                            as_penalty_rule(rule), penalties,
                                            m.scale.scaled_risk(least)};
    if (static_cast<std::size_t>(group.size()) != p.sample.size)
      Rcpp::stop("there must be one fold number per row");
    std::vector<int> fold(group.begin(), group.end());
    for (int& f : fold) --f;
    tectree::FoldErrors errors =
        tectree::cross_validate(p, m.stop, m.missing, sequence, {fold.data(), n_folds}, team);
    for (double& x : errors.loss) x = m.scale.risk(x);
    for (double& x : errors.square) x = m.scale.risk(x, 2);
    return Rcpp::List::create(Rcpp::_["loss"] = errors.loss, Rcpp::_["square"] = errors.square);
  });
}

// ---- a tuning run: columns are coded once, and the trees of all criteria are grown together ----

namespace {

// What a run keeps from call to call. R's list keeps the vectors alive that `m` points into.
struct CodedRun {
  Rcpp::List problem;
  MarshalledProblem m;
  std::vector<std::size_t> position;  // of each row of the frame in the sample
  std::unique_ptr<tectree::CriteriaGrower> grower;
  // The latest folds, which an interrupt may have left unfinished.
  std::vector<tectree::Outcome> outcomes;
  std::vector<char> finished;
};

std::vector<std::uint32_t> rows_from_zero(const Rcpp::IntegerVector& rows, std::size_t n) {
  std::vector<std::uint32_t> out;
  out.reserve(rows.size());
  for (int row : rows) {
    if (row < 1 || static_cast<std::size_t>(row) > n) Rcpp::stop("row %d does not exist", row);
    out.push_back(static_cast<std::uint32_t>(row - 1));
  }
  return out;
}

std::vector<std::uint32_t> positions_of(const CodedRun& run, const Rcpp::IntegerVector& rows) {
  std::vector<std::uint32_t> out = rows_from_zero(rows, run.position.size());
  for (std::uint32_t& row : out) {
    row = static_cast<std::uint32_t>(run.position[row]);
    if (row >= run.m.problem.sample.size) Rcpp::stop("a row is not in the sample");
  }
  return out;
}

Rcpp::List as_list(const tectree::Outcome& outcome, int n_classes) {
  const R_xlen_t n_criteria = outcome.nodes.size();
  Rcpp::List value(n_criteria), prob(n_criteria);
  for (R_xlen_t l = 0; l < n_criteria; ++l) {
    Rcpp::IntegerVector code(outcome.value[l].begin(), outcome.value[l].end());
    for (int& v : code) ++v;
    value[l] = code;
    if (outcome.share.empty()) continue;
    Rcpp::NumericMatrix share(static_cast<int>(outcome.size()), n_classes);
    std::copy(outcome.share[l].begin(), outcome.share[l].end(), share.begin());
    prob[l] = share;
  }
  using Rcpp::_;
  return Rcpp::List::create(_["value"] = value, _["prob"] = prob, _["nodes"] = outcome.nodes,
                            _["leaves"] = outcome.leaves, _["depth"] = outcome.depth);
}

}  // namespace

// Codes the sample for trees by several criteria; NULL if they cannot be grown together. The
// criterion of the problem is one of them.
// [[Rcpp::export(rng = false)]]
SEXP tec_code_run_(Rcpp::List problem, Rcpp::List criteria) {
  return interruptible([&]() -> SEXP {
    auto run = std::make_unique<CodedRun>();
    run->problem = problem;
    run->m = as_problem(problem);
    const MarshalledProblem& m = run->m;
    Team team = make_team(m.threads);
    run->m.bring_to_scale(team);
    // A minimum size given as a share of the rows differs from fold to fold.
    if (m.by_share || !tectree::suits_criteria_run(m.problem, m.stop, m.missing, team))
      return R_NilValue;
    std::vector<tectree::CriterionChoice> choices;
    for (const Rcpp::List one : criteria) {
      choices.push_back({Rcpp::as<std::string>(one["name"]), Rcpp::as<double>(one["parameter"])});
    }
    const tectree::Sample& sample = m.problem.sample;
    run->position.assign(m.problem.frame.n_rows, sample.size);
    for (std::size_t i = 0; i < sample.size; ++i) run->position[sample.row(i)] = i;
    run->grower =
        std::make_unique<tectree::CriteriaGrower>(m.problem, choices, m.stop, m.missing, team);
    return Rcpp::XPtr<CodedRun>(run.release(), true);
  });
}

// What tec_run_folds_() returned, or would have returned for its `n_folds` folds without the
// interrupt: NULL for those that are not finished.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_finished_folds_(SEXP run, int n_folds) {
  CodedRun& f = *Rcpp::XPtr<CodedRun>(run).checked_get();
  Rcpp::List out(n_folds);
  for (std::size_t i = 0; i < f.outcomes.size(); ++i) {
    if (f.finished[i])
      out[static_cast<R_xlen_t>(i)] = as_list(f.outcomes[i], f.m.problem.response.n_classes);
  }
  f.outcomes.clear();
  return out;
}

// For each fold, grown from the rows `train`: where the rows `test` end by each criterion.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_run_folds_(SEXP run, Rcpp::List train, Rcpp::List test, bool prob, double smooth,
                          int threads) {
  return interruptible([&] {
    const Rcpp::XPtr<CodedRun> pointer(run);
    CodedRun& f = *pointer.checked_get();
    std::vector<std::vector<std::uint32_t>> kept;
    f.outcomes.clear();
    for (R_xlen_t i = 0; i < train.size(); ++i) {
      kept.push_back(positions_of(f, train[i]));
      f.outcomes.emplace_back(rows_from_zero(test[i], f.position.size()), f.grower->n_criteria(),
                              f.m.problem.response.n_classes, prob,
                              f.m.scale.scaled_weight(smooth));
    }
    f.finished.assign(kept.size(), 0);
    const auto grow = [&](std::size_t i, Team& its) {
      f.grower->grow(kept[i], f.outcomes[i], its);
      f.finished[i] = 1;
    };
    Team team = make_team(threads);
    if (kept.size() == 1) {
      grow(0, team);
    } else {
      team.each(kept.size(), grow);
    }
    return tec_finished_folds_(run, static_cast<int>(train.size()));
  });
}

// The whole trees from these rows, one per criterion, with the data for their estimates: for each
// node its parent (0: none), depth, weight, class, shares, and for its split kind, column and
// number of breaks.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_run_trees_(SEXP run, Rcpp::IntegerVector rows, int threads) {
  return interruptible([&] {
    const Rcpp::XPtr<CodedRun> pointer(run);
    const CodedRun& f = *pointer.checked_get();
    const int k = f.m.problem.response.n_classes;
    const auto n_criteria = f.grower->n_criteria();
    tectree::TracedTrees trace(k);
    tectree::Outcome outcome({}, n_criteria, k, false, 0.0);
    Team team = make_team(threads);
    f.grower->grow(positions_of(f, rows), outcome, team, &trace);
    Rcpp::List out(static_cast<R_xlen_t>(n_criteria));
    for (std::size_t l = 0; l < n_criteria; ++l) {
      tectree::TracedTrees::One tree = trace.tree_of(static_cast<std::uint32_t>(l));
      const int n = static_cast<int>(tree.node.size());
      Rcpp::NumericMatrix prob(n, k);
      for (int v = 0; v < n; ++v) {
        for (int s = 0; s < k; ++s) prob(v, s) = trace.shares(tree.node[v])[s];
        ++tree.parent[v];
        ++tree.column[v];
        ++tree.yval[v];
        tree.weight[v] = f.m.scale.risk(tree.weight[v], 0);
      }
      using Rcpp::_;
      out[static_cast<R_xlen_t>(l)] = Rcpp::List::create(
          _["parent"] = tree.parent, _["depth"] = tree.depth, _["kind"] = tree.kind,
          _["variable"] = tree.column, _["break_count"] = tree.breaks, _["weight"] = tree.weight,
          _["yval"] = tree.yval, _["prob"] = prob);
    }
    return out;
  });
}

// Whether the pointer is still valid: in another process it is not.
// [[Rcpp::export(rng = false)]]
bool tec_run_is_live_(SEXP run) {
  return TYPEOF(run) == EXTPTRSXP && R_ExternalPtrAddr(run) != nullptr;
}

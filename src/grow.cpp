// All that grows trees: one, those of a cross-validation, those of a tuning run. Arguments have
// been validated by R.
#include "marshal.h"

#include <algorithm>

#include <tectree/grow/tuning/criteria_grower.hpp>
#include <tectree/prune/cross_validate.hpp>

using tectree::Team;
using tectree::Tree;

// [[Rcpp::export]]
Rcpp::List tec_fit_(Rcpp::List columns, Rcpp::IntegerVector kinds, Rcpp::IntegerVector n_levels,
                    Rcpp::List response, SEXP weights, SEXP rows, Rcpp::List criterion,
                    Rcpp::List control) {
  return interruptible([&] {
    MarshalledProblem m =
        as_problem(columns, kinds, n_levels, response, weights, rows, criterion, control);
    m.bring_to_scale();
    Team team = make_team(m.threads);
    Tree tree = tectree::grow_tree_first(m.problem, m.stop, m.missing, team);
    m.scale.undo(tree);
    return as_list(tree);
  });
}

// The tree with the surrogates of its splits, for the rows it was grown from, where its growth left
// them for later.
// [[Rcpp::export]]
Rcpp::List tec_surrogates_(Rcpp::List tree, Rcpp::List columns, Rcpp::IntegerVector kinds,
                           Rcpp::IntegerVector n_levels, Rcpp::List response, SEXP weights,
                           SEXP rows, Rcpp::List criterion, Rcpp::List control) {
  return interruptible([&] {
    MarshalledProblem m =
        as_problem(columns, kinds, n_levels, response, weights, rows, criterion, control);
    m.bring_to_scale();
    Team team = make_team(m.threads);
    if (!tectree::surrogates_can_wait(m.problem, m.missing, team)) return tree;
    Tree whole = as_described_tree(tree);
    tectree::add_surrogates(whole, m.problem, m.missing.surrogates, team);
    return as_list(whole);
  });
}

// Sums over the rows of each fold, by price, of the loss by a tree grown without the fold, and of
// its square. `group`: by position among the rows used, from 1. `least`: the price that the trees
// are grown at.
// [[Rcpp::export]]
Rcpp::List tec_cross_validate_(Rcpp::List columns, Rcpp::IntegerVector kinds,
                               Rcpp::IntegerVector n_levels, Rcpp::List response, SEXP weights,
                               SEXP rows, Rcpp::List criterion, Rcpp::List control, Rcpp::List risk,
                               Rcpp::IntegerVector group, int n_folds, std::vector<double> prices,
                               double least, std::string penalties) {
  return interruptible([&] {
    MarshalledProblem m =
        as_problem(columns, kinds, n_levels, response, weights, rows, criterion, control);
    m.bring_to_scale();
    const tectree::Problem& p = m.problem;
    for (double& price : prices) price = m.scale.scaled_risk(price);
    const tectree::Pricing pricing{as_risk(risk, p.response.n_classes), as_penalty_rule(penalties),
                                   prices, m.scale.scaled_risk(least)};
    if (static_cast<std::size_t>(group.size()) != p.sample.size)
      Rcpp::stop("there must be one fold number a row");
    std::vector<int> fold(group.begin(), group.end());
    for (int& f : fold) --f;
    Team team = make_team(m.threads);
    tectree::FoldErrors errors =
        tectree::cross_validate(p, m.stop, m.missing, pricing, {fold.data(), n_folds}, team);
    for (double& x : errors.loss) x = m.scale.risk(x);
    for (double& x : errors.square) x = m.scale.risk(x, 2);
    return Rcpp::List::create(Rcpp::_["loss"] = errors.loss, Rcpp::_["square"] = errors.square);
  });
}

// ---- a tuning run: columns are coded once, and the trees of all criteria grown together ----

namespace {

// What a run holds from call to call. The vectors of R that the problem points into are kept alive
// by the list.
struct CodedRun {
  Rcpp::List kept;
  MarshalledProblem m;
  std::vector<std::size_t> position;  // of each row of the frame in the sample
  std::unique_ptr<tectree::CriteriaGrower> grower;
};

std::vector<std::uint32_t> rows_from_zero(const Rcpp::IntegerVector& rows, std::size_t n) {
  std::vector<std::uint32_t> out;
  out.reserve(rows.size());
  for (int row : rows) {
    if (row < 1 || static_cast<std::size_t>(row) > n) Rcpp::stop("row %d is not there", row);
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

// Codes the sample for trees by several criteria; NULL where they cannot be grown together.
// [[Rcpp::export]]
SEXP tec_code_run_(Rcpp::List columns, Rcpp::IntegerVector kinds, Rcpp::IntegerVector n_levels,
                   Rcpp::List response, SEXP weights, SEXP rows, Rcpp::List criteria,
                   Rcpp::List control) {
  return interruptible([&]() -> SEXP {
    auto run = std::make_unique<CodedRun>();
    run->kept = Rcpp::List::create(columns, response, weights, rows);
    run->m = as_problem(columns, kinds, n_levels, response, weights, rows, criteria[0], control);
    run->m.bring_to_scale();
    const MarshalledProblem& m = run->m;
    Team team = make_team(m.threads);
    // A least size that is a share of the rows differs from fold to fold.
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

// For each fold, grown from the rows `train`: where the rows `test` end by each criterion. Where
// the user stops the run, NULL for the folds that are not finished.
// [[Rcpp::export]]
Rcpp::List tec_run_folds_(SEXP run, Rcpp::List train, Rcpp::List test, bool prob, double smooth,
                          int threads) {
  return interruptible([&] {
    const Rcpp::XPtr<CodedRun> pointer(run);
    const CodedRun& f = *pointer.checked_get();
    const int k = f.m.problem.response.n_classes;
    std::vector<std::vector<std::uint32_t>> kept;
    std::vector<tectree::Outcome> outcomes;
    for (R_xlen_t i = 0; i < train.size(); ++i) {
      kept.push_back(positions_of(f, train[i]));
      outcomes.emplace_back(rows_from_zero(test[i], f.position.size()), f.grower->n_criteria(), k,
                            prob, f.m.scale.scaled_weight(smooth));
    }
    std::vector<char> finished(kept.size());
    const auto grow = [&](std::size_t i, Team& its) {
      f.grower->grow(kept[i], outcomes[i], its);
      finished[i] = 1;
    };
    Team team = make_team(threads);
    try {
      if (kept.size() == 1) {
        grow(0, team);
      } else {
        team.each(kept.size(), grow);
      }
    } catch (const tectree::Interrupted&) {
      if (std::count(finished.begin(), finished.end(), 1) == 0) throw;
    }
    Rcpp::List out(train.size());
    for (R_xlen_t i = 0; i < train.size(); ++i) {
      if (finished[i]) out[i] = as_list(outcomes[i], k);
    }
    return out;
  });
}

// Whether the pointer still points: in another process it does not.
// [[Rcpp::export]]
bool tec_run_is_live_(SEXP run) {
  return TYPEOF(run) == EXTPTRSXP && R_ExternalPtrAddr(run) != nullptr;
}

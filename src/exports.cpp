// What R calls. Arguments have been validated by R; what could be tampered with since (a fitted
// tree) is checked here.
#include "marshal.h"

#include <tectree/grow/after/list_candidates.hpp>
#include <tectree/grow/after/surrogates_after.hpp>

using tectree::Frame;
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
    Tree tree = tectree::grow_tree_first(m.problem, m.stop, *m.missing, team);
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
    if (!tectree::surrogates_can_wait(m.problem, *m.missing, team)) return tree;
    Tree whole = as_described_tree(tree);
    tectree::add_surrogates(whole, m.problem, m.missing->surrogates(), team);
    return as_list(whole);
  });
}

namespace {

// The checked tree and the frame it is to be followed on.
struct Followed {
  Tree tree;
  Frame frame;
};

Followed follow(const Rcpp::List& tree, const Rcpp::List& columns, const Rcpp::IntegerVector& kinds,
                const Rcpp::IntegerVector& n_levels, double n_rows) {
  Followed f{as_tree(tree), as_frame(columns, kinds, n_levels, static_cast<std::size_t>(n_rows))};
  tectree::check_tree(f.tree, f.frame.columns.size());
  for (std::size_t i = 0; i < f.tree.size(); ++i) {
    if (f.tree.kind[i] == 0) continue;
    const tectree::Column& column = f.frame.columns[f.tree.variable[i]];
    const bool number = f.tree.kind[i] <= static_cast<int>(tectree::SplitKind::intervals);
    if (!column.present() || (!number && !column.whole)) {
      throw tectree::DamagedTree("column " + std::to_string(f.tree.variable[i] + 1) +
                                 " is not there");
    }
  }
  // A surrogate whose column is not there is not used, but one that is must be as it was.
  for (std::size_t i = 0; i < f.tree.surrogates.size(); ++i) {
    const tectree::Column& column = f.frame.columns[f.tree.surrogates.variable[i]];
    const bool number =
        f.tree.surrogates.kind[i] == static_cast<int>(tectree::SplitKind::threshold);
    if (column.present() && !number && !column.whole) {
      throw tectree::DamagedTree("column " + std::to_string(f.tree.surrogates.variable[i] + 1) +
                                 " has no levels");
    }
  }
  return f;
}

}  // namespace

// [[Rcpp::export]]
Rcpp::IntegerVector tec_predict_(Rcpp::List tree, Rcpp::List columns, Rcpp::IntegerVector kinds,
                                 Rcpp::IntegerVector n_levels, double n_rows, int threads) {
  return interruptible([&] {
    const Followed f = follow(tree, columns, kinds, n_levels, n_rows);
    Rcpp::IntegerVector leaf(Rcpp::no_init(static_cast<R_xlen_t>(n_rows)));
    Team team = make_team(threads);
    tectree::predict_leaves(f.tree, f.frame, leaf.begin(), team);
    for (int& node : leaf) ++node;
    return leaf;
  });
}

// The rows that end in several nodes, a line an end: row and node from 1, share.
// [[Rcpp::export]]
Rcpp::List tec_shares_(Rcpp::List tree, Rcpp::List columns, Rcpp::IntegerVector kinds,
                       Rcpp::IntegerVector n_levels, double n_rows) {
  return interruptible([&] {
    const Followed f = follow(tree, columns, kinds, n_levels, n_rows);
    Team team = make_team(1);
    tectree::SharedRows shared = tectree::shared_rows(f.tree, f.frame, team);
    for (auto* numbers : {&shared.row, &shared.node}) {
      for (int& x : *numbers) ++x;
    }
    return Rcpp::List::create(Rcpp::_["row"] = shared.row, Rcpp::_["node"] = shared.node,
                              Rcpp::_["share"] = shared.share);
  });
}

// Every node that a part of a row comes to; `surrogate`: the column that decided it came there, or
// 0.
// [[Rcpp::export]]
Rcpp::List tec_paths_(Rcpp::List tree, Rcpp::List columns, Rcpp::IntegerVector kinds,
                      Rcpp::IntegerVector n_levels, double n_rows) {
  return interruptible([&] {
    const Followed f = follow(tree, columns, kinds, n_levels, n_rows);
    std::vector<int> start{0}, node, by_default, surrogate;
    std::vector<double> share;
    std::vector<tectree::Part> stack;
    Team team = make_team(1);
    for (std::size_t row = 0; row < f.frame.n_rows; ++row) {
      team.check();
      tectree::follow_row(
          f.tree, f.frame, row, tectree::Part(), stack, [&](const tectree::Part& part, bool) {
            node.push_back(part.node + 1);
            by_default.push_back(part.by == tectree::Onward::By::unknown);
            const bool other = part.by == tectree::Onward::By::surrogate;
            surrogate.push_back(other ? f.tree.surrogates.variable[part.surrogate] + 1 : 0);
            share.push_back(part.weight);
          });
      start.push_back(static_cast<int>(node.size()));
    }
    return Rcpp::List::create(
        Rcpp::_["start"] = start, Rcpp::_["node"] = node,
        Rcpp::_["by_default"] = Rcpp::LogicalVector(by_default.begin(), by_default.end()),
        Rcpp::_["surrogate"] = surrogate, Rcpp::_["share"] = share);
  });
}

// [[Rcpp::export]]
Rcpp::List tec_scores_(Rcpp::List columns, Rcpp::IntegerVector kinds, Rcpp::IntegerVector n_levels,
                       Rcpp::List response, SEXP weights, SEXP rows, Rcpp::List criterion,
                       Rcpp::List control, bool all, SEXP training = R_NilValue) {
  return interruptible([&] {
    MarshalledProblem m =
        as_problem(columns, kinds, n_levels, response, weights, rows, criterion, control);
    if (!Rf_isNull(training)) {
      tectree::Sample& whole = m.problem.training.emplace();
      whole.rows = INTEGER(training);
      whole.size = Rf_xlength(training);
    }
    m.bring_to_scale();
    Team team = make_team(m.threads);
    const std::vector<tectree::Candidate> found = tectree::list_candidates(m.problem, all, team);
    Rcpp::IntegerVector column, kind, break_start, break_count, level_start, level_count,
        n_branches;
    std::vector<double> breaks;
    std::vector<int> level, level_child;
    const R_xlen_t n = found.size();
    for (auto* v :
         {&column, &kind, &break_start, &break_count, &level_start, &level_count, &n_branches}) {
      *v = Rcpp::IntegerVector(n);
    }
    Rcpp::NumericVector gain(n), cut(n), score(n), deduction(n);
    Rcpp::IntegerVector barred(n);
    Rcpp::LogicalVector eligible(n), exact(n), chosen(n), tied(n);
    for (R_xlen_t i = 0; i < n; ++i) {
      const tectree::Candidate& c = found[i];
      column[i] = c.split.column + 1;
      kind[i] = static_cast<int>(c.split.kind);
      n_branches[i] = c.n_branches;
      break_start[i] = static_cast<int>(breaks.size());
      break_count[i] = static_cast<int>(c.split.breaks.size());
      breaks.insert(breaks.end(), c.split.breaks.begin(), c.split.breaks.end());
      level_start[i] = static_cast<int>(level.size());
      level_count[i] = static_cast<int>(c.split.level.size());
      level.insert(level.end(), c.split.level.begin(), c.split.level.end());
      level_child.insert(level_child.end(), c.split.level_child.begin(), c.split.level_child.end());
      gain[i] = m.scale.gain(c.gain);
      cut[i] = m.scale.gain(c.cut);
      score[i] = m.scale.gain(c.score);
      eligible[i] = c.eligible;
      barred[i] = static_cast<int>(c.barred);
      deduction[i] = c.deduction;
      tied[i] = c.tied;
      exact[i] = c.exact;
      chosen[i] = c.chosen;
    }
    Rcpp::List out;
    out["column"] = column;
    out["kind"] = kind;
    out["break_start"] = break_start;
    out["break_count"] = break_count;
    out["breaks"] = breaks;
    out["level_start"] = level_start;
    out["level_count"] = level_count;
    out["level"] = level;
    out["level_child"] = level_child;
    out["gain"] = gain;
    out["cut"] = cut;
    out["score"] = score;
    out["eligible"] = eligible;
    out["barred"] = barred;
    out["deduction"] = deduction;
    out["tied"] = tied;
    out["exact"] = exact;
    out["chosen"] = chosen;
    out["n_branches"] = n_branches;
    return out;
  });
}

// [[Rcpp::export]]
Rcpp::List tec_criteria_() {
  const std::vector<tectree::CriterionInfo> all = tectree::all_criteria();
  const R_xlen_t n = all.size();
  Rcpp::CharacterVector name(n), parameter(n), task(n), cut(n), eligible(n), score(n), units(n),
      reference(n);
  Rcpp::NumericVector least(n), usual(n);
  Rcpp::LogicalVector open(n);
  for (R_xlen_t i = 0; i < n; ++i) {
    const tectree::CriterionInfo& c = all[i];
    name[i] = c.name;
    parameter[i] = c.parameter;
    least[i] = c.parameter.empty() ? NA_REAL : c.least;
    open[i] = c.parameter.empty() ? NA_LOGICAL : c.open;
    usual[i] = c.parameter.empty() ? NA_REAL : c.usual;
    task[i] = c.classification ? "classification" : "regression";
    cut[i] = c.cut;
    eligible[i] = c.eligible;
    score[i] = c.score;
    units[i] = c.units;
    reference[i] = c.reference;
  }
  using Rcpp::_;
  return Rcpp::List::create(_["name"] = name, _["parameter"] = parameter,
                            _["parameter_min"] = least, _["parameter_min_open"] = open,
                            _["default_parameter"] = usual, _["task"] = task, _["cut"] = cut,
                            _["eligible"] = eligible, _["score"] = score, _["units"] = units,
                            _["reference"] = reference);
}

// Processors this process may use.
// [[Rcpp::export]]
int tec_cores_() {
  return tectree::processors();
}

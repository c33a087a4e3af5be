// The candidates of a node, and the list of criteria.
#include "marshal.h"

#include <tectree/grow/after/list_candidates.hpp>

using tectree::Team;

// [[Rcpp::export(rng = false)]]
Rcpp::List tec_scores_(Rcpp::List problem, bool all) {
  return interruptible([&] {
    MarshalledProblem m = as_problem(problem);
    Team team = make_team(m.threads);
    m.bring_to_scale(team);
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
    Rcpp::NumericVector gain(n), cut(n), score(n), deduction(n), statistic(n), df(n), df2(n),
        log_p(n), log_times(n);
    Rcpp::IntegerVector barred(n), filled(n);
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
      const bool tested = tectree::by_p_value(m.problem);  // then they have no unit
      cut[i] = tested ? c.cut : m.scale.gain(c.cut);
      score[i] = tested ? c.score : m.scale.gain(c.score);
      statistic[i] = c.test.statistic;
      df[i] = c.test.df;
      df2[i] = c.test.df2;
      log_p[i] = c.test.log_p;
      log_times[i] = c.test.log_times;
      eligible[i] = c.eligible;
      barred[i] = static_cast<int>(c.barred);
      filled[i] = c.filled;
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
    out["filled"] = filled;
    out["deduction"] = deduction;
    out["tied"] = tied;
    out["exact"] = exact;
    out["chosen"] = chosen;
    out["n_branches"] = n_branches;
    out["statistic"] = statistic;
    out["df"] = df;
    out["df2"] = df2;
    out["log_p"] = log_p;
    out["log_times"] = log_times;
    return out;
  });
}

// [[Rcpp::export(rng = false)]]
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

#include "marshal.h"

#ifndef _WIN32
#include <unistd.h>
#endif

using Rcpp::as;

namespace {

void check_interrupt(void*) {
  R_CheckUserInterrupt();
}

bool user_wants_to_stop() {
  return R_ToplevelExec(check_interrupt, nullptr) == FALSE;
}

#ifndef _WIN32
const pid_t loaded_in = getpid();
bool forked() {
  return getpid() != loaded_in;
}
#else
bool forked() {
  return false;
}
#endif

tectree::SearchControl as_search_control(const Rcpp::List& control) {
  using tectree::SearchControl;
  SearchControl out;
  out.min_bucket = as<double>(control["min_bucket"]);
  out.min_gain = as<double>(control["min_gain"]);
  out.intervals = as<int>(control["intervals"]);
  const std::string nominal = as<std::string>(control["nominal"]);
  out.nominal = nominal == "multiway"  ? SearchControl::Nominal::multiway
                : nominal == "ordered" ? SearchControl::Nominal::ordered
                                       : SearchControl::Nominal::binary;
  const std::string eligible = as<std::string>(control["eligible"]);
  out.eligible = eligible == "all"       ? SearchControl::Rule::all
                 : eligible == "mean"    ? SearchControl::Rule::mean
                 : eligible == "mean_sd" ? SearchControl::Rule::mean_sd
                                         : SearchControl::Rule::own;
  const std::string rules = as<std::string>(control["rules"]);
  out.rules = rules == "c45" ? SearchControl::Rules::c45 : SearchControl::Rules::exact;
  return out;
}

std::unique_ptr<tectree::MissingPolicy> as_policy(const Rcpp::List& control) {
  tectree::SurrogateControl surrogate;
  surrogate.rule.most = as<int>(control["max_surrogate"]);
  surrogate.rule.used = as<int>(control["use_surrogate"]) > 0;
  surrogate.rule.of_known = as<int>(control["surrogate_style"]) == 1;
  surrogate.majority_last = as<int>(control["use_surrogate"]) == 2;
  return tectree::make_missing_policy(as<std::string>(control["missing"]), surrogate);
}

// What R has made of priors, weights of classes and losses: factors by class, none where it is
// NULL.
void as_factors(const Rcpp::List& response, tectree::Problem& problem) {
  if (!response.containsElementNamed("factors") || Rf_isNull(response["factors"])) return;
  const Rcpp::List factors = response["factors"];
  problem.factors.prior = as<std::vector<double>>(factors["prior"]);
  problem.factors.split = as<std::vector<double>>(factors["split"]);
  const std::size_t k = problem.response.n_classes;
  if (problem.factors.prior.size() != k || problem.factors.split.size() != k)
    Rcpp::stop("there must be one factor a class");
}

void as_least_risk(const Rcpp::List& control, tectree::StopRule& stop) {
  stop.least_risk = as<double>(control["least_risk"]);
  stop.least_share = as<double>(control["least_share"]);
  stop.risk_is_impurity = as<bool>(control["risk_is_impurity"]);
}

}  // namespace

tectree::Team make_team(int threads) {
  return tectree::Team(forked() ? 1 : threads, user_wants_to_stop);
}

tectree::Frame as_frame(const Rcpp::List& columns, const Rcpp::IntegerVector& kinds,
                        const Rcpp::IntegerVector& n_levels, std::size_t n_rows) {
  tectree::Frame frame;
  frame.n_rows = n_rows;
  frame.columns.resize(columns.size());
  for (R_xlen_t c = 0; c < columns.size(); ++c) {
    tectree::Column& out = frame.columns[c];
    out.kind = static_cast<tectree::Kind>(kinds[c]);
    out.n_levels = n_levels[c];
    SEXP column = columns[c];
    if (Rf_isNull(column)) continue;
    if (static_cast<std::size_t>(Rf_xlength(column)) != n_rows)
      Rcpp::stop("column %d has the wrong length", c + 1);
    if (TYPEOF(column) == REALSXP && out.kind == tectree::Kind::numeric) {
      out.real = REAL(column);
    } else if (TYPEOF(column) == INTSXP || TYPEOF(column) == LGLSXP) {
      out.whole = TYPEOF(column) == INTSXP ? INTEGER(column) : LOGICAL(column);
    } else {
      Rcpp::stop("column %d is neither numbers nor level codes", c + 1);
    }
  }
  return frame;
}

MarshalledProblem as_problem(const Rcpp::List& columns, const Rcpp::IntegerVector& kinds,
                             const Rcpp::IntegerVector& n_levels, const Rcpp::List& response,
                             SEXP weights, SEXP rows, const Rcpp::List& criterion,
                             const Rcpp::List& control) {
  MarshalledProblem out;
  tectree::Problem& p = out.problem;
  SEXP y = response["y"];
  const std::size_t n = Rf_xlength(y);
  p.frame = as_frame(columns, kinds, n_levels, n);
  p.sample.size = Rf_isNull(rows) ? n : Rf_xlength(rows);
  if (p.sample.size >= 4294967295u) Rcpp::stop("at most 4,294,967,294 rows can be used");
  if (!Rf_isNull(rows)) p.sample.rows = INTEGER(rows);
  if (!Rf_isNull(weights)) p.sample.weights = REAL(weights);
  p.response.n_classes = as<int>(response["n_classes"]);
  if (p.response.n_classes > 65535) Rcpp::stop("at most 65,535 classes can be used");
  if (p.response.is_class()) {
    p.response.code = INTEGER(y);
  } else {
    p.response.number = REAL(y);
  }
  p.criterion = as<std::string>(criterion["name"]);
  p.parameter = as<double>(criterion["parameter"]);
  p.control = as_search_control(control);
  out.stop.min_split = as<double>(control["min_split"]);
  out.stop.min_bucket = p.control.min_bucket;
  out.stop.max_depth = as<double>(control["max_depth"]);
  out.stop.max_leaves = as<double>(control["max_leaves"]);
  if (response.containsElementNamed("loss") && !Rf_isNull(response["loss"]))
    p.loss.cost = as<std::vector<double>>(response["loss"]);
  as_factors(response, p);
  if (control.containsElementNamed("least_risk")) as_least_risk(control, out.stop);
  out.missing = as_policy(control);
  p.control.unknown = out.missing->search();
  out.threads = as<int>(control["threads"]);
  return out;
}

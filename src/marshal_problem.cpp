// R's data for growth (columns, response, weights, criterion, control) as a Problem.

#include <cstdio>

#include "marshal.h"

#include <tectree/base/simd.hpp>
#include <tectree/missing/policies.hpp>

using Rcpp::as;

namespace {

// The size of the data that R passed last.
double rows_seen = 0.0, columns_seen = 0.0;

// How trees are grown, for tests that compare all ways.
struct Road {
  bool sorted_only = false;
  std::size_t pass_on_at = tectree::Problem().pass_on_at;
} road;

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
  out.free_levels = as<double>(control["free_levels"]);
  if (control.containsElementNamed("copies")) out.copies = as<double>(control["copies"]);
  const std::string eligible = as<std::string>(control["eligible"]);
  out.eligible = eligible == "all"       ? tectree::Eligible::all
                 : eligible == "mean"    ? tectree::Eligible::mean
                 : eligible == "mean_sd" ? tectree::Eligible::mean_sd
                                         : tectree::Eligible::own;
  const std::string rules = as<std::string>(control["rules"]);
  out.rules = rules == "c45"                ? SearchControl::Rules::c45
              : rules == "chaid"            ? SearchControl::Rules::chaid
              : rules == "chaid_exhaustive" ? SearchControl::Rules::chaid_exhaustive
                                            : SearchControl::Rules::exact;
  if (control.containsElementNamed("alpha_merge")) {
    out.alpha_merge = as<double>(control["alpha_merge"]);
    out.alpha_resplit = as<double>(control["alpha_resplit"]);
    out.alpha_split = as<double>(control["alpha_split"]);
    out.adjusts_p = as<std::string>(control["p_adjust"]) == "bonferroni";
  }
  return out;
}

tectree::MissingPolicy as_policy(const Rcpp::List& control) {
  const int use = as<int>(control["use_surrogate"]);
  const bool of_known = as<int>(control["surrogate_style"]) == 1;
  return tectree::missing_policy(
      as<std::string>(control["missing"]), {as<int>(control["max_surrogate"]), use > 0, of_known},
      use == 2 ? tectree::UnknownRows::branch : tectree::UnknownRows::stop);
}

// Priors, class weights and losses as prepared by R: factors by class, none if NULL.
void as_factors(const Rcpp::List& response, tectree::Problem& problem) {
  if (!response.containsElementNamed("factors") || Rf_isNull(response["factors"])) return;
  const Rcpp::List factors = response["factors"];
  problem.factors.prior = as<std::vector<double>>(factors["prior"]);
  problem.factors.split = as<std::vector<double>>(factors["split"]);
  const std::size_t k = problem.response.n_classes;
  if (problem.factors.prior.size() != k || problem.factors.split.size() != k)
    Rcpp::stop("there must be one factor per class");
}

void as_least_risk(const Rcpp::List& control, tectree::StopRule& stop) {
  stop.least_risk = as<double>(control["least_risk"]);
  stop.least_share = as<double>(control["least_share"]);
  stop.risk_is_impurity = as<bool>(control["risk_is_impurity"]);
  if (!control.containsElementNamed("leaf_price")) return;
  stop.leaf_price = as<double>(control["leaf_price"]);
  stop.leaf_price_share = as<double>(control["leaf_price_share"]);
}

// Codes of levels, from 1 to n_levels; for columns, missing ones too.
void check_codes(const int* code, std::size_t n, int n_levels, bool missing, const char* of) {
  std::size_t bad = 0;
  for (std::size_t i = 0; i < n; ++i)
    bad += (code[i] < 1 || code[i] > n_levels) && !(missing && code[i] == NA_INTEGER);
  if (bad > 0) throw BadCodes(of);
}

// The value of each code.
void check_packed(const tectree::Column& column, int codes) {
  std::vector<int> level;
  for (int i = 0; i < codes; ++i)
    level.push_back(tectree::Column::code_of(column.packed.values[i]));
  check_codes(level.data(), level.size(), column.n_levels, true, "a predictor");
}

// The class of every used row.
void check_response(const tectree::Problem& p) {
  if (!p.sample.rows)
    return check_codes(p.response.code, p.sample.size, p.response.n_classes, false, "the response");
  for (std::size_t i = 0; i < p.sample.size; ++i)
    check_codes(p.response.code + p.sample.row(i), 1, p.response.n_classes, false, "the response");
}

}  // namespace

// Test hook: forces which searches growth uses from now on, all of which must grow the same tree.
// Without arguments, resets this.
// [[Rcpp::export(rng = false)]]
void tec_take_road_(bool sorted_only = false, double pass_on_at = 0.0, bool simd = true) {
  road = Road();
  road.sorted_only = sorted_only;
  if (pass_on_at > 0.0)
    road.pass_on_at = std::min(road.pass_on_at, static_cast<std::size_t>(pass_on_at));
  tectree::simd_allowed = simd;
}

std::string memory_asked_for() {
  // Entries of 8 bytes per value, a copy of one column, and data for each row.
  const double bytes = rows_seen * (8.0 * columns_seen + 40.0);
  const bool giga = bytes >= 1e9;
  char text[200];
  std::snprintf(text, sizeof text, "%.0f rows and %.0f columns take up to %.*f %s", rows_seen,
                columns_seen, giga ? 1 : 0, bytes / (giga ? 1e9 : 1e6), giga ? "GB" : "MB");
  return text;
}

tectree::Frame as_frame(const Rcpp::List& columns, const Rcpp::IntegerVector& kinds,
                        const Rcpp::IntegerVector& n_levels, std::size_t n_rows) {
  tectree::Frame frame;
  rows_seen = static_cast<double>(n_rows);
  columns_seen = static_cast<double>(columns.size());
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
    const auto packed = as_packed(column);
    if (packed && (TYPEOF(column) == INTSXP) == (out.kind != tectree::Kind::numeric)) {
      out.packed = *packed;
      if (out.kind != tectree::Kind::numeric) check_packed(out, values_of_packed(column));
    } else if (TYPEOF(column) == REALSXP && out.kind == tectree::Kind::numeric) {
      out.real = REAL(column);
    } else if (TYPEOF(column) == INTSXP || TYPEOF(column) == LGLSXP) {
      out.whole = TYPEOF(column) == INTSXP ? INTEGER(column) : LOGICAL(column);
      if (out.kind != tectree::Kind::numeric)
        check_codes(out.whole, n_rows, out.n_levels, true, "a predictor");
    } else {
      Rcpp::stop("column %d is neither numbers nor level codes", c + 1);
    }
  }
  return frame;
}

MarshalledProblem as_problem(const Rcpp::List& problem) {
  const Rcpp::List response = problem["response"], criterion = problem["criterion"],
                   control = problem["control"];
  SEXP weights = problem["weights"], rows = problem["rows"];
  MarshalledProblem out;
  tectree::Problem& p = out.problem;
  SEXP y = response["y"];
  const std::size_t n = Rf_xlength(y);
  p.frame = as_frame(problem["columns"], problem["kinds"], problem["n_levels"], n);
  p.sample.size = Rf_isNull(rows) ? n : Rf_xlength(rows);
  if (p.sample.size >= 4294967295u) Rcpp::stop("at most 4,294,967,294 rows can be used");
  if (!Rf_isNull(rows)) p.sample.rows = INTEGER(rows);
  if (problem.containsElementNamed("training") && !Rf_isNull(problem["training"])) {
    SEXP training = problem["training"];
    p.training =
        tectree::Sample{static_cast<std::size_t>(Rf_xlength(training)), INTEGER(training), nullptr};
  }
  if (!Rf_isNull(weights)) p.sample.weights = REAL(weights);
  if (problem.containsElementNamed("sizes") && !Rf_isNull(problem["sizes"]))
    p.sample.sizes = REAL(problem["sizes"]);
  p.response.n_classes = as<int>(response["n_classes"]);
  if (p.response.n_classes > 65535) Rcpp::stop("at most 65,535 classes can be used");
  if (p.response.is_class()) {
    p.response.code = INTEGER(y);
    check_response(p);
  } else {
    p.response.number = REAL(y);
  }
  p.criterion = as<std::string>(criterion["name"]);
  p.parameter = as<double>(criterion["parameter"]);
  p.control = as_search_control(control);
  if (control.containsElementNamed("drawn")) {
    const Rcpp::List drawn = control["drawn"];
    p.seed = static_cast<std::uint64_t>(as<double>(drawn["seed"]));
    p.control.max_columns = static_cast<std::size_t>(as<double>(drawn["columns"]));
    p.control.draw_more = as<bool>(drawn["more"]);
    p.control.random_ties = as<bool>(drawn["ties"]);
    p.control.random_cuts = as<bool>(drawn["cuts"]);
  }
  if (control.containsElementNamed("min_bucket_share")) {
    const double share = as<double>(control["min_bucket_share"]);
    out.by_share = share > 0.0;
    if (out.by_share) {
      double size = 0.0;
      for (std::size_t i = 0; i < p.sample.size; ++i) size += p.sample.size_at(i);
      p.control.min_bucket = std::max(p.control.min_bucket, share * size);
    }
  }
  out.stop.min_split = as<double>(control["min_split"]);
  out.stop.min_bucket = p.control.min_bucket;
  if (control.containsElementNamed("min_impurity"))
    out.stop.min_impurity = as<double>(control["min_impurity"]);
  if (control.containsElementNamed("min_weighted_gain"))
    out.stop.min_weighted_gain = as<double>(control["min_weighted_gain"]);
  if (control.containsElementNamed("max_p")) {
    out.stop.max_p = as<double>(control["max_p"]);
    out.stop.permutations = as<int>(control["permutations"]);
    out.stop.adjusts_p = p.control.adjusts_p;
  }
  out.stop.max_depth = as<double>(control["max_depth"]);
  out.stop.max_leaves = as<double>(control["max_leaves"]);
  if (control.containsElementNamed("lookahead"))
    out.stop.lookahead = as<double>(control["lookahead"]);
  if (response.containsElementNamed("loss") && !Rf_isNull(response["loss"]))
    p.loss.cost = as<std::vector<double>>(response["loss"]);
  as_factors(response, p);
  if (control.containsElementNamed("least_risk")) as_least_risk(control, out.stop);
  out.missing = as_policy(control);
  p.control.unknown = out.missing.search;
  p.sorted_only = road.sorted_only;
  p.pass_on_at = road.pass_on_at;
  out.threads = as<int>(control["threads"]);
  return out;
}

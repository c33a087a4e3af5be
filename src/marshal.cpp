#include "marshal.h"

#include <cstdio>

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

// Of the data that R handed over last.
double rows_seen = 0.0, columns_seen = 0.0;

// Which way trees are grown, for tests that compare all of them.
struct Road {
  bool sorted_only = false;
  std::size_t small_node = tectree::Problem().small_node;
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

Rcpp::IntegerVector plus_one(const std::vector<int>& v) {
  Rcpp::IntegerVector out(v.size());
  std::transform(v.begin(), v.end(), out.begin(), [](int x) { return x + 1; });
  return out;
}

std::vector<int> minus_one(const Rcpp::List& tree, const char* name) {
  std::vector<int> out = as<std::vector<int>>(tree[name]);
  for (int& x : out) x = x == NA_INTEGER ? -1 : x - 1;
  return out;
}

// The values of inner nodes; NA in leaves.
template <class Vector, class Values>
Vector inner_only(const tectree::Tree& tree, const Values& values) {
  Vector out(tree.size());
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (tree.kind[i] == 0) {
      out[i] = Vector::get_na();
    } else {
      out[i] = values[i];
    }
  }
  return out;
}

// NA in leaves, and where rows without a value stop.
Rcpp::IntegerVector default_children(const tectree::Tree& tree) {
  Rcpp::IntegerVector out = inner_only<Rcpp::IntegerVector>(tree, tree.default_child);
  for (R_xlen_t i = 0; i < out.size(); ++i) {
    if (out[i] == tectree::no_branch) out[i] = NA_INTEGER;
  }
  return out;
}

}  // namespace

// Which searches growth uses from now on, for tests: no road may lead to another tree. Without
// arguments, as usual.
// [[Rcpp::export]]
void tec_take_road_(bool sorted_only = false, double small_node = 0.0, bool simd = true) {
  road = Road();
  road.sorted_only = sorted_only;
  if (small_node > 0.0)
    road.small_node = std::min(road.small_node, static_cast<std::size_t>(small_node));
  tectree::avx2_allowed = simd;
}

tectree::Team make_team(int threads) {
  return tectree::Team(forked() ? 1 : std::min(threads, tectree::processors()), user_wants_to_stop);
}

void abort_in_r(const char* topic, const std::string& found) {
  Rcpp::Environment package = Rcpp::Environment::namespace_env("tectree");
  Rcpp::Function abort = package["abort_from_core"];
  abort(topic, found);
  Rcpp::stop(found);
}

std::string memory_asked_for() {
  // Entries of 8 bytes a value, a copy of one column, and what is kept of each row.
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
  if (control.containsElementNamed("drawn")) {
    const Rcpp::List drawn = control["drawn"];
    p.seed = static_cast<std::uint64_t>(as<double>(drawn["seed"]));
    p.control.max_columns = static_cast<std::size_t>(as<double>(drawn["columns"]));
    p.control.random_ties = as<bool>(drawn["ties"]);
    p.control.random_cuts = as<bool>(drawn["cuts"]);
  }
  if (control.containsElementNamed("min_bucket_share")) {
    const double share = as<double>(control["min_bucket_share"]);
    out.by_share = share > 0.0;
    if (out.by_share)
      p.control.min_bucket = std::max(p.control.min_bucket, share * tectree::weigh(p.sample).total);
  }
  out.stop.min_split = as<double>(control["min_split"]);
  out.stop.min_bucket = p.control.min_bucket;
  if (control.containsElementNamed("min_impurity"))
    out.stop.min_impurity = as<double>(control["min_impurity"]);
  if (control.containsElementNamed("min_weighted_gain"))
    out.stop.min_weighted_gain = as<double>(control["min_weighted_gain"]);
  out.stop.max_depth = as<double>(control["max_depth"]);
  out.stop.max_leaves = as<double>(control["max_leaves"]);
  if (response.containsElementNamed("loss") && !Rf_isNull(response["loss"]))
    p.loss.cost = as<std::vector<double>>(response["loss"]);
  as_factors(response, p);
  if (control.containsElementNamed("least_risk")) as_least_risk(control, out.stop);
  out.missing = as_policy(control);
  p.control.unknown = out.missing->search();
  p.sorted_only = road.sorted_only;
  p.small_node = road.small_node;
  out.threads = as<int>(control["threads"]);
  return out;
}

Rcpp::List as_list(const tectree::Tree& tree) {
  const int k = tree.n_classes;
  const R_xlen_t n = tree.size();
  Rcpp::NumericMatrix prob(n, k);
  for (R_xlen_t i = 0; i < n; ++i) {
    for (int s = 0; s < k; ++s) prob(i, s) = tree.share[i * k + s];
  }
  Rcpp::NumericVector yval(tree.yval.begin(), tree.yval.end());
  if (k > 0) yval = yval + 1.0;
  Rcpp::List out;
  out["parent"] = plus_one(tree.parent);
  out["depth"] = tree.depth;
  out["kind"] = tree.kind;
  out["variable"] = plus_one(tree.variable);
  out["n_children"] = tree.n_children;
  out["child_start"] = tree.child_start;
  out["child"] = plus_one(tree.child);
  out["break_start"] = tree.break_start;
  out["break_count"] = tree.break_count;
  out["breaks"] = tree.breaks;
  out["level_start"] = tree.level_start;
  out["level_count"] = tree.level_count;
  out["level"] = tree.level;
  out["level_child"] = tree.level_child;
  out["default_child"] = default_children(tree);
  out["n"] = tree.n;
  out["weight"] = tree.weight;
  out["yval"] = yval;
  out["impurity"] = tree.impurity;
  out["gain"] = inner_only<Rcpp::NumericVector>(tree, tree.gain);
  out["score"] = inner_only<Rcpp::NumericVector>(tree, tree.score);
  out["exact"] = inner_only<Rcpp::LogicalVector>(tree, tree.exact);
  out["prob"] = prob;
  out["unknown"] = static_cast<int>(tree.unknown);
  out["by_surrogate"] = tree.by_surrogate;
  const tectree::SurrogatePools& s = tree.surrogates;
  out["surrogate_start"] = s.start;
  out["surrogate_count"] = s.count;
  out["surrogate_variable"] = plus_one(s.variable);
  out["surrogate_kind"] = s.kind;
  out["surrogate_flipped"] = Rcpp::LogicalVector(s.flipped.begin(), s.flipped.end());
  out["surrogate_cut"] = s.cut;
  out["surrogate_level_start"] = s.level_start;
  out["surrogate_level_count"] = s.level_count;
  out["surrogate_agree"] = s.agree;
  out["surrogate_adj"] = s.adj;
  return out;
}

namespace {

void read_surrogates(const Rcpp::List& list, tectree::Tree& tree) {
  const int unknown = as<int>(list["unknown"]);
  if (unknown < 0 || unknown > 2) throw tectree::DamagedTree("how it takes missing values");
  tree.unknown = static_cast<tectree::UnknownRows>(unknown);
  tree.by_surrogate = as<bool>(list["by_surrogate"]);
  tectree::SurrogatePools& s = tree.surrogates;
  s.start = as<std::vector<int>>(list["surrogate_start"]);
  s.count = as<std::vector<int>>(list["surrogate_count"]);
  s.variable = minus_one(list, "surrogate_variable");
  s.kind = as<std::vector<int>>(list["surrogate_kind"]);
  s.flipped = as<std::vector<int>>(list["surrogate_flipped"]);
  s.cut = as<std::vector<double>>(list["surrogate_cut"]);
  s.level_start = as<std::vector<int>>(list["surrogate_level_start"]);
  s.level_count = as<std::vector<int>>(list["surrogate_level_count"]);
  s.agree = as<std::vector<double>>(list["surrogate_agree"]);
  s.adj = as<std::vector<double>>(list["surrogate_adj"]);
}

// Inner nodes without a default branch have NA there.
void read_default_children(const Rcpp::List& list, tectree::Tree& tree) {
  tree.default_child = as<std::vector<int>>(list["default_child"]);
  for (int& x : tree.default_child) x = x == NA_INTEGER ? tectree::no_branch : x;
}

}  // namespace

tectree::Tree as_tree(const Rcpp::List& list) {
  tectree::Tree tree;
  try {
    tree.parent = minus_one(list, "parent");
    tree.kind = as<std::vector<int>>(list["kind"]);
    tree.variable = minus_one(list, "variable");
    tree.n_children = as<std::vector<int>>(list["n_children"]);
    tree.child_start = as<std::vector<int>>(list["child_start"]);
    tree.child = minus_one(list, "child");
    tree.break_start = as<std::vector<int>>(list["break_start"]);
    tree.break_count = as<std::vector<int>>(list["break_count"]);
    tree.breaks = as<std::vector<double>>(list["breaks"]);
    tree.level_start = as<std::vector<int>>(list["level_start"]);
    tree.level_count = as<std::vector<int>>(list["level_count"]);
    tree.level = as<std::vector<int>>(list["level"]);
    tree.level_child = as<std::vector<int>>(list["level_child"]);
    tree.weight = as<std::vector<double>>(list["weight"]);
    read_default_children(list, tree);
    read_surrogates(list, tree);
  } catch (const std::exception& e) {
    throw tectree::DamagedTree(e.what());
  }
  for (const auto* v :
       {&tree.kind, &tree.variable, &tree.n_children, &tree.child_start, &tree.break_start,
        &tree.break_count, &tree.level_start, &tree.level_count, &tree.default_child}) {
    if (v->size() != tree.size()) throw tectree::DamagedTree("its vectors differ in length");
  }
  return tree;
}

tectree::Tree as_described_tree(const Rcpp::List& list) {
  tectree::Tree tree = as_tree(list);
  const std::size_t n = tree.size();
  try {
    tree.depth = as<std::vector<int>>(list["depth"]);
    for (auto [name, values] : {std::pair<const char*, std::vector<double>*>{"n", &tree.n},
                                {"weight", &tree.weight},
                                {"yval", &tree.yval},
                                {"impurity", &tree.impurity},
                                {"gain", &tree.gain},
                                {"score", &tree.score}}) {
      *values = as<std::vector<double>>(list[name]);
      if (values->size() != n) throw tectree::DamagedTree("its vectors differ in length");
    }
    const Rcpp::LogicalVector exact = list["exact"];
    const Rcpp::NumericMatrix prob = list["prob"];
    if (static_cast<std::size_t>(exact.size()) != n || static_cast<std::size_t>(prob.nrow()) != n)
      throw tectree::DamagedTree("its vectors differ in length");
    for (int e : exact) tree.exact.push_back(static_cast<signed char>(e == NA_LOGICAL ? -1 : e));
    const int k = tree.n_classes = prob.ncol();
    tree.share.resize(n * k);
    for (std::size_t i = 0; i < n; ++i) {
      for (int s = 0; s < k; ++s) tree.share[i * k + s] = prob(i, s);
      if (k > 0) tree.yval[i] -= 1.0;
      const bool is_class = k == 0 || (tree.yval[i] >= 0 && tree.yval[i] < k);
      if (!is_class) throw tectree::DamagedTree("a class is out of range");
    }
  } catch (const tectree::DamagedTree&) {
    throw;
  } catch (const std::exception& e) {
    throw tectree::DamagedTree(e.what());
  }
  return tree;
}

// Regression splines. Armadillo solves least squares; the core has the forward and the backward
// pass.
#define ARMA_WARN_LEVEL 0  // unsolvable systems are handled
#include <RcppArmadillo.h>

#include "marshal.h"

#include <tectree/splines/backward_pass.hpp>
#include <tectree/splines/forward_pass.hpp>

using Rcpp::as;
using tectree::SplineTerm;

namespace {

tectree::SplineRules as_rules(const Rcpp::List& in) {
  tectree::SplineRules out;
  out.degree = as<int>(in["degree"]);
  out.terms = as<int>(in["terms"]);
  out.penalty = as<double>(in["penalty"]);
  out.thresh = as<double>(in["thresh"]);
  out.fast_k = as<int>(in["fast_k"]);
  out.fast_beta = as<double>(in["fast_beta"]);
  out.spans.min_span = as<int>(in["min_span"]);
  out.spans.end_span = as<int>(in["end_span"]);
  out.spans.end_adjust = as<double>(in["end_adjust"]);
  return out;
}

// A single response centred and in units of its standard deviation; several as they are.
std::vector<double> scaled_response(const Rcpp::NumericMatrix& y) {
  std::vector<double> out(y.begin(), y.end());
  const double n = static_cast<double>(y.nrow());
  if (y.ncol() != 1 || n < 2) return out;
  double mean = 0, square = 0;
  for (double v : out) mean += v / n;
  for (double& v : out) {
    v -= mean;
    square += v * v;
  }
  const double sd = std::sqrt(square / (n - 1));
  if (sd > 0)
    for (double& v : out) v /= sd;
  return out;
}

std::vector<double> roots(const Rcpp::Nullable<Rcpp::NumericVector>& weights) {
  std::vector<double> out;
  if (weights.isNotNull()) {
    for (double w : Rcpp::NumericVector(weights)) out.push_back(std::sqrt(w));
  }
  return out;
}

arma::mat with_roots(arma::mat in, const std::vector<double>& roots) {
  if (!roots.empty()) in.each_col() %= arma::conv_to<arma::vec>::from(roots);
  return in;
}

struct Decomposition {
  arma::mat q, r;
};

Decomposition decompose(const arma::mat& in) {
  Decomposition out;
  if (!arma::qr_econ(out.q, out.r, in)) throw std::bad_alloc();
  return out;
}

// The x of r x = b for the triangle r, whatever the units of its columns.
arma::mat substitute(const arma::mat& r, arma::mat b) {
  for (arma::uword k = 0; k < b.n_cols; ++k) {
    for (arma::uword i = r.n_cols; i-- > 0;) {
      for (arma::uword j = i + 1; j < r.n_cols; ++j) b(i, k) -= r(i, j) * b(j, k);
      b(i, k) /= r(i, i);
    }
  }
  return b;
}

// Columns of which at least 1e-8 of the length is outside the span of the previous ones.
arma::uvec independent(const arma::mat& basis) {
  arma::uvec kept = arma::regspace<arma::uvec>(0, basis.n_cols - 1);
  for (;;) {
    if (kept.n_elem > basis.n_rows) kept = kept.head(basis.n_rows);
    const arma::mat some = basis.cols(kept);
    const arma::mat r = decompose(some).r;
    arma::uvec good(kept.n_elem, arma::fill::ones);
    for (arma::uword j = 1; j < kept.n_elem; ++j)
      good[j] = std::abs(r(j, j)) >= 1e-8 * arma::norm(some.col(j)) && r(j, j) != 0;
    if (arma::all(good)) return kept;
    kept = kept.elem(arma::find(good));
  }
}

Rcpp::List as_list(const std::vector<const SplineTerm*>& terms, std::size_t columns) {
  const int m = static_cast<int>(terms.size()), p = static_cast<int>(columns);
  Rcpp::IntegerMatrix side(m, p);
  Rcpp::NumericMatrix cut(m, p);
  for (int t = 0; t < m; ++t) {
    for (int j = 0; j < p; ++j) {
      side(t, j) = static_cast<int>(terms[t]->side[j]);
      cut(t, j) = terms[t]->cut[j];
    }
  }
  return Rcpp::List::create(Rcpp::_["side"] = side, Rcpp::_["cut"] = cut);
}

}  // namespace

// list(side, cut = terms x columns; basis = rows x terms; rss and subsets by size; end). `x` and
// `y` are matrices, weights have mean 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_spline_fit_(Rcpp::NumericMatrix x, Rcpp::NumericMatrix y,
                           Rcpp::Nullable<Rcpp::NumericVector> weights, Rcpp::List rules,
                           int threads) {
  return interruptible([&] {
    const tectree::SplineRules how = as_rules(rules);
    const std::vector<double> scaled = scaled_response(y);
    tectree::SplineData in;
    in.rows = static_cast<std::size_t>(x.nrow());
    in.columns = static_cast<std::size_t>(x.ncol());
    in.responses = static_cast<std::size_t>(y.ncol());
    in.x = x.begin();
    in.y = scaled.data();
    if (weights.isNotNull()) in.weights = Rcpp::NumericVector(weights).begin();
    tectree::Team team = make_team(threads);
    tectree::ForwardPass forward(in, how, team);
    forward.run();

    std::vector<const SplineTerm*> terms;
    for (const SplineTerm& term : forward.terms)
      if (term.used) terms.push_back(&term);
    arma::mat all(in.rows, terms.size());
    for (std::size_t t = 0; t < terms.size(); ++t)
      std::copy(terms[t]->values.begin(), terms[t]->values.end(), all.colptr(t));
    const std::vector<double> root = roots(weights);
    const arma::uvec kept = independent(with_roots(all, root));
    std::vector<const SplineTerm*> left;
    for (arma::uword t : kept) left.push_back(terms[t]);
    all = arma::mat(all.cols(kept));

    const Decomposition parts = decompose(with_roots(all, root));
    const arma::mat responses(const_cast<double*>(y.begin()), in.rows, in.responses, false, true);
    const arma::mat truth = with_roots(responses, root);
    const arma::mat products = parts.q.t() * truth;
    const arma::mat residuals = truth - parts.q * products;
    tectree::BackwardPass backward(parts.r.memptr(), products.memptr(), left.size(), in.responses,
                                   arma::accu(residuals % residuals));
    const tectree::Subsets subsets = backward.run(team);
    Rcpp::List by_size(subsets.terms.size());
    for (std::size_t i = 0; i < subsets.terms.size(); ++i) {
      Rcpp::IntegerVector one(subsets.terms[i].begin(), subsets.terms[i].end());
      by_size[i] = one + 1;
    }
    Rcpp::List out = as_list(left, in.columns);
    out["basis"] = Rcpp::NumericMatrix(static_cast<int>(all.n_rows), static_cast<int>(all.n_cols),
                                       all.begin());
    out["rss"] = Rcpp::NumericVector(subsets.rss.begin(), subsets.rss.end());
    out["subsets"] = by_size;
    out["end"] = static_cast<int>(forward.end);
    return out;
  });
}

// The least-squares coefficients: terms x responses.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix tec_spline_solve_(const Rcpp::NumericMatrix& basis,
                                      const Rcpp::NumericMatrix& y,
                                      Rcpp::Nullable<Rcpp::NumericVector> weights) {
  return interruptible([&] {
    const std::vector<double> root = roots(weights);
    const arma::mat b(const_cast<double*>(basis.begin()), basis.nrow(), basis.ncol(), false, true);
    const arma::mat responses(const_cast<double*>(y.begin()), y.nrow(), y.ncol(), false, true);
    const Decomposition parts = decompose(with_roots(b, root));
    const arma::mat out = substitute(parts.r, parts.q.t() * with_roots(responses, root));
    return Rcpp::NumericMatrix(static_cast<int>(out.n_rows), static_cast<int>(out.n_cols),
                               out.begin());
  });
}

namespace {

double deviance_of(double y, double mu) {
  const double part = y > 0 ? y * std::log(y / mu) : 0;
  return 2 * (part + (y < 1 ? (1 - y) * std::log((1 - y) / (1 - mu)) : 0));
}

struct Logistic {
  arma::vec coefficients;
  double deviance = 0;
  int iterations = 0;
  bool converged = false;
};

// Logistic regression by iterated weighted least squares, with the start and end of glm(). The
// basis is orthonormal: `parts.q`, so the normal equations lose no digits.
Logistic logistic(const Decomposition& parts, const arma::vec& y, const arma::vec& weights,
                  double epsilon, int most, tectree::Team& team) {
  const arma::uword n = y.n_elem;
  Logistic out;
  arma::vec mu = (weights % y + 0.5) / (weights + 1);
  arma::vec eta = arma::log(mu / (1 - mu));
  arma::vec now;
  const auto deviance = [&](const arma::vec& at) {
    double sum = 0;
    for (arma::uword i = 0; i < n; ++i) sum += weights[i] * deviance_of(y[i], at[i]);
    return sum;
  };
  out.deviance = deviance(mu);
  while (out.iterations < most) {
    team.check();
    const arma::vec slope = arma::clamp(mu % (1 - mu), arma::datum::eps, 1.0);
    const arma::vec w = weights % slope;
    const arma::vec target = eta + (y - mu) / slope;
    arma::mat scaled = parts.q;
    scaled.each_col() %= arma::sqrt(w);
    const arma::mat square = scaled.t() * scaled;
    const arma::vec side = parts.q.t() * (w % target);
    arma::vec next;
    if (!arma::solve(next, square, side,
                     arma::solve_opts::likely_sympd + arma::solve_opts::no_approx))
      break;
    now = next;
    ++out.iterations;
    eta = parts.q * now;
    // As far as a double distinguishes a probability from 0 and 1.
    const arma::vec kept = arma::clamp(eta, -30.0, 30.0);
    mu = 1 / (1 + arma::exp(-kept));
    const double before = out.deviance;
    out.deviance = deviance(mu);
    // If the classes are separated, the coefficients have no limit, and the deviance goes to 0.
    if (std::abs(out.deviance - before) / (std::abs(out.deviance) + 0.1) < epsilon ||
        out.deviance < 1e-7 * static_cast<double>(n)) {
      out.converged = true;
      break;
    }
  }
  if (now.is_empty()) now.zeros(parts.q.n_cols);
  out.coefficients = substitute(parts.r, now);
  return out;
}

}  // namespace

// A logistic regression for each column of `y`, of 0 and 1, on the basis.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_spline_logit_(const Rcpp::NumericMatrix& basis, const Rcpp::NumericMatrix& y,
                             Rcpp::Nullable<Rcpp::NumericVector> weights, double epsilon,
                             int iterations) {
  return interruptible([&] {
    tectree::Team team = make_team(1);
    const arma::mat b(const_cast<double*>(basis.begin()), basis.nrow(), basis.ncol(), false, true);
    const arma::mat responses(const_cast<double*>(y.begin()), y.nrow(), y.ncol(), false, true);
    arma::vec w(b.n_rows, arma::fill::ones);
    if (weights.isNotNull()) w = as<arma::vec>(Rcpp::NumericVector(weights));
    const Decomposition parts = decompose(b);
    const int m = basis.ncol(), k = y.ncol();
    Rcpp::NumericMatrix coefficients(m, k);
    Rcpp::NumericVector deviance(k);
    Rcpp::IntegerVector used(k);
    Rcpp::LogicalVector converged(k);
    for (int r = 0; r < k; ++r) {
      const Logistic one = logistic(parts, responses.col(r), w, epsilon, iterations, team);
      std::copy(one.coefficients.begin(), one.coefficients.end(), &coefficients(0, r));
      deviance[r] = one.deviance;
      used[r] = one.iterations;
      converged[r] = one.converged;
    }
    return Rcpp::List::create(Rcpp::_["coefficients"] = coefficients,
                              Rcpp::_["deviance"] = deviance, Rcpp::_["iterations"] = used,
                              Rcpp::_["converged"] = converged);
  });
}

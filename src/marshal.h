// R's vectors to the core's views and back. Everything R-shaped ends here.
#pragma once

// Armadillo comes with R's settings for it; the core includes it by its own name.
#include <RcppArmadillo.h>

#include <tectree/grow/fit.hpp>
#include <tectree/predict/predictor.hpp>

// Columns stay R's own memory: the list must outlive the frame.
tectree::Frame as_frame(const Rcpp::List& columns, const Rcpp::IntegerVector& kinds,
                        const Rcpp::IntegerVector& n_levels, std::size_t n_rows);

struct MarshalledProblem {
  tectree::Problem problem;
  tectree::StopRule stop;
  std::unique_ptr<tectree::MissingPolicy> missing;
  int threads = 1;
};

MarshalledProblem as_problem(const Rcpp::List& columns, const Rcpp::IntegerVector& kinds,
                             const Rcpp::IntegerVector& n_levels, const Rcpp::List& response,
                             SEXP weights, SEXP rows, const Rcpp::List& criterion,
                             const Rcpp::List& control);

Rcpp::List as_list(const tectree::Tree& tree);
tectree::Tree as_tree(const Rcpp::List& tree);
// The same with what the nodes hold besides their splits.
tectree::Tree as_described_tree(const Rcpp::List& tree);

// A team that asks R, from R's thread, whether the user wants to stop. One thread in a forked
// child, where the parent's threads do not exist.
tectree::Team make_team(int threads);

// Runs f; an interruption reaches R as one.
template <class F>
auto interruptible(F f) {
  try {
    return f();
  } catch (const tectree::Interrupted&) {
    throw Rcpp::internal::InterruptedException();
  }
}

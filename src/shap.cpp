// Shapley values of rows in a tree or a forest, which could have been tampered with and is checked
// here.
#include "marshal.h"

#include <tectree/predict/check_forest.hpp>
#include <tectree/shap/shapley_values.hpp>

using Rcpp::as;
using tectree::Frame;
using tectree::WeighedForest;

namespace {

// list(values, kinds, n_levels, n)
Frame frame_of(const Rcpp::List& rows) {
  return as_frame(rows["values"], rows["kinds"], rows["n_levels"],
                  static_cast<std::size_t>(as<double>(rows["n"])));
}

// Room for rows x columns x outputs, or with pairs rows x columns x columns x outputs.
Rcpp::NumericVector room_for(const Frame& rows, std::size_t outputs, bool pairs) {
  std::vector<std::size_t> size{rows.n_rows, rows.columns.size()};
  if (pairs) size.push_back(rows.columns.size());
  size.push_back(outputs);
  double cells = 1.0;
  for (std::size_t n : size) cells *= static_cast<double>(n);
  Rcpp::NumericVector out(static_cast<R_xlen_t>(cells));
  out.attr("dim") = Rcpp::IntegerVector(size.begin(), size.end());
  return out;
}

// list(values = as room_for(), baseline = by output, NULL with a background). `output`: a class
// from 1, or 0 for all.
Rcpp::List shapley_values(const WeighedForest& in, const Frame& rows,
                          const Rcpp::Nullable<Rcpp::List>& background, int output, bool pairs,
                          int threads) {
  tectree::Outputs outputs{0, in.n_outputs};
  if (output > 0) outputs = {static_cast<std::size_t>(output) - 1, 1};
  Rcpp::NumericVector values = room_for(rows, outputs.count, pairs);
  tectree::Team team = make_team(threads);
  Rcpp::RObject baseline = R_NilValue;
  if (background.isNull()) {
    tectree::ShapleyValues(in, rows, nullptr, outputs, pairs).find(values.begin(), team);
    baseline = Rcpp::wrap(tectree::mean_of_leaves(in, outputs));
  } else {
    const Rcpp::List list(background);
    const Frame others = frame_of(list);
    tectree::ShapleyValues(in, rows, &others, outputs, pairs).find(values.begin(), team);
  }
  return Rcpp::List::create(Rcpp::_["values"] = values, Rcpp::_["baseline"] = baseline);
}

}  // namespace

// The shares of `tree` are those that it predicts.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_shap_tree_(Rcpp::List tree, Rcpp::List rows, Rcpp::Nullable<Rcpp::List> background,
                          int output, bool pairs, int threads) {
  return interruptible([&] {
    const tectree::Tree in = as_described_tree(tree);
    const Frame frame = frame_of(rows);
    tectree::check_tree(in, frame.columns.size());
    check_columns(in, frame);
    tectree::Forest forest;
    tectree::append(in, frame, forest);
    return shapley_values(WeighedForest(forest.view()), frame, background, output, pairs, threads);
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List tec_shap_forest_(Rcpp::List trees, int n_classes, Rcpp::List rows,
                            Rcpp::Nullable<Rcpp::List> background, int output, bool pairs,
                            int threads) {
  return interruptible([&] {
    const tectree::ForestView forest = as_view(trees, n_classes);
    const Frame frame = frame_of(rows);
    tectree::check_forest(forest, frame);
    return shapley_values(WeighedForest(forest), frame, background, output, pairs, threads);
  });
}

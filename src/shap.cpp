// Shapley values of rows in a tree or a forest, which could have been tampered with: checked here.
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

// list(values = rows x columns x outputs, baseline = by output, NULL with a background). `output`:
// a class from 1, or 0 for all.
Rcpp::List shapley_values(const WeighedForest& in, const Frame& rows,
                          const Rcpp::Nullable<Rcpp::List>& background, int output, int threads) {
  tectree::Outputs outputs{0, in.n_outputs};
  if (output > 0) outputs = {static_cast<std::size_t>(output) - 1, 1};
  Rcpp::NumericVector values(Rcpp::Dimension(rows.n_rows, rows.columns.size(), outputs.count));
  tectree::Team team = make_team(threads);
  Rcpp::RObject baseline = R_NilValue;
  if (background.isNull()) {
    tectree::ShapleyValues(in, rows, nullptr, outputs).find(values.begin(), team);
    baseline = Rcpp::wrap(tectree::mean_of_leaves(in, outputs));
  } else {
    const Rcpp::List list(background);
    const Frame others = frame_of(list);
    tectree::ShapleyValues(in, rows, &others, outputs).find(values.begin(), team);
  }
  return Rcpp::List::create(Rcpp::_["values"] = values, Rcpp::_["baseline"] = baseline);
}

// By node of the forest, what the node of the tree that it belongs to predicts.
std::vector<double> node_values(const tectree::Tree& tree, const std::vector<int>& origin) {
  std::vector<double> out;
  for (int node : origin) {
    if (tree.n_classes == 0) {
      out.push_back(tree.yval[node]);
    } else {
      out.insert(out.end(), tree.shares(node), tree.shares(node) + tree.n_classes);
    }
  }
  return out;
}

}  // namespace

// The shares of `tree` are those that it predicts.
// [[Rcpp::export]]
Rcpp::List tec_shap_tree_(Rcpp::List tree, Rcpp::List rows, Rcpp::Nullable<Rcpp::List> background,
                          int output, int threads) {
  return interruptible([&] {
    const tectree::Tree in = as_described_tree(tree);
    const Frame frame = frame_of(rows);
    tectree::check_tree(in, frame.columns.size());
    check_columns(in, frame);
    tectree::Forest forest;
    std::vector<int> origin;
    tectree::append(in, frame, forest, &origin);
    std::vector<double> at_stop;
    if (in.unknown == tectree::UnknownRows::stop) at_stop = node_values(in, origin);
    return shapley_values(WeighedForest(forest.view(), std::move(at_stop)), frame, background,
                          output, threads);
  });
}

// [[Rcpp::export]]
Rcpp::List tec_shap_forest_(Rcpp::List trees, int n_classes, Rcpp::List rows,
                            Rcpp::Nullable<Rcpp::List> background, int output, int threads) {
  return interruptible([&] {
    const tectree::ForestView forest = as_view(trees, n_classes);
    const Frame frame = frame_of(rows);
    tectree::check_forest(forest, frame);
    return shapley_values(WeighedForest(forest), frame, background, output, threads);
  });
}

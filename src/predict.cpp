// Predictions of a fitted tree, which could have been tampered with and is checked here.
#include "marshal.h"

using tectree::Frame;
using tectree::Team;
using tectree::Tree;

namespace {

// The checked tree and the frame of the rows.
struct Followed {
  Tree tree;
  Frame frame;
};

Followed follow(const Rcpp::List& tree, const Rcpp::List& columns, const Rcpp::IntegerVector& kinds,
                const Rcpp::IntegerVector& n_levels, double n_rows) {
  Followed f{as_tree(tree), as_frame(columns, kinds, n_levels, static_cast<std::size_t>(n_rows))};
  tectree::check_tree(f.tree, f.frame.columns.size());
  check_columns(f.tree, f.frame);
  // A surrogate without its column is not used, but an existing column must be unchanged.
  for (std::size_t i = 0; i < f.tree.surrogates.size(); ++i) {
    const tectree::Column& column = f.frame.columns[f.tree.surrogates.variable[i]];
    const bool number =
        f.tree.surrogates.kind[i] == static_cast<int>(tectree::SplitKind::threshold);
    if (column.present() && !number && !column.has_levels()) {
      throw tectree::DamagedTree("column " + std::to_string(f.tree.surrogates.variable[i] + 1) +
                                 " has no levels");
    }
  }
  return f;
}

}  // namespace

// [[Rcpp::export(rng = false)]]
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

// The rows that end in several nodes, one line per end: row and node from 1, share.
// [[Rcpp::export(rng = false)]]
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

// Every node that a part of a row reaches; `surrogate`: the column that sent it there, or 0.
// [[Rcpp::export(rng = false)]]
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

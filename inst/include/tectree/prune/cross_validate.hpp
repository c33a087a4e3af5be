// The error of each tree of a cost-complexity sequence on rows that it has not seen: without each
// fold in turn a tree is grown and pruned at the sequence's prices, and the fold's rows run down
// it.
#pragma once

#include <algorithm>
#include <vector>

#include "../grow/tuning/subsets.hpp"
#include "prunings.hpp"
#include "reduced_error.hpp"

namespace tectree {

// By price: weighted sums of the rows' losses and of their squares.
struct FoldErrors {
  std::vector<double> loss, square;
};

// Where rows end in a tree, and what they are predicted by its prunings.
class EndsOfRows {
 public:
  EndsOfRows(const Tree& tree, const Frame& frame, const Sample& sample, const Loss& loss,
             Team& team)
      : tree_(tree), loss_(loss), mixed_(tree.n_classes) {
    for (std::size_t i = 0; i < sample.size; ++i) {
      if (i % 1024 == 0) team.check();
      first_.push_back(ends_.size());
      spread(tree, frame, sample.row(i), 1.0, 0, [&](int node, double weight) {
        if (weight > 0.0) ends_.push_back({node, weight});
      });
    }
    first_.push_back(ends_.size());
  }

  // Of the sample's row i.
  double prediction(const PrunedTo& pruned, std::size_t i) {
    const std::size_t from = first_[i], to = first_[i + 1];
    if (to == from + 1) return tree_.yval[pruned.end[ends_[from].node]];
    double value = 0.0, weight = 0.0;
    std::fill(mixed_.begin(), mixed_.end(), 0.0);
    for (std::size_t e = from; e < to; ++e) {
      const int node = pruned.end[ends_[e].node];
      value += ends_[e].weight * tree_.yval[node];
      weight += ends_[e].weight;
      for (int s = 0; s < tree_.n_classes; ++s)
        mixed_[s] += ends_[e].weight * tree_.shares(node)[s];
    }
    if (tree_.n_classes == 0) return value / weight;
    return loss_.best(mixed_.data(), tree_.n_classes);
  }

 private:
  struct End {
    int node;
    double weight;
  };
  const Tree& tree_;
  const Loss& loss_;
  std::vector<double> mixed_;
  std::vector<End> ends_;
  std::vector<std::size_t> first_;  // of each row's ends
};

// `prices`, `least` and `stop.least_risk` are those of the whole sample; a tree that has seen a share
// of it pays that share of them. `least`: the penalty that the trees are grown at.
inline FoldErrors cross_validate(const Problem& problem, const StopRule& stop,
                                 const MissingPolicy& missing, const NodeRisk& risk,
                                 PenaltyRule rule, const Folds& folds,
                                 const std::vector<double>& prices, double least, Team& team) {
  std::vector<FoldErrors> by_fold(folds.count);
  const auto stop_of = [&](double share) {
    StopRule stop_here = stop;
    stop_here.least_risk *= share;
    return stop_here;
  };
  const auto loss_of = row_loss(risk.loss, problem.response, problem.criterion);
  const auto factor_of = [&](std::size_t row) {
    const bool classes = problem.response.is_class();
    return classes ? problem.factors.prior_of(problem.response.code[row] - 1) : 1.0;
  };
  each_fold(problem, missing, folds, stop_of, team,
            [&](std::size_t fold, const Tree& tree, const Sample& rest, double share, Team& inner) {
              const std::vector<double> leaf_price =
                  penalties_by(rule, tree, risk, least * share);
              const double root_risk = risk(tree, 0);
              EndsOfRows ends(tree, problem.frame, rest, risk.loss, inner);
              for (double price : prices) {
                inner.check();
                const PrunedTo pruned = prune_to(tree, [&](int v) {
                  return tree.kind[v] == 0 ||
                         reaches_price(leaf_price[v], price * share, root_risk);
                });
                double loss = 0.0, square = 0.0;
                for (std::size_t i = 0; i < rest.size; ++i) {
                  const std::size_t row = rest.row(i);
                  const double l = factor_of(row) * loss_of(row, ends.prediction(pruned, i));
                  loss += rest.weight(i) * l;
                  square += rest.weight(i) * l * l;
                }
                by_fold[fold].loss.push_back(loss);
                by_fold[fold].square.push_back(square);
              }
            });
  FoldErrors out;
  out.loss.assign(prices.size(), 0.0);
  out.square.assign(prices.size(), 0.0);
  for (const FoldErrors& fold : by_fold) {
    for (std::size_t p = 0; p < fold.loss.size(); ++p) {
      out.loss[p] += fold.loss[p];
      out.square[p] += fold.square[p];
    }
  }
  return out;
}

}  // namespace tectree

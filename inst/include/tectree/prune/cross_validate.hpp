// The error of each tree of a cost-complexity sequence on rows that it has not seen: without each
// fold in turn a tree is grown and pruned at the sequence's prices, and the fold's rows run down
// it.
#pragma once

#include <cmath>
#include <vector>

#include "../grow/tuning/subsets.hpp"
#include "../tree/spread.hpp"
#include "cost_complexity.hpp"
#include "reduced_error.hpp"

namespace tectree {

// By price: weighted sums of the rows' losses and of their squares.
struct FoldErrors {
  std::vector<double> loss, square;
};

// One row's predictions by a tree pruned at several prices, the highest first.
class PricedPredictions {
 public:
  PricedPredictions(const Tree& tree, const Frame& frame, const Loss& loss,
                    const std::vector<double>& leaf_price, const std::vector<double>& prices,
                    double root_risk)
      : tree_(tree),
        frame_(frame),
        loss_(loss),
        leaf_price_(leaf_price),
        prices_(prices),
        root_risk_(root_risk),
        mixed_(tree.n_classes) {}

  // Calls each(i, prediction) for every price.
  template <class Each>
  void of_row(std::size_t row, Each each) {
    ends_.clear();
    spread(tree_, frame_, row, 1.0, 0, [&](int end, double weight) {
      if (weight > 0.0) ends_.push_back({end, end, weight});
    });
    // From the lowest price, where the tree is largest, upwards.
    for (std::size_t i = prices_.size(); i-- > 0;) {
      for (End& e : ends_) climb(e, prices_[i]);
      each(i, ends_.size() == 1 ? tree_.yval[ends_[0].at] : mixture());
    }
  }

 private:
  struct End {
    int node, at;  // `at`: node or the ancestor it is cut off at
    double weight;
  };

  // A node's price is at most its parent's: the nodes that are leaves are the lower part of the
  // path.
  void climb(End& e, double price) const {
    for (int up = tree_.parent[e.at]; up >= 0; up = tree_.parent[up]) {
      if (!reaches_price(leaf_price_[up], price, root_risk_)) return;
      e.at = up;
    }
  }

  double mixture() {
    double value = 0.0, weight = 0.0;
    std::fill(mixed_.begin(), mixed_.end(), 0.0);
    for (const End& e : ends_) {
      value += e.weight * tree_.yval[e.at];
      weight += e.weight;
      for (int s = 0; s < tree_.n_classes; ++s) mixed_[s] += e.weight * tree_.shares(e.at)[s];
    }
    if (tree_.n_classes == 0) return value / weight;
    return loss_.best(mixed_.data(), tree_.n_classes);
  }

  const Tree& tree_;
  const Frame& frame_;
  const Loss& loss_;
  const std::vector<double>&leaf_price_, &prices_;
  double root_risk_;
  std::vector<double> mixed_;
  std::vector<End> ends_;
};

// `prices` and `stop.least_risk` are those of the whole sample; a tree that has seen a share of it
// pays that share of them.
inline FoldErrors cross_validate(const Problem& problem, const StopRule& stop,
                                 const MissingPolicy& missing, const NodeRisk& risk,
                                 const Folds& folds, const std::vector<double>& prices,
                                 Team& team) {
  std::vector<FoldErrors> by_fold(folds.count);
  const auto stop_of = [&](double share) {
    StopRule rule = stop;
    rule.least_risk *= share;
    return rule;
  };
  const RowLoss row_loss(risk.loss, problem.response, problem.criterion);
  const bool classes = problem.response.is_class();
  each_fold(problem, missing, folds, stop_of, team,
            [&](std::size_t fold, const Tree& tree, const Sample& rest, double share, Team& inner) {
              const NodeRisk own_risk = risk;  // has working space of its own
              const std::vector<double> leaf_price = leaf_prices(tree, own_risk);
              std::vector<double> here = prices;
              for (double& p : here) p *= share;
              FoldErrors& sums = by_fold[fold];
              sums.loss.assign(prices.size(), 0.0);
              sums.square.assign(prices.size(), 0.0);
              PricedPredictions predictions(tree, problem.frame, risk.loss, leaf_price, here,
                                            own_risk(tree, 0));
              for (std::size_t i = 0; i < rest.size; ++i) {
                if (i % 1024 == 0) inner.check();
                const std::size_t row = rest.row(i);
                const double w = rest.weight(i);
                const double factor =
                    classes ? problem.factors.prior_of(problem.response.code[row] - 1) : 1.0;
                predictions.of_row(row, [&](std::size_t p, double prediction) {
                  const double l = factor * row_loss(row, prediction);
                  sums.loss[p] += w * l;
                  sums.square[p] += w * l * l;
                });
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

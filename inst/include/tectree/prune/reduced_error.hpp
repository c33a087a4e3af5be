// Reduced-error pruning (Quinlan 1987): rows that the tree was not grown from are run down it; from
// the leaves up, a node becomes a leaf if that makes no more of them wrong.
#pragma once

#include <string>
#include <vector>

#include "../base/team.hpp"
#include "../criterion/loss.hpp"
#include "../criterion/registry.hpp"
#include "../data/frame.hpp"
#include "../tree/spread.hpp"
#include "fold.hpp"

namespace tectree {

// loss(row, prediction) of one row, given a node's prediction for it.
inline auto row_loss(const Loss& loss, const Response& response, const std::string& criterion) {
  double (*of_number)(double, double, double) = nullptr;
  if (!response.is_class())
    of_number = std::visit([](auto by) { return &decltype(by)::loss; }, pick_regression(criterion));
  return [&loss, response, of_number](std::size_t row, double prediction) {
    if (of_number) return of_number(response.number[row], prediction, 1.0);
    return loss.one(response.code[row] - 1, static_cast<int>(prediction), response.n_classes);
  };
}

template <class RowLoss>
Tree prune_reduced_error(const Tree& tree, const Frame& frame, const Sample& sample, RowLoss loss,
                         Team& team) {
  // By node: the loss as a leaf of all rows that pass, and of those that go no further.
  std::vector<double> as_leaf(tree.size(), 0.0), best(tree.size(), 0.0);
  for (std::size_t i = 0; i < sample.size; ++i) {
    if (i % 1024 == 0) team.check();
    const std::size_t row = sample.row(i);
    spread(tree, frame, row, sample.weight(i), 0, [&](int end, double weight) {
      best[end] += weight * loss(row, tree.yval[end]);
      for (int v = end; v >= 0; v = tree.parent[v]) as_leaf[v] += weight * loss(row, tree.yval[v]);
    });
  }
  std::vector<char> leaf(tree.size(), 0);
  fold_up(tree, [&](int v) {
    if (tree.kind[v] == 0) return;
    for (int j = 0; j < tree.n_children[v]; ++j) best[v] += best[child_of(tree, v, j)];
    leaf[v] = as_leaf[v] <= best[v] * (1 + 1e-12);
    if (leaf[v]) best[v] = as_leaf[v];
  });
  return cut_at(tree, [&](int v) { return leaf[v] != 0; });
}

}  // namespace tectree

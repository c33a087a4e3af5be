// The error of each tree of a cost-complexity sequence on held-out rows: without each fold in turn
// a tree is grown and pruned at the sequence's penalties, and the fold's rows run down it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "../grow/many/folds.hpp"
#include "prunings.hpp"
#include "reduced_error.hpp"

namespace tectree {

// By penalty: weighted sums of the rows' losses and of their squares.
struct FoldErrors {
  std::vector<double> loss, square;
};

// The prunings of a tree at falling penalties: the range of penalties, by number, at which a node
// predicts a row that comes to it.
class NodesByPenalty {
 public:
  // `is_leaf(v, i)`: whether the i-th penalty makes node v a leaf; if it does, so do all previous
  // ones.
  template <class IsLeaf>
  NodesByPenalty(const Tree& tree, std::size_t n_penalties, IsLeaf is_leaf)
      : n_penalties_(n_penalties), from_(tree.size(), 0), to_(tree.size()), up_(tree.size(), -1) {
    for (int v = 0; v < static_cast<int>(tree.size()); ++v) {
      to_[v] = leaf_up_to(v, is_leaf);
      if (v == 0) continue;
      const int parent = tree.parent[v];
      from_[v] = std::max(from_[parent], to_[parent]);
      up_[v] = from_[parent] < to_[parent] ? parent : up_[parent];
    }
  }

  std::size_t from(int node) const { return from_[node]; }
  // The next node above that predicts at some penalty, or -1.
  int up(int node) const { return up_[node]; }

  // Calls use(node, from, to) for each node that predicts a row that ends in `end`, with the range
  // of penalties.
  template <class Use>
  void each(int end, Use use) const {
    if (from_[end] < n_penalties_) use(end, from_[end], n_penalties_);
    for (int v = up_[end]; v >= 0; v = up_[v]) use(v, from_[v], to_[v]);
  }

 private:
  template <class IsLeaf>
  std::size_t leaf_up_to(int v, IsLeaf is_leaf) const {
    std::size_t low = 0, high = n_penalties_;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (is_leaf(v, middle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  std::size_t n_penalties_;
  std::vector<std::size_t> from_, to_;
  std::vector<int> up_;
};

// What the prunings of a tree predict for a row: use(prediction, from, to) for each run of
// penalties.
class RowByPenalty {
 public:
  RowByPenalty(const Tree& tree, const NodesByPenalty& nodes, std::size_t n_penalties,
               const Loss& loss)
      : tree_(tree),
        nodes_(nodes),
        n_penalties_(n_penalties),
        loss_(loss),
        mixed_(tree.n_classes) {}

  template <class Use>
  void predict(const Frame& frame, std::size_t row, Use use) {
    ends_.clear();
    spread(tree_, frame, row, 1.0, 0, [&](int node, double weight) {
      if (weight > 0.0) ends_.push_back({node, weight, node});
    });
    if (ends_.size() == 1) {
      nodes_.each(ends_[0].node, [&](int node, std::size_t from, std::size_t to) {
        use(tree_.yval[node], from, to);
      });
      return;
    }
    // A row in parts: from the last penalty up, to the next at which some part ends elsewhere.
    for (std::size_t to = n_penalties_; to > 0;) {
      std::size_t from = 0;
      for (const End& end : ends_) from = std::max(from, nodes_.from(end.at));
      if (from < to) use(mixture(), from, to);
      to = std::min(to, from);
      for (End& end : ends_) {
        if (nodes_.from(end.at) == from && from > 0) end.at = nodes_.up(end.at);
      }
    }
  }

 private:
  struct End {
    int node;
    double weight;
    int at;  // the node above, or itself, that predicts at the penalty looked at
  };

  double mixture() {
    double value = 0.0, weight = 0.0;
    std::fill(mixed_.begin(), mixed_.end(), 0.0);
    for (const End& end : ends_) {
      value += end.weight * tree_.yval[end.at];
      weight += end.weight;
      for (int s = 0; s < tree_.n_classes; ++s) mixed_[s] += end.weight * tree_.shares(end.at)[s];
    }
    if (tree_.n_classes == 0) return value / weight;
    return loss_.best(mixed_.data(), tree_.n_classes);
  }

  const Tree& tree_;
  const NodesByPenalty& nodes_;
  std::size_t n_penalties_;
  const Loss& loss_;
  std::vector<double> mixed_;
  std::vector<End> ends_;
};

// Whether some row meets a split that has no value of it.
inline bool any_undecided(const Tree& tree, const Frame& frame, const Sample& sample, Team& team) {
  std::vector<Part> stack;
  bool found = false;
  for (std::size_t i = 0; i < sample.size && !found; ++i) {
    if (i % 1024 == 0) team.check();
    follow_row(tree, frame, sample.row(i), Part(), stack, [&](const Part& part, bool ends) {
      const bool stopped = ends && tree.kind[part.node] != 0;
      found = found || stopped || part.by == Onward::By::unknown;
    });
  }
  return found;
}

// What trees are pruned by. The penalties, of the whole sample, fall; a tree that has seen a share
// of it pays that share of them. `least`: the penalty that trees are grown at.
struct PenaltySequence {
  NodeRisk risk;
  PenaltyRule rule = PenaltyRule::weakest_link;
  std::vector<double> penalties;
  double least = 0.0;
};

// The errors of one fold's tree, at each penalty, on the rows left out.
class FoldJudge {
 public:
  FoldJudge(const Problem& problem, const PenaltySequence& sequence)
      : problem_(problem), sequence_(sequence) {}

  FoldErrors judge(const FoldTree& fold, const TreeGrower& grower, Team& team) const {
    const NodeRisk& risk = sequence_.risk;
    const auto loss_of = row_loss(risk.loss, problem_.response, problem_.criterion);
    const Tree tree = kept(fold, grower, team);
    const std::vector<double> leaf_penalty = penalties_by(sequence_.rule, tree, risk);
    const double root_risk = risk(tree, 0);
    const std::size_t n = sequence_.penalties.size();
    const NodesByPenalty nodes(tree, n, [&](int v, std::size_t i) {
      return tree.kind[v] != 0 &&
             reaches_penalty(leaf_penalty[v], sequence_.penalties[i] * fold.share, root_risk);
    });
    RowByPenalty by_penalty(tree, nodes, n, risk.loss);
    // What changes from one penalty to the next; their sums are the losses.
    FoldErrors out{std::vector<double>(n + 1, 0.0), std::vector<double>(n + 1, 0.0)};
    for (std::size_t i = 0; i < fold.rest.size; ++i) {
      if (i % 1024 == 0) team.check();
      const std::size_t row = fold.rest.row(i);
      const double weight = fold.rest.weight(i);
      by_penalty.predict(problem_.frame, row, [&](double value, std::size_t from, std::size_t to) {
        const double l = factor_of(row) * loss_of(row, value);
        const double loss = weight * l, square = weight * l * l;
        out.loss[from] += loss;
        out.loss[to] -= loss;
        out.square[from] += square;
        out.square[to] -= square;
      });
    }
    for (auto* sums : {&out.loss, &out.square}) {
      std::partial_sum(sums->begin(), sums->end(), sums->begin());
      sums->pop_back();
    }
    return out;
  }

 private:
  // The tree at the last penalty. A row left out may have a level that a node has not seen, and
  // then goes by the surrogates that growth could do without.
  Tree kept(const FoldTree& fold, const TreeGrower& grower, Team& team) const {
    const auto grown =
        penalties_by(sequence_.rule, fold.tree, sequence_.risk, sequence_.least * fold.share);
    Tree out =
        prune_at_penalty(fold.tree, sequence_.risk, grown, sequence_.penalties.back() * fold.share);
    if (grower.defers_surrogates() && any_undecided(out, problem_.frame, fold.rest, team))
      grower.add_deferred_surrogates(out, fold.seen, team);
    return out;
  }

  double factor_of(std::size_t row) const {
    const Response& y = problem_.response;
    return y.is_class() ? problem_.factors.prior_of(y.code[row] - 1) : 1.0;
  }

  const Problem& problem_;
  const PenaltySequence& sequence_;
};

inline FoldErrors cross_validate(const Problem& problem, const StopRule& stop,
                                 const MissingPolicy& missing, const PenaltySequence& sequence,
                                 const Folds& folds, Team& team) {
  std::vector<FoldErrors> by_fold(folds.count);
  const auto stop_of = [&](double share) {
    StopRule rule = stop;
    rule.least_risk *= share;
    rule.leaf_price *= share;
    return rule;
  };
  const FoldJudge judge(problem, sequence);
  each_fold(problem, missing, folds, stop_of, team,
            [&](const FoldTree& fold, const TreeGrower& grower, Team& inner) {
              by_fold[fold.fold] = judge.judge(fold, grower, inner);
            });
  FoldErrors out;
  out.loss.assign(sequence.penalties.size(), 0.0);
  out.square.assign(sequence.penalties.size(), 0.0);
  for (const FoldErrors& fold : by_fold) {
    for (std::size_t p = 0; p < fold.loss.size(); ++p) {
      out.loss[p] += fold.loss[p];
      out.square[p] += fold.square[p];
    }
  }
  return out;
}

}  // namespace tectree

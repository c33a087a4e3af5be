// The error of each tree of a cost-complexity sequence on rows that it has not seen: without each
// fold in turn a tree is grown and pruned at the sequence's penalties, and the fold's rows run down
// it.
#pragma once

#include <algorithm>
#include <vector>

#include "../grow/tuning/subsets.hpp"
#include "prunings.hpp"
#include "reduced_error.hpp"

namespace tectree {

// By penalty: weighted sums of the rows' losses and of their squares.
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

  FoldErrors judge(const FoldTree& fold, const SubsetGrower& grower, Team& team) const {
    const NodeRisk& risk = sequence_.risk;
    const auto loss_of = row_loss(risk.loss, problem_.response, problem_.criterion);
    const Tree tree = kept(fold, grower, team);
    const std::vector<double> leaf_penalty = penalties_by(sequence_.rule, tree, risk);
    const double root_risk = risk(tree, 0);
    EndsOfRows ends(tree, problem_.frame, fold.rest, risk.loss, team);
    FoldErrors out;
    for (double penalty : sequence_.penalties) {
      team.check();
      const PrunedTo pruned = prune_to(tree, [&](int v) {
        return tree.kind[v] == 0 ||
               reaches_penalty(leaf_penalty[v], penalty * fold.share, root_risk);
      });
      double loss = 0.0, square = 0.0;
      for (std::size_t i = 0; i < fold.rest.size; ++i) {
        const std::size_t row = fold.rest.row(i);
        const double l = factor_of(row) * loss_of(row, ends.prediction(pruned, i));
        loss += fold.rest.weight(i) * l;
        square += fold.rest.weight(i) * l * l;
      }
      out.loss.push_back(loss);
      out.square.push_back(square);
    }
    return out;
  }

 private:
  // The tree at the last penalty. A row left out may have a level that a node has not seen, and
  // then goes by the surrogates that growth could do without.
  Tree kept(const FoldTree& fold, const SubsetGrower& grower, Team& team) const {
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
    return rule;
  };
  const FoldJudge judge(problem, sequence);
  each_fold(problem, missing, folds, stop_of, team,
            [&](const FoldTree& fold, const SubsetGrower& grower, Team& inner) {
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

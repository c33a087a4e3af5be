// What the trees of a forest predict for the rows that they were not grown from.
//
// Rows are taken in blocks, each by one thread, down one tree after another. So sums are in the
// order of the trees, whatever the threads. The size of a block does not depend on the threads
// either, since the curve sums its blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../predict/forest_walk.hpp"
#include "../problem.hpp"
#include "bag.hpp"

namespace tectree {

// The rows of a tree's bag, one bit per position.
class BagBits {
 public:
  BagBits() = default;
  BagBits(std::size_t n, const Bag& bag) : words_((n + 63) / 64, 0) {
    for (std::uint32_t p : bag.positions) words_[p / 64] |= std::uint64_t{1} << (p % 64);
  }
  bool has(std::size_t position) const {
    return (words_[position / 64] >> (position % 64) & 1) != 0;
  }

 private:
  std::vector<std::uint64_t> words_;
};

// A tree of a forest as it is stored until all are finished.
struct GrownTree {
  Forest tree;
  BagBits bag;
};

// Where the results go, by position in the sample, class by class; initially all 0.
struct OutOfBag {
  int* votes = nullptr;
  double* shares = nullptr;
  double *sum = nullptr, *square = nullptr;  // of predicted numbers
  int* times = nullptr;                      // trees for which the row was out of bag
  double* curve = nullptr;  // by tree: the error of the trees so far, per weight of the rows that
                            // have one
};

// A tree with its predictions, by the costs of the problem.
inline ForestView view_of(const Problem& problem, const Forest& tree) {
  ForestView out = tree.view();
  if (!problem.loss.empty()) out.loss = &problem.loss;
  return out;
}

class OutOfBagPass {
 public:
  // `by_shares`: whether the largest mean share chooses the class, not the most votes. If there are
  // costs, they choose it.
  OutOfBagPass(const Problem& problem, const std::vector<GrownTree>& trees, bool by_shares,
               const OutOfBag& to)
      : problem_(problem), trees_(trees), by_shares_(by_shares), to_(to), n_(problem.sample.size) {}

  void run(Team& team) {
    constexpr std::size_t least = 1024, most_blocks = 64;
    const std::size_t block = rows_of_block(problem_.frame, std::max(least, n_ / most_blocks)),
                      blocks = (n_ + block - 1) / block;
    std::vector<Curve> curves(blocks);
    team.each(blocks, [&](std::size_t b, Team& inner) {
      Block rows{b * block, std::min(block, n_ - b * block)};
      curves[b].error.resize(trees_.size());
      curves[b].weight.resize(trees_.size());
      run_block(rows, curves[b], inner);
    });
    for (std::size_t t = 0; t < trees_.size(); ++t) {
      double error = 0.0, weight = 0.0;
      for (const Curve& curve : curves) {
        error += curve.error[t];
        weight += curve.weight[t];
      }
      to_.curve[t] = weight > 0.0 ? error / weight : NAN;
    }
  }

 private:
  struct Block {
    std::size_t first, size;
  };
  struct Curve {
    std::vector<double> error, weight;  // by tree: sums over the rows that have been out of bag
  };

  bool by_class() const { return problem_.response.is_class(); }

  void run_block(const Block& block, Curve& curve, Team& team) {
    RowBlock rows(problem_.frame);
    rows.fill(block.size, [&](std::size_t i) { return problem_.sample.row(block.first + i); });
    TreeWalk walk(rows, true);
    std::vector<std::uint32_t> outside;
    std::vector<double> sums(by_class() ? problem_.response.n_classes : 0);  // of one row's shares
    std::vector<int> leader(by_class() ? block.size : 0, -1);  // by row: the predicted class so far
    for (std::size_t t = 0; t < trees_.size(); ++t) {
      team.check();
      outside.clear();
      for (std::size_t i = 0; i < block.size; ++i) {
        if (!trees_[t].bag.has(block.first + i)) outside.push_back(static_cast<std::uint32_t>(i));
      }
      walk.follow(view_of(problem_, trees_[t].tree), 0, outside);
      for (std::size_t i = 0; i < outside.size(); ++i) {
        const std::size_t p = block.first + outside[i];
        ++to_.times[p];
        by_class() ? add_vote(walk, i, p, leader[outside[i]], sums) : add_number(walk, i, p);
      }
      by_class() ? sum_errors(block, leader, t, curve) : sum_squares(block, t, curve);
    }
  }

  void add_vote(TreeWalk& walk, std::size_t i, std::size_t p, int& leader,
                std::vector<double>& sums) {
    const int said = walk.add_class(i, to_.shares + p, n_);
    const int votes = ++to_.votes[static_cast<std::size_t>(said) * n_ + p];
    if (by_shares_ || !problem_.loss.empty()) {
      leader = class_by_shares(p, sums);
      return;
    }
    if (leader < 0) leader = said;
    const int most = to_.votes[static_cast<std::size_t>(leader) * n_ + p];
    if (votes > most || (votes == most && said < leader)) leader = said;
  }
  int class_by_shares(std::size_t p, std::vector<double>& sums) const {
    for (std::size_t s = 0; s < sums.size(); ++s) sums[s] = to_.shares[s * n_ + p];
    return problem_.loss.best(sums.data(), problem_.response.n_classes);
  }
  void add_number(TreeWalk& walk, std::size_t i, std::size_t p) {
    const double said = walk.number(i);
    to_.sum[p] += said;
    to_.square[p] += said * said;
  }

  void sum_errors(const Block& block, const std::vector<int>& leader, std::size_t t, Curve& curve) {
    for (std::size_t i = 0; i < block.size; ++i) {
      if (leader[i] < 0) continue;
      const std::size_t p = block.first + i;
      const double weight = problem_.sample.weight(p);
      curve.weight[t] += weight;
      if (leader[i] + 1 != problem_.response.code[problem_.sample.row(p)]) curve.error[t] += weight;
    }
  }
  void sum_squares(const Block& block, std::size_t t, Curve& curve) {
    for (std::size_t p = block.first; p < block.first + block.size; ++p) {
      if (to_.times[p] == 0) continue;
      const double weight = problem_.sample.weight(p),
                   off =
                       to_.sum[p] / to_.times[p] - problem_.response.number[problem_.sample.row(p)];
      curve.weight[t] += weight;
      curve.error[t] += weight * off * off;
    }
  }

  const Problem& problem_;
  const std::vector<GrownTree>& trees_;
  bool by_shares_;
  OutOfBag to_;
  std::size_t n_;
};

}  // namespace tectree

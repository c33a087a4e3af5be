// The held-out rows of a run, on their way down its trees and where they end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "../../data/divide.hpp"
#include "../../split/split.hpp"

namespace tectree {

using CriteriaSet = std::vector<std::uint32_t>;

// A part of a held-out row, by its number.
struct TestPart {
  std::uint32_t row;
  double weight;
};

// The results of a run: for each criterion where the held-out rows end, and the tree's size.
class Outcome {
 public:
  // `rows`: the held-out rows, by their number in the frame. `smooth`: weight added to the shares
  // that nodes predict, spread evenly over the classes.
  Outcome(std::vector<std::uint32_t> rows, std::size_t n_criteria, int n_classes, bool shares,
          double smooth)
      : nodes(n_criteria, 0),
        leaves(n_criteria, 0),
        depth(n_criteria, 0),
        value(n_criteria, std::vector<int>(rows.size(), 0)),
        share(shares ? n_criteria : 0, std::vector<double>(rows.size() * n_classes, 0.0)),
        rows_(std::move(rows)),
        mixed_(n_criteria),
        n_classes_(n_classes),
        smooth_(smooth) {}

  std::size_t size() const { return rows_.size(); }
  std::size_t row(std::uint32_t i) const { return rows_[i]; }

  void add_node(const CriteriaSet& criteria, int at_depth) {
    for (std::uint32_t criterion : criteria) {
      ++nodes[criterion];
      depth[criterion] = std::max(depth[criterion], at_depth);
    }
  }

  void add_leaf(const CriteriaSet& criteria) {
    for (std::uint32_t criterion : criteria) ++leaves[criterion];
  }

  // `test[begin, end)`: numbers of held-out rows that end in a node of some weight.
  void predict(const CriteriaSet& criteria, double yval, const double* shares, double weight,
               const std::vector<std::uint32_t>& test, std::size_t begin, std::size_t end) {
    if (begin == end) return;
    for (std::uint32_t criterion : criteria) {
      for (std::size_t i = begin; i < end; ++i) value[criterion][test[i]] = static_cast<int>(yval);
      if (share.empty()) continue;
      // Class by class, like a matrix in R.
      for (int s = 0; s < n_classes_; ++s) {
        double* of_class = share[criterion].data() + s * rows_.size();
        const double predicted = smoothed(shares[s], weight);
        for (std::size_t i = begin; i < end; ++i) of_class[test[i]] = predicted;
      }
    }
  }

  // The parts of rows that end in a node.
  void predict_parts(const CriteriaSet& criteria, const double* shares, double weight,
                     const std::vector<TestPart>& parts) {
    if (parts.empty()) return;
    for (std::uint32_t criterion : criteria) {
      for (const TestPart& part : parts) {
        std::vector<double>& sum = mixed_[criterion][part.row];
        sum.resize(n_classes_, 0.0);
        for (int s = 0; s < n_classes_; ++s) sum[s] += part.weight * smoothed(shares[s], weight);
      }
    }
  }

  // Rows that ended in parts: the class with the largest share, the first on ties.
  void settle() {
    for (std::size_t criterion = 0; criterion < mixed_.size(); ++criterion) {
      for (const auto& [row, sum] : mixed_[criterion]) {
        const double largest = *std::max_element(sum.begin(), sum.end()) * (1 - 1e-12);
        const double total = std::accumulate(sum.begin(), sum.end(), 0.0);
        int best = 0;
        while (sum[best] < largest) ++best;
        value[criterion][row] = best;
        if (share.empty()) continue;
        for (int s = 0; s < n_classes_; ++s)
          share[criterion][s * rows_.size() + row] = sum[s] / total;
      }
    }
  }

  // By criterion.
  std::vector<int> nodes, leaves, depth;
  std::vector<std::vector<int>> value;     // class numbers from 0
  std::vector<std::vector<double>> share;  // row by class

 private:
  double smoothed(double share, double weight) const {
    if (smooth_ == 0.0) return share;
    return (share * weight + smooth_ / n_classes_) / (weight + smooth_);
  }

  std::vector<std::uint32_t> rows_;
  std::vector<std::map<std::uint32_t, std::vector<double>>> mixed_;  // by criterion
  int n_classes_;
  double smooth_;
};

// The held-out rows on their way: those of a node lie in a range, and a split orders them by
// branch. A row with a missing value may go down several branches in parts.
class LeftOut {
 public:
  LeftOut(const Frame& frame, const Outcome& outcome)
      : frame_(frame), outcome_(outcome), branches_(outcome.size()) {}

  // Orders test[begin, end) by branch; `unknown`: the branch of those that their value sends
  // nowhere. If there is none, they and the node's `parts` are left for divide_parts().
  void divide(std::vector<std::uint32_t>& test, std::size_t begin, std::size_t end,
              const std::vector<TestPart>& parts, const Split& split, int unknown) {
    split_ = &split;
    unknown_ = unknown;
    unsent_ = parts;
    branches_.prepare(split.branches + 1);  // the last: for the remaining rows
    const auto leave = [&](std::uint32_t t) {
      unsent_.push_back({t, 1.0});
      branches_.set(t, split.branches);
    };
    std::uint32_t *first = test.data() + begin, *last = test.data() + end;
    if (split.branches == 2) {
      branches_.part(first, last, branch_of(), leave);
    } else {
      const BranchOf branch = branch_of();
      for (const std::uint32_t* t = first; t < last; ++t) {
        const int j = branch(*t);
        if (j == no_branch) {
          leave(*t);
        } else {
          branches_.set(*t, j);
        }
      }
    }
    branches_.finish();
    branches_.divide(first, end - begin, spare_, [](std::uint32_t t) { return t; });
    at_ = branches_.starts();
    for (std::size_t& at : at_) at += begin;
  }

  // Where the rows of branch j begin, and those of branch j - 1 end.
  std::size_t at(std::size_t j) const { return at_[j]; }
  bool all_sent() const { return unsent_.empty(); }

  // What divide() left: to the branch of their value, or down all branches by these weights; they
  // end in the node if there are none. give(branch, part) takes each.
  template <class Give>
  const std::vector<TestPart>& divide_parts(const std::vector<double>& weights, Give give) {
    double total = 0.0;
    for (double weight : weights) total += weight;
    ended_.clear();
    const BranchOf branch_of_row = branch_of();
    for (const TestPart& part : unsent_) {
      const int branch = branch_of_row(part.row);
      if (branch != no_branch) {
        give(branch, part);
      } else if (total > 0.0) {
        for (std::size_t j = 0; j < weights.size(); ++j) {
          if (weights[j] > 0.0) give(j, TestPart{part.row, part.weight * (weights[j] / total)});
        }
      } else {
        ended_.push_back(part);
      }
    }
    return ended_;
  }

 private:
  // The branch of a held-out row.
  struct BranchOf {
    SplitView split;
    const Column& column;
    const Outcome& outcome;
    int unknown;

    int operator()(std::uint32_t test) const {
      const int branch = route(split, column, outcome.row(test));
      return branch == no_branch ? unknown : branch;
    }
  };
  BranchOf branch_of() const {
    return {split_->view(), frame_.columns[split_->column], outcome_, unknown_};
  }

  const Frame& frame_;
  const Outcome& outcome_;
  RowBranches branches_;
  const Split* split_ = nullptr;
  int unknown_ = no_branch;
  std::vector<TestPart> unsent_, ended_;
  std::vector<std::size_t> at_;
  std::vector<std::uint32_t> spare_;
};

}  // namespace tectree

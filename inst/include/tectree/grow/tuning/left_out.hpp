// The rows left out of a run's training on their way down its trees: a node's lie in a range,
// and a split orders them by branch. A row without a value may go down several branches in parts.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "../../data/divide.hpp"
#include "../../split/missing_route.hpp"
#include "outcome.hpp"

namespace tectree {

class LeftOut {
 public:
  LeftOut(const Frame& frame, const Outcome& outcome)
      : frame_(frame), outcome_(outcome), branches_(outcome.size()) {}

  // Orders test[begin, end) by branch; `unknown`: the branch of those that their value sends
  // nowhere. Where there is none, they and the node's `parts` are left for divide_parts().
  void divide(std::vector<std::uint32_t>& test, std::size_t begin, std::size_t end,
              const std::vector<TestPart>& parts, const Split& split, int unknown) {
    split_ = &split;
    unknown_ = unknown;
    unsent_ = parts;
    if (split.kind == SplitKind::threshold) return divide_at(split.breaks[0], test, begin, end);
    branches_.prepare(split.branches);
    for (std::size_t i = begin; i < end;) {
      const int branch = branch_of(test[i]);
      if (branch == no_branch) {
        unsent_.push_back({test[i], 1.0});
        std::swap(test[i], test[--end]);
      } else {
        branches_.set(test[i++], branch);
      }
    }
    branches_.finish();
    branches_.divide(test.data() + begin, end - begin, spare_, [](std::uint32_t t) { return t; });
    at_ = branches_.starts();
    for (std::size_t& at : at_) at += begin;
  }

  // Where the rows of branch j begin, and those of branch j - 1 end.
  std::size_t at(std::size_t j) const { return at_[j]; }
  bool all_sent() const { return unsent_.empty(); }

  // What divide() left: to the branch of their value, or down all branches by these weights; they
  // end in the node where there are none. give(branch, part) takes each.
  template <class Give>
  const std::vector<TestPart>& divide_parts(const std::vector<double>& weights, Give give) {
    double total = 0.0;
    for (double weight : weights) total += weight;
    ended_.clear();
    for (const TestPart& part : unsent_) {
      const int branch = branch_of(part.row);
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
  // divide() by the commonest split, in one pass.
  void divide_at(double threshold, std::vector<std::uint32_t>& test, std::size_t begin,
                 std::size_t end) {
    const Column& column = frame_.columns[split_->column];
    if (spare_.size() < end - begin) spare_.resize(end - begin);
    std::size_t left = begin, right = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t row = test[i];
      const double x = column.value(outcome_.row(row));
      std::size_t goes_right = x > threshold;
      if (std::isnan(x)) {
        if (unknown_ == no_branch) {
          unsent_.push_back({row, 1.0});
          continue;
        }
        goes_right = static_cast<std::size_t>(unknown_);
      }
      test[left] = row;
      spare_[right] = row;
      left += 1 - goes_right;
      right += goes_right;
    }
    std::copy_n(spare_.begin(), right, test.begin() + static_cast<std::ptrdiff_t>(left));
    at_.assign({begin, left, left + right});
  }

  int branch_of(std::uint32_t test) const {
    const int branch = route(split_->view(), frame_.columns[split_->column], outcome_.row(test));
    return branch == no_branch ? unknown_ : branch;
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

// What a run leaves of its trees: for each criterion where the left-out rows end, and the tree's
// size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace tectree {

// A part of a left-out row, by its number.
struct TestPart {
  std::uint32_t row;
  double weight;
};

class Outcome {
 public:
  // `rows`: the left-out rows, by their number in the frame.
  Outcome(std::vector<std::uint32_t> rows, std::size_t n_criteria, int n_classes, bool shares)
      : nodes(n_criteria, 0),
        leaves(n_criteria, 0),
        depth(n_criteria, 0),
        value(n_criteria, std::vector<int>(rows.size(), 0)),
        share(shares ? n_criteria : 0, std::vector<double>(rows.size() * n_classes, 0.0)),
        rows_(std::move(rows)),
        mixed_(n_criteria),
        n_classes_(n_classes) {}

  std::size_t size() const { return rows_.size(); }
  std::size_t row(std::uint32_t i) const { return rows_[i]; }

  template <class CriteriaSet>
  void add_node(const CriteriaSet& criteria, int at_depth) {
    for (std::uint32_t criterion : criteria) {
      ++nodes[criterion];
      depth[criterion] = std::max(depth[criterion], at_depth);
    }
  }

  template <class CriteriaSet>
  void add_leaf(const CriteriaSet& criteria) {
    for (std::uint32_t criterion : criteria) ++leaves[criterion];
  }

  // `test[begin, end)`: numbers of left-out rows that end in a node.
  template <class CriteriaSet>
  void predict(const CriteriaSet& criteria, double yval, const double* shares,
               const std::vector<std::uint32_t>& test, std::size_t begin, std::size_t end) {
    if (begin == end) return;
    for (std::uint32_t criterion : criteria) {
      for (std::size_t i = begin; i < end; ++i) value[criterion][test[i]] = static_cast<int>(yval);
      if (share.empty()) continue;
      // A class after the other, as a matrix of R's lies in memory.
      for (int s = 0; s < n_classes_; ++s) {
        double* of_class = share[criterion].data() + s * rows_.size();
        for (std::size_t i = begin; i < end; ++i) of_class[test[i]] = shares[s];
      }
    }
  }

  // The parts of rows that end in a node.
  template <class CriteriaSet>
  void predict_parts(const CriteriaSet& criteria, const double* shares,
                     const std::vector<TestPart>& parts) {
    if (parts.empty()) return;
    for (std::uint32_t criterion : criteria) {
      for (const TestPart& part : parts) {
        std::vector<double>& sum = mixed_[criterion][part.row];
        sum.resize(n_classes_, 0.0);
        for (int s = 0; s < n_classes_; ++s) sum[s] += part.weight * shares[s];
      }
    }
  }

  // Rows that ended in parts: the class of the largest share, the first among equals.
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
  std::vector<std::uint32_t> rows_;
  std::vector<std::map<std::uint32_t, std::vector<double>>> mixed_;  // by criterion
  int n_classes_;
};

}  // namespace tectree

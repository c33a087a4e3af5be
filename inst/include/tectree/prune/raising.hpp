// The training rows of a tree whose branches may be raised: which rows end at which node, the
// errors of a branch if it took all rows of its parent, and its figures once it does.
//
// A row may end at several nodes, each with a part of its weight; a node's rows are those that end
// in its subtree. Nodes are known by their number in the tree as grown, in pre-order, so a subtree
// is a range of numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "../base/team.hpp"
#include "../criterion/contract.hpp"
#include "../data/frame.hpp"
#include "../tree/spread.hpp"
#include "fold.hpp"

namespace tectree {

class RaisedRows {
 public:
  struct Part {
    std::uint32_t row;  // of the frame
    double weight;
  };

  RaisedRows(const Tree& tree, const Frame& frame, const Sample& sample, const Response& response,
             const Criterion& criterion, const NodeRisk& risk, Team& team)
      : frame_(frame),
        code_(response.code),
        criterion_(criterion),
        risk_(risk),
        k_(tree.n_classes),
        ends_(tree.size()),
        last_(tree.size()),
        count_(tree.size() * tree.n_classes, 0.0) {
    fold_up(tree, [&](int v) {
      last_[v] = v;
      for (int j = 0; j < tree.n_children[v]; ++j)
        last_[v] = std::max(last_[v], last_[child_of(tree, v, j)]);
    });
    for (std::size_t i = 0; i < sample.size; ++i)
      rows_.push_back({static_cast<std::uint32_t>(sample.row(i)), sample.weight(i)});
    team.check();
    place(tree, 0);
  }

  // A node has become a leaf: all its rows end there.
  void gather_at(int v) {
    gather(v);
    std::swap(ends_[v], rows_);
  }

  // Calls each(weight, errors) for the leaves below `branch` if all rows of v went there.
  template <class Each>
  void try_below(const Tree& tree, int v, int branch, Each each) {
    collect(v);
    touched_.clear();
    send(tree, branch, [&](int end, const Part& part) {
      double* count = counts(end);
      if (std::all_of(count, count + k_, [](double x) { return x == 0.0; }))
        touched_.push_back(end);
      count[code_[part.row] - 1] += part.weight;
    });
    for (int end : touched_) {
      double* count = counts(end);
      double weight = 0.0;
      for (int s = 0; s < k_; ++s) weight += count[s];
      each(weight, risk_.loss.of(count, k_, risk_.loss.best(count, k_)));
      std::fill(count, count + k_, 0.0);
    }
  }

  // All rows of v go to its branch, whose nodes are described anew.
  void move_below(Tree& tree, int v, int branch) {
    gather(v);
    place(tree, branch);
    describe(tree, v, branch);
  }

 private:
  double* counts(int v) { return count_.data() + static_cast<std::size_t>(v) * k_; }

  void place(const Tree& tree, int from) {
    std::size_t times = 0;
    send(tree, from, [&](int end, const Part& part) {
      ends_[end].push_back(part);
      ++times;
    });
    shared_ = shared_ || times > rows_.size();
  }

  // Calls at_end(node, part) for every node where a part of rows_ ends, from a node on.
  template <class AtEnd>
  void send(const Tree& tree, int from, AtEnd at_end) const {
    std::vector<std::pair<int, std::vector<Part>>> stack{{from, rows_}};
    while (!stack.empty()) {
      const auto [node, parts] = std::move(stack.back());
      stack.pop_back();
      std::vector<std::vector<Part>> branches(tree.n_children[node]);
      for (const Part& part : divide(tree, node, parts, branches)) at_end(node, part);
      for (std::size_t j = branches.size(); j-- > 0;) {
        if (!branches[j].empty())
          stack.emplace_back(child_of(tree, node, static_cast<int>(j)), std::move(branches[j]));
      }
    }
  }

  // Parts of a node by branch, and those that go no further. Rows with a missing value are divided
  // by the weights of these rows, not of those that the nodes were grown from; in equal parts if no
  // row has a value.
  std::vector<Part> divide(const Tree& tree, int node, const std::vector<Part>& parts,
                           std::vector<std::vector<Part>>& branches) const {
    if (branches.empty()) return parts;
    const std::size_t n = branches.size();
    std::vector<double> weight(n, 0.0);
    std::vector<Part> unknown;
    double known = 0.0;
    for (const Part& part : parts) {
      const int branch = onward(tree, frame_, node, part.row).branch;
      if (branch == no_branch) {
        unknown.push_back(part);
      } else {
        branches[branch].push_back(part);
        weight[branch] += part.weight;
        known += part.weight;
      }
    }
    if (tree.unknown != UnknownRows::share) return unknown;
    for (std::size_t j = 0; j < n; ++j) {
      const double share = known > 0.0 ? weight[j] / known : 1.0 / static_cast<double>(n);
      if (!(share > 0.0)) continue;
      for (const Part& part : unknown) branches[j].push_back({part.row, part.weight * share});
    }
    return {};
  }

  // Into rows_: the rows of v, each once.
  void collect(int v) {
    rows_.clear();
    for (int u = v; u <= last_[v]; ++u) rows_.insert(rows_.end(), ends_[u].begin(), ends_[u].end());
    if (!shared_) return;
    std::sort(rows_.begin(), rows_.end(),
              [](const Part& a, const Part& b) { return a.row < b.row; });
    std::size_t n = 0;
    for (const Part& part : rows_) {
      if (n > 0 && rows_[n - 1].row == part.row) {
        rows_[n - 1].weight += part.weight;
      } else {
        rows_[n++] = part;
      }
    }
    rows_.resize(n);
  }

  void gather(int v) {
    collect(v);
    for (int u = v; u <= last_[v]; ++u) std::vector<Part>().swap(ends_[u]);
  }

  // The figures of the branch and all nodes below it, from the rows that end there.
  void describe(Tree& tree, int v, int branch) {
    for (int u = branch; u <= last_[branch]; ++u) {
      for (const Part& part : ends_[u]) {
        for (int a = u;; a = tree.parent[a]) {
          counts(a)[code_[part.row] - 1] += part.weight;
          if (a == branch) break;
        }
      }
    }
    const std::vector<double> n = count_rows(tree, branch);
    for (int u = branch; u <= last_[branch]; ++u) {
      describe_node(tree, u, u == branch ? v : tree.parent[u], n[u - branch]);
      std::fill(counts(u), counts(u) + k_, 0.0);
    }
  }

  // A row with several parts counts once at every node that any of them passes.
  std::vector<double> count_rows(const Tree& tree, int branch) const {
    struct End {
      std::uint32_t row;
      int node;
    };
    std::vector<End> ends;
    for (int u = branch; u <= last_[branch]; ++u) {
      for (const Part& part : ends_[u]) ends.push_back({part.row, u});
    }
    std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.row < b.row; });
    std::vector<double> n(last_[branch] - branch + 1, 0.0);
    std::vector<std::int64_t> seen(n.size(), -1);
    for (const End& end : ends) {
      for (int a = end.node; seen[a - branch] != end.row; a = tree.parent[a]) {
        seen[a - branch] = end.row;
        n[a - branch] += 1.0;
        if (a == branch) break;
      }
    }
    return n;
  }

  void describe_node(Tree& tree, int u, int parent, double n) {
    double* share = tree.share.data() + static_cast<std::size_t>(u) * k_;
    const double* count = counts(u);
    tree.n[u] = n;
    tree.weight[u] = 0.0;
    for (int s = 0; s < k_; ++s) tree.weight[u] += count[s];
    if (n == 0.0) {  // predicts as its parent does
      std::copy_n(tree.shares(parent), k_, share);
      tree.yval[u] = tree.yval[parent];
      tree.impurity[u] = 0.0;
      return;
    }
    tree.impurity[u] = criterion_.impurity(count, k_, tree.weight[u]);
    tree.yval[u] = risk_.loss.best(count, k_);
    for (int s = 0; s < k_; ++s) share[s] = count[s] / tree.weight[u];
  }

  const Frame& frame_;
  const int* code_;
  const Criterion& criterion_;
  const NodeRisk& risk_;
  int k_;
  bool shared_ = false;
  std::vector<std::vector<Part>> ends_;
  std::vector<int> last_;
  std::vector<double> count_;  // by node and class, zero between calls
  std::vector<Part> rows_;
  std::vector<int> touched_;
};

}  // namespace tectree

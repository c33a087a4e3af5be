// A grown tree beside the naive one, node by node; and what holds for every tree whatever it is.
#pragma once

#include <tectree/predict/predictor.hpp>

#include <sstream>

#include "check.h"
#include "grow/naive_tree.h"

namespace support {

inline std::string text_of(const Split& s) {
  std::ostringstream out;
  out.precision(17);
  out << "kind " << static_cast<int>(s.kind) << " column " << s.column << " branches " << s.branches
      << " breaks";
  for (double b : s.breaks) out << ' ' << b;
  out << " levels";
  for (std::size_t i = 0; i < s.level.size(); ++i)
    out << ' ' << s.level[i] << ':' << s.level_child[i];
  return out.str();
}

// Fails unless every node of `tree` is what the naive one is.
class Comparison {
 public:
  Comparison(const tectree::Tree& tree, const NaiveNode& root, double tolerance)
      : tree_(tree), tolerance_(tolerance) {
    visit(root, -1);
    if (said_.empty() && static_cast<std::size_t>(next_) != tree.size())
      said_ = "more nodes than the naive tree";
  }
  const std::string& said() const { return said_; }

 private:
  void require(bool holds, const std::string& what) {
    if (!holds && said_.empty()) said_ = "node " + std::to_string(next_) + ": " + what;
  }
  void near(double found, double expected, const char* what) {
    if (check::near(found, expected, tolerance_ * std::max(1.0, std::fabs(expected)))) return;
    std::ostringstream out;
    out.precision(17);
    out << what << ' ' << found << " instead of " << expected;
    require(false, out.str());
  }

  void visit(const NaiveNode& node, int parent) {
    if (!said_.empty()) return;
    if (next_ >= static_cast<int>(tree_.size())) return require(false, "is not there");
    facts(node, parent);
    const Split found = tree_.split_at(next_);
    if (node.child.empty()) {
      require(found.kind == SplitKind::leaf, "is no leaf: " + text_of(found) + gain_text());
    } else {
      require(text_of(found) == text_of(node.split),
              text_of(found) + " instead of " + text_of(node.split));
      near(tree_.gain[next_], node.gain, "gain");
      near(tree_.score[next_], node.score, "score");
      require(tree_.default_child[next_] == node.missing, "default branch");
      require(tree_.exact[next_] == 1, "not exact");
    }
    const int here = next_++;
    for (std::size_t j = 0; j < node.child.size() && said_.empty(); ++j) {
      require(tree_.child[static_cast<std::size_t>(tree_.child_start[here]) + j] == next_,
              "child is elsewhere");
      visit(node.child[j], here);
    }
  }

  void facts(const NaiveNode& node, int parent) {
    require(tree_.parent[next_] == parent, "parent");
    require(tree_.depth[next_] == node.depth, "depth");
    near(tree_.n[next_], node.n, "n");
    near(tree_.weight[next_], node.weight, "weight");
    near(tree_.yval[next_], node.yval, "yval");
    near(tree_.impurity[next_], node.impurity, "impurity");
    for (std::size_t s = 0; s < node.share.size(); ++s)
      near(tree_.shares(next_)[s], node.share[s], "share");
  }
  std::string gain_text() const { return ", gain " + std::to_string(tree_.gain[next_]); }

  const tectree::Tree& tree_;
  const double tolerance_;
  int next_ = 0;
  std::string said_;
};

// Every row of the training data must be led to a leaf that counted it.
inline std::string misrouted(const tectree::Tree& tree, const Table& table,
                             const Setting& setting) {
  const tectree::Problem problem = problem_of(table, setting);
  tectree::check_tree(tree, table.x.size());
  std::vector<int> leaf(table.rows());
  tectree::Team team(1);
  tectree::predict_leaves(tree, problem.frame, leaf.data(), team);
  std::vector<double> n(tree.size(), 0.0);
  for (int l : leaf) ++n[static_cast<std::size_t>(l)];
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (tree.kind[i] == 0 && n[i] != tree.n[i])
      return "leaf " + std::to_string(i) + " does not get its rows again";
  }
  return "";
}

inline std::string text_of(const Setting& s) {
  std::ostringstream out;
  out << s.criterion << ' ' << s.parameter << " bucket " << s.control.min_bucket << " gain "
      << s.control.min_gain << " nominal " << static_cast<int>(s.control.nominal) << " intervals "
      << s.control.intervals << " eligible " << static_cast<int>(s.control.eligible) << " split "
      << s.stop.min_split << " depth " << s.stop.max_depth << " missing " << s.missing;
  return out.str();
}

// Grows both trees and fails with what differs first; `what` says which data it was.
inline bool same_as_naive(const Table& table, const Setting& setting, const std::string& what,
                          int threads = 1, double tolerance = 1e-9) {
  const tectree::Tree tree = grown(table, setting, threads);
  std::string said = Comparison(tree, NaiveTree(table, setting).grow(), tolerance).said();
  if (said.empty()) said = misrouted(tree, table, setting);
  if (!said.empty()) check::fail("grow", 0, what + " (" + text_of(setting) + "): " + said);
  return said.empty();
}

// Are two trees the same to the last bit?
inline bool identical(const tectree::Tree& a, const tectree::Tree& b) {
  return a.parent == b.parent && a.depth == b.depth && a.kind == b.kind &&
         a.variable == b.variable && a.n_children == b.n_children &&
         a.child_start == b.child_start && a.default_child == b.default_child &&
         a.break_start == b.break_start && a.break_count == b.break_count &&
         a.level_start == b.level_start && a.level_count == b.level_count && a.n == b.n &&
         a.weight == b.weight && a.yval == b.yval && a.impurity == b.impurity && a.gain == b.gain &&
         a.score == b.score && a.exact == b.exact && a.share == b.share && a.child == b.child &&
         a.level == b.level && a.level_child == b.level_child && a.breaks == b.breaks;
}

}  // namespace support

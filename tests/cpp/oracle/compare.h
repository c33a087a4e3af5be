// Compares a grown tree with the oracle's, node by node.
#pragma once

#include <sstream>

#include "oracle/tree.h"

namespace oracle {

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

// The first difference between a tree and the oracle's.
class Comparison {
 public:
  Comparison(const tectree::Tree& tree, const Node& root, double tolerance)
      : tree_(tree), tolerance_(tolerance) {
    visit(root, -1);
    if (said_.empty() && static_cast<std::size_t>(next_) != tree.size())
      said_ = "more nodes than the oracle's tree";
  }
  const std::string& said() const { return said_; }

 private:
  void require(bool holds, const std::string& what) {
    if (!holds && said_.empty()) said_ = "node " + std::to_string(next_) + ": " + what;
  }
  double slack(double of) const { return tolerance_ * std::max(1.0, std::fabs(of)); }
  void near(double found, double expected, const char* what) {
    if (found == expected || std::fabs(found - expected) <= slack(expected)) return;
    std::ostringstream out;
    out.precision(17);
    out << what << ' ' << found << " instead of " << expected;
    require(false, out.str());
  }

  void visit(const Node& node, int parent) {
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
      surrogates(node);
    }
    const int here = next_++;
    for (std::size_t j = 0; j < node.child.size() && said_.empty(); ++j) {
      require(tree_.child[static_cast<std::size_t>(tree_.child_start[here]) + j] == next_,
              "child is elsewhere");
      visit(node.child[j], here);
    }
  }

  void facts(const Node& node, int parent) {
    require(tree_.parent[next_] == parent, "parent");
    require(tree_.depth[next_] == node.depth, "depth");
    near(tree_.n[next_], node.n, "n");
    near(tree_.weight[next_], node.weight, "weight");
    near(tree_.yval[next_], node.yval, "yval");
    near(tree_.impurity[next_], node.impurity, "impurity");
    for (std::size_t s = 0; s < node.share.size(); ++s)
      near(tree_.shares(next_)[s], node.share[s], "share");
  }
  void surrogates(const Node& node) {
    const std::vector<tectree::Surrogate> found = tree_.surrogates_at(next_);
    require(found.size() == node.surrogates.size(), std::to_string(found.size()) +
                                                        " surrogates instead of " +
                                                        std::to_string(node.surrogates.size()));
    for (std::size_t i = 0; i < found.size() && said_.empty(); ++i) {
      const tectree::Surrogate &a = found[i], &b = node.surrogates[i];
      require(text_of(a.split) == text_of(b.split) && a.flipped == b.flipped,
              "surrogate " + text_of(a.split) + " instead of " + text_of(b.split));
      near(a.agree, b.agree, "agreement");
      near(a.adj, b.adj, "adjusted agreement");
    }
  }
  std::string gain_text() const { return ", gain " + std::to_string(tree_.gain[next_]); }

  const tectree::Tree& tree_;
  const double tolerance_;
  int next_ = 0;
  std::string said_;
};

}  // namespace oracle

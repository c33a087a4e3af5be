// Room tree/: the fitted tree, and where a row goes in it.
//
// A struct of arrays, one entry per node, with pools for data of varying length.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../split/split.hpp"
#include "records.hpp"

namespace tectree {

// The surrogates of a tree's nodes, flat.
struct SurrogatePools {
  std::vector<int> start, count;  // by node
  // By surrogate. A threshold has its break here; levels are in pools of the tree.
  std::vector<int> variable, kind, flipped, level_start, level_count;
  std::vector<double> cut, agree, adj;

  std::size_t size() const { return variable.size(); }
  void clear() {
    for (auto* v : {&start, &count, &variable, &kind, &flipped, &level_start, &level_count})
      v->clear();
    for (auto* v : {&cut, &agree, &adj}) v->clear();
  }
  void add_node() {
    start.push_back(static_cast<int>(size()));
    count.push_back(0);
  }

  void add(const Surrogate& s, std::vector<int>& level, std::vector<int>& level_child) {
    variable.push_back(s.split.column);
    kind.push_back(static_cast<int>(s.split.kind));
    flipped.push_back(s.flipped);
    cut.push_back(s.split.breaks.empty() ? 0.0 : s.split.breaks[0]);
    level_start.push_back(static_cast<int>(level.size()));
    level_count.push_back(static_cast<int>(s.split.level.size()));
    level.insert(level.end(), s.split.level.begin(), s.split.level.end());
    level_child.insert(level_child.end(), s.split.level_child.begin(), s.split.level_child.end());
    agree.push_back(s.agree);
    adj.push_back(s.adj);
  }

  Surrogate get(int at, const std::vector<int>& level, const std::vector<int>& level_child) const {
    const auto from = level_start[at], to = from + level_count[at];
    Split split{static_cast<SplitKind>(kind[at]),
                variable[at],
                2,
                {},
                {level.begin() + from, level.begin() + to},
                {level_child.begin() + from, level_child.begin() + to}};
    if (split.kind != SplitKind::subset) split.breaks.push_back(cut[at]);
    return {std::move(split), flipped[at] != 0, agree[at], adj[at]};
  }

  SurrogateView view(int at, const std::vector<int>& level,
                     const std::vector<int>& level_child) const {
    const bool by_level = kind[at] == static_cast<int>(SplitKind::subset);
    return {{static_cast<SplitKind>(kind[at]), 2, cut.data() + at, by_level ? 0 : 1,
             level.data() + level_start[at], level_child.data() + level_start[at], level_count[at]},
            variable[at],
            flipped[at] != 0};
  }
};

struct Tree {
  int n_classes = 0;
  std::vector<int> parent, depth, kind, variable, n_children, child_start,
      default_child;  // parent -1: root
  std::vector<int> break_start, break_count, level_start, level_count;
  std::vector<double> n, weight, yval, impurity, gain, score;
  std::vector<signed char> exact;  // -1 for a leaf
  std::vector<Test> test;          // of splits by p values
  std::vector<double> share;       // n_classes per node, node by node
  std::vector<int> child, level, level_child;
  std::vector<double> breaks;
  // Rows with a missing value: those that no surrogate decides (default_child is the branch, or
  // no_branch if they stop), and whether surrogates are used at all.
  UnknownRows unknown = UnknownRows::branch;
  bool by_surrogate = false;
  SurrogatePools surrogates;  // their levels are in `level` and `level_child`

  std::size_t size() const { return parent.size(); }

  // Room for so many nodes.
  void reserve(std::size_t nodes) {
    each_by_node([nodes](auto& of_node) { of_node.reserve(nodes); });
    child.reserve(nodes);
    share.reserve(nodes * static_cast<std::size_t>(n_classes));
  }
  // Without nodes, in its existing memory.
  void clear() {
    each_by_node([](auto& of_node) { of_node.clear(); });
    for (auto* pool : {&child, &level, &level_child}) pool->clear();
    for (auto* pool : {&share, &breaks}) pool->clear();
    surrogates.clear();
  }

  // `shares`: n_classes of them.
  int add_leaf(const NodeFacts& facts, const double* shares, int parent_node) {
    parent.push_back(parent_node);
    depth.push_back(parent_node < 0 ? 0 : depth[parent_node] + 1);
    kind.push_back(static_cast<int>(SplitKind::leaf));
    for (auto* v : {&variable, &n_children, &break_count, &level_count}) v->push_back(0);
    child_start.push_back(static_cast<int>(child.size()));
    break_start.push_back(static_cast<int>(breaks.size()));
    level_start.push_back(static_cast<int>(level.size()));
    variable.back() = default_child.emplace_back(-1);
    n.push_back(static_cast<double>(facts.n));
    weight.push_back(facts.weight);
    yval.push_back(facts.yval);
    impurity.push_back(facts.impurity);
    gain.push_back(0.0);
    score.push_back(0.0);
    exact.push_back(-1);
    test.emplace_back();
    surrogates.add_node();
    share.insert(share.end(), shares, shares + n_classes);
    return static_cast<int>(size()) - 1;
  }

  // Turns a leaf into an inner node; its children must be added in branch order and given to
  // set_children().
  void set_split(int node, const Winner& w, int missing_branch) {
    const Split& s = w.split;
    kind[node] = static_cast<int>(s.kind);
    variable[node] = s.column;
    n_children[node] = s.branches;
    default_child[node] = missing_branch;
    break_start[node] = static_cast<int>(breaks.size());
    break_count[node] = static_cast<int>(s.breaks.size());
    breaks.insert(breaks.end(), s.breaks.begin(), s.breaks.end());
    level_start[node] = static_cast<int>(level.size());
    level_count[node] = static_cast<int>(s.level.size());
    level.insert(level.end(), s.level.begin(), s.level.end());
    level_child.insert(level_child.end(), s.level_child.begin(), s.level_child.end());
    gain[node] = w.gain;
    score[node] = w.score;
    exact[node] = w.exact;
    test[node] = w.test;
  }

  void set_surrogates(int node, const std::vector<Surrogate>& found) {
    surrogates.start[node] = static_cast<int>(surrogates.size());
    surrogates.count[node] = static_cast<int>(found.size());
    for (const Surrogate& s : found) surrogates.add(s, level, level_child);
  }

  const double* shares(int node) const {
    return share.data() + static_cast<std::size_t>(node) * n_classes;
  }

  void set_children(int node, const std::vector<int>& nodes) {
    child_start[node] = static_cast<int>(child.size());
    child.insert(child.end(), nodes.begin(), nodes.end());
  }

  SplitView split(int node) const {
    return {static_cast<SplitKind>(kind[node]),
            n_children[node],
            breaks.data() + break_start[node],
            break_count[node],
            level.data() + level_start[node],
            level_child.data() + level_start[node],
            level_count[node]};
  }

  Split split_at(int node) const {
    const SplitView view = split(node);
    return {view.kind,
            variable[node],
            view.branches,
            {view.breaks, view.breaks + view.n_breaks},
            {view.level, view.level + view.n_levels},
            {view.level_child, view.level_child + view.n_levels}};
  }

  std::vector<Surrogate> surrogates_at(int node) const {
    std::vector<Surrogate> out;
    const int first = surrogates.start[node], n = surrogates.count[node];
    for (int i = first; i < first + n; ++i) out.push_back(surrogates.get(i, level, level_child));
    return out;
  }

  SurrogateView surrogate(int at) const { return surrogates.view(at, level, level_child); }

 private:
  // use(vector) for those with one entry per node.
  template <class Use>
  void each_by_node(Use use) {
    for (auto* v : {&parent, &depth, &kind, &variable, &n_children, &child_start, &default_child,
                    &break_start, &break_count, &level_start, &level_count, &surrogates.start,
                    &surrogates.count})
      use(*v);
    for (auto* v : {&n, &weight, &yval, &impurity, &gain, &score}) use(*v);
    use(exact);
    use(test);
  }
};

// Copies the split of node `from` of `source` to node `to` of `target`, pools included.
inline void copy_split(const Tree& source, int from, Tree& target, int to) {
  const auto copy = [](const std::vector<int>& first, const std::vector<int>& count, int at,
                       const auto& pool, auto& out) {
    const auto begin = pool.begin() + first[at];
    out.insert(out.end(), begin, begin + count[at]);
  };
  target.kind[to] = source.kind[from];
  target.variable[to] = source.variable[from];
  target.n_children[to] = source.n_children[from];
  target.default_child[to] = source.default_child[from];
  target.gain[to] = source.gain[from];
  target.score[to] = source.score[from];
  target.exact[to] = source.exact[from];
  target.test[to] = source.test[from];
  target.break_start[to] = static_cast<int>(target.breaks.size());
  target.break_count[to] = source.break_count[from];
  copy(source.break_start, source.break_count, from, source.breaks, target.breaks);
  target.level_start[to] = static_cast<int>(target.level.size());
  target.level_count[to] = source.level_count[from];
  copy(source.level_start, source.level_count, from, source.level, target.level);
  copy(source.level_start, source.level_count, from, source.level_child, target.level_child);
  if (source.surrogates.count[from] > 0) target.set_surrogates(to, source.surrogates_at(from));
}

inline NodeFacts facts_of(const Tree& tree, int node) {
  NodeFacts f;
  f.n = static_cast<std::size_t>(tree.n[node]);
  f.weight = tree.weight[node];
  f.yval = tree.yval[node];
  f.impurity = tree.impurity[node];
  return f;
}

// A node of a tree as the root of what continues a leaf of another.
struct Graft {
  const Tree* tree = nullptr;
  int root = 0;
};

// Memory of trees that are grown one after another, each once the previous one is no longer needed.
struct TreeMemory {
  Tree piece, whole;
};

// Pieces of one tree: `grafts[i]` continues leaf `at[i]` of `trunk` (its root is that leaf).
// Returns what is reached from `root` in pre-order, whatever the order the nodes were made in, in
// the memory of `out`, which has no nodes.
inline Tree assemble(const Tree& trunk, const std::vector<int>& at = {},
                     const std::vector<Graft>& grafts = {}, int root = 0, Tree out = {}) {
  std::vector<int> graft_of(trunk.size(), -1);
  for (std::size_t i = 0; i < at.size(); ++i) graft_of[at[i]] = static_cast<int>(i);
  struct Visit {
    const Tree* tree;
    int node, parent, branch;
  };
  out.n_classes = trunk.n_classes;
  std::vector<const Tree*> pieces{&trunk};
  for (const Graft& graft : grafts) pieces.push_back(graft.tree);
  std::sort(pieces.begin(), pieces.end());
  pieces.erase(std::unique(pieces.begin(), pieces.end()), pieces.end());
  std::size_t n = 0;
  for (const Tree* piece : pieces) n += piece->size();
  out.reserve(n);
  out.unknown = trunk.unknown;
  out.by_surrogate = trunk.by_surrogate;
  std::vector<Visit> stack{{&trunk, root, -1, 0}};
  while (!stack.empty()) {
    Visit v = stack.back();
    stack.pop_back();
    if (v.tree == &trunk && graft_of[v.node] >= 0) {
      const Graft& graft = grafts[graft_of[v.node]];
      v.tree = graft.tree;
      v.node = graft.root;
    }
    const Tree& from = *v.tree;
    const int made = out.add_leaf(facts_of(from, v.node), from.shares(v.node), v.parent);
    if (v.parent >= 0) out.child[out.child_start[v.parent] + v.branch] = made;
    if (from.kind[v.node] == 0) continue;
    copy_split(from, v.node, out, made);
    out.child_start[made] = static_cast<int>(out.child.size());
    out.child.resize(out.child.size() + from.n_children[v.node]);
    for (int j = from.n_children[v.node]; j-- > 0;)
      stack.push_back({v.tree, from.child[from.child_start[v.node] + j], made, j});
  }
  return out;
}

}  // namespace tectree

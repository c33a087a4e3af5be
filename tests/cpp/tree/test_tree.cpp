// The tree as flat vectors: adding nodes, and joining pieces in pre-order.
#include "check.h"

#include <tectree/tree/tree.hpp>

#include "support/build.h"

using namespace tectree;

namespace {

// The nodes in pre-order, one line each: contents and position.
std::string outline(const Tree& tree, int node = 0) {
  const SplitView s = tree.split(node);
  std::string out(static_cast<std::size_t>(tree.depth[node]), ' ');
  out +=
      "n" + std::to_string(static_cast<int>(tree.n[node])) + " k" + std::to_string(tree.kind[node]);
  out += " v" + std::to_string(tree.variable[node]) + " d" +
         std::to_string(tree.default_child[node]) + " p";
  out += std::to_string(static_cast<int>(1000 * tree.shares(node)[0])) + " g" +
         std::to_string(static_cast<int>(4 * tree.gain[node]));
  for (int i = 0; i < s.n_breaks; ++i)
    out += " <=" + std::to_string(static_cast<int>(10 * s.breaks[i]));
  for (int i = 0; i < s.n_levels; ++i)
    out += " " + std::to_string(s.level[i]) + ":" + std::to_string(s.level_child[i]);
  out += "\n";
  for (int j = 0; j < tree.n_children[node]; ++j)
    out += outline(tree, tree.child[tree.child_start[node] + j]);
  return out;
}

bool is_pre_order(const Tree& tree) {
  std::vector<int> stack{0};
  std::size_t next = 0;
  while (!stack.empty()) {
    const int node = stack.back();
    stack.pop_back();
    if (node != static_cast<int>(next++)) return false;
    for (int j = tree.n_children[node]; j-- > 0;) {
      const int child = tree.child[tree.child_start[node] + j];
      if (tree.parent[child] != node || tree.depth[child] != tree.depth[node] + 1) return false;
      stack.push_back(child);
    }
  }
  return next == tree.size();
}

bool same_lengths(const Tree& t) {
  const std::size_t n = t.size();
  for (const auto* v :
       {&t.depth, &t.kind, &t.variable, &t.n_children, &t.child_start, &t.default_child,
        &t.break_start, &t.break_count, &t.level_start, &t.level_count}) {
    if (v->size() != n) return false;
  }
  for (const auto* v : {&t.n, &t.weight, &t.yval, &t.impurity, &t.gain, &t.score}) {
    if (v->size() != n) return false;
  }
  return t.exact.size() == n && t.share.size() == n * static_cast<std::size_t>(t.n_classes) &&
         t.child.size() == n - 1 && t.level.size() == t.level_child.size();
}

}  // namespace

TEST(a_leaf_has_the_values_of_its_facts) {
  Tree tree;
  CHECK(support::add_leaf(tree, -1, 7) == 0);
  CHECK(tree.size() == 1 && same_lengths(tree));
  CHECK(tree.parent[0] == -1 && tree.depth[0] == 0 && tree.kind[0] == 0 && tree.n_children[0] == 0);
  CHECK(tree.variable[0] == -1 && tree.default_child[0] == -1 && tree.exact[0] == -1);
  CHECK(tree.n[0] == 7 && tree.weight[0] == 10.5 && tree.yval[0] == 1 && tree.impurity[0] == 0.07);
  CHECK(tree.shares(0)[0] == 0.257 && tree.shares(0)[1] == 0.743);
  CHECK(facts_of(tree, 0).n == 7 && facts_of(tree, 0).weight == 10.5 &&
        facts_of(tree, 0).impurity == 0.07);
}

TEST(a_split_s_parts_lie_in_the_pools) {
  const Tree tree = support::tree_of_all_kinds();
  CHECK(same_lengths(tree));
  CHECK(tree.size() == 14 && tree.depth[13] == 3);
  CHECK(tree.split(0).kind == SplitKind::threshold && tree.split(0).breaks[0] == 2.5 &&
        tree.default_child[0] == 0);
  CHECK(tree.split(1).n_breaks == 2 && tree.split(1).breaks[1] == 1.0 &&
        tree.split(1).branches == 3);
  CHECK(tree.split(2).n_levels == 3 && tree.split(2).level[2] == 4 &&
        tree.split(2).level_child[2] == 1);
  CHECK(tree.split(6).kind == SplitKind::multiway && tree.split(6).branches == 4);
  CHECK(tree.split(7).kind == SplitKind::level && tree.split(7).breaks[0] == 2.0);
  CHECK(tree.gain[2] == 2.5 && tree.score[2] == 2.25 && tree.exact[2] == 1 &&
        tree.variable[2] == 2);
  CHECK(tree.child[tree.child_start[6] + 3] == 11);
}

TEST(without_grafts_a_tree_is_renumbered_in_pre_order) {
  const Tree made = support::tree_of_all_kinds();
  CHECK(!is_pre_order(made));
  const Tree tree = assemble(made);
  CHECK(is_pre_order(tree) && same_lengths(tree) && tree.n_classes == 2);
  CHECK(outline(tree) == outline(made));
  CHECK(outline(assemble(tree)) == outline(tree));
}

TEST(grafts_continue_the_leaves_they_are_put_on) {
  // The same tree in one piece and in three: pieces on the threshold's branches.
  const Tree whole = support::tree_of_all_kinds();
  Tree trunk, left, right;
  support::add_leaf(trunk, -1, 50);
  support::split(trunk, 0, support::threshold(0, 2.5), 0, 10);
  support::add_leaf(left, -1, 10);
  support::split(left, 0, support::winner(SplitKind::intervals, 1, 3, {0.0, 1.0}), 2, 20);
  support::add_leaf(right, -1, 11);
  const auto groups = support::split(right, 0, support::subset(2, {1, 2, 4}, {0, 1, 1}), 1, 30);
  support::split(right, groups[0], support::winner(SplitKind::multiway, 3, 4, {}), 3, 40);
  support::split(right, groups[1], support::winner(SplitKind::level, 3, 2, {2.0}), 0, 60);
  const Tree in_order = assemble(trunk, {1, 2}, {{&left, 0}, {&right, 0}});
  CHECK(is_pre_order(in_order) && same_lengths(in_order));
  CHECK(outline(in_order) == outline(whole));
  CHECK(outline(assemble(trunk, {2, 1}, {{&right, 0}, {&left, 0}})) == outline(whole));
}

TEST(one_piece_may_hold_several_grafts) {
  Tree trunk, piece;
  support::add_leaf(trunk, -1, 50);
  const auto leaves = support::split(trunk, 0, support::threshold(0, 2.5), 0, 10);
  support::add_leaf(piece, -1, 11);
  support::split(piece, 0, support::subset(2, {1, 2, 4}, {0, 1, 1}), 1, 30);
  const int second = support::add_leaf(piece, -1, 12);
  support::split(piece, second, support::threshold(1, -1.0), 0, 40);
  Tree first, last;
  support::add_leaf(first, -1, 11);
  support::split(first, 0, support::subset(2, {1, 2, 4}, {0, 1, 1}), 1, 30);
  support::add_leaf(last, -1, 12);
  support::split(last, 0, support::threshold(1, -1.0), 0, 40);
  const Tree tree = assemble(trunk, {leaves[0], leaves[1]}, {{&piece, 0}, {&piece, second}});
  CHECK(is_pre_order(tree) && same_lengths(tree) && tree.size() == 7);
  CHECK(outline(tree) ==
        outline(assemble(trunk, {leaves[0], leaves[1]}, {{&first, 0}, {&last, 0}})));
}

TEST(a_tree_takes_the_memory_of_another) {
  const Tree made = support::tree_of_all_kinds();
  Tree other = assemble(made);
  other.clear();
  CHECK(other.size() == 0 && other.share.empty() && other.exact.empty() && other.level.empty() &&
        other.breaks.empty() && other.child.empty() && other.surrogates.size() == 0);
  const double* shares = other.share.data();
  const Tree tree = assemble(made, {}, {}, 0, std::move(other));
  CHECK(outline(tree) == outline(made) && same_lengths(tree));
  CHECK(tree.share.data() == shares);
}

TEST(a_graft_may_be_a_leaf_or_the_whole_tree) {
  Tree trunk;
  support::add_leaf(trunk, -1, 50);
  const Tree whole = support::tree_of_all_kinds();
  CHECK(outline(assemble(trunk, {0}, {{&whole, 0}})) == outline(whole));
  const auto nodes = support::split(trunk, 0, support::threshold(0, 2.5), 0, 10);
  Tree leaf;
  support::add_leaf(leaf, -1, 11);
  CHECK(outline(assemble(trunk, {nodes[1]}, {{&leaf, 0}})) == outline(trunk));
}

TEST(a_very_deep_tree_is_put_together_without_recursion) {
  const int length = 100000;
  const Tree made = support::chain(length);
  const Tree tree = assemble(made);
  CHECK(is_pre_order(tree) && same_lengths(tree));
  CHECK(tree.size() == 2 * static_cast<std::size_t>(length) + 1 && tree.depth.back() == length);
}

TEST(regression_trees_have_no_shares) {
  Tree made;
  for (int i = 0; i < 3; ++i) made.add_leaf(support::facts(i), nullptr, i == 0 ? -1 : 0);
  made.set_split(0, support::threshold(0, 1.0), 0);
  made.set_children(0, {1, 2});
  const Tree tree = assemble(made);
  CHECK(same_lengths(tree) && tree.share.empty() && is_pre_order(tree));
}

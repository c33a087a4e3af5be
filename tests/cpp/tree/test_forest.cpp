// A tree with every kind of split in a forest's vectors.
#include "check.h"

#include <tectree/tree/forest.hpp>

#include "support/build.h"

using namespace tectree;

namespace {

Frame frame_of_all_kinds() {
  Frame frame;
  frame.columns.resize(4);
  for (std::size_t c : {2, 3}) {
    frame.columns[c].kind = Kind::nominal;
    frame.columns[c].n_levels = 4;
  }
  return frame;
}

Tree tree_of_levels() {
  Tree tree;
  support::add_leaf(tree, -1, 50);
  support::split(tree, 0, support::subset(2, {1, 2, 4}, {0, 1, 1}), 1, 30);
  return tree;
}

}  // namespace

TEST(a_split_by_levels_has_a_side_for_each) {
  Forest forest;
  append(tree_of_levels(), frame_of_all_kinds(), forest);
  CHECK((forest.start == std::vector<int>{0, 3}));
  CHECK((forest.variable == std::vector<int>{-3, 0, 0}));  // missing values go right
  CHECK((forest.right == std::vector<int>{2, -1, -2}));
  CHECK((forest.cut == std::vector<double>{0.0, 45.0, 46.5}));
  CHECK((forest.sides == std::vector<unsigned char>{1, 2, 0, 2}));
  CHECK((forest.shares == std::vector<double>{0.28, 0.72, 0.281, 0.719}));
}

TEST(several_branches_are_split_by_halves_and_keep_where_rows_without_a_value_go) {
  Tree tree;
  support::add_leaf(tree, -1, 50);
  const auto intervals = support::winner(SplitKind::intervals, 1, 5, {0.0, 1.0, 2.0, 3.0});
  support::split(tree, 0, intervals, 3, 20);
  Forest forest;
  append(tree, frame_of_all_kinds(), forest);
  CHECK((forest.variable == std::vector<int>{-2, 2, 0, 0, -2, 0, 2, 0, 0}));
  CHECK((forest.right == std::vector<int>{4, 2, -1, -2, 2, -3, 2, -4, -5}));
  CHECK(forest.cut[0] == 1.0 && forest.cut[1] == 0.0 && forest.cut[4] == 2.0 &&
        forest.cut[6] == 3.0);
}

// Growth makes none, but a stored tree may have one, and its node has no breaks.
TEST(a_branch_for_each_ordered_level_is_split_by_halves) {
  Tree tree;
  support::add_leaf(tree, -1, 50);
  support::split(tree, 0, support::winner(SplitKind::multiway, 3, 4, {}), 3, 40);
  Frame frame = frame_of_all_kinds();
  frame.columns[3].kind = Kind::ordered;
  Forest forest;
  append(tree, frame, forest);
  CHECK((forest.variable == std::vector<int>{-4, 4, 0, 0, -4, 0, 0}));
  CHECK(forest.cut[0] == 2.0 && forest.cut[1] == 1.0 && forest.cut[4] == 3.0);
}

TEST(a_pure_leaf_has_its_class_alone) {
  Tree tree;
  tree.n_classes = 3;
  const double share[] = {0.0, 1.0, 0.0};
  tree.add_leaf(support::facts(4), share, -1);
  Forest forest;
  append(tree, Frame(), forest);
  CHECK((forest.right == std::vector<int>{2}));
  CHECK(forest.shares.empty() && forest.view().pure_class(0) == 1);
}

TEST(leaves_of_numbers_keep_any_weight) {
  for (double weight : {0.0, 7.0, 0.5, 2147483647.0, 2147483648.0, 1e300}) {
    Tree tree;
    NodeFacts facts;
    facts.weight = weight;
    facts.yval = -2.5;
    tree.add_leaf(facts, nullptr, -1);
    Forest forest;
    append(tree, Frame(), forest);
    append(tree, Frame(), forest);
    CHECK(forest.view().leaf_weight(1) == weight && forest.view().number(1) == -2.5);
    change_leaves(
        forest, [](double x) { return 4 * x; }, [](double x) { return 2 * x; });
    CHECK(forest.view().leaf_weight(0) == 4 * weight && forest.view().number(0) == -5.0);
  }
}

TEST(forests_are_joined_as_if_their_trees_had_been_appended) {
  const Frame frame = frame_of_all_kinds();
  Forest one, other, joined, appended;
  append(support::tree_of_all_kinds(), frame, one);
  append(tree_of_levels(), frame, other);
  append(support::tree_of_all_kinds(), frame, other);
  append(one, frame, joined);
  append(other, frame, joined);
  for (const Tree& tree :
       {support::tree_of_all_kinds(), tree_of_levels(), support::tree_of_all_kinds()})
    append(tree, frame, appended);
  CHECK(joined.start == appended.start && joined.variable == appended.variable &&
        joined.right == appended.right && joined.cut == appended.cut &&
        joined.sides == appended.sides && joined.shares == appended.shares);
}

TEST(an_inner_node_covers_its_leaves) {
  Forest forest;
  append(tree_of_levels(), frame_of_all_kinds(), forest);
  CHECK((cover_of(forest.view(), 0, 3) == std::vector<double>{91.5, 45.0, 46.5}));
}

TEST(a_deep_tree_is_appended_without_recursion) {
  Forest forest;
  append(support::chain(200000), frame_of_all_kinds(), forest);
  CHECK(forest.variable.size() == 400001);
}

// A tree from a file may be damaged in any of its vectors: each kind of damage is refused before
// the tree is followed.
#include "check.h"

#include <tectree/predict/predictor.hpp>

#include "support/build.h"

using namespace tectree;

namespace {

const int largest = std::numeric_limits<int>::max(), least = std::numeric_limits<int>::min();

// The error of check_tree for the tree after `damage`; "" if there is none.
template <class Damage>
std::string said_of(Damage damage, std::size_t columns = 4) {
  Tree tree = support::tree_of_all_kinds();
  damage(tree);
  try {
    check_tree(tree, columns);
  } catch (const DamagedTree& error) {
    return error.what();
  }
  return "";
}

template <class Damage>
bool is_refused(Damage damage, const std::string& about) {
  const std::string said = said_of(damage);
  const bool right = said.rfind("damaged tree: ", 0) == 0 && said.find(about) != std::string::npos;
  if (!right)
    std::printf("said: '%s' instead of something about '%s'\n", said.c_str(), about.c_str());
  return right;
}

}  // namespace

TEST(a_sound_tree_is_accepted) {
  CHECK(said_of([](Tree&) {}).empty());
  CHECK(said_of([](Tree& t) { t = assemble(t); }).empty());
}

TEST(a_tree_without_nodes_is_refused) {
  CHECK(is_refused([](Tree& t) { t = Tree(); }, "no nodes"));
}

TEST(an_unknown_kind_is_refused) {
  for (int kind : {-1, 6, largest, least})
    CHECK(is_refused([=](Tree& t) { t.kind[1] = kind; }, "kind of node 2"));
}

TEST(an_absent_column_is_refused) {
  for (int column : {-1, 4, largest, least}) {
    CHECK(is_refused([=](Tree& t) { t.variable[2] = column; }, "variable of node 3"));
  }
  CHECK(said_of([](Tree&) {}, 3).find("variable of node 7") != std::string::npos);
}

TEST(children_outside_their_pool_are_refused) {
  for (int start : {-1, least, largest, 12, 13}) {
    CHECK(is_refused([=](Tree& t) { t.child_start[0] = start; }, "children of node 1"));
  }
  for (int count : {0, -1, least, largest, 14}) {
    CHECK(is_refused([=](Tree& t) { t.n_children[1] = count; }, "children of node 2"));
  }
  CHECK(is_refused([](Tree& t) { t.child.pop_back(); }, "children of node 8"));
}

TEST(a_path_that_would_not_end_is_refused) {
  for (int to : {-1, 0, 1, 14, largest, least}) {
    CHECK(is_refused([=](Tree& t) { t.child[t.child_start[1] + 2] = to; }, "child of node 2"));
  }
}

// Rows with a missing value go down all branches, and meet a node again on each way to it.
TEST(a_node_of_two_parents_is_refused) {
  CHECK(is_refused([](Tree& t) { t.child[t.child_start[0] + 1] = 1; }, "child of node 1"));
  CHECK(is_refused([](Tree& t) { t.child[t.child_start[1] + 1] = 5; }, "child of node 2"));
}

TEST(breaks_outside_their_pool_are_refused) {
  for (int start : {-1, least, largest, 3, 4}) {
    CHECK(is_refused([=](Tree& t) { t.break_start[1] = start; }, "thresholds of node 2"));
  }
  for (int count : {-1, least, largest, 5}) {
    CHECK(is_refused([=](Tree& t) { t.break_count[1] = count; }, "thresholds of node 2"));
  }
  CHECK(is_refused([](Tree& t) { t.breaks.pop_back(); }, "thresholds of node 8"));
}

TEST(a_wrong_number_of_breaks_is_refused) {
  CHECK(is_refused([](Tree& t) { t.break_count[0] = 0; }, "threshold of node 1"));
  CHECK(is_refused([](Tree& t) { t.break_count[0] = 2; }, "threshold of node 1"));
  CHECK(is_refused([](Tree& t) { t.break_count[7] = 0; }, "threshold of node 8"));
  CHECK(is_refused([](Tree& t) { t.break_count[1] = 1; }, "thresholds of node 2"));
  CHECK(is_refused([](Tree& t) { t.n_children[0] = 3; }, "threshold of node 1"));
  CHECK(is_refused([](Tree& t) { t.kind[2] = static_cast<int>(SplitKind::level); },
                   "threshold of node 3"));
}

TEST(levels_outside_their_pool_are_refused) {
  for (int start : {-1, least, largest, 1}) {
    CHECK(is_refused([=](Tree& t) { t.level_start[2] = start; }, "levels of node 3"));
  }
  for (int count : {-1, least, largest, 4}) {
    CHECK(is_refused([=](Tree& t) { t.level_count[2] = count; }, "levels of node 3"));
  }
  CHECK(is_refused([](Tree& t) { t.level.pop_back(); }, "levels and their branches"));
  CHECK(is_refused([](Tree& t) { t.level_child.push_back(0); }, "levels and their branches"));
}

TEST(a_nonexistent_branch_is_refused) {
  for (int branch : {-1, 2, largest, least}) {
    CHECK(is_refused([=](Tree& t) { t.level_child[1] = branch; }, "branch of a level of node 3"));
    CHECK(is_refused([=](Tree& t) { t.default_child[2] = branch; }, "default branch of node 3"));
  }
  CHECK(is_refused([](Tree& t) { t.default_child[1] = 3; }, "default branch of node 2"));
}

TEST(unused_places_of_leaves_do_not_matter) {
  CHECK(said_of([](Tree& t) {
          t.variable[3] = largest;
          t.child_start[3] = least;
          t.break_start[3] = largest;
          t.default_child[3] = least;
        }).empty());
}

namespace {

// Gives the root three surrogates: a level of column 4, levels of column 3, a number of column 2.
void add_surrogates(Tree& t) {
  using support::winner;
  t.set_surrogates(0, {{winner(SplitKind::level, 3, 2, {2.0}).split, false, 0.9, 0.8},
                       {support::subset(2, {1, 2}, {0, 1}).split, true, 0.9, 0.7},
                       {support::threshold(1, 0.5).split, false, 0.8, 0.6}});
  t.by_surrogate = true;
}

template <class Damage>
bool surrogates_are_refused(Damage damage, const std::string& about) {
  return is_refused(
      [&](Tree& t) {
        add_surrogates(t);
        damage(t);
      },
      about);
}

}  // namespace

TEST(damaged_surrogates_are_refused) {
  CHECK(said_of([](Tree& t) { add_surrogates(t); }).empty());
  for (int column : {-1, 4, largest, least}) {
    CHECK(
        surrogates_are_refused([=](Tree& t) { t.surrogates.variable[1] = column; }, "surrogate 2"));
  }
  for (SplitKind kind : {SplitKind::leaf, SplitKind::intervals, SplitKind::multiway}) {
    CHECK(surrogates_are_refused([=](Tree& t) { t.surrogates.kind[2] = static_cast<int>(kind); },
                                 "surrogate 3"));
  }
  for (int start : {-1, least, largest, 4}) {
    CHECK(surrogates_are_refused([=](Tree& t) { t.surrogates.level_start[1] = start; },
                                 "surrogate 2"));
  }
  for (int branch : {-1, 2, largest}) {
    CHECK(surrogates_are_refused([=](Tree& t) { t.level_child.back() = branch; }, "surrogate 2"));
  }
  for (int count : {-1, 4, largest}) {
    CHECK(surrogates_are_refused([=](Tree& t) { t.surrogates.count[0] = count; },
                                 "surrogates of node 1"));
  }
  // Only a split in two has surrogates.
  CHECK(surrogates_are_refused([](Tree& t) { t.surrogates.count[1] = 1; }, "surrogates of node 2"));
}

TEST(vectors_of_surrogates_that_differ_in_length_are_refused) {
  const std::string pools = "the vectors of its surrogates differ", nodes = "its vectors differ";
  CHECK(surrogates_are_refused([](Tree& t) { t.surrogates.kind.pop_back(); }, pools));
  CHECK(surrogates_are_refused([](Tree& t) { t.surrogates.flipped.pop_back(); }, pools));
  CHECK(surrogates_are_refused([](Tree& t) { t.surrogates.level_start.pop_back(); }, pools));
  CHECK(surrogates_are_refused([](Tree& t) { t.surrogates.level_count.pop_back(); }, pools));
  CHECK(surrogates_are_refused([](Tree& t) { t.surrogates.cut.pop_back(); }, pools));
  CHECK(surrogates_are_refused([](Tree& t) { t.surrogates.start.pop_back(); }, nodes));
  CHECK(surrogates_are_refused([](Tree& t) { t.surrogates.count.pop_back(); }, nodes));
  // Parts of rows need the weights of nodes.
  CHECK(is_refused(
      [](Tree& t) {
        t.unknown = UnknownRows::share;
        t.weight.pop_back();
      },
      nodes));
}

TEST(rows_stop_only_at_nodes_without_a_default_branch) {
  CHECK(said_of([](Tree& t) {
          t.unknown = UnknownRows::stop;
          t.default_child[0] = no_branch;
        }).empty());
  CHECK(is_refused([](Tree& t) { t.default_child[0] = no_branch; }, "default branch of node 1"));
}

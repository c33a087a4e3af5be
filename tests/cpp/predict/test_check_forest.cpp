// A forest from a file may be damaged anywhere: check_forest() refuses it unless it consists of the
// announced trees, in pre-order.
#include "check.h"

#include <tectree/predict/check_forest.hpp>

#include <limits>

#include "support/build.h"

using namespace tectree;

namespace {

const double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Two trees of tree_of_all_kinds(), on columns without rows.
struct Sound {
  double number = 0.0;
  int code = 1;
  Frame frame{std::vector<Column>(4), 0};
  Forest forest;

  Sound() {
    for (std::size_t c = 0; c < 4; ++c) {
      Column& column = frame.columns[c];
      if (c < 2) {
        column.real = &number;
        continue;
      }
      column.whole = &code;
      column.kind = Kind::nominal;
      column.n_levels = 4;
    }
    for (int t = 0; t < 2; ++t) append(support::tree_of_all_kinds(), frame, forest);
  }
};

template <class Damage>
std::string said_of(Damage damage) {
  Sound sound;
  damage(sound.forest);
  try {
    check_forest(sound.forest.view(), sound.frame);
  } catch (const DamagedTree& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& said, const std::string& about) {
  const bool right = said.find(about) != std::string::npos;
  if (!right) std::printf("said: '%s' instead of '%s'\n", said.c_str(), about.c_str());
  return right;
}

// Whether every node is reached once from a root, and no walk leaves its tree: a naive walk.
bool is_walkable(const ForestView& forest) {
  std::vector<int> times(forest.nodes, 0);
  if (forest.start[0] != 0 || forest.root(forest.trees) != forest.nodes) return false;
  for (std::size_t tree = 0; tree < forest.trees; ++tree) {
    const std::size_t first = forest.root(tree), end = forest.root(tree + 1);
    std::vector<std::size_t> open{first};
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      if (node < first || node >= end || times[node]++ > 0) return false;
      if (forest.is_leaf(node)) continue;
      open.push_back(forest.right_child(node));
      open.push_back(forest.left_child(node));
    }
  }
  return std::count(times.begin(), times.end(), 1) == static_cast<std::ptrdiff_t>(forest.nodes);
}

}  // namespace

TEST(sound_forests_pass) {
  CHECK(said_of([](Forest&) {}).empty());
}

TEST(nodes_outside_any_tree_are_refused) {
  CHECK(says(said_of([](Forest& f) {
               f.variable.push_back(99);
               f.right.push_back(2);
               f.cut.push_back(0.0);
             }),
             "in no tree"));
  CHECK(says(said_of([](Forest& f) { f.start[0] = 1; }), "in no tree"));
}

TEST(nodes_with_two_parents_are_refused) {
  // The right child of the root inside the left part: the walk ends, but some nodes have two
  // parents.
  CHECK(says(said_of([](Forest& f) { f.right[0] -= 1; }), "children of node"));
  CHECK(says(said_of([](Forest& f) { f.right[0] += 1; }), "children of node"));
}

TEST(right_children_elsewhere_are_refused_unless_each_node_has_one_parent) {
  const Forest sound = Sound().forest;
  int refused = 0;
  for (std::size_t node = 0; node < sound.variable.size(); ++node) {
    if (sound.variable[node] == 0) continue;
    for (int right = -2; right < 30; ++right) {
      Forest now = sound;
      now.right[node] = right;
      const bool sees = !said_of([&](Forest& f) { f = now; }).empty();
      bool walkable = right >= 2;
      const std::size_t end =
          node < static_cast<std::size_t>(now.start[1]) ? now.start[1] : now.start[2];
      walkable = walkable && node + static_cast<std::size_t>(right) < end;
      walkable = walkable && is_walkable(now.view());
      CHECK(sees == !walkable);
      refused += sees ? 1 : 0;
    }
  }
  CHECK(refused > 100);
}

TEST(invalid_numbers_are_refused) {
  CHECK(says(said_of([](Forest& f) { f.cut[0] = not_a_number; }), "cut of node 1"));
  const auto leaf = [](Forest& f) {
    return std::find(f.variable.begin(), f.variable.end(), 0) - f.variable.begin();
  };
  CHECK(says(said_of([&](Forest& f) { f.cut[leaf(f)] = not_a_number; }), "leaf of node"));
  CHECK(says(said_of([&](Forest& f) { f.cut[leaf(f)] = -1.0; }), "leaf of node"));
  for (double share : {not_a_number, -0.1, 1.1})
    CHECK(says(said_of([=](Forest& f) { f.shares[1] = share; }), "shares of a leaf"));
}

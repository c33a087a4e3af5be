// Rows down a forest, trusted or not; and damaged forests from files.
#include "check.h"

#include <tectree/predict/forest_walk.hpp>

#include <limits>

#include "support/build.h"
#include "support/random.h"

using namespace tectree;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// Columns as in support::tree_of_all_kinds(), with missing values and unseen levels.
struct Data {
  std::vector<double> a, b;
  std::vector<int> c, d;
  Frame frame;

  Data(std::size_t n, support::Random& random) : frame{std::vector<Column>(4), n} {
    const auto code = [&] { return random.chance(0.2) ? missing_code : random.between(1, 4); };
    const auto value = [&] { return random.chance(0.2) ? none : random.between(-2, 8) / 2.0; };
    for (std::size_t i = 0; i < n; ++i) {
      a.push_back(value());
      b.push_back(value());
      c.push_back(code());
      d.push_back(code());
    }
    frame.columns[0].real = a.data();
    frame.columns[1].real = b.data();
    frame.columns[2].whole = c.data();
    frame.columns[3].whole = d.data();
    for (std::size_t column : {2, 3}) {
      frame.columns[column].kind = Kind::nominal;
      frame.columns[column].n_levels = 4;
    }
  }
};

// The weight of an inner node is that of its leaves.
Tree tree_of(UnknownRows unknown) {
  Tree tree = support::tree_of_all_kinds();
  tree.unknown = unknown;
  for (std::size_t v = tree.size(); v-- > 0;) {
    if (tree.kind[v] != 0) tree.weight[v] = 0.0;
    for (int j = 0; tree.kind[v] != 0 && j < tree.n_children[v]; ++j)
      tree.weight[v] += tree.weight[child_of(tree, static_cast<int>(v), j)];
  }
  return tree;
}

Forest forest_of(int trees, UnknownRows unknown, const Frame& frame) {
  const Tree tree = tree_of(unknown);
  Forest out;
  for (int t = 0; t < trees; ++t) append(tree, frame, out);
  return out;
}

// The share of the first class that tree_of_all_kinds() predicts.
double naive_share(UnknownRows unknown, const Frame& frame, std::size_t row) {
  const Tree tree = tree_of(unknown);
  double sum = 0.0;
  spread(tree, frame, row, 1.0, 0, [&](int node, double weight) {
    if (tree.kind[node] == 0) sum += weight * tree.shares(node)[0];
  });
  return sum;
}

// Sums of the first class's share and votes for it over the trees.
struct Sums {
  std::vector<double> share;
  std::vector<int> votes;
};

Sums walk_all(const Forest& forest, const Frame& frame, bool trusted) {
  Sums out{std::vector<double>(frame.n_rows), std::vector<int>(frame.n_rows)};
  RowBlock rows(frame);
  rows.fill(frame.n_rows, [](std::size_t i) { return i; });
  std::vector<std::uint32_t> all(frame.n_rows);
  std::iota(all.begin(), all.end(), 0u);
  TreeWalk walk(rows, trusted);
  for (std::size_t t = 0; t < forest.trees(); ++t) {
    walk.follow(forest.view(), t, all);
    for (std::size_t i = 0; i < frame.n_rows; ++i) {
      std::vector<double> shares(2);
      out.votes[i] += walk.add_class(i, shares.data(), 1) == 0;
      out.share[i] += shares[0];
    }
  }
  return out;
}

}  // namespace

TEST(rows_end_where_the_tree_sends_them) {
  support::Random random(1);
  const Data data(301, random);
  for (UnknownRows unknown : {UnknownRows::branch, UnknownRows::share}) {
    const Forest forest = forest_of(2, unknown, data.frame);
    for (bool trusted : {true, false}) {
      const Sums sums = walk_all(forest, data.frame, trusted);
      for (std::size_t i = 0; i < data.frame.n_rows; ++i)
        CHECK_NEAR(sums.share[i], 2 * naive_share(unknown, data.frame, i), 1e-12);
    }
  }
}

TEST(a_node_where_rows_stop_has_its_own_prediction) {
  Data data(1, *std::make_unique<support::Random>(1));
  data.a[0] = 3.0;
  data.c[0] = 1;
  data.d[0] = missing_code;  // at the split in four of leaves 40 to 43
  const Tree tree = tree_of(UnknownRows::stop);
  int stops_at = -1;
  spread(tree, data.frame, 0, 1.0, 0, [&](int node, double) { stops_at = node; });
  CHECK(stops_at >= 0 && tree.kind[stops_at] != 0);
  Forest forest = forest_of(1, UnknownRows::stop, data.frame);
  CHECK_NEAR(walk_all(forest, data.frame, true).share[0], tree.shares(stops_at)[0], 1e-12);

  // A forest that does not store the values of nodes uses the mean of the leaves below.
  forest.own.clear();
  double share = 0.0, weight = 0.0;
  for (int leaf = 40; leaf < 44; ++leaf) {
    share += leaf * 1.5 * (0.25 + leaf / 1000.0);
    weight += leaf * 1.5;
  }
  CHECK_NEAR(walk_all(forest, data.frame, true).share[0], share / weight, 1e-12);
}

TEST(a_row_in_parts_ends_in_the_first_of_the_largest) {
  support::Random random(5);
  const Data data(301, random);
  const Tree tree = tree_of(UnknownRows::share);
  const Forest forest = forest_of(1, UnknownRows::share, data.frame);
  RowBlock rows(data.frame);
  rows.fill(data.frame.n_rows, [](std::size_t i) { return i; });
  std::vector<std::uint32_t> all(data.frame.n_rows);
  std::iota(all.begin(), all.end(), 0u);
  TreeWalk walk(rows, true);
  walk.follow(forest.view(), 0, all);
  int in_parts = 0;
  for (std::size_t i = 0; i < data.frame.n_rows; ++i) {
    int end = -1, parts = 0;
    double most = 0.0;
    spread(tree, data.frame, i, 1.0, 0, [&](int node, double weight) {
      ++parts;
      if (weight > most * (1 + 1e-12)) {
        most = weight;
        end = node;
      }
    });
    in_parts += parts > 1;
    CHECK(forest.view().is_leaf(walk.node(i)));
    CHECK_NEAR(forest.view().leaf_shares(walk.node(i))[0], tree.shares(end)[0], 1e-12);
  }
  CHECK(in_parts > 50);
}

TEST(a_node_of_numbers_without_its_own_is_the_mean_of_its_leaves) {
  Data data(1, *std::make_unique<support::Random>(1));
  data.a[0] = 3.0;
  data.c[0] = 1;
  data.d[0] = missing_code;  // at the split in four of leaves 40 to 43
  Tree tree = tree_of(UnknownRows::stop);
  tree.n_classes = 0;
  tree.share.clear();
  Forest forest;
  append(tree, data.frame, forest);
  forest.own.clear();
  const auto number = [&] {
    RowBlock rows(data.frame);
    rows.fill(1, [](std::size_t i) { return i; });
    TreeWalk walk(rows, true);
    walk.follow(forest.view(), 0, {0});
    CHECK(!forest.view().is_leaf(walk.node(0)));
    return walk.number(0);
  };
  // The number of leaf i is i modulo 3, its weight 1.5 i.
  CHECK_NEAR(number(), (40.0 * 1 + 41 * 2 + 42 * 0 + 43 * 1) / (40 + 41 + 42 + 43), 1e-12);

  // Without any rows it is the leaf where a row without a value would go: 43.
  for (int leaf = 8; leaf < 12; ++leaf) tree.weight[leaf] = 0.0;
  forest = Forest();
  append(tree, data.frame, forest);
  forest.own.clear();
  CHECK(number() == 1.0);
}

TEST(blocks_see_every_row_of_every_tree_once_on_any_number_of_threads) {
  support::Random random(2);
  const Data data(5000, random);
  const Forest forest = forest_of(3, UnknownRows::branch, data.frame);
  for (int threads : {1, 3}) {
    Team team(threads);
    std::vector<int> seen(3 * data.frame.n_rows, 0), node(3 * data.frame.n_rows);
    each_block(forest.view(), data.frame, team, [&](auto tree, auto first, auto n, auto& walk) {
      for (std::size_t i = 0; i < n; ++i) {
        ++seen[tree * data.frame.n_rows + first + i];
        node[tree * data.frame.n_rows + first + i] =
            static_cast<int>(walk.node(i) - forest.view().root(tree));
      }
    });
    bool once = true, alike = true;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      once = once && seen[i] == 1;
      alike = alike && node[i] == node[i % data.frame.n_rows];
    }
    CHECK(once);
    CHECK(alike);
  }
}

namespace {

// Whether a forest is refused by the check of all nodes, and by the walk that checks as it goes,
// with any of some rows.
template <class Damage>
bool is_refused(Damage damage) {
  support::Random random(3);
  const Data data(200, random);
  Forest forest = forest_of(2, UnknownRows::share, data.frame);
  damage(forest);
  bool by_check = false, by_walk = false;
  try {
    check_forest(forest.view(), data.frame);
  } catch (const DamagedTree&) {
    by_check = true;
  }
  try {
    walk_all(forest, data.frame, false);
  } catch (const DamagedTree&) {
    by_walk = true;
  }
  return by_check && by_walk;
}

const int largest = std::numeric_limits<int>::max(), least = std::numeric_limits<int>::min();

}  // namespace

TEST(sides_that_do_not_exist_are_refused_or_lead_to_a_child) {
  support::Random random(4);
  const Data data(200, random);
  Forest forest = forest_of(2, UnknownRows::branch, data.frame);
  std::fill(forest.sides.begin(), forest.sides.end(), static_cast<unsigned char>(255));
  CHECK_THROWS(check_forest(forest.view(), data.frame));
  const Sums sums = walk_all(forest, data.frame, false);
  CHECK(*std::min_element(sums.share.begin(), sums.share.end()) > 0.0);
}

TEST(damaged_forests_are_refused_before_they_are_followed) {
  for (int x : {5, -5, largest, least}) CHECK(is_refused([=](Forest& f) { f.variable[0] = x; }));
  for (int x : {0, 1, -3, largest, least, 17})
    CHECK(is_refused([=](Forest& f) { f.right[0] = x; }));
  for (int x : {-1, 0, 35, largest, least}) CHECK(is_refused([=](Forest& f) { f.start[1] = x; }));
  for (int x : {0, 3, -19, largest, least}) {
    CHECK(is_refused([=](Forest& f) {
      const auto leaf = std::find(f.variable.begin(), f.variable.end(), 0) - f.variable.begin();
      f.right[leaf] = x;
    }));
  }
  for (double x : {-1.0, 0.5, 37.0, 1e300, none}) {
    CHECK(is_refused([=](Forest& f) {
      for (std::size_t i = 0; i < f.cut.size(); ++i) {
        if (std::abs(f.variable[i]) == 3) f.cut[i] = x;
      }
    }));
  }
}

// Every node is the left child of one node and the right child of another: parts of a row without a
// value would double at each level.
TEST(nodes_that_parts_of_a_row_would_meet_again_are_refused) {
  Forest forest;
  forest.unknown = UnknownRows::share;
  for (int node = 0; node < 200; ++node) {
    const bool leaf = node >= 198;
    forest.variable.push_back(leaf ? 0 : 1);
    forest.right.push_back(leaf ? 1 : 2);
    forest.cut.push_back(0.0);
  }
  forest.start.push_back(200);
  const std::vector<double> x{none};
  Frame frame;
  frame.add_numbers(x);
  RowBlock rows(frame);
  rows.fill(1, [](std::size_t i) { return i; });
  TreeWalk walk(rows, false);
  CHECK_THROWS(walk.follow(forest.view(), 0, {0}));
}

TEST(rows_without_a_value_above_leaves_of_no_weight_go_where_the_node_says) {
  support::Random random(4);
  const Data data(200, random);
  Forest weightless = forest_of(2, UnknownRows::share, data.frame);
  for (std::size_t node = 0; node < weightless.variable.size(); ++node)
    if (weightless.variable[node] == 0) weightless.cut[node] = 0.0;
  Forest by_default = weightless;
  by_default.unknown = UnknownRows::branch;
  for (bool trusted : {true, false}) {
    const Sums ours = walk_all(weightless, data.frame, trusted),
               right = walk_all(by_default, data.frame, trusted);
    CHECK(ours.share == right.share);
    CHECK(ours.votes == right.votes);
  }
}

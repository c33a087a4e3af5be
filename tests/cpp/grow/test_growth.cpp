// When growth stops, which node is split next, and interrupts.
#include <chrono>
#include <set>
#include <thread>

#include "check.h"
#include "grow/common.h"

namespace {

Table growth_table(std::size_t n, int n_classes, std::uint64_t seed) {
  Random random(seed);
  Table table;
  for (int c = 0; c < 3; ++c)
    table.add_numbers(support::random_column(n, 0, c == 2 ? 0.1 : 0.0, false, random));
  support::add_response(table, n, n_classes, random);
  return table;
}

int leaves_of(const tectree::Tree& tree) {
  return static_cast<int>(std::count(tree.kind.begin(), tree.kind.end(), 0));
}

// The position of a node: the branches from the root to it.
std::string place_of(const tectree::Tree& tree, int node) {
  std::string place;
  while (tree.parent[node] >= 0) {
    const int parent = tree.parent[node];
    int j = 0;
    while (tree.child[tree.child_start[parent] + j] != node) ++j;
    place = std::to_string(j) + "." + place;
    node = parent;
  }
  return place;
}

// The inner nodes, each by its position and its split.
std::set<std::string> splits_of(const tectree::Tree& tree) {
  std::set<std::string> splits;
  for (int i = 0; i < static_cast<int>(tree.size()); ++i) {
    if (tree.kind[i] != 0)
      splits.insert(place_of(tree, i) + " " + oracle::text_of(tree.split_at(i)));
  }
  return splits;
}

// The inner nodes that best-first growth of the whole tree makes first: repeatedly the open one
// with the largest gain times weight, while it fits.
std::set<std::string> best_splits(const tectree::Tree& whole, int max_leaves) {
  std::set<std::string> made;
  std::vector<int> open{0};
  int leaves = 1;
  while (!open.empty()) {
    std::size_t best = 0;
    const auto worth = [&](int node) {
      return whole.kind[node] == 0 ? -1.0 : whole.gain[node] * whole.weight[node];
    };
    for (std::size_t i = 1; i < open.size(); ++i) {
      if (worth(open[i]) > worth(open[best])) best = i;
    }
    const int node = open[best];
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(best));
    if (whole.kind[node] == 0 || leaves + whole.n_children[node] - 1 > max_leaves) continue;
    leaves += whole.n_children[node] - 1;
    made.insert(place_of(whole, node) + " " + oracle::text_of(whole.split_at(node)));
    for (int j = 0; j < whole.n_children[node]; ++j)
      open.push_back(whole.child[whole.child_start[node] + j]);
  }
  return made;
}

}  // namespace

TEST(stop_rules_hold_in_the_whole_tree) {
  const Table table = growth_table(400, 3, 61);
  for (double bucket : {1.0, 7.0, 30.0}) {
    for (double depth : {0.0, 1.0, 4.0}) {
      for (double least : {2.0, 25.0}) {
        Setting setting = large_leaves("gini", 2);
        setting.control.min_bucket = bucket;
        setting.stop.max_depth = depth;
        setting.stop.min_split = least;
        const tectree::Tree tree = support::grown(table, setting);
        for (std::size_t i = 0; i < tree.size(); ++i) {
          CHECK(tree.depth[i] <= depth && (i == 0 || tree.weight[i] >= bucket));
          CHECK(tree.kind[i] == 0 || tree.weight[i] >= std::max(least, 2 * bucket));
          CHECK(tree.kind[i] == 0 || tree.gain[i] > 0);
        }
        CHECK((tree.size() == 1) == (depth == 0));
      }
    }
  }
}

TEST(nodes_that_are_pure_enough_or_gain_too_little_are_leaves) {
  const Table table = growth_table(400, 3, 65);
  Setting setting = large_leaves("gini", 2);
  const tectree::Tree whole = support::grown(table, setting);
  const auto share = [](const tectree::Tree& tree, std::size_t i) {
    return tree.gain[i] * (tree.weight[i] / tree.weight[0]);
  };
  for (double bound : {0.0005, 0.002, 0.01}) {
    for (double most : {HUGE_VAL, 400.0}) {
      setting.stop = tectree::StopRule();
      setting.stop.max_leaves = most;
      setting.stop.min_weighted_gain = bound;
      const tectree::Tree tree = support::grown(table, setting);
      bool any_gains_less = false;
      for (std::size_t i = 0; i < whole.size(); ++i)
        any_gains_less = any_gains_less || (whole.kind[i] != 0 && share(whole, i) < bound);
      CHECK(any_gains_less || bound < 0.002);  // otherwise nothing would be bounded
      CHECK((tree.size() < whole.size()) == any_gains_less);
      CHECK((tree.size() > 1) == (share(whole, 0) >= bound));
      for (std::size_t i = 0; i < tree.size(); ++i)
        CHECK(tree.kind[i] == 0 || share(tree, i) >= bound);
    }
    setting.stop = tectree::StopRule();
    setting.stop.min_impurity = 20 * bound;
    CHECK(!setting.stop.by_size_alone());
    const tectree::Tree tree = support::grown(table, setting);
    for (std::size_t i = 0; i < tree.size(); ++i)
      CHECK(tree.kind[i] == 0 || tree.impurity[i] > 20 * bound);
  }
}

TEST(a_tree_without_bounds_is_grown_until_its_leaves_are_pure) {
  const Table table = growth_table(300, 4, 62);
  Setting setting;
  setting.criterion = "shannon";
  const tectree::Tree tree = support::grown(table, setting);
  for (std::size_t i = 0; i < tree.size(); ++i)
    CHECK((tree.kind[i] == 0) == (tree.impurity[i] == 0.0));
  CHECK(support::grown(growth_table(1, 2, 63), setting).size() == 1);
}

TEST(best_first_makes_the_splits_with_the_largest_reductions) {
  for (std::size_t n : {300, 5000}) {
    const Table table = growth_table(n, 3, 64);
    for (const char* criterion : {"gini", "gain_ratio"}) {
      Setting setting = large_leaves(criterion, 1);
      setting.control.min_bucket = 5;
      const tectree::Tree whole = support::grown(table, setting);
      CHECK(leaves_of(whole) > 12);
      for (int most : {1, 2, 3, 7, 12, leaves_of(whole) - 1}) {
        setting.stop.max_leaves = most;
        const tectree::Tree tree = support::grown(table, setting);
        CHECK(leaves_of(tree) == most);
        CHECK(splits_of(tree) == best_splits(whole, most));
      }
      // With enough room it is the same tree as depth-first.
      setting.stop.max_leaves = leaves_of(whole);
      CHECK(support::identical(support::grown(table, setting), whole));
    }
  }
}

TEST(a_split_that_makes_too_many_leaves_is_left_out) {
  // Five leaves at most: splits into four branches and into two.
  Random random(65);
  Table table;
  table.add(tectree::Kind::nominal, 4, support::random_column(600, 4, 0.0, true, random));
  table.add_numbers(support::random_column(600, 0, 0.0, false, random));
  support::add_response(table, 600, 3, random);
  Setting setting = large_leaves("gini", 2);
  setting.control.nominal = Nominal::multiway;
  const tectree::Tree whole = support::grown(table, setting);
  for (int most : {2, 3, 4, 5, 6, 8}) {
    setting.stop.max_leaves = most;
    const tectree::Tree tree = support::grown(table, setting);
    CHECK(leaves_of(tree) <= most);
    CHECK(splits_of(tree) == best_splits(whole, most));
  }
}

TEST(the_first_of_equal_siblings_is_split) {
  // Both halves of column 0 are equal: equal gains, equal weights.
  Table table;
  table.add_numbers({1, 1, 1, 1, 1, 9, 9, 9, 9, 9});
  table.add_numbers({1, 1, 2, 2, 2, 1, 1, 2, 2, 2});
  table.n_classes = 4;
  table.y = {1, 1, 2, 2, 2, 3, 3, 4, 4, 4};
  Setting setting;
  setting.stop.max_leaves = 3;
  const tectree::Tree tree = support::grown(table, setting);
  CHECK(tree.size() == 5 && tree.variable[0] == 0);
  CHECK(tree.kind[1] != 0 && tree.kind[4] == 0);
}

TEST(the_order_of_the_rows_does_not_matter) {
  Random random(66);
  for (int round = 0; round < 10; ++round) {
    const Table table = support::random_table(60, 3, Weights::unit, random);
    std::vector<std::size_t> order(60);
    for (std::size_t i = 0; i < 60; ++i) order[i] = i;
    random.shuffle(order);
    Table shuffled;
    for (std::size_t c = 0; c < table.x.size(); ++c) {
      std::vector<double> x;
      for (std::size_t i : order) x.push_back(table.x[c][i]);
      shuffled.add(table.kind[c], table.n_levels[c], x);
    }
    for (std::size_t i : order) shuffled.y.push_back(table.y[i]);
    shuffled.n_classes = 3;
    for (double most : {HUGE_VAL, 4.0}) {
      Setting setting;
      setting.criterion = "tsallis";
      setting.stop.max_leaves = most;
      CHECK(support::identical(support::grown(table, setting), support::grown(shuffled, setting)));
    }
  }
}

namespace {

// Checks at every call, since each answer takes as long as the interval between checks; stops at
// the `last` question. Counts the questions that come from another thread.
struct SlowPoll {
  int last;
  std::shared_ptr<int> asked = std::make_shared<int>(0), elsewhere = std::make_shared<int>(0);
  std::thread::id home = std::this_thread::get_id();

  void operator()() const {
    if (std::this_thread::get_id() != home) ++*elsewhere;
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(101);
    while (std::chrono::steady_clock::now() < until) continue;
    if (++*asked >= last) throw tectree::Interrupted();
  }
};

// Grows until the `last` question; returns whether it was interrupted then, with questions only on
// this thread.
bool is_interrupted(const Table& table, const Setting& setting, int threads, int last) {
  const SlowPoll poll{last};
  tectree::Team team(threads, poll);
  while (*poll.asked == 0 && last > 1) team.check();  // the first question comes after a while
  try {
    // A question comes within the next tenth of a second: repeats until one stops.
    for (int i = 0; i < 100000; ++i) support::grown(table, setting, team);
  } catch (const tectree::Interrupted&) {
    return *poll.asked == last && *poll.elsewhere == 0;
  }
  return false;
}

}  // namespace

TEST(growth_can_be_interrupted_anywhere_and_frees_everything) {
  const Table small = growth_table(500, 3, 67), large = growth_table(6000, 3, 68);
  Setting setting = large_leaves("shannon", 1);
  for (const auto& [threads, last] :
       std::vector<std::pair<int, int>>{{1, 1}, {1, 3}, {2, 2}, {4, 4}}) {
    CHECK(is_interrupted(small, setting, threads, last));
    CHECK(is_interrupted(large, setting, threads, last));
  }
  setting.stop.max_leaves = 50;
  CHECK(is_interrupted(large, setting, 2, 3));
  setting.criterion = "l1";
  CHECK(is_interrupted(growth_table(5000, 0, 69), setting, 2, 3));
}

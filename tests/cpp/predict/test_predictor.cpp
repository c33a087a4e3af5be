// Rows down a tree, with any number of threads and at any depth.
#include "check.h"

#include <tectree/predict/predictor.hpp>

#include "support/build.h"
#include "support/random.h"

using namespace tectree;

namespace {

const double nan_value = std::numeric_limits<double>::quiet_NaN();

struct Row {
  double a, b;
  int c, d;
  int leaf;
};

// The leaves of support::tree_of_all_kinds().
const std::vector<Row> rows = {
    {1.0, -1.0, 1, 1, 3},
    {2.5, 0.0, 1, 1, 3},
    {2.5, 0.5, 1, 1, 4},
    {-9.0, 7.0, 1, 1, 5},
    {nan_value, nan_value, 1, 1, 5},  // left, then the third interval
    {3.0, 0.0, 1, 1, 8},
    {3.0, 0.0, 1, 4, 11},
    {3.0, 0.0, 1, missing_code, 11},
    {3.0, 0.0, 1, 5, 11},  // a level that was not declared
    {3.0, 0.0, 2, 2, 12},
    {3.0, 0.0, 4, 3, 13},
    {3.0, 0.0, 3, 1, 12},  // level 3 unseen: right
    {3.0, 0.0, missing_code, 4, 13},
    {3.0, 0.0, 2, missing_code, 12},
};

// The rows repeated, n in total.
struct Data {
  std::vector<double> a, b;
  std::vector<int> c, d;
  Frame frame;

  explicit Data(std::size_t n) : frame{std::vector<Column>(4), n} {
    for (std::size_t i = 0; i < n; ++i) {
      const Row& row = rows[i % rows.size()];
      a.push_back(row.a);
      b.push_back(row.b);
      c.push_back(row.c);
      d.push_back(row.d);
    }
    frame.columns[0].real = a.data();
    frame.columns[1].real = b.data();
    for (std::size_t column : {2, 3}) frame.columns[column].kind = Kind::nominal;
    frame.columns[2].whole = c.data();
    frame.columns[3].whole = d.data();
  }
};

std::vector<int> leaves(const Tree& tree, const Frame& frame, int threads) {
  std::vector<int> leaf(frame.n_rows + 1, -7);
  Team team(threads);
  predict_leaves(tree, frame, leaf.data(), team);
  CHECK(leaf.back() == -7);  // nothing is written past the end
  leaf.pop_back();
  return leaf;
}

}  // namespace

TEST(rows_find_their_leaf_whatever_their_number_and_the_threads) {
  const Tree tree = support::tree_of_all_kinds();
  check_tree(tree, 4);
  for (std::size_t n : {0, 1, 14, 4095, 4096, 4097, 12289}) {
    const Data data(n);
    for (int threads : {1, 2, 4}) {
      const std::vector<int> leaf = leaves(tree, data.frame, threads);
      bool right = leaf.size() == n;
      for (std::size_t i = 0; i < n; ++i) right = right && leaf[i] == rows[i % rows.size()].leaf;
      CHECK(right);
    }
  }
}

TEST(a_step_says_whether_the_default_took_it) {
  const Tree tree = support::tree_of_all_kinds();
  const Data data(rows.size());
  const auto step_is = [&](int node, std::size_t row, int to, Onward::By by) {
    const Onward onward_to = onward(tree, data.frame, node, row);
    return child_of(tree, node, onward_to.branch) == to && onward_to.by == by;
  };
  CHECK(step_is(0, 0, 1, Onward::By::value));
  CHECK(step_is(0, 4, 1, Onward::By::unknown));
  CHECK(step_is(2, 11, 7, Onward::By::unknown));
  CHECK(step_is(6, 8, 11, Onward::By::unknown));
  CHECK(step_is(7, 9, 12, Onward::By::value));
}

TEST(a_single_leaf_takes_every_row) {
  Tree tree;
  support::add_leaf(tree, -1, 5);
  check_tree(tree, 0);
  Frame frame;
  frame.n_rows = 10;
  CHECK(leaves(tree, frame, 2) == std::vector<int>(10, 0));
}

TEST(a_chain_of_a_hundred_thousand_nodes_is_followed_to_its_end) {
  const int length = 100000;
  const Tree tree = support::chain(length);
  check_tree(tree, 1);
  const std::vector<double> x = {-1.0, 0.0, 1.5, 500.0, length - 1.0, 1e9, nan_value};
  Frame frame;
  frame.columns.resize(1);
  frame.columns[0].real = x.data();
  frame.n_rows = x.size();
  const std::vector<int> leaf = leaves(tree, frame, 2);
  const std::vector<int> chain_place = {0, 0, 2, 500, length - 1, -1, -1};
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(leaf[i] == (chain_place[i] < 0 ? 2 * length : 2 * chain_place[i] + 1));
  }
}

TEST(prediction_can_be_interrupted) {
  const Tree tree = support::tree_of_all_kinds();
  const Data data(3 * 4096);
  std::vector<int> leaf(data.frame.n_rows);
  for (int threads : {1, 2}) {
    Team team(threads, [] { throw Interrupted(); });
    bool interrupted = false;
    for (int i = 0; i < 100000 && !interrupted; ++i) {
      try {
        predict_leaves(tree, data.frame, leaf.data(), team);
      } catch (const Interrupted&) {
        interrupted = true;
      }
    }
    CHECK(interrupted);
  }
}

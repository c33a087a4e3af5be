#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "check.h"
#include "shap/random_forest.h"
#include "support/random.h"
#include "tectree/shap/shapley_values.hpp"

namespace {

using tectree::Kind;
using tectree::Outputs;
using tectree::Team;
using tectree::UnknownRows;
using tectree::WeighedForest;

support::ForestCase random_case(support::Random& random) {
  support::ForestCase out;
  out.forest.n_classes = random.chance(0.4) ? 0 : random.between(2, 4);
  out.forest.unknown = static_cast<UnknownRows>(random.below(3));
  out.repeats = random.chance(0.7);
  out.depth = random.between(0, 5);
  const int p = random.between(1, 5);
  for (int j = 0; j < p; ++j) out.kinds.push_back(static_cast<Kind>(random.below(3)));
  const int trees = random.between(1, 3);
  for (int t = 0; t < trees; ++t) out.add_tree(random);
  if (out.forest.unknown == UnknownRows::stop && random.chance(0.5)) out.add_own_values(random);
  return out;
}

std::vector<double> values_of(const WeighedForest& in, const tectree::Frame& rows,
                              const tectree::Frame* background, int threads = 1) {
  const Outputs all{0, in.n_outputs};
  std::vector<double> out(rows.n_rows * rows.columns.size() * all.count, NAN);
  Team team(threads);
  tectree::ShapleyValues(in, rows, background, all).find(out.data(), team);
  return out;
}

// The largest difference from the mean over all subsets.
double distance(const support::ForestCase& c, const support::RandomRows& rows,
                const tectree::Frame* background) {
  const WeighedForest in(c.forest.view());
  const support::SubsetOracle oracle(c.forest.view(), rows.frame, background);
  const auto found = values_of(in, rows.frame, background);
  const std::size_t p = c.kinds.size(), n = rows.frame.n_rows, k = in.n_outputs;
  double most = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto wanted = oracle.shapley(i);
    for (std::size_t j = 0; j < p; ++j) {
      for (std::size_t s = 0; s < k; ++s) {
        const double off = std::fabs(found[(s * p + j) * n + i] - wanted[j * k + s]);
        most = off <= most ? most : off;
      }
    }
  }
  return most;
}

// The largest difference of interactions from those by all subsets.
double distance_of_pairs(const support::ForestCase& c, const support::RandomRows& rows,
                         const tectree::Frame* background) {
  const WeighedForest in(c.forest.view());
  const support::SubsetOracle oracle(c.forest.view(), rows.frame, background);
  const std::size_t p = c.kinds.size(), n = rows.frame.n_rows, k = in.n_outputs;
  std::vector<double> found(n * p * p * k);
  Team team(1);
  tectree::ShapleyValues(in, rows.frame, background, {0, k}, true).find(found.data(), team);
  double most = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto wanted = oracle.interactions(i);
    for (std::size_t j = 0; j < p * p; ++j) {
      for (std::size_t s = 0; s < k; ++s) {
        const double off = std::fabs(found[(s * p * p + j) * n + i] - wanted[j * k + s]);
        most = off <= most ? most : off;
      }
    }
  }
  return most;
}

double distance_from_subsets(support::Random& random, bool against_rows, bool pairs) {
  const support::ForestCase c = random_case(random);
  const std::size_t n = pairs ? 2 : 3;
  const support::RandomRows rows(c, n, 0.2, random), others(c, 2, 0.2, random);
  const tectree::Frame* background = against_rows ? &others.frame : nullptr;
  return pairs ? distance_of_pairs(c, rows, background) : distance(c, rows, background);
}

// Trees of one long path with short side branches, so that depth 40 has few leaves.
void add_chain(support::ForestCase& c, int depth, support::Random& random) {
  for (int down = 0; down < depth; ++down) {
    const int column = random.below(static_cast<int>(c.kinds.size()));
    c.forest.variable.push_back(column + 1);
    c.forest.right.push_back(2);
    c.forest.cut.push_back(0.2 * random.uniform());
    c.add_leaf(random);
  }
  c.add_leaf(random);
  c.forest.start.push_back(static_cast<int>(c.forest.variable.size()));
}

// For one row in one regression tree without missing values, leaf by leaf: the mean over the sets
// of other predictors on the leaf's path, by their number, without subtraction.
class LeafByLeaf {
 public:
  LeafByLeaf(const WeighedForest& in, const support::RandomRows& rows, std::size_t row)
      : in_(in),
        rows_(rows),
        row_(row),
        with_(rows.numbers.size()),
        without_(with_),
        sums_(with_) {}

  std::vector<long double> values() {
    std::fill(with_.begin(), with_.end(), 1.0L);
    std::fill(without_.begin(), without_.end(), 1.0L);
    std::fill(sums_.begin(), sums_.end(), 0.0L);
    go(in_.forest.root(0));
    return sums_;
  }

 private:
  void go(std::size_t node) {
    const tectree::ForestView& forest = in_.forest;
    if (forest.is_leaf(node)) return add(forest.number(node) - in_.mean[0]);
    const std::size_t j = forest.column(node);
    const bool is_left = rows_.numbers[j][row_] <= forest.cut[node];
    for (const bool left : {true, false}) {
      const long double a = with_[j], b = without_[j];
      with_[j] *= left == is_left ? 1.0L : 0.0L;
      without_[j] *= left ? in_.left[node] : in_.right(node);
      path_.push_back(j);
      go(left ? forest.left_child(node) : forest.right_child(node));
      path_.pop_back();
      with_[j] = a, without_[j] = b;
    }
  }

  void add(long double y) {
    const std::set<std::size_t> used(path_.begin(), path_.end());
    const std::size_t d = used.size();
    for (const std::size_t j : used) {
      std::vector<long double> by_size{1.0L};  // sums over the sets of so many others
      for (const std::size_t i : used) {
        if (i == j) continue;
        by_size.push_back(0.0L);
        for (std::size_t s = by_size.size(); s-- > 0;)
          by_size[s] = by_size[s] * without_[i] + (s > 0 ? by_size[s - 1] * with_[i] : 0.0L);
      }
      long double weight = 1.0L / static_cast<long double>(d), sum = 0.0L;
      for (std::size_t s = 0; s < d; ++s) {
        sum += weight * by_size[s];
        weight *= static_cast<long double>(s + 1) / static_cast<long double>(d - 1 - s);
      }
      sums_[j] += y * (with_[j] - without_[j]) * sum;
    }
  }

  const WeighedForest& in_;
  const support::RandomRows& rows_;
  std::size_t row_;
  std::vector<std::size_t> path_;
  std::vector<long double> with_, without_, sums_;  // by predictor
};

}  // namespace

TEST(shapley_values_are_those_of_all_subsets) {
  support::Random random(1);
  double most = 0.0;
  for (int i = 0; i < 1000; ++i) {
    const double off = distance_from_subsets(random, false, false);
    most = off <= most ? most : off;
  }
  CHECK_NEAR(most, 0.0, 1e-12);
}

TEST(shapley_values_against_background_rows_are_those_of_all_subsets) {
  support::Random random(2);
  double most = 0.0;
  for (int i = 0; i < 1000; ++i) {
    const double off = distance_from_subsets(random, true, false);
    most = off <= most ? most : off;
  }
  CHECK_NEAR(most, 0.0, 1e-12);
}

TEST(shapley_interactions_are_those_of_all_subsets) {
  support::Random random(9);
  double most = 0.0;
  for (int i = 0; i < 600; ++i) {
    const double off = distance_from_subsets(random, i % 2 == 1, true);
    most = off <= most ? most : off;
  }
  CHECK_NEAR(most, 0.0, 1e-12);
}

TEST(shapley_interactions_add_up_to_the_values_in_deep_trees) {
  support::Random random(10);
  for (const auto unknown : {UnknownRows::branch, UnknownRows::share}) {
    support::ForestCase c;
    c.forest.unknown = unknown;
    c.kinds.assign(40, Kind::numeric);
    for (int t = 0; t < 3; ++t) add_chain(c, 40, random);
    const support::RandomRows rows(c, 9, 0.1, random), others(c, 3, 0.1, random);
    const WeighedForest in(c.forest.view());
    for (const tectree::Frame* background :
         {static_cast<const tectree::Frame*>(nullptr), &others.frame}) {
      const auto alone = values_of(in, rows.frame, background);
      std::vector<double> pairs(9 * 40 * 40);
      Team team(2);
      tectree::ShapleyValues(in, rows.frame, background, {0, 1}, true).find(pairs.data(), team);
      for (std::size_t i = 0; i < 9 * 40; ++i) {
        double sum = 0.0;
        for (std::size_t j = 0; j < 40; ++j) sum += pairs[j * 40 * 9 + i];
        CHECK_NEAR(sum, alone[i], 1e-12);
      }
    }
  }
}

TEST(shapley_values_add_up_at_depth_40) {
  support::Random random(3);
  for (const int p : {3, 25, 60}) {
    for (const auto unknown : {UnknownRows::branch, UnknownRows::share, UnknownRows::stop}) {
      support::ForestCase c;
      c.forest.unknown = unknown;
      c.kinds.assign(static_cast<std::size_t>(p), Kind::numeric);
      for (int t = 0; t < 5; ++t) add_chain(c, 40, random);
      const support::RandomRows rows(c, 20, 0.1, random), others(c, 4, 0.1, random);
      const WeighedForest in(c.forest.view());
      const std::size_t n = rows.frame.n_rows;
      for (const tectree::Frame* background : {static_cast<const tectree::Frame*>(nullptr),
                                               static_cast<const tectree::Frame*>(&others.frame)}) {
        const auto found = values_of(in, rows.frame, background);
        const support::SubsetOracle oracle(c.forest.view(), rows.frame, background);
        for (std::size_t i = 0; i < n; ++i) {
          double sum = 0.0;
          for (std::size_t j = 0; j < rows.frame.columns.size(); ++j) sum += found[j * n + i];
          // Up to 60 predictors: the oracle is only used for none and all of them known.
          const support::SubsetOracle all(c.forest.view(), rows.frame, &rows.frame);
          double with = 0.0;
          for (std::size_t t = 0; t < 5; ++t) with += all.value(t, i, i, 0)[0] / 5.0;
          CHECK_NEAR(sum, with - oracle.mean_value(i, 0)[0], 1e-10);
        }
      }
    }
  }
}

TEST(shapley_values_keep_their_digits_at_depth_60) {
  support::Random random(11);
  for (const int p : {1, 7, 30, 200}) {
    for (int t = 0; t < 4; ++t) {
      support::ForestCase c;
      c.kinds.assign(static_cast<std::size_t>(p), Kind::numeric);
      if (t < 3) add_chain(c, 60, random);
      if (t == 3) c.depth = 9, c.add_tree(random);
      const support::RandomRows rows(c, 5, 0.0, random);
      const WeighedForest in(c.forest.view());
      const auto found = values_of(in, rows.frame, nullptr);
      for (std::size_t i = 0; i < 5; ++i) {
        const auto wanted = LeafByLeaf(in, rows, i).values();
        for (std::size_t j = 0; j < wanted.size(); ++j)
          CHECK_NEAR(found[j * 5 + i], static_cast<double>(wanted[j]), 1e-13);
      }
    }
  }
}

TEST(shapley_values_and_interactions_of_deep_trees_are_those_of_all_subsets) {
  support::Random random(12);
  for (const auto unknown : {UnknownRows::branch, UnknownRows::share, UnknownRows::stop}) {
    for (const int n_classes : {0, 3}) {
      support::ForestCase c;
      c.forest.unknown = unknown;
      c.forest.n_classes = n_classes;
      c.kinds = {Kind::numeric, Kind::numeric, Kind::numeric, Kind::numeric};
      add_chain(c, 60, random);
      c.kinds[1] = Kind::nominal;
      c.kinds[3] = Kind::ordered;
      c.depth = 7;
      // The chain has only splits by cut.
      for (std::size_t i = 0; i < c.forest.variable.size(); ++i)
        if (c.forest.variable[i] == 2) c.forest.variable[i] = 1;
      c.add_tree(random);
      // More rows than go down together.
      const support::RandomRows rows(c, 37, 0.3, random), others(c, 5, 0.3, random);
      CHECK_NEAR(distance(c, rows, nullptr), 0.0, 1e-12);
      CHECK_NEAR(distance(c, rows, &others.frame), 0.0, 1e-12);
      const support::RandomRows some(c, 3, 0.3, random);
      CHECK_NEAR(distance_of_pairs(c, some, nullptr), 0.0, 1e-12);
      CHECK_NEAR(distance_of_pairs(c, some, &others.frame), 0.0, 1e-12);
    }
  }
}

TEST(shapley_values_of_one_class_are_those_among_all) {
  support::Random random(4);
  support::ForestCase c;
  c.forest.n_classes = 3;
  c.kinds = {Kind::numeric, Kind::nominal, Kind::ordered, Kind::numeric};
  c.depth = 6;
  for (int t = 0; t < 4; ++t) c.add_tree(random);
  const support::RandomRows rows(c, 50, 0.2, random);
  const WeighedForest in(c.forest.view());
  const auto all = values_of(in, rows.frame, nullptr);
  const std::size_t cells = rows.frame.n_rows * c.kinds.size();
  for (std::size_t s = 0; s < 3; ++s) {
    std::vector<double> one(cells);
    Team team(1);
    tectree::ShapleyValues(in, rows.frame, nullptr, {s, 1}).find(one.data(), team);
    for (std::size_t i = 0; i < cells; ++i) CHECK(one[i] == all[s * cells + i]);
  }
}

TEST(shapley_values_are_the_same_for_any_number_of_threads) {
  support::Random random(5);
  support::ForestCase c;
  c.kinds = {Kind::numeric, Kind::nominal, Kind::ordered};
  c.depth = 7;
  for (int t = 0; t < 5; ++t) c.add_tree(random);
  const support::RandomRows rows(c, 101, 0.2, random), others(c, 5, 0.0, random);
  const WeighedForest in(c.forest.view());
  CHECK(values_of(in, rows.frame, nullptr) == values_of(in, rows.frame, nullptr, 3));
  CHECK(values_of(in, rows.frame, &others.frame) == values_of(in, rows.frame, &others.frame, 3));
}

TEST(shapley_values_without_simd_differ_in_the_last_digits_only) {
  support::Random random(6);
  support::ForestCase c;
  c.kinds.assign(20, Kind::numeric);
  c.depth = 10;
  c.add_tree(random);
  const support::RandomRows rows(c, 20, 0.2, random);
  const WeighedForest in(c.forest.view());
  const auto with = values_of(in, rows.frame, nullptr);
  tectree::simd_allowed = false;
  const auto without = values_of(in, rows.frame, nullptr);
  tectree::simd_allowed = true;
  for (std::size_t i = 0; i < with.size(); ++i) CHECK_NEAR(with[i], without[i], 1e-14);
}

TEST(shapley_values_of_numbers_far_from_zero_keep_their_digits) {
  support::Random random(7);
  support::ForestCase c;
  c.kinds.assign(5, Kind::numeric);
  c.depth = 8;
  c.add_tree(random);
  const support::RandomRows rows(c, 20, 0.0, random);
  const auto near = values_of(WeighedForest(c.forest.view()), rows.frame, nullptr);
  for (std::size_t i = 0; i < c.forest.variable.size(); ++i) {
    if (c.forest.variable[i] == 0) c.forest.cut[i] += 1048576.0;
  }
  const auto far = values_of(WeighedForest(c.forest.view()), rows.frame, nullptr);
  for (std::size_t i = 0; i < near.size(); ++i) CHECK_NEAR(near[i], far[i], 1e-9);
}

TEST(shapley_values_end_when_the_caller_is_stopped) {
  support::Random random(8);
  support::ForestCase c;
  c.kinds.assign(5, Kind::numeric);
  for (int t = 0; t < 200; ++t) c.add_tree(random);
  const support::RandomRows rows(c, 20000, 0.0, random);
  const WeighedForest in(c.forest.view());
  std::vector<double> out(rows.frame.n_rows * 5);
  struct Stop {};
  Team team(2, [] { throw Stop(); });
  bool stopped = false;
  try {
    tectree::ShapleyValues(in, rows.frame, nullptr, {0, 1}).find(out.data(), team);
  } catch (const Stop&) {
    stopped = true;
  }
  CHECK(stopped);
}

TEST(quadrature_integrates_powers) {
  for (const std::size_t n : {1u, 4u, 8u, 20u, 64u}) {
    const tectree::Quadrature q(n);
    for (std::size_t power = 0; power < 2 * n; ++power) {
      double sum = 0.0;
      for (std::size_t i = 0; i < n; ++i)
        sum += q.weight[i] * std::pow(q.point[i], static_cast<double>(power));
      CHECK_NEAR(sum, 1.0 / (static_cast<double>(power) + 1.0), 1e-14);
      CHECK_NEAR(q.point[power / 2] + q.rest[power / 2], 1.0, 1e-15);
    }
  }
}

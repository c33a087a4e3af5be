// The p values of splits by permutation, against statistics computed one by one for the same
// permutations, and by formula.
#include "check.h"

#include <tectree/grow/split_test.hpp>

#include <map>

#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

// Only gives the rows of the root.
class Rows final : public NodeSearch {
 public:
  explicit Rows(std::size_t n) : n_(n) {}
  bool each_row(const Node&, const UseRow& use) const override {
    for (std::size_t i = 0; i < n_; ++i) use(i, 1.0);
    return true;
  }
  Node root() const override { return {}; }
  NodeFacts describe(const Node&, double*) override { return {}; }
  const Winner* best(Node&, Team&) override { return nullptr; }
  void divide_rows(const Node&, const Split&, const MissingRoute&, std::vector<Node>&) override {}
  void divide_columns(const Node&, std::vector<Node>&, const std::vector<char>&, Team&) override {}
  std::unique_ptr<NodeSearch> shrink(const Node&) override { return nullptr; }
  std::unique_ptr<NodeSearch> fork() const override { return nullptr; }

 private:
  std::size_t n_;
};

struct Case {
  std::vector<int> x, code;
  std::vector<double> number;
  Problem problem;
  Split split;
  bool adjusts = true;
  int values = 0, classes = 0;
  std::uint64_t seed = 0;
  int permutations = 0;

  explicit Case(Random& random) {
    const int n = random.between(8, 20);
    values = random.between(2, 5);
    classes = random.one_of(std::vector<int>{0, 0, 2, 3, 4});
    for (int i = 0; i < n; ++i) {
      x.push_back(i < values ? i + 1 : random.between(1, values));
      // Often a class has no rows.
      code.push_back(random.between(1, std::max(classes - 1, 2)));
      number.push_back(random.between(0, 3));
    }
    const Kind kind = random.chance(0.5) ? Kind::ordered : Kind::nominal;
    problem.frame.add_levels(x, values, kind);
    problem.frame.n_rows = problem.sample.size = x.size();
    problem.response.n_classes = classes;
    problem.response.code = code.data();
    problem.response.number = number.data();
    problem.criterion = classes > 0 ? "gini" : random.chance(0.5) ? "l1" : "l2";
    problem.control.min_bucket = random.between(1, 4);
    if (kind == Kind::ordered) {
      split = {
          SplitKind::level, 0, 2, {static_cast<double>(random.between(1, values - 1))}, {}, {}};
    } else if (random.chance(0.5)) {
      split = {SplitKind::multiway, 0, values, {}, {}, {}};
    } else {
      split = {SplitKind::subset, 0, 2, {}, {}, {}};
      for (int level = 1; level <= values; ++level) {
        split.level.push_back(level);
        split.level_child.push_back(level == 1 ? 0 : level == 2 ? 1 : random.between(0, 1));
      }
    }
    adjusts = random.chance(0.7);
    seed = random.bits();
    permutations = random.between(5, 40);
  }
  Case(const Case&) = delete;

  bool passes(double max_p) const {
    StopRule stop;
    stop.max_p = max_p;
    stop.permutations = permutations;
    stop.adjusts_p = adjusts;
    Winner winner;
    winner.split = split;
    Node node;
    node.n_rows = x.size();
    node.stream = seed;
    Team team(1);
    return SplitTest(problem, stop).passes(Rows(x.size()), node, winner, team);
  }
};

// Groups of answers: the chi-square of their classes, or the squares between their means.
double worth_of(const std::map<int, std::vector<double>>& groups, bool classes) {
  double n = 0.0, sum = 0.0, out = 0.0;
  std::map<double, double> total;
  for (const auto& [group, answers] : groups) {
    for (double y : answers) {
      n += 1.0;
      sum += y;
      total[y] += 1.0;
    }
  }
  for (const auto& [group, answers] : groups) {
    const auto size = static_cast<double>(answers.size());
    double mean = 0.0;
    std::map<double, double> count;
    for (double y : answers) {
      mean += y / size;
      count[y] += 1.0;
    }
    if (!classes) out += size * (mean - sum / n) * (mean - sum / n);
    for (const auto& [y, all] : total) {
      const double expected = all * size / n, off = count[y] - expected;
      if (classes) out += off * off / expected;
    }
  }
  return out;
}

// The statistic, for rows in the order of their values.
double statistic(const Case& of, const std::vector<int>& x, const std::vector<double>& answers) {
  const bool classes = of.classes > 0;
  std::map<int, std::vector<double>> by_value, branches;
  for (std::size_t i = 0; i < x.size(); ++i) {
    by_value[x[i]].push_back(answers[i]);
    branches[route_value(of.split.view(), x[i])].push_back(answers[i]);
  }
  if (of.split.kind == SplitKind::multiway || !of.adjusts) return worth_of(branches, classes);
  double best = 0.0;
  // The orders of values: their own, or by each class's share, or by their means.
  const int orders = of.split.kind == SplitKind::level || of.classes == 2 ? 1
                     : classes                                            ? of.classes
                                                                          : 1;
  for (int s = 0; s < orders; ++s) {
    std::vector<std::pair<double, int>> order;
    for (const auto& [value, its] : by_value) {
      double key = 0.0;
      for (double y : its) key += classes ? y == s : y;
      order.push_back({of.split.kind == SplitKind::level ? 0.0 : key / its.size(), value});
    }
    std::sort(order.begin(), order.end());
    std::map<int, std::vector<double>> sides;
    for (std::size_t cut = 1; cut < order.size(); ++cut) {
      sides.clear();
      for (std::size_t i = 0; i < order.size(); ++i) {
        std::vector<double>& to = sides[i < cut ? 0 : 1];
        const auto& its = by_value[order[i].second];
        to.insert(to.end(), its.begin(), its.end());
      }
      const auto least = std::min(sides[0].size(), sides[1].size());
      if (static_cast<double>(least) >= of.problem.control.min_bucket)
        best = std::max(best, worth_of(sides, classes));
    }
  }
  return best;
}

// How many of the permutations are at least as good as the data.
int as_good(const Case& of) {
  std::vector<std::pair<int, double>> rows;
  for (std::size_t i = 0; i < of.x.size(); ++i)
    rows.push_back({of.x[i], of.classes > 0 ? of.code[i] - 1.0 : of.number[i]});
  std::sort(rows.begin(), rows.end());
  std::vector<int> x;
  std::vector<double> y;
  for (const auto& [value, answer] : rows) {
    x.push_back(value);
    y.push_back(answer);
  }
  if (of.problem.criterion == "l1") {
    std::vector<double> in_order = y;
    std::sort(in_order.begin(), in_order.end());
    const double median = in_order[(in_order.size() - 1) / 2];
    for (double& one : y) one = (one > median) - (one < median);
  }
  const double found = statistic(of, x, y);
  std::sort(y.begin(), y.end());
  Stream random(Stream::part(of.seed, 0x7e57));
  int out = 0;
  for (int i = 0; i < of.permutations; ++i) {
    random.shuffle(y);
    out += statistic(of, x, y) >= found * (1 - 1e-9);
  }
  return out;
}

}  // namespace

TEST(a_p_value_is_the_share_of_permutations_that_are_as_good) {
  Random random(77);
  int some = 0;
  for (int round = 0; round < 400; ++round) {
    const Case of(random);
    const int good = as_good(of) + 1;
    CHECK(of.passes((good + 0.5) / (of.permutations + 1.0)));
    CHECK(of.passes(good / (of.permutations + 1.0)));
    CHECK(!of.passes((good - 0.5) / (of.permutations + 1.0)));
    some += good > 1 && good < of.permutations;
  }
  CHECK(some > 100);
}

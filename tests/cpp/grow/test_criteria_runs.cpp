// Trees by many criteria grown together, against each grown alone and followed by the predictor.
#include <array>

#include <tectree/grow/tuning/criteria_grower.hpp>
#include <tectree/predict/predictor.hpp>

#include "check.h"
#include "grow/parts.h"

using namespace tectree;
using parts::Data;
using support::Random;

namespace {

const std::vector<CriterionChoice> criteria{
    {"tsallis", 0.3}, {"tsallis", 1.0}, {"tsallis", 1.05},   {"tsallis", 2.0},
    {"tsallis", 3.0}, {"gini", 0.0},    {"gain_ratio", 0.0}, {"cair", 0.0},
    {"beta", 1.5},    {"tsallis", 2.0}, {"tsallis", -1.0},   {"tsallis_ratio", 2.5}};

struct Alone {
  Tree tree;
  std::vector<int> leaf;
  SharedRows shared;
};

Alone grow_alone(const Data& d, const CriterionChoice& criterion, std::vector<int>& rows,
                 const StopRule& stop, const MissingPolicy& missing, Team& team) {
  Problem problem = d.problem;
  problem.criterion = criterion.name;
  problem.parameter = criterion.parameter;
  problem.sample.rows = rows.data();
  problem.sample.size = rows.size();
  Alone out;
  out.tree = grow_tree(problem, stop, missing, team);
  out.leaf.resize(d.problem.frame.n_rows);
  predict_leaves(out.tree, d.problem.frame, out.leaf.data(), team);
  out.shared = shared_rows(out.tree, d.problem.frame, team);
  return out;
}

// The class and the shares of every row of the frame.
void predict_alone(const Alone& alone, std::vector<int>& value, std::vector<double>& share) {
  const std::size_t n = alone.leaf.size();
  const int k = alone.tree.n_classes;
  value.resize(n);
  share.assign(n * k, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    value[i] = static_cast<int>(alone.tree.yval[alone.leaf[i]]);
    for (int s = 0; s < k; ++s) share[s * n + i] = alone.tree.shares(alone.leaf[i])[s];
  }
  for (std::size_t j = 0; j < alone.shared.row.size(); ++j) {
    const std::size_t row = alone.shared.row[j];
    const bool first = j == 0 || alone.shared.row[j - 1] != alone.shared.row[j];
    double most = 0.0;
    for (int s = 0; s < k; ++s) {
      double& sum = share[s * n + row];
      if (first) sum = 0.0;
      sum += alone.shared.share[j] * alone.tree.shares(alone.shared.node[j])[s];
      most = std::max(most, sum);
    }
    value[row] = 0;
    while (share[value[row] * n + row] < most * (1 - 1e-12)) ++value[row];
  }
}

bool near_all(const std::vector<double>& a, const std::vector<double>& b) {
  bool out = a.size() == b.size();
  for (std::size_t i = 0; out && i < a.size(); ++i) out = check::near(a[i], b[i], 1e-12);
  return out;
}

bool agrees(const Alone& alone, const Outcome& outcome, std::size_t criterion) {
  std::vector<int> value;
  std::vector<double> share;
  predict_alone(alone, value, share);
  const Tree& tree = alone.tree;
  return outcome.nodes[criterion] == static_cast<int>(tree.size()) &&
         outcome.leaves[criterion] == std::count(tree.kind.begin(), tree.kind.end(), 0) &&
         outcome.depth[criterion] == *std::max_element(tree.depth.begin(), tree.depth.end()) &&
         outcome.value[criterion] == value && near_all(outcome.share[criterion], share);
}

// Depth, kind, column, breaks, class and weight of each node, in one order.
using Nodes = std::vector<std::array<long long, 6>>;

Nodes nodes_of(const Tree& tree) {
  Nodes out;
  for (std::size_t v = 0; v < tree.size(); ++v) {
    const bool inner = tree.kind[v] != 0;
    out.push_back({tree.depth[v], tree.kind[v], inner ? tree.variable[v] : -1,
                   inner ? tree.break_count[v] : 0, std::llround(tree.yval[v]),
                   std::llround(tree.weight[v] * 1e6)});
  }
  std::sort(out.begin(), out.end());
  return out;
}

Nodes nodes_of(const TracedTrees::One& tree) {
  Nodes out;
  for (std::size_t v = 0; v < tree.node.size(); ++v) {
    out.push_back({tree.depth[v], tree.kind[v], tree.column[v], tree.breaks[v],
                   std::llround(tree.yval[v]), std::llround(tree.weight[v] * 1e6)});
  }
  std::sort(out.begin(), out.end());
  return out;
}

struct Case {
  std::size_t n = 300;
  const char* missing = "majority";
  bool weights = false, holes = true;
  SearchControl::Nominal nominal = SearchControl::Nominal::binary;
  double max_depth = 9;
};

// Every criterion in every part; every row of the frame is predicted.
bool forests_agree(const Case& c, Random& random) {
  Data d;
  parts::make(d, c.n, "gini", c.weights, random, c.holes);
  d.problem.control.nominal = c.nominal;
  Team team(2);
  StopRule stop;
  stop.min_bucket = d.problem.control.min_bucket;
  stop.max_depth = c.max_depth;
  const auto missing = missing_policy(c.missing);
  if (!suits_criteria_run(d.problem, stop, missing, team)) return false;
  const CriteriaGrower grower(d.problem, criteria, stop, missing, team);
  bool agree = true;
  for (int part = 0; part < 3; ++part) {
    const std::vector<std::uint32_t> kept = parts::positions(d, part, random);
    std::vector<std::uint32_t> test(c.n);
    std::iota(test.begin(), test.end(), 0u);
    Outcome outcome(test, criteria.size(), 3, true, 0.0);
    TracedTrees trace(3);
    grower.grow(kept, outcome, team, &trace);
    std::vector<int> rows;
    for (std::uint32_t p : kept) rows.push_back(d.used[p]);
    for (std::size_t criterion = 0; criterion < criteria.size(); ++criterion) {
      const Alone alone = grow_alone(d, criteria[criterion], rows, stop, missing, team);
      agree =
          agree && agrees(alone, outcome, criterion) &&
          nodes_of(alone.tree) == nodes_of(trace.tree_of(static_cast<std::uint32_t>(criterion)));
    }
  }
  return agree;
}

}  // namespace

TEST(each_tree_of_a_forest_is_the_one_grown_alone) {
  Random random(3);
  for (std::size_t n : {300, 4600, 9000}) {
    for (bool weights : {false, true}) CHECK(forests_agree({n, "majority", weights}, random));
  }
}

TEST(forests_know_every_policy_and_kind_of_split_they_admit) {
  Random random(5);
  using Nominal = SearchControl::Nominal;
  for (Nominal nominal : {Nominal::binary, Nominal::multiway, Nominal::ordered}) {
    for (const char* missing : {"majority", "drop", "mode", "learned"})
      CHECK(forests_agree({600, missing, false, true, nominal}, random));
    CHECK(forests_agree({600, "fractional", false, false, nominal}, random));
    CHECK(forests_agree({6000, "fractional", false, false, nominal, 3}, random));
  }
}

TEST(a_forest_may_be_of_leaves) {
  Random random(7);
  CHECK(forests_agree({200, "majority", false, true, SearchControl::Nominal::binary, 0}, random));
}

TEST(criteria_runs_refuse_what_they_cannot_grow) {
  Random random(9);
  Data d;
  parts::make(d, 100, "gini", false, random);
  Team team(1);
  StopRule stop;
  const auto suits = [&](const char* missing) {
    return suits_criteria_run(d.problem, stop, missing_policy(missing), team);
  };
  CHECK(suits("majority"));
  CHECK(!suits("fractional"));
  CHECK(!suits("surrogate"));
  stop.max_leaves = 4;
  CHECK(!suits("majority"));
  stop.max_leaves = HUGE_VAL;
  d.problem.control.rules = SearchControl::Rules::c45;
  CHECK(!suits("majority"));
}

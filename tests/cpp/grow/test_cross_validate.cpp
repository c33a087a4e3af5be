// Errors on held-out rows, of trees grown one by one without each fold (prune/cross_validate.hpp).
#include <tectree/prune/cross_validate.hpp>

#include "check.h"
#include "grow/common.h"

namespace cross_validate_test {

struct Case {
  std::string missing = "majority", criterion = "gini";
  int classes = 3;
  Weights weights = Weights::unit;
  bool cost = false, prior = false;
  tectree::PenaltyRule rule = tectree::PenaltyRule::weakest_link;
  double least = 0.0;
};

constexpr std::size_t rows = 160;
constexpr int n_folds = 4;

// Two columns with missing values, and one whose last level has few rows.
inline Table table_of(const Case& c, double missing, Random& random) {
  Table table;
  support::add_random_column(table, rows, tectree::Kind::numeric, missing, false, random);
  support::add_random_column(table, rows, tectree::Kind::numeric, missing, true, random);
  std::vector<double> level;
  for (std::size_t i = 0; i < rows; ++i) level.push_back(i % 40 == 0 ? 5 : 1 + i % 4);
  table.add(tectree::Kind::nominal, 5, level);
  support::add_response(table, rows, c.classes, random);
  support::add_weights(table, rows, c.weights, random);
  return table;
}

// What the pruned tree predicts for a row, whose parts may end in several nodes.
inline double predicted(const tectree::Tree& tree, const tectree::Frame& frame, std::size_t row,
                        const tectree::Loss& loss) {
  std::vector<double> share(static_cast<std::size_t>(tree.n_classes), 0.0);
  double value = 0.0, weight = 0.0, first = 0.0;
  int ends = 0;
  tectree::spread(tree, frame, row, 1.0, 0, [&](int node, double part) {
    if (ends++ == 0) first = tree.yval[node];
    value += part * tree.yval[node];
    weight += part;
    for (int s = 0; s < tree.n_classes; ++s) share[s] += part * tree.shares(node)[s];
  });
  if (ends == 1) return first;
  return tree.n_classes == 0 ? value / weight : loss.best(share.data(), tree.n_classes);
}

// By the definition: each fold's tree is grown, pruned at each penalty and asked for each row.
inline tectree::FoldErrors naive(const tectree::Problem& problem, const tectree::StopRule& stop,
                                 const tectree::MissingPolicy& missing,
                                 const tectree::PenaltySequence& sequence,
                                 const std::vector<int>& group) {
  tectree::Team team(1);
  const std::size_t n = problem.sample.size, m = sequence.penalties.size();
  tectree::FoldErrors out{std::vector<double>(m, 0.0), std::vector<double>(m, 0.0)};
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) total += problem.sample.weight(i);
  for (int fold = 0; fold < n_folds; ++fold) {
    std::vector<int> seen;
    double weight = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      if (group[i] == fold) continue;
      seen.push_back(static_cast<int>(i) + 1);
      weight += problem.sample.weight(i);
    }
    tectree::Problem part = problem;
    part.sample.rows = seen.data();
    part.sample.size = seen.size();
    const double share = weight / total;
    const tectree::Tree tree = tectree::grow_tree(part, stop, missing, team);
    const auto penalties =
        tectree::penalties_by(sequence.rule, tree, sequence.risk, sequence.least * share);
    for (std::size_t p = 0; p < m; ++p) {
      const tectree::Tree pruned =
          tectree::prune_at_penalty(tree, sequence.risk, penalties, sequence.penalties[p] * share);
      for (std::size_t i = 0; i < n; ++i) {
        if (group[i] != fold) continue;
        const double value = predicted(pruned, problem.frame, i, sequence.risk.loss);
        double loss = 0.0;
        if (problem.response.is_class()) {
          const int truth = problem.response.code[i] - 1;
          loss = problem.factors.prior_of(truth) *
                 sequence.risk.loss.one(truth, static_cast<int>(value), problem.response.n_classes);
        } else {
          const double off = problem.response.number[i] - value;
          loss = problem.criterion == "l1" ? std::fabs(off) : off * off;
        }
        out.loss[p] += problem.sample.weight(i) * loss;
        out.square[p] += problem.sample.weight(i) * loss * loss;
      }
    }
  }
  return out;
}

// The penalties at which the whole tree changes, and 0.
inline std::vector<double> penalties_of(const tectree::Problem& problem,
                                        const tectree::StopRule& stop,
                                        const tectree::MissingPolicy& missing,
                                        const tectree::NodeRisk& risk) {
  tectree::Team team(1);
  const tectree::Tree tree = tectree::grow_tree(problem, stop, missing, team);
  std::vector<double> out = {HUGE_VAL, 0.0};
  for (double p : tectree::leaf_penalties(tree, risk)) {
    if (p > 0.0) out.push_back(p * 0.999);
  }
  std::sort(out.begin(), out.end(), std::greater<double>());
  return out;
}

inline void compare(const Case& c, double missing_share, Random& random) {
  const Table table = table_of(c, missing_share, random);
  Setting setting = of_criterion(c.criterion);
  setting.control.min_bucket = 3;
  tectree::Problem problem = support::problem_of(table, setting);
  tectree::NodeRisk risk;
  risk.impurity = c.classes == 0;
  if (c.cost) risk.loss.cost = {0, 1, 4, 2, 0, 1, 1, 3, 0};
  problem.loss = risk.loss;
  if (c.prior) problem.factors.prior = problem.factors.split = {0.5, 1.0, 1.5};
  const tectree::MissingPolicy missing = tectree::missing_policy(c.missing);
  problem.control.unknown = missing.search;
  const tectree::StopRule stop = support::stop_of(setting);
  const tectree::PenaltySequence sequence{risk, c.rule, penalties_of(problem, stop, missing, risk),
                                          c.least};
  CHECK(sequence.penalties.size() > 5);
  std::vector<int> group;
  for (std::size_t i = 0; i < rows; ++i) group.push_back(random.below(n_folds));
  tectree::Team team(2);
  const tectree::FoldErrors found =
      tectree::cross_validate(problem, stop, missing, sequence, {group.data(), n_folds}, team);
  const tectree::FoldErrors expected = naive(problem, stop, missing, sequence, group);
  for (std::size_t p = 0; p < sequence.penalties.size(); ++p) {
    CHECK_NEAR(found.loss[p], expected.loss[p], 1e-9 * (1 + expected.loss[p]));
    CHECK_NEAR(found.square[p], expected.square[p], 1e-9 * (1 + expected.square[p]));
  }
  CHECK(found.loss.front() != found.loss.back());
}

}  // namespace cross_validate_test

TEST(errors_of_folds_are_those_of_trees_grown_and_pruned_one_by_one) {
  Random random(41);
  for (const char* missing : {"majority", "fractional", "drop", "surrogate", "learned"}) {
    cross_validate_test::Case c;
    c.missing = missing;
    cross_validate_test::compare(c, 0.15, random);
    c.weights = Weights::fraction;
    c.cost = true;
    cross_validate_test::compare(c, 0.15, random);
    c.cost = false;
    c.classes = 0;
    c.criterion = "l2";
    cross_validate_test::compare(c, 0.15, random);
  }
}

TEST(errors_of_folds_know_priors_absolute_errors_and_rparts_rule) {
  Random random(42);
  cross_validate_test::Case c;
  c.prior = true;
  cross_validate_test::compare(c, 0.1, random);
  c.prior = false;
  c.rule = tectree::PenaltyRule::rpart;
  cross_validate_test::compare(c, 0.1, random);
  c.rule = tectree::PenaltyRule::weakest_link;
  c.classes = 0;
  c.criterion = "l1";
  cross_validate_test::compare(c, 0.1, random);
}

// Growth needs no surrogates without missing values. A held-out row with a level that is new to its
// node does.
TEST(held_out_rows_with_new_levels_follow_surrogates_that_growth_could_do_without) {
  Random random(43);
  for (int i = 0; i < 4; ++i) {
    cross_validate_test::Case c;
    c.missing = "surrogate";
    c.classes = i % 2 == 0 ? 2 : 0;
    c.criterion = i % 2 == 0 ? "gini" : "l2";
    cross_validate_test::compare(c, 0.0, random);
  }
}

TEST(a_fold_without_rows_or_with_all_of_them_grows_no_tree) {
  const std::vector<int> codes = {1, 2, 1, 2, 1, 2};
  const std::vector<double> x = {1, 2, 3, 4, 5, 6};
  tectree::Frame frame;
  frame.add_numbers(x);
  const tectree::Problem problem = tectree::to_classify(frame, codes, 2, "gini");
  tectree::Team team(1);
  for (const auto& [group, grown] :
       {std::pair{std::vector<int>{0, 0, 1, 1, 3, 3}, 3}, std::pair{std::vector<int>(6, 1), 0}}) {
    int used = 0;
    tectree::each_fold(
        problem, tectree::missing_policy("majority"), tectree::Folds{group.data(), 4},
        [](double) { return tectree::StopRule(); }, team,
        [&](const tectree::FoldTree& one, const auto&, tectree::Team&) {
          ++used;
          CHECK(one.rest.size > 0 && !one.seen.empty());
        });
    CHECK(used == grown);
  }
}

// The road of the oracle continued through the pruning rules.
#pragma once

#include <tectree/prune/error_based.hpp>
#include <tectree/prune/reduced_error.hpp>
#include <tectree/prune/rpart_penalties.hpp>

#include "oracle/penalties.h"
#include "roads/oracle.h"
#include "support/random.h"

namespace roads {

// Prunes the tree of a case by every rule, on both sides.
class Prunings {
 public:
  Prunings(const Case& c, const Tree& usual)
      : case_(c),
        posed_(c, {}),
        problem_(put_to_oracle(c)),
        tree_(usual),
        root_(oracle::Growth(problem_, &usual).grow()),
        random_(c.seed + 11),
        risk_{c.loss, random_.chance(0.3)} {}

  // The first difference, empty if there is none.
  std::string said() {
    if (case_.is_class()) {
      check("pessimistic", tectree::prune_pessimistic(tree_, risk_),
            oracle::prune_pessimistic(problem_, root_));
      check("collapse", tectree::collapse(tree_, risk_), oracle::collapse(problem_, root_));
      by_errors(false);
      by_errors(true);
    }
    reduced_error();
    penalties(tectree::PenaltyRule::weakest_link, "weakest links");
    penalties(tectree::PenaltyRule::rpart, "rpart's penalties");
    nested();
    return said_;
  }

 private:
  void check(const std::string& rule, const Tree& found, const oracle::Node& expected) {
    if (!said_.empty()) return;
    const std::string said = oracle::Comparison(found, expected, 1e-9).said();
    if (!said.empty()) said_ = rule + ": " + said;
  }

  void by_errors(bool raise) {
    const double cf = random_.one_of(std::vector<double>{0.01, 0.1, 0.25, 0.25, 0.5});
    const tectree::Problem& p = posed_.problem;
    const std::vector<double> mass = tectree::row_masses(p);
    tectree::Sample sample = p.sample;
    if (!mass.empty()) sample.weights = mass.data();
    tectree::Team team(1);
    const tectree::WeightFacts w = tectree::weigh(sample, team);
    const auto criterion = tectree::make_criterion(p.criterion, p.parameter, w.total, w.least);
    std::unique_ptr<tectree::RaisedRows> rows;
    if (raise)
      rows = std::make_unique<tectree::RaisedRows>(tree_, p.frame, sample, p.response, *criterion,
                                                   risk_, team);
    check(raise ? "error-based, raising" : "error-based",
          tectree::ErrorBasedPruner(tree_, risk_, cf, rows.get()).run(team),
          oracle::ErrorBased(problem_, cf, raise).prune(root_));
  }

  // On some of the rows, as if the tree had not been grown from them.
  void reduced_error() {
    const tectree::Problem& p = posed_.problem;
    tectree::Team team(1);
    std::vector<int> numbers;
    oracle::Rows rows;
    for (std::size_t i = 0; i < case_.rows(); ++i) {
      if (random_.chance(0.5)) continue;
      numbers.push_back(static_cast<int>(i) + 1);
      rows.push_back({i, case_.table.w(i), case_.table.size_of(i)});
    }
    const std::vector<double> mass = tectree::row_masses(p);
    tectree::Sample sample = p.sample;
    sample.rows = numbers.data();
    sample.size = numbers.size();
    if (!mass.empty()) sample.weights = mass.data();
    const auto loss = tectree::row_loss(risk_.loss, p.response, p.criterion);
    oracle::Node expected = root_;
    oracle::prune_reduced_error(problem_, expected, rows);
    check("reduced error", tectree::prune_reduced_error(tree_, p.frame, sample, loss, team),
          expected);
  }

  // At a penalty of the tree, or between two.
  void penalties(tectree::PenaltyRule rule, const char* name) {
    const auto risk = oracle::risk_by(problem_, risk_.impurity);
    const double root = risk(root_);
    const double least = rule == tectree::PenaltyRule::rpart && random_.chance(0.5)
                             ? root * random_.uniform() / 5
                             : 0.0;
    const auto found = tectree::penalties_by(rule, tree_, risk_, least);
    double at = std::max(least, root * random_.uniform() / 3);
    if (random_.chance(0.5))
      at = std::max(least,
                    found[static_cast<std::size_t>(random_.below(static_cast<int>(found.size())))]);
    check(name, tectree::prune_at_penalty(tree_, risk_, found, at),
          rule == tectree::PenaltyRule::rpart ? oracle::prune_by_rpart(root_, risk, least, at)
                                              : oracle::prune_weakest_links(root_, risk, at));
  }

  void nested() {
    if (!said_.empty()) return;
    const auto risk = oracle::risk_by(problem_, risk_.impurity);
    const double slack = 1e-9 * std::max(1.0, risk(root_));
    const tectree::PenaltyTable table =
        tectree::penalty_table(tree_, risk_, tectree::leaf_penalties(tree_, risk_), 0.0);
    std::vector<oracle::Nested> found;
    for (std::size_t i = 0; i < table.penalty.size(); ++i)
      found.push_back({table.penalty[i], table.leaves[i], table.risk[i]});
    const auto expected = distinct(oracle::weakest_links(root_, risk), slack);
    found = distinct(found, slack);
    bool same = found.size() == expected.size();
    for (std::size_t i = 0; same && i < expected.size(); ++i) {
      const oracle::Nested &a = found[i], &b = expected[i];
      same = std::fabs(a.penalty - b.penalty) <= slack && a.leaves == b.leaves &&
             std::fabs(a.risk - b.risk) <= slack;
    }
    if (!same) said_ = "other nested trees";
  }

  // Without trees that are the cheapest between two penalties that differ by rounding.
  static std::vector<oracle::Nested> distinct(const std::vector<oracle::Nested>& all,
                                              double slack) {
    std::vector<oracle::Nested> out;
    for (const oracle::Nested& tree : all) {
      if (out.empty() || out.back().penalty - tree.penalty > slack) out.push_back(tree);
    }
    return out;
  }

  const Case& case_;
  const Posed posed_;
  const oracle::Problem problem_;
  const Tree& tree_;
  const oracle::Node root_;
  support::Random random_;
  const tectree::NodeRisk risk_;
  std::string said_;
};

inline std::string by_prunings(const Case& c, const Tree& usual) {
  return Prunings(c, usual).said();
}

}  // namespace roads

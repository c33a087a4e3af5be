// Growth and pruning of trees, when an allocation fails.
#include <tectree/grow/after/list_candidates.hpp>
#include <tectree/grow/many/folds.hpp>
#include <tectree/grow/tuning/criteria_grower.hpp>
#include <tectree/prune/error_based.hpp>
#include <tectree/prune/prunings.hpp>
#include <tectree/prune/reduced_error.hpp>
#include <tectree/prune/rpart_penalties.hpp>

#include "check.h"
#include "faults/everywhere.h"
#include "grow/ledger_source.h"
#include "roads/generate.h"

namespace {

using faults::Digest;
using faults::everywhere;
using tectree::Team;
using tectree::Tree;

// Numbers with ties, levels, and a response that depends on both; some missing values.
support::Table table_of(std::size_t n, int classes, double missing, support::Random& random) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  support::Table out;
  std::vector<std::vector<double>> x(4, std::vector<double>(n));
  out.n_classes = classes;
  for (std::size_t i = 0; i < n; ++i) {
    x[0][i] = random.between(0, 9);
    x[1][i] = random.uniform();
    x[2][i] = random.between(1, 5);
    x[3][i] = random.between(1, 4);
    const double sum = x[0][i] / 4 + x[1][i] + (x[2][i] == 2) + random.uniform();
    if (classes > 0) {
      out.y.push_back(1 + static_cast<int>(sum * 2) % classes);
    } else {
      out.number.push_back(sum);
    }
    for (auto& column : x) {
      if (random.chance(missing)) column[i] = none;
    }
  }
  out.add_numbers(x[0]);
  out.add_numbers(x[1]);
  out.add(tectree::Kind::nominal, 5, x[2]);
  out.add(tectree::Kind::ordered, 4, x[3]);
  return out;
}

}  // namespace

TEST(growth_survives_a_failed_allocation) {
  for (std::uint64_t seed = 0; seed < 14; ++seed) {
    const roads::Case c = roads::small_case(seed);
    const roads::Posed posed(c, {});
    everywhere(("case " + std::to_string(seed)).c_str(), 100,
               [&] { return Digest().add(posed.grow()); });
  }
}

TEST(every_search_survives_a_failed_allocation) {
  support::Random random(7);
  const support::Table classes = table_of(60, 3, 0.1, random), full = table_of(60, 3, 0.0, random),
                       numbers = table_of(60, 0, 0.1, random);
  struct Kind {
    const char *name, *criterion, *missing;
    const support::Table* table;
    void (*change)(tectree::Problem&, tectree::StopRule&);
  };
  using Rules = tectree::SearchControl::Rules;
  const auto nothing = [](tectree::Problem&, tectree::StopRule&) {};
  const Kind kinds[] = {
      {"C4.5", "gain_ratio", "fractional", &classes,
       [](tectree::Problem& p, tectree::StopRule&) { p.control.rules = Rules::c45; }},
      {"CHAID", "chisq", "majority", &classes,
       [](tectree::Problem& p, tectree::StopRule&) {
         p.control.rules = Rules::chaid;
         p.control.intervals = 5;
       }},
      {"codes", "gini", "majority", &full,
       [](tectree::Problem& p, tectree::StopRule&) { p.pass_on_at = 16; }},
      {"codes of numbers", "l2", "majority", &numbers,
       [](tectree::Problem& p, tectree::StopRule&) { p.pass_on_at = 16; }},
      {"surrogates", "gini", "surrogate", &classes, nothing},
      {"learned sides", "shannon", "learned", &classes, nothing},
      {"medians", "l1", "mode", &numbers, nothing},
      {"look-ahead", "gini", "majority", &full,
       [](tectree::Problem&, tectree::StopRule& s) { s.lookahead = 2, s.max_depth = 3; }},
      {"permutations", "gini", "drop", &full,
       [](tectree::Problem&, tectree::StopRule& s) { s.max_p = 0.2, s.permutations = 9; }},
      {"intervals", "tsallis", "majority", &full,
       [](tectree::Problem& p, tectree::StopRule&) { p.control.intervals = 3; }},
      {"several branches", "gain_ratio", "majority", &classes,
       [](tectree::Problem& p, tectree::StopRule&) {
         p.control.nominal = tectree::SearchControl::Nominal::multiway;
       }},
  };
  for (const Kind& kind : kinds) {
    support::Setting setting;
    setting.criterion = kind.criterion;
    setting.parameter = 1.5;
    tectree::Problem problem = support::problem_of(*kind.table, setting);
    tectree::StopRule stop = support::stop_of(setting);
    kind.change(problem, stop);
    const tectree::MissingPolicy missing = tectree::missing_policy(kind.missing);
    everywhere(kind.name, 160, [&] {
      Team team(1);
      return Digest().add(tectree::grow_tree(problem, stop, missing, team));
    });
  }
}

// The poll has more to remember than a function object holds without an allocation.
TEST(growth_by_two_threads_survives_a_failed_allocation) {
  support::Random random(8);
  const support::Table table = table_of(6000, 2, 0.0, random);
  support::Setting setting;
  setting.control.min_bucket = 60;
  setting.stop.max_depth = 5;
  tectree::Problem problem = support::problem_of(table, setting);
  const tectree::StopRule stop = support::stop_of(setting);
  const long ballast[4] = {1, 2, 3, 4};
  for (const bool sorted : {true, false}) {
    problem.sorted_only = sorted;
    problem.pass_on_at = 256;
    everywhere(sorted ? "two threads, sorted" : "two threads, codes", 40, [&] {
      Team team(2, [ballast] { CHECK(ballast[3] == 4); });
      return Digest().add(tectree::grow_tree(problem, stop, tectree::MissingPolicy(), team));
    });
  }
}

TEST(candidates_survive_a_failed_allocation) {
  support::Random random(9);
  const support::Table table = table_of(60, 3, 0.1, random);
  support::Setting setting;
  tectree::Problem problem = support::problem_of(table, setting);
  problem.control.unknown = tectree::missing_policy("majority").search;
  everywhere("candidates", 200, [&] {
    Team team(1);
    Digest out;
    for (const tectree::Candidate& one : tectree::list_candidates(problem, true, team))
      out.add(one.split.breaks).add(one.split.level).add(std::vector<double>{one.gain, one.score});
    return out;
  });
}

TEST(tuning_survives_a_failed_allocation) {
  support::Random random(10);
  const support::Table table = table_of(60, 3, 0.1, random);
  support::Setting setting;
  const tectree::Problem problem = support::problem_of(table, setting);
  const tectree::StopRule stop = support::stop_of(setting);
  const tectree::MissingPolicy missing;
  std::vector<std::uint32_t> all = tectree::all_positions(60);
  const std::vector<tectree::CriterionChoice> criteria{{"gini", 2.0}, {"tsallis", 1.3}};
  everywhere("criteria together", 200, [&] {
    Team team(1);
    const tectree::CriteriaGrower grower(problem, criteria, stop, missing, team);
    tectree::Outcome outcome(all, criteria.size(), 3, true, 0.0);
    grower.grow(all, outcome, team);
    return Digest().add(outcome.nodes).add(outcome.value[0]).add(outcome.share[1]);
  });
}

TEST(pruning_survives_a_failed_allocation) {
  support::Random random(11);
  const support::Table table = table_of(80, 3, 0.05, random);
  support::Setting setting;
  const tectree::Problem problem = support::problem_of(table, setting);
  const Tree tree = support::grown(table, setting);
  const tectree::NodeRisk risk;
  everywhere("pessimistic", 100,
             [&] { return Digest().add(tectree::prune_pessimistic(tree, risk)); });
  everywhere("cost-complexity", 200, [&] {
    const auto penalties = tectree::leaf_penalties(tree, risk);
    const tectree::PenaltyTable by = tectree::penalty_table(tree, risk, penalties, 0.0);
    return Digest()
        .add(tectree::prune_at_penalty(tree, risk, penalties, by.penalty[by.penalty.size() / 2]))
        .add(by.risk);
  });
  everywhere("error-based, raising", 200, [&] {
    Team team(1);
    const tectree::WeightFacts w = tectree::weigh(problem.sample, team);
    const auto criterion = tectree::make_criterion("gini", 2.0, w.total, w.least);
    tectree::RaisedRows rows(tree, problem.frame, problem.sample, problem.response, *criterion,
                             risk, team);
    return Digest().add(tectree::ErrorBasedPruner(tree, risk, 0.25, &rows).run(team));
  });
  everywhere("reduced error", 100, [&] {
    Team team(1);
    const auto loss = tectree::row_loss(risk.loss, problem.response, problem.criterion);
    return Digest().add(
        tectree::prune_reduced_error(tree, problem.frame, problem.sample, loss, team));
  });
}

TEST(growth_from_counts_survives_a_failed_allocation) {
  support::Random random(12);
  const support::Table classes = table_of(60, 3, 0.0, random),
                       numbers = table_of(60, 0, 0.0, random);
  support::Setting setting;
  const tectree::StopRule stop = support::stop_of(setting);
  const auto grow = [&](const auto& table) {
    const auto ledger = table.ledger();
    Team team(1);
    for (;;) {
      const Tree tree = ledger->grow(stop, tectree::missing_policy("majority"), team);
      const std::vector<int> asks = ledger->asks();
      if (asks.empty()) return Digest().add(tree);
      for (int id : asks) ledger->answer(id, table.cells_of(*ledger, id));
      ledger->settle();
    }
  };
  const tectree::Problem problem = support::problem_of(classes, setting);
  const support::LedgerTable<tectree::ClassesOfCells> counts(problem);
  everywhere("counts", 300, [&] { return grow(counts); });
  setting.criterion = "l2";
  const tectree::Problem of_numbers = support::problem_of(numbers, setting);
  const support::LedgerTable<tectree::NumbersOfCells> sums(of_numbers);
  everywhere("sums", 300, [&] { return grow(sums); });
}

// The best partition into g intervals, by dynamic programming, against trying all partitions.
#include "check.h"

#include <tectree/search/groups/group_search.hpp>

#include <atomic>

#include "support/random.h"

using namespace tectree;
using support::Random;
using Cuts = std::vector<std::size_t>;

namespace {

// Whole-number costs of the intervals [i, j), so that ties are many and exact.
struct TableCost {
  std::size_t blocks;
  std::vector<double> cost;  // no_interval: too light
  std::size_t from = 0, to = 0;

  double of(std::size_t i, std::size_t j) const { return cost[i * (blocks + 1) + j]; }
  void start(std::size_t block) { from = to = block; }
  double extend() { return of(from, ++to); }
};

TableCost random_cost(std::size_t blocks, double too_light, Random& random) {
  TableCost c{blocks, std::vector<double>((blocks + 1) * (blocks + 1), no_interval)};
  for (double& x : c.cost) {
    if (!random.chance(too_light)) x = random.below(6) - 3;
  }
  return c;
}

// All partitions into g intervals in lexicographic order of their cuts; the first with the smallest
// cost stays.
void try_all(const TableCost& c, int g, std::size_t from, Cuts& cuts, double so_far, double& least,
             Cuts& best) {
  if (g == 1) {
    const double total = so_far + c.of(from, c.blocks);
    if (total < least) {
      least = total;
      best = cuts;
    }
    return;
  }
  for (std::size_t cut = from + 1; cut < c.blocks; ++cut) {
    cuts.push_back(cut);
    try_all(c, g - 1, cut, cuts, so_far + c.of(from, cut), least, best);
    cuts.pop_back();
  }
}

Cuts by_brute_force(const TableCost& c, int g) {
  Cuts cuts, best;
  double least = no_interval;
  try_all(c, g, 0, cuts, 0.0, least, best);
  return best;
}

Groups groups_of(std::size_t n) {
  Groups groups;
  groups.start(0);
  for (std::size_t i = 0; i < n; ++i) {
    groups.add(static_cast<double>(10 * i));
    groups.weight.back() = 1.0;
  }
  groups.finish();
  return groups;
}

}  // namespace

TEST(the_best_partition_is_found_and_the_lowest_on_ties) {
  Random random(1);
  Team team(1);
  for (std::size_t blocks = 1; blocks <= 9; ++blocks) {
    for (int g = 2; g <= 5; ++g) {
      for (double too_light : {0.0, 0.2, 0.6}) {
        for (int i = 0; i < 12; ++i) {
          TableCost cost = random_cost(blocks, too_light, random);
          CHECK(best_cuts(cost, blocks, g, 0.25, team) == by_brute_force(cost, g));
        }
      }
    }
  }
}

TEST(there_is_no_partition_into_more_intervals_than_blocks) {
  Random random(2);
  Team team(1);
  for (std::size_t blocks = 1; blocks <= 4; ++blocks) {
    TableCost cost = random_cost(blocks, 0.0, random);
    CHECK(best_cuts(cost, blocks, static_cast<int>(blocks) + 1, 0.25, team).empty());
    CHECK(best_cuts(cost, blocks, static_cast<int>(blocks), 0.25, team).size() == blocks - 1);
  }
}

TEST(costs_closer_than_the_slack_are_equal) {
  Team team(1);
  TableCost cost{3, std::vector<double>(16, no_interval)};
  const auto set = [&](std::size_t i, std::size_t j, double x) { cost.cost[i * 4 + j] = x; };
  set(0, 1, 1.0);
  set(1, 3, 0.0);
  set(0, 2, 1.0 - 1e-12);
  set(2, 3, 0.0);
  CHECK(best_cuts(cost, 3, 2, 1e-11, team) == Cuts{1});
  CHECK(best_cuts(cost, 3, 2, 1e-13, team) == Cuts{2});
}

TEST(a_long_search_can_be_interrupted) {
  Team team(1, [] { throw Interrupted(); });
  struct Endless {
    void start(std::size_t) {}
    double extend() { return 0.0; }
  } cost;
  bool interrupted = false;
  // The check happens only now and then, so the search may end before: repeats until it is called.
  for (int i = 0; i < 100000 && !interrupted; ++i) {
    try {
      best_cuts(cost, 200, 3, 0.0, team);
    } catch (const Interrupted&) {
      interrupted = true;
    }
  }
  CHECK(interrupted);
}

namespace {

SearchControl up_to(int intervals, double min_gain = 0.0) {
  SearchControl control;
  control.intervals = intervals;
  control.min_gain = min_gain;
  return control;
}

// A Worth with given measures for g = 2, 3, 4 intervals, cut after the first groups.
struct GivenWorth {
  const SearchControl& asked;
  const std::vector<Measures>& by_number;
  Groups of_column;

  const Groups& groups() const { return of_column; }
  const SearchControl& control() const { return asked; }
  Cuts cuts(int g, Team&) const {
    Cuts out;
    for (int j = 1; j < g && static_cast<std::size_t>(g) <= of_column.size(); ++j)
      out.push_back(static_cast<std::size_t>(j));
    return out;
  }
  Measures of_intervals(const Cuts& cuts) const { return by_number[cuts.size() - 1]; }
};

ColumnResult kept(const SearchControl& control, const std::vector<Measures>& by_number,
                  std::size_t n_groups) {
  ColumnResult result;
  result.impurity = 1.0;
  GivenWorth worth{control, by_number, groups_of(n_groups)};
  const Column column;
  Team team(1);
  search_intervals(worth, {column, 7}, team, result);
  return result;
}

}  // namespace

TEST(the_number_of_intervals_with_the_best_score_is_kept) {
  const ColumnResult result = kept(up_to(4), {{1, 1, 1}, {2, 2, 3}, {3, 3, 2}}, 5);
  CHECK(result.state == ColumnResult::State::complete);
  CHECK(result.winner.split.kind == SplitKind::intervals && result.winner.split.branches == 3);
  CHECK(result.winner.split.column == 7);
  CHECK((result.winner.split.breaks == std::vector<double>{5.0, 15.0}));
  CHECK((result.winner.branch_weight == std::vector<double>{1.0, 1.0, 3.0}));
  CHECK(result.winner.gain == 2 && result.winner.score == 3 && result.winner.exact);
}

TEST(the_fewest_intervals_win_ties) {
  const ColumnResult result = kept(up_to(4), {{1, 1, 3}, {2, 2, 3}, {3, 3, 3 + 1e-11}}, 5);
  CHECK(result.winner.split.kind == SplitKind::threshold && result.winner.split.branches == 2);
  CHECK(result.winner.split.breaks == std::vector<double>{5.0});
}

TEST(intervals_without_enough_gain_do_not_compete) {
  CHECK(kept(up_to(4, 1.5), {{1, 1, 9}, {2, 2, 3}, {3, 3, 2}}, 5).winner.split.branches == 3);
  CHECK(!kept(up_to(4, 3.0), {{1, 1, 9}, {2, 2, 3}, {3, 3, 2}}, 5).enough);
  CHECK(!kept(up_to(4), {{1, 0, 9}, {2, -1, 3}, {3, 1e-13, 2}}, 5).enough);
}

TEST(where_none_gains_enough_the_best_intervals_stand_for_the_column) {
  const ColumnResult result = kept(up_to(4, 3.0), {{1, 1, 9}, {2, 2, 3}, {3, 3, 2}}, 5);
  CHECK(result.is_scored() && result.has_split() && !result.may_split());
  CHECK(result.winner.score == 9);
  CHECK(kept(up_to(4, -HUGE_VAL), {{1, 0, 9}, {2, -1, 3}, {3, 1e-13, 2}}, 5).may_split());
}

TEST(as_many_intervals_as_groups_are_the_most) {
  const ColumnResult result = kept(up_to(4), {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}}, 3);
  CHECK(result.winner.split.branches == 3);
  CHECK(!kept(up_to(4), {}, 1).is_scored());
}

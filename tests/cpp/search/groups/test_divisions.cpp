// When the best grouping with enough rows per side is a prefix of the order by share.
#include "check.h"

#include <tectree/criterion/registry.hpp>
#include <tectree/search/groups/class_worth.hpp>

#include "support/groups.h"
#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

struct Searched {
  Groups groups;
  SearchControl control;
  std::unique_ptr<Criterion> criterion;
  ClassContext context;

  Searched(const std::vector<std::vector<double>>& counts, double min_bucket) {
    groups = support::groups_of(counts);
    control.min_bucket = min_bucket;
    criterion = make_criterion("gini", 2.0, groups.n, 1.0);
    context = {criterion.get(), &control, {&criterion->kernel(), nullptr, 0.5}};
  }

  double best_of(const GroupDivisions& divisions) const {
    double best = 0.0;
    ClassWorth worth(context, groups);
    each_division(groups, divisions, [&](std::uint32_t at, const LeftSide& left) {
      if (left.weight < control.min_bucket || groups.n - left.weight < control.min_bucket) return;
      best = std::max(best, worth.in_two(divisions, at, left).cut);
    });
    return best;
  }
};

}  // namespace

TEST(what_is_searched_holds_the_best_admissible_grouping) {
  Random random(7);
  int barred = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<std::vector<double>> counts(static_cast<std::size_t>(3 + random.below(6)));
    for (auto& c : counts) c = {1.0 + random.below(6), static_cast<double>(random.below(6))};
    const Searched s(counts, 1.0 + random.below(12));
    ClassWorth worth(s.context, s.groups);
    const GroupDivisions divisions = settled(worth, divisions_of(worth, Kind::nominal));
    CHECK(divisions.exact);
    CHECK_NEAR(s.best_of(divisions), s.best_of({DivisionKind::groupings, {}, true}), 1e-12);
    barred += divisions.kind == DivisionKind::groupings;
  }
  CHECK(barred > 10);
  CHECK(barred < 150);
}

TEST(above_twelve_levels_a_barred_prefix_leaves_a_heuristic) {
  std::vector<std::vector<double>> counts(16, std::vector<double>{3.0, 0.0});
  counts[0] = counts[15] = {0.0, 2.0};
  for (double min_bucket : {4.0, 5.0}) {
    const Searched s(counts, min_bucket);
    ClassWorth worth(s.context, s.groups);
    const GroupDivisions divisions = settled(worth, divisions_of(worth, Kind::nominal));
    CHECK(divisions.kind == DivisionKind::prefixes);
    CHECK(divisions.exact == (min_bucket < 5.0));
  }
}

TEST(the_search_finds_it_and_says_whether_it_is_exact) {
  // A pure level too small for a branch: the level that harms least joins it, which is not a
  // prefix.
  const Searched s({{0.0, 3.0}, {4.0, 4.0}, {1.0, 1.0}, {5.0, 4.0}}, 5.0);
  const CutValue value(*s.criterion, s.criterion->impurity(s.groups.total.data(), 2, s.groups.n),
                       s.groups.n, 22, true, 0.0);
  ColumnResult result;
  result.impurity = s.criterion->impurity(s.groups.total.data(), 2, s.groups.n);
  ClassWorth worth(s.context, s.groups);
  worth.rank_by(value);
  Column column;
  column.kind = Kind::nominal;
  column.n_levels = 4;
  Team team(1);
  search_groups(worth, {column, 0}, team, result);
  CHECK(result.is_scored() && result.winner.exact);
  CHECK_NEAR(result.winner.gain, s.best_of({DivisionKind::groupings, {}, true}), 1e-12);
  CHECK(result.winner.split.level_child[0] == result.winner.split.level_child[2]);
}

TEST(the_members_of_a_division_are_those_that_it_counts) {
  Groups groups = support::groups_of({{1.0, 4.0}, {2.0, 1.0}, {5.0, 2.0}, {3.0, 3.0}});
  groups.value.back() = NAN;  // the missing values are a group
  const std::vector<std::uint32_t> order = {2, 0, 3, 1};
  for (DivisionKind kind : {DivisionKind::prefixes_and_pairs, DivisionKind::groupings}) {
    const GroupDivisions divisions{kind, order, true};
    int pairs = 0;
    each_division(groups, divisions, [&](std::uint32_t at, const LeftSide& left) {
      const std::vector<char> members = members_of(divisions, groups, at);
      double sums[2] = {}, weight = 0.0;
      for (std::size_t g = 0; g < groups.size(); ++g) {
        if (!members[g]) continue;
        weight += groups.weight[g];
        for (int s : {0, 1}) sums[s] += groups.of(g)[s];
      }
      CHECK(left.sums[0] == sums[0] && left.sums[1] == sums[1] && left.weight == weight);
      pairs += kind == DivisionKind::prefixes_and_pairs && at >= groups.size();
      CHECK(branch_of_unknown(divisions, groups, at) == (members.back() == members[0] ? 0 : 1));
    });
    CHECK(pairs == (kind == DivisionKind::prefixes_and_pairs ? 3 : 0));
  }
}

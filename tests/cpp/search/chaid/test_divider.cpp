// CHAID's merging of categories, and the divisions of columns by p values.
#include "check.h"

#include <tectree/criterion/registry.hpp>
#include <tectree/search/chaid/tallies.hpp>

#include <tectree/search/chaid/divider.hpp>

#include "support/groups.h"
#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

using Counts = std::vector<std::vector<double>>;
using Parts = std::vector<std::vector<std::uint32_t>>;

// The categories of one column by class; the last is that of the missing values if `unknown`.
struct Categories {
  Groups groups;
  SearchControl control;
  std::unique_ptr<Criterion> criterion;

  explicit Categories(const Counts& counts, bool unknown = false) {
    groups = support::groups_of(counts);
    if (unknown) groups.value.back() = NAN;
    control.rules = SearchControl::Rules::chaid;
    control.min_gain = -HUGE_VAL;
    criterion = make_criterion("chisq", 1.0, groups.n, 1.0);
  }
  chaid::ClassTally tally() const { return {groups.stride, *criterion}; }
  Parts merged(chaid::Order order) const {
    chaid::ClassTally its = tally();
    Team team(1);
    return chaid::Merging<chaid::ClassTally>(groups, order, control, its, team).run();
  }
  ColumnResult divided(Kind kind) const {
    Column column;
    column.kind = kind;
    column.n_levels = kind == Kind::numeric ? 0 : static_cast<int>(groups.with_value());
    chaid::ClassTally its = tally();
    ColumnResult result;
    result.impurity = its.impurity(groups);
    Team team(1);
    chaid::Divider<chaid::ClassTally> divider(0, column, groups, control, its, result, team);
    if (control.by_chaid()) {
      divider.merge();
    } else {
      divider.divide_exactly();
    }
    return result;
  }
};

}  // namespace

TEST(a_small_group_joins_the_one_that_differs_least) {
  // The last has 3 rows, and the shares of the first.
  Categories of({{30.0, 10.0}, {10.0, 30.0}, {5.0, 95.0}, {3.0, 1.0}});
  of.control.alpha_merge = 1.0;  // no others are merged
  of.control.min_bucket = 10.0;
  CHECK((of.merged(chaid::Order::none) == Parts{{0, 3}, {1}, {2}}));
  of.control.min_bucket = 4.0;
  CHECK((of.merged(chaid::Order::none) == Parts{{0}, {1}, {2}, {3}}));
}

TEST(missing_values_are_apart_from_the_only_value) {
  // Two groups are left even if they do not differ.
  CHECK((Categories({{20.0, 10.0}, {10.0, 5.0}}, true).merged(chaid::Order::floating) ==
         Parts{{0}, {1}}));
  const Categories of({{40.0, 10.0}, {10.0, 40.0}}, true);
  CHECK((of.merged(chaid::Order::floating) == Parts{{0}, {1}}));
  const ColumnResult result = of.divided(Kind::numeric);
  CHECK(result.can_split() && result.winner.filled == 1);
  CHECK((result.winner.branch_weight == std::vector<double>{50.0, 50.0}));
}

TEST(branch_0_has_the_first_category) {
  Random random(8);
  for (int round = 0; round < 100; ++round) {
    Counts counts(static_cast<std::size_t>(random.between(3, 6)));
    for (auto& c : counts) c = {1.0 + random.below(20), 1.0 + random.below(20)};
    Categories of(counts);
    of.control.rules = SearchControl::Rules::exact;
    for (Kind kind : {Kind::numeric, Kind::nominal, Kind::ordered}) {
      const ColumnResult result = of.divided(kind);
      CHECK(result.is_scored());
      const Winner& winner = result.winner;
      std::vector<double> weight(2);
      for (std::size_t g = 0; g < counts.size(); ++g) {
        const auto branch =
            static_cast<std::size_t>(route_value(winner.split.view(), of.groups.value[g]));
        if (g == 0) CHECK(branch == 0);
        weight[branch] += of.groups.weight[g];
      }
      CHECK(winner.branch_weight == weight);
    }
  }
}

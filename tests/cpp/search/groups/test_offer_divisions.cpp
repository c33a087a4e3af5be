// The divisions of a column that may be tried, against all groupings of its levels, or all cuts of
// its values.
#include "check.h"

#include <tectree/criterion/registry.hpp>
#include <tectree/search/groups/class_worth.hpp>
#include <tectree/search/groups/offer_divisions.hpp>

#include <set>

#include "support/groups.h"
#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

struct Offered {
  Groups groups;
  SearchControl control;
  std::unique_ptr<Criterion> criterion;
  ClassContext context;
  Column column;

  Offered(const std::vector<std::vector<double>>& counts, double min_bucket, Kind kind) {
    groups = support::groups_of(counts);
    control.min_bucket = min_bucket;
    control.min_gain = -HUGE_VAL;
    criterion = make_criterion("gini", 2.0, groups.n, 1.0);
    context = {criterion.get(), &control, {&criterion->kernel(), nullptr, 0.5}};
    column.kind = kind;
    column.n_levels = kind == Kind::numeric ? 0 : static_cast<int>(counts.size());
  }

  std::vector<Offer> all() const {
    ClassWorth worth(context, groups);
    Team team(1);
    std::vector<Offer> out;
    offer_divisions(worth, {column, 0}, no_branch, team, out);
    return out;
  }
  // The branches' weights and the gain of a grouping.
  std::vector<double> weights(const std::vector<int>& branch) const {
    std::vector<double> out(2);
    for (std::size_t g = 0; g < branch.size(); ++g)
      out[static_cast<std::size_t>(branch[g])] += groups.weight[g];
    return out;
  }
  double gain(const std::vector<int>& branch) const {
    Partition p;
    p.start(groups.stride);
    for (int b : {0, 1}) {
      std::vector<double> counts(static_cast<std::size_t>(groups.stride));
      double n = 0.0;
      for (std::size_t g = 0; g < branch.size(); ++g) {
        if (branch[g] != b) continue;
        for (std::size_t s = 0; s < counts.size(); ++s) counts[s] += groups.of(g)[s];
        n += groups.weight[g];
      }
      p.add(counts.data(), n);
    }
    return criterion->measure(p).gain;
  }
};

}  // namespace

TEST(every_grouping_of_levels_with_enough_rows_is_offered_once) {
  Random random(12);
  int late = 0;
  for (int round = 0; round < 60; ++round) {
    const int levels = random.between(2, 6), classes = random.between(2, 3);
    std::vector<std::vector<double>> counts(static_cast<std::size_t>(levels));
    for (auto& c : counts) {
      for (int s = 0; s < classes; ++s) c.push_back(random.below(5));
      c[0] += 1.0;
    }
    const double min_bucket = random.between(1, 8);
    const Offered of(counts, min_bucket, Kind::nominal);
    std::set<std::vector<int>> expected, found;
    // The first level is always in branch 0.
    for (int mask = 1; mask < 1 << (levels - 1); ++mask) {
      std::vector<int> branch(static_cast<std::size_t>(levels));
      for (int g = 1; g < levels; ++g) branch[static_cast<std::size_t>(g)] = (mask >> (g - 1)) & 1;
      const std::vector<double> weight = of.weights(branch);
      if (weight[0] >= min_bucket && weight[1] >= min_bucket) expected.insert(branch);
    }
    for (const Offer& offer : of.all()) {
      const std::vector<int>& branch = offer.winner.split.level_child;
      CHECK(found.insert(branch).second);
      CHECK(offer.winner.branch_weight == of.weights(branch));
      CHECK_NEAR(offer.winner.gain, of.gain(branch), 1e-12);
      late += offer.back;
    }
    CHECK(found == expected);
  }
  CHECK(late > 100);
}

TEST(every_cut_of_up_to_256_values_is_offered) {
  for (const auto& [values, offered] : {std::pair{256, 255}, std::pair{257, 63}}) {
    std::vector<std::vector<double>> counts;
    for (int i = 0; i < values; ++i) counts.push_back({1.0 + i % 3, 1.0 + i % 2});
    const Offered of(counts, 1.0, Kind::numeric);
    CHECK(of.all().size() == static_cast<std::size_t>(offered));
  }
}

TEST(all_groupings_of_up_to_12_levels_are_offered) {
  for (const auto& [levels, offered] : {std::pair{12, 2047}, std::pair{13, 12}}) {
    std::vector<std::vector<double>> counts;
    for (int i = 0; i < levels; ++i) counts.push_back({1.0 + i, 20.0 - i});
    const Offered of(counts, 1.0, Kind::nominal);
    CHECK(of.all().size() == static_cast<std::size_t>(offered));
  }
}

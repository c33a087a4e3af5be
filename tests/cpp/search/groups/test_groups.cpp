// A column's values in a node as groups: counts, visited divisions, and splits.
#include "check.h"

#include <tectree/search/choose/best_cut.hpp>
#include <tectree/search/groups/divisions.hpp>

#include "support/columns.h"

using namespace tectree;
using support::Random;

namespace {

Groups random_groups(std::size_t n, int stride, Random& random) {
  Groups groups;
  groups.start(stride);
  for (std::size_t g = 0; g < n; ++g) {
    groups.add(static_cast<double>(2 * g + 1));
    for (int s = 0; s < stride; ++s) {
      const int c = random.below(5);
      groups.of(g)[s] = c;
      groups.weight.back() += c;
    }
  }
  groups.finish();
  return groups;
}

// Do `left` and `weight` contain the sums of the chosen groups?
bool sums_of(const Groups& groups, const std::vector<char>& chosen, const double* left,
             double weight) {
  double total = 0;
  std::vector<double> sums(static_cast<std::size_t>(groups.stride), 0.0);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!chosen[g]) continue;
    total += groups.weight[g];
    for (int s = 0; s < groups.stride; ++s) sums[static_cast<std::size_t>(s)] += groups.of(g)[s];
  }
  return total == weight && std::equal(sums.begin(), sums.end(), left);
}

}  // namespace

TEST(totals_are_summed_over_groups) {
  Random random(1);
  const Groups groups = random_groups(6, 3, random);
  double n = 0;
  for (int s = 0; s < 3; ++s) {
    double total = 0;
    for (std::size_t g = 0; g < 6; ++g) total += groups.of(g)[s];
    CHECK(groups.total[static_cast<std::size_t>(s)] == total);
    n += total;
  }
  CHECK(groups.n == n && groups.size() == 6);
}

TEST(every_prefix_of_an_order_is_visited_once_shortest_first) {
  Random random(2);
  for (std::size_t m : {1, 2, 3, 8}) {
    const Groups groups = random_groups(m, 2, random);
    std::vector<std::uint32_t> order;
    for (std::uint32_t g = 0; g < m; ++g) order.push_back(g);
    random.shuffle(order);
    std::uint32_t expected = 1;
    each_prefix(groups, order, [&](std::uint32_t c, const LeftSide& left) {
      CHECK(c == expected++);
      const std::vector<char> members = members_of({DivisionKind::prefixes, order}, groups, c);
      CHECK(std::count(members.begin(), members.end(), 1) == static_cast<std::ptrdiff_t>(c));
      CHECK(sums_of(groups, members, left.sums, left.weight));
    });
    CHECK(expected == m);
  }
}

TEST(every_grouping_is_visited_once_in_the_order_of_its_mask) {
  Random random(3);
  for (std::size_t m : {2, 3, 5, 12}) {
    const Groups groups = random_groups(m, 3, random);
    std::uint32_t expected = 1;
    bool right = true;
    each_grouping(groups, [&](std::uint32_t mask, const LeftSide& left) {
      right = right && mask == expected++;
      const std::vector<char> members = members_of({DivisionKind::groupings, {}}, groups, mask);
      right = right && members.back() == 0 && sums_of(groups, members, left.sums, left.weight);
      for (std::size_t g = 0; g < m; ++g)
        right = right && members[g] == static_cast<char>((mask >> g) & 1u);
    });
    CHECK(right);
    CHECK(expected == std::uint32_t{1} << (m - 1));
  }
}

TEST(the_branch_of_the_lowest_level_is_the_first) {
  Random random(4);
  const Groups groups = random_groups(4, 1, random);  // levels 1, 3, 5, 7
  const Split with = subset_split(2, groups, {1, 0, 1, 0});
  const Split without = subset_split(2, groups, {0, 1, 0, 1});
  CHECK(with.kind == SplitKind::subset && with.column == 2 && with.branches == 2);
  CHECK((with.level == std::vector<int>{1, 3, 5, 7}));
  CHECK((with.level_child == std::vector<int>{0, 1, 0, 1}));
  CHECK(without.level_child == with.level_child);
}

TEST(cuts_of_numbers_and_of_codes) {
  const Split number = cut_between(1, Kind::numeric, 2.0, 5.0);
  CHECK(number.kind == SplitKind::threshold && number.breaks == std::vector<double>{3.5});
  for (Kind kind : {Kind::ordered, Kind::nominal}) {
    CHECK(cut_between(1, kind, 2.0, 5.0).breaks == std::vector<double>{3.0});
    CHECK(cut_between(1, kind, 2.0, 3.0).breaks == std::vector<double>{2.0});
    CHECK(cut_between(1, kind, 2.0, 3.0).kind == SplitKind::level);
  }
  const Split all = multiway_split(3, 300);
  CHECK(all.kind == SplitKind::multiway && all.branches == 300 && all.breaks.empty() &&
        all.level.empty());
}

namespace {

// Groups of a column of random numbers against counting.
void check_collected(support::Shape shape, Random& random) {
  const std::vector<double> x = support::numbers_of(shape, 400, random);
  std::vector<int> label;
  for (std::size_t i = 0; i < x.size(); ++i) label.push_back(random.below(3));
  Frame frame;
  frame.columns.resize(1);
  frame.columns[0].real = x.data();
  frame.n_rows = x.size();
  Sample sample;
  sample.size = x.size();
  Team team(1);
  const auto arena = make_arena<std::uint32_t>(frame, sample, team);
  Groups groups;
  const Entry<std::uint32_t>* entries = arena.columns[0].entries.data();
  collect_runs(
      entries, entries + arena.columns[0].known(0, x.size()), 3, groups,
      [&](double* tally, const auto* first, const auto* last) {
        for (const auto* e = first; e < last; ++e) tally[label[e->row]] += 0.5;
        return 0.5 * static_cast<double>(last - first);
      },
      [&](std::uint32_t row) { return frame.columns[0].value(row); });
  std::vector<double> distinct;
  for (double v : x) {
    if (!std::isnan(v)) distinct.push_back(v + 0.0);
  }
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  CHECK(groups.value == distinct);
  CHECK(groups.tally.size() == 3 * distinct.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    double counts[3] = {0, 0, 0};
    for (std::size_t i = 0; i < x.size(); ++i) counts[label[i]] += x[i] == distinct[g] ? 0.5 : 0;
    CHECK(std::equal(counts, counts + 3, groups.of(g)));
    CHECK(groups.weight[g] == counts[0] + counts[1] + counts[2]);
  }
}

}  // namespace

TEST(a_column_s_values_are_counted_by_class) {
  Random random(5);
  for (support::Shape shape : support::all_shapes) check_collected(shape, random);
}

// Tallies of many levels and classes are found beyond 2^31 cells.
static_assert(std::is_same_v<decltype(std::declval<const Groups&>().size()), std::size_t>);
constexpr double* (Groups::*found_by_64_bits)(std::size_t) = &Groups::of;

TEST(a_group_s_tally_is_found) {
  Groups groups;
  groups.start(3);
  for (int g = 0; g < 4; ++g) groups.add(g);
  CHECK((groups.*found_by_64_bits)(2) == groups.tally.data() + 6);
}

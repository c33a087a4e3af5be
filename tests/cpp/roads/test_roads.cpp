// Random problems on every road to their trees; tools/roads.sh runs many more cases.
#include "check.h"
#include "roads/drive.h"
#include "roads/fixed.h"
#include "support/cases.h"

namespace {

void fail_with(const roads::Drive& drive) {
  for (const roads::Failure& f : drive.failures()) check::fail("roads", 0, roads::text_of(f));
  for (const std::string& road : drive.deserted())
    check::fail("roads", 0, "too few cases: " + road);
}

}  // namespace

TEST(every_road_leads_to_the_same_tree) {
  roads::Drive drive;
  for (std::uint64_t seed : roads::fixed_cases()) drive.take(seed);
  const std::uint64_t first = support::first_case(roads::block);
  const std::uint64_t cases = support::cases(roads::quick_cases);
  for (std::uint64_t i = 0; i < cases; ++i)
    drive.take(first + i / roads::quick_cases * roads::block + i % roads::quick_cases);
  fail_with(drive);
}

TEST(small_trees_are_those_of_the_oracle_and_so_are_their_prunings) {
  roads::Drive drive;
  for (std::uint64_t seed : roads::fixed_small_cases()) drive.take_small(seed);
  const std::uint64_t first = support::first_case(roads::block), cases = support::cases(600);
  for (std::uint64_t i = 0; i < cases; ++i) drive.take_small(first + i);
  fail_with(drive);
}

TEST(extreme_numbers_make_trees_of_numbers_or_errors) {
  roads::Drive drive;
  for (std::uint64_t seed : roads::fixed_extremes()) drive.take_extreme(seed);
  const std::uint64_t first = support::first_case(roads::block), cases = support::cases(300);
  for (std::uint64_t i = 0; i < cases; ++i) drive.take_extreme(first + i);
  fail_with(drive);
}

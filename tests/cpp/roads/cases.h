// Random problems on every road to their trees; tools/roads.sh runs many more cases.
#pragma once

#include "check.h"
#include "roads/drive.h"

TEST(every_road_leads_to_the_same_tree) {
  roads::Drive drive;
  for (std::uint64_t seed = 0; seed < roads::quick_cases; ++seed) drive.take(seed);
  for (const roads::Failure& f : drive.failures()) check::fail("roads", 0, roads::text_of(f));
  for (const std::string& road : drive.deserted())
    check::fail("roads", 0, "too few cases: " + road);
}

TEST(extreme_numbers_make_trees_of_numbers_or_errors) {
  roads::Drive drive;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) drive.take_extreme(seed);
  for (const roads::Failure& f : drive.failures()) check::fail("extremes", 0, roads::text_of(f));
}

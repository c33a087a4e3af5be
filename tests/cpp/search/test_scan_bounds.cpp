// A bucket larger than half the 32-bit numbers: no cut is admissible, and no row beyond the
// column's is looked at.
#include "check.h"

#include "search/scan_data.h"

using namespace tectree;

TEST(no_bucket_is_too_large_for_the_scan) {
  support::Random random(1);
  const support::Scanned c = support::random_column(100, 2, 0, 0, 0, random);
  const auto gini = make_criterion("gini", 0, 100, 1);
  Team team(1);
  const KernelTable table(gini->kernel(), 100, team);
  const auto total = c.total<std::uint32_t>();
  const std::vector<double> counts(total.begin(), total.end());
  const CutValue value(*gini, gini->impurity(counts.data(), 2, 100), 100, 100, true, 0.0);
  for (double bucket : {51.0, 1e9, 2147483647.0, 2147483648.0, 2147483648.0 + 20, 3e9, 4294967290.0,
                        1e10, HUGE_VAL}) {
    Contenders contenders;
    UnitCut::Scratch scratch;
    scan_unit_cuts<Form::linear>(c.entries.data(), 100, c.label.data(), table, value,
                                 least_count<UnitWeight>(bucket), Afresh::each_block,
                                 UnitCut(table, total, scratch), contenders);
    CHECK(contenders.empty());
  }
}

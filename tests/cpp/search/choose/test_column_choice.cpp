// Which column wins by its best cut, and which columns are scored for it.
#include "check.h"

#include <tectree/search/choose/column_choice.hpp>

using namespace tectree;

namespace {

// Columns whose best cuts are known to within `off`.
struct Race {
  std::vector<double> exact;
  double off;
  std::vector<ColumnResult> results;
  ColumnChoice::Columns columns, scored;

  Race(std::vector<double> cuts, double off) : exact(std::move(cuts)), off(off) {
    for (std::size_t c = 0; c < exact.size(); ++c) {
      ColumnResult result;
      const double slack = off + 1.2e-10;
      result.open(exact[c] - slack, exact[c] + slack);
      result.most = exact[c] + off;
      results.push_back(result);
      columns.push_back(static_cast<std::uint32_t>(c));
    }
  }
  std::size_t winner() {
    ColumnChoice choice(results, Eligible::all);
    const auto score = [&](const ColumnChoice::Columns& some) {
      for (std::uint32_t c : some) {
        scored.push_back(c);
        results[c].keep_cut(1, {exact[c], exact[c], exact[c]}, true);
      }
    };
    return *choice.by_cut(columns, 1.0, score);
  }
};

using Columns = ColumnChoice::Columns;

}  // namespace

TEST(only_the_first_of_surely_tied_columns_is_scored) {
  Race race({0.1, 0.3, 0.3, 0.3}, 1e-14);
  CHECK(race.winner() == 1);
  CHECK(race.scored == Columns({1}));
}

TEST(a_column_within_the_error_of_the_sums_is_scored_too) {
  // 2e-13 apart, more than ties at this size: only the exact measures can tell.
  Race race({1e-5, 1e-5 + 2e-13}, 1e-13);
  CHECK(race.winner() == 1);
  CHECK(race.scored == Columns({0, 1}));
}

TEST(a_column_that_may_tie_with_the_best_does_not_win_over_one_that_does) {
  // The first ties with the second, which ties with the third; the first does not.
  const double tie = 3e-11;
  Race race({0.3, 0.3 + 0.9 * tie, 0.3 + 1.8 * tie}, 1e-14);
  CHECK(race.winner() == 1);
}

// The settings of a search.
#pragma once

#include <cstddef>
#include <limits>

#include "../../criterion/contract.hpp"

namespace tectree {

struct SearchControl {
  double min_bucket = 1.0;
  double min_gain = 0.0;
  enum class Nominal { binary, multiway, ordered } nominal = Nominal::binary;
  int intervals = 2;
  // A grouping of the levels of a column with more levels than this pays for the number of
  // groupings it was chosen from.
  double free_levels = std::numeric_limits<double>::infinity();
  // Mean number of copies of a row: they tell nothing new about a level.
  double copies = 1.0;
  Eligible eligible = Eligible::own;
  // How rows with a missing value count in the search of a column. ignored: not at all. scaled:
  // cut, gain and score are multiplied by the share of the weight with a value. grouped: the same,
  // and they are one more group in an entropy of branch sizes. filled: they get the column's most
  // frequent value (median if numeric). learned: a division in two is tried with these rows on
  // either side, unscaled; one into more branches ignores them. category: they are one more
  // category of CHAID.
  enum class Unknown {
    ignored,
    scaled,
    grouped,
    filled,
    learned,
    category
  } unknown = Unknown::ignored;
  // How a column's split and the winning column are found: the best, by C4.5's rules, or by CHAID's
  // merging of categories.
  enum class Rules { exact, c45, chaid, chaid_exhaustive } rules = Rules::exact;
  bool by_chaid() const { return rules == Rules::chaid || rules == Rules::chaid_exhaustive; }
  // For CHAID: p values up to which two categories stay apart, a merged one is split again (0:
  // never) and a split is made; whether p values are adjusted for the number of divisions.
  double alpha_merge = 0.05, alpha_resplit = 0.0, alpha_split = 0.05;
  bool adjusts_p = true;
  // Randomness, see Node::stream: how many columns of a node are searched (0: all), and whether
  // more are drawn if these have no split; whether ties are broken at random; whether each column
  // offers one cut drawn at random.
  std::size_t max_columns = 0;
  bool draw_more = true, random_ties = false, random_cuts = false;
};

// Which surrogates a split gets.
struct SurrogateRule {
  int most = 0;
  bool used = true;       // otherwise they are only stored for inspection
  bool of_known = false;  // agreement as a share of the rows with a value for the surrogate
};

}  // namespace tectree

// A Worth measures divisions of a column's groups. group_search.hpp finds the best division for any
// Worth; ClassWorth, MeanWorth and MedianWorth are the three.
//
// A Worth has
//   groups()                        the groups that are divided
//   control()                       the settings of the search
//   impurity(), unit()              the scale of rounding, and the unit of the measures
//   groupings()                     the ways to group levels in two: GroupDivisions
//   in_two(divisions, at, left)     the measures of one division; `left`: the groups on the left
//   try_all(divisions, settle, team, result, best)
//                                   adds to `best` all divisions that may be the best; calls
//                                   settle(), which may replace `divisions`, if the best of them
//                                   may not be admissible
//   cuts(g, team)                   the best partition into g intervals: the first group of each
//                                   interval but the first; empty if there is none
//   of_intervals(cuts)              the measures of such a partition
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../base/contract.hpp"
#include "../choose/best_cut.hpp"
#include "divisions.hpp"

namespace tectree {

template <class Worth>
constexpr bool is_worth() {
  using Cuts = std::vector<std::size_t>;
  static_assert(meets<Worth&>(TECTREE_CAN(worth, static_cast<const Groups&>(worth.groups()))),
                "a Worth must have groups(), the Groups that are divided");
  static_assert(
      meets<Worth&>(TECTREE_CAN(worth, static_cast<const SearchControl&>(worth.control()))),
      "a Worth must have control(), the SearchControl");
  static_assert(meets<Worth&>(TECTREE_CAN(worth, double{worth.impurity()})),
                "a Worth must have impurity(), the scale of rounding");
  static_assert(meets<Worth&>(TECTREE_CAN(worth, double{worth.unit()})),
                "a Worth must have unit(), the unit of its measures");
  static_assert(meets<Worth&>(TECTREE_CAN(worth, GroupDivisions{worth.groupings()})),
                "a Worth must have groupings(), the GroupDivisions of levels in two");
  static_assert(meets<Worth&>(TECTREE_CAN(
                    worth, Measures{worth.in_two(some<const GroupDivisions&>(), std::uint32_t{},
                                                 some<const LeftSide&>())})),
                "a Worth must have in_two(divisions, at, left), the Measures of a division");
  static_assert(meets<Worth&>(TECTREE_CAN(
                    worth, worth.try_all(some<const GroupDivisions&>(), some<void (&)()>(),
                                         some<Team&>(), some<ColumnResult&>(), some<BestOf&>()))),
                "a Worth must have try_all(divisions, settle, team, result, best)");
  static_assert(meets<Worth&>(TECTREE_CAN(worth, Cuts(worth.cuts(int{}, some<Team&>())))),
                "a Worth must have cuts(g, team), the best g intervals");
  static_assert(
      meets<Worth&>(TECTREE_CAN(worth, Measures{worth.of_intervals(some<const Cuts&>())})),
      "a Worth must have of_intervals(cuts), the Measures of intervals");
  return true;
}

}  // namespace tectree

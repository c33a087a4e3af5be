// A statistic of a histogram search: what is counted by code, and the measures of cuts and groups
// of codes. ClassHistogram, NumberHistogram and TableOfNumbers are the three.
//
// A statistic has
//   Problem, Scratch             what it counts for; working space of one thread
//   Counted                      a counted column (look_inside.hpp)
//   by_cut_alone                 whether the best cut always wins; otherwise Scores
//                                (score_bounds.hpp)
//   column(view, first_cell, known, node, scratch, result)
//                                the Counted of a column; sets the result's impurity
//   search_groups(column, known, c, scratch, team, result)
//                                finds the best division of a column's levels
//   measure(column, known, cuts, scratch, use)
//                                calls use(i, measures) with the exact ones of each cut
// and for rows in memory
//   SortedStat, Task             the Stat and the Task of the sorted search of the same rows
//   counts(problem, c)           whether a column that has codes is counted
//   count(rows, stat, range, parent's counts or null, team)
//                                counts a node's rows
//   rest(cells, node, part)      the node's counts minus those of some rows
//   serves(node, known)          whether counts that were handed down suffice for the node
//   pass_on_at(stat, codes)      which nodes continue in sorted columns
//   has_parts                    whether OfParts counts parts of rows, if counts_parts(stat)
//   offer_groups(column, known, c, scratch, team, out)
//                                offers the divisions of a column's levels
//
// A Source: where the counts of a node's columns come from. RowSource has the rows in memory,
// SumsOfNode the sums that a database has counted. It has
//   Stat, stat()                 the statistic
//   codes(), cells()             the columns' codes; the layout of their cells in a node's counts
//   node_stat()                  of the node: problem() with frame, control(), impurity(), and what
//                                the statistic asks
//   view(node, c)                a column, as a BinView
//   in_memory                    whether it has rows, whose arena the Task `task` searches for
//                                columns that are not counted, with a ByValue as working space
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../base/contract.hpp"
#include "../../base/team.hpp"
#include "../choose/column_result.hpp"
#include "../door/node_search.hpp"
#include "../sorted/rows.hpp"
#include "look_inside.hpp"

namespace tectree {

// `Known`: what the source knows about the node.
template <class Stat, class Known>
constexpr bool is_histogram_stat() {
  using Scratch = typename Stat::Scratch;
  using Counted = typename Stat::Counted;
  static_assert(is_counted<Counted>());
  static_assert(meets<const Stat&>(TECTREE_CAN(stat, bool{stat.by_cut_alone})),
                "a histogram's statistic must have by_cut_alone, whether the best cut always wins");
  static_assert(
      meets<const Stat&>(TECTREE_CAN(
          stat,
          Counted(stat.column(some<const BinView&>(), std::size_t{}, some<const Known&>(),
                              some<const Node&>(), some<Scratch&>(), some<ColumnResult&>())))),
      "a histogram's statistic must have column(view, first_cell, known, node, scratch, result)");
  static_assert(
      meets<const Stat&>(TECTREE_CAN(
          stat, stat.search_groups(some<const Counted&>(), some<const Known&>(), std::uint32_t{},
                                   some<Scratch&>(), some<Team&>(), some<ColumnResult&>()))),
      "a histogram's statistic must have search_groups(column, known, c, scratch, team, "
      "result)");
  static_assert(meets<const Stat&>(TECTREE_CAN(
                    stat, stat.measure(some<Counted&>(), some<const Known&>(),
                                       some<const std::vector<Contender>&>(), some<Scratch&>(),
                                       some<void (&)(std::uint32_t, const Measures&)>()))),
                "a histogram's statistic must have measure(column, known, cuts, scratch, use)");
  return true;
}

template <class Source>
constexpr bool is_source() {
  static_assert(meets<const Source&>(TECTREE_CAN(source, source.node_stat().problem()->frame,
                                                 source.node_stat().control(),
                                                 source.node_stat().impurity())),
                "a Source must have node_stat(), which describes the problem and the node");
  static_assert(is_histogram_stat<typename Source::Stat,
                                  plain<decltype(some<const Source&>().node_stat())>>());
  static_assert(meets<const Source&>(
                    TECTREE_CAN(source, static_cast<const typename Source::Stat&>(source.stat()))),
                "a Source must have stat(), its Stat");
  static_assert(
      meets<const Source&>(TECTREE_CAN(source, source.codes().size(), source.codes()[0],
                                       source.cells().counts(std::uint32_t{}))),
      "a Source must have codes(), of its columns, and cells(), the layout of their cells");
  static_assert(
      meets<const Source&>(TECTREE_CAN(source, BinView{source.view(some<const Node&>(), 0u)})),
      "a Source must have view(node, c), a BinView of the column");
  static_assert(meets<const Source&>(TECTREE_CAN(source, bool{source.in_memory})),
                "a Source must have in_memory, whether its rows are");
  return true;
}

template <class Stat>
constexpr bool counts_rows() {
  using Known = typename Stat::SortedStat;
  static_assert(meets<const Stat&>(TECTREE_CAN(
                    stat, bool{stat.serves(some<const Node&>(), some<const Known&>())})),
                "a histogram's statistic of rows must have serves(node, known)");
  static_assert(
      meets<const Stat&>(TECTREE_CAN(
          stat, std::shared_ptr<const void>(stat.rest(some<const CellLayout&>(),
                                                      some<const Node&>(), some<const void*>())))),
      "a histogram's statistic of rows must have rest(cells, node, part), the counts of the "
      "others");
  return true;
}

}  // namespace tectree

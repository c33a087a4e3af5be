// A Stat: how the sorted search counts rows. ClassStat, MeanStat and MedianStat are the three.
//
// A Stat has, of the problem and its rows,
//   Row, Scratch                 the type of a row's number; working space of one thread
//   problem(), control()         a shared pointer with frame, sample and part_unit (of the weights
//                                of parts of rows; 0: any); the settings
//   eligible()                   which columns compete
//   best_cut_wins()              whether the column of the best cut wins, whatever others score
//   counts_rows()                whether every row counts 1
//   case_weight(row), node_weight(row)
//                                without the factor of its class; what a row adds to the weight of
//                                its node
//   has_sizes(), size(row)       whether sizes differ from case weights; what min_bucket bounds
//   tag(first, last)             may store what it knows about rows in entries
//   shrunk(from, to, node, local), with_weights<Index>(taken)
//                                the Stat of a node's rows in their own arena; of some rows with
//                                their own weights
//   shares_rows                  whether set_problem(problem) makes it count the same rows for
//                                another criterion
//   weighs_parts                 whether it has may_weigh(), and weigh(rows, weight, n), which sets
//                                the case weights of a node's rows before the node is used
//   divide(divide)               calls divide(entries) for entries that it keeps in order itself
// of the node,
//   describe(arena, node, share) its NodeFacts
//   begin(arena, node)           makes it the current node
//   impurity(), may_gain()       its impurity; whether a split of it can gain anything
//   unknown_weight(complete, known)
//                                how rows with a missing value count
//   unbeatable(result)           whether no column can beat this open one
//   has_spans()                  whether spans of open columns can be found: find_cut_span(node,
//                                result), false if the column must be scored, and then
//                                find_score_span(result)
//   may_preview                  whether preview(arena, node, may_stop, scratch, results) may bound
//                                the best cuts of columns before any is searched
// of a sorted column,
//   scans()                      whether it scans entries; otherwise columns are searched by groups
//   scan(column, scratch, result)
//                                offers the cuts that may be the best, and opens the result
//   score(column, cuts, scratch, best)
//                                adds the exact measures of these cuts to `best`
// and of groups of rows
//   width(), add_rows(tally, first, last)
//                                numbers in a tally; adds rows to it and returns their case weight
//   by_class()                   whether the weight of a group is the sum of its tally instead
//   groups_by_level              whether add_levels(rows, n, column, scratch, tally, case_weight)
//                                adds rows to the tallies and case weights of their levels
//   worth(column, groups, scratch, result)
//                                a Worth (see ../groups/worth.hpp); sets the result's impurity
#pragma once

#include <cstdint>
#include <vector>

#include "../../base/contract.hpp"
#include "../../data/take.hpp"
#include "../choose/best_cut.hpp"
#include "../choose/column_result.hpp"
#include "../door/node_search.hpp"
#include "../groups/worth.hpp"
#include "../missing/unknown.hpp"

namespace tectree {

namespace detail {

template <class Stat>
constexpr bool counts_rows() {
  using Row = typename Stat::Row;
  static_assert(
      meets<const Stat&>(TECTREE_CAN(stat, *stat.problem()->frame, *stat.problem()->sample,
                                     double{stat.problem()->part_unit})),
      "a Stat must have problem(), a pointer to a problem with frame, sample and part_unit");
  static_assert(
      meets<const Stat&>(TECTREE_CAN(stat, static_cast<const SearchControl&>(stat.control()))),
      "a Stat must have control(), the SearchControl");
  static_assert(meets<const Stat&>(TECTREE_CAN(stat, Eligible{stat.eligible()})),
                "a Stat must have eligible(), which columns compete");
  static_assert(meets<const Stat&>(TECTREE_CAN(stat, bool{stat.best_cut_wins()})),
                "a Stat must have best_cut_wins(), whether the column of the best cut wins");
  static_assert(meets<const Stat&>(TECTREE_CAN(stat, bool{stat.counts_rows()})),
                "a Stat must have counts_rows(), whether every row counts 1");
  static_assert(meets<const Stat&>(TECTREE_CAN(stat, double{stat.case_weight(Row{})})),
                "a Stat must have case_weight(row)");
  static_assert(
      meets<const Stat&>(TECTREE_CAN(stat, bool{stat.has_sizes()}, double{stat.size(Row{})})),
      "a Stat must have has_sizes(), whether it has size(row), which min_bucket bounds");
  static_assert(meets<const Stat&>(TECTREE_CAN(stat, double{stat.node_weight(Row{})})),
                "a Stat must have node_weight(row), what a row adds to the weight of its node");
  static_assert(
      meets<const Stat&>(TECTREE_CAN(stat, stat.tag(some<Entry<Row>*>(), some<Entry<Row>*>()))),
      "a Stat must have tag(first, last), which may do nothing");
  static_assert(
      meets<const Stat&>(TECTREE_CAN(
          stat, stat.shrunk(some<const Arena<Row>&>(), some<const Arena<std::uint16_t>&>(),
                            some<const Range&>(), some<const std::vector<std::uint16_t>&>()))),
      "a Stat must have shrunk(from, to, node, local), the Stat of a node's rows alone");
  static_assert(meets<const Stat&>(TECTREE_CAN(
                    stat, stat.template with_weights<std::uint16_t>(some<const Taken<Row>&>()))),
                "a Stat must have with_weights<Index>(taken), the Stat of some rows");
  static_assert(
      meets<Stat&>(TECTREE_CAN(stat, stat.divide(some<void (&)(std::vector<Entry<Row>>&)>()))),
      "a Stat must have divide(divide), which may do nothing");
  static_assert(meets<const Stat&>(TECTREE_CAN(stat, bool{stat.weighs_parts})),
                "a Stat must have weighs_parts, whether it has weigh(rows, weight, n)");
  static_assert(meets<const Stat&>(TECTREE_CAN(stat, bool{stat.shares_rows})),
                "a Stat must have shares_rows, whether set_problem(problem) keeps the rows");
  return true;
}

template <class Stat>
constexpr bool knows_node() {
  using Row = typename Stat::Row;
  static_assert(meets<Stat&>(TECTREE_CAN(
                    stat, NodeFacts{stat.describe(some<const Arena<Row>&>(), some<const Range&>(),
                                                  some<double*>())})),
                "a Stat must have describe(arena, node, share), the NodeFacts");
  static_assert(
      meets<Stat&>(TECTREE_CAN(stat, stat.begin(some<const Arena<Row>&>(), some<const Range&>()))),
      "a Stat must have begin(arena, node), before a node's columns are searched");
  static_assert(meets<const Stat&>(TECTREE_CAN(stat, double{stat.impurity()})),
                "a Stat must have impurity(), of the node");
  static_assert(meets<const Stat&>(TECTREE_CAN(stat, bool{stat.may_gain()})),
                "a Stat must have may_gain(), whether a split of the node can gain anything");
  static_assert(
      meets<const Stat&>(TECTREE_CAN(stat, UnknownWeight{stat.unknown_weight(true, double{})})),
      "a Stat must have unknown_weight(complete, known), how rows with a missing value count");
  static_assert(
      meets<const Stat&>(TECTREE_CAN(stat, bool{stat.unbeatable(some<const ColumnResult&>())})),
      "a Stat must have unbeatable(result), whether no column can beat this one");
  static_assert(meets<const Stat&>(TECTREE_CAN(stat, bool{stat.has_spans()})),
                "a Stat must have has_spans(), whether spans of open columns can be found");
  static_assert(meets<const Stat&>(TECTREE_CAN(
                    stat, bool{stat.find_cut_span(some<const Range&>(), some<ColumnResult&>())})),
                "a Stat must have find_cut_span(node, result)");
  static_assert(meets<const Stat&>(TECTREE_CAN(stat, stat.find_score_span(some<ColumnResult&>()))),
                "a Stat must have find_score_span(result)");
  static_assert(meets<const Stat&>(TECTREE_CAN(stat, bool{stat.may_preview})),
                "a Stat must have may_preview, whether it has preview(arena, node, ...)");
  return true;
}

template <class Stat>
constexpr bool searches_columns() {
  using Row = typename Stat::Row;
  using Scratch = typename Stat::Scratch;
  using Column = NodeColumn<Row>;
  static_assert(meets<const Stat&>(TECTREE_CAN(stat, bool{stat.scans()})),
                "a Stat must have scans(), whether it scans sorted entries");
  static_assert(
      meets<const Stat&>(TECTREE_CAN(
          stat, stat.scan(some<const Column&>(), some<Scratch&>(), some<ColumnResult&>()))),
      "a Stat must have scan(column, scratch, result)");
  static_assert(meets<const Stat&>(TECTREE_CAN(
                    stat, stat.score(some<const Column&>(), some<const std::vector<Contender>&>(),
                                     some<Scratch&>(), some<BestOf&>()))),
                "a Stat must have score(column, cuts, scratch, best)");
  static_assert(meets<const Stat&>(TECTREE_CAN(stat, int{stat.width()})),
                "a Stat must have width(), the numbers in a tally");
  static_assert(meets<const Stat&>(TECTREE_CAN(
                    stat, double{stat.add_rows(some<double*>(), some<const Entry<Row>*>(),
                                               some<const Entry<Row>*>())})),
                "a Stat must have add_rows(tally, first, last), which returns the case weight");
  static_assert(meets<const Stat&>(TECTREE_CAN(stat, bool{stat.by_class()})),
                "a Stat must have by_class(), whether a group weighs the sum of its tally");
  static_assert(meets<const Stat&>(TECTREE_CAN(stat, bool{stat.groups_by_level})),
                "a Stat must have groups_by_level, whether it has add_levels(rows, n, ...)");
  static_assert(
      meets<const Stat&>(TECTREE_CAN(stat, stat.worth(some<const Column&>(), some<const Groups&>(),
                                                      some<Scratch&>(), some<ColumnResult&>()))),
      "a Stat must have worth(column, groups, scratch, result), a Worth");
  return true;
}

}  // namespace detail

template <class Stat>
constexpr bool is_stat() {
  return detail::counts_rows<Stat>() && detail::knows_node<Stat>() &&
         detail::searches_columns<Stat>();
}

}  // namespace tectree

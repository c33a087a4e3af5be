// A Source: where the counts of a histogram search come from. RowSource has the rows in memory,
// CountSource asks for external counts.
//
// clang-format off
// A Source has
//   Stat, stat()                 what is counted (histogram_stat.hpp)
//   codes()                      the columns' codes
//   cells()                      the layout of their cells in a node's counts
//   root()                       the node of all rows; its columns are added
//   describe(node, share)        its NodeFacts
//   begin(node)                  makes it the current node
//   node_stat()                  of that node: problem() with frame, control(), eligible(),
//                                best_cut_wins(), may_gain(), impurity(), and what the Stat asks
//   count(node, parent, team)    the counts of its rows, in the Stat's format; `parent`: those of
//                                its parent, or null
//   view(node, c)                a column, as a BinView
//   divide(node, split, missing_route, children)
//                                divides its rows
//   in_memory                    whether rows are
//   ByValue                      working space of the following functions
// and if rows are in memory
//   search(node, c, scratch, result, team)
//   resolve(node, c, scratch, result)
//   finish(node, c, scratch, result)
//   offer(node, c, scratch, result, team, out)
//                                search a column that is not counted
//   gather(node, pass_on_at, team)
//                                the Source of a large node's rows side by side, or none
//   shrunk(node, threads)        the sorted search of a node that is passed on
// clang-format on
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../../base/contract.hpp"
#include "../../base/team.hpp"
#include "../choose/column_result.hpp"
#include "../door/node_search.hpp"
#include "histogram_stat.hpp"

namespace tectree {

namespace detail {

template <class Source>
constexpr bool has_rows() {
  using ByValue = typename Source::ByValue;
  static_assert(meets<Source&>(TECTREE_CAN(
                    source, source.search(some<const Node&>(), std::uint32_t{}, some<ByValue&>(),
                                          some<ColumnResult&>(), some<Team&>()))),
                "a Source in memory must have search(node, c, scratch, result, team), by value");
  static_assert(
      meets<Source&>(TECTREE_CAN(source,
                                 source.resolve(some<const Node&>(), std::uint32_t{},
                                                some<ByValue&>(), some<ColumnResult&>()),
                                 source.finish(some<const Node&>(), std::uint32_t{},
                                               some<ByValue&>(), some<ColumnResult&>()))),
      "a Source in memory must have resolve() and finish() for the columns it has searched");
  static_assert(meets<Source&>(TECTREE_CAN(
                    source, *source.gather(some<const Node&>(), std::size_t{}, some<Team&>()))),
                "a Source in memory must have gather(node, pass_on_at, team), which may be none");
  static_assert(meets<Source&>(TECTREE_CAN(source, std::unique_ptr<NodeSearch>(
                                                       source.shrunk(some<const Node&>(), int{})))),
                "a Source in memory must have shrunk(node, threads), which may be null");
  return true;
}

}  // namespace detail

template <class Source>
constexpr bool is_source() {
  static_assert(meets<const Source&>(TECTREE_CAN(
                    source, source.node_stat().problem()->frame, source.node_stat().control(),
                    source.node_stat().eligible(), source.node_stat().best_cut_wins(),
                    source.node_stat().may_gain(), source.node_stat().impurity())),
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
  static_assert(meets<const Source&>(TECTREE_CAN(source, Node{source.root()})),
                "a Source must have root(), the Node of all rows");
  static_assert(meets<Source&>(TECTREE_CAN(
                    source, NodeFacts{source.describe(some<const Node&>(), some<double*>())})),
                "a Source must have describe(node, share), the NodeFacts");
  static_assert(meets<Source&>(TECTREE_CAN(source, source.begin(some<const Node&>()))),
                "a Source must have begin(node), before a node is searched");
  static_assert(
      meets<const Source&>(TECTREE_CAN(source, BinView{source.view(some<const Node&>(), 0u)})),
      "a Source must have view(node, c), a BinView of the column");
  static_assert(meets<Source&>(TECTREE_CAN(
                    source, std::shared_ptr<const void>(source.count(
                                some<const Node&>(), some<const void*>(), some<Team&>())))),
                "a Source must have count(node, parent, team), the counts of a node's rows");
  static_assert(
      meets<Source&>(TECTREE_CAN(
          source, source.divide(some<const Node&>(), some<const Split&>(),
                                some<const MissingRoute&>(), some<std::vector<Node>&>()))),
      "a Source must have divide(node, split, missing_route, children)");
  static_assert(meets<const Source&>(TECTREE_CAN(source, bool{source.in_memory})),
                "a Source must have in_memory, whether its rows are");
  if constexpr (Source::in_memory) return detail::has_rows<Source>();
  return true;
}

}  // namespace tectree

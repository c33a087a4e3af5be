// A Source: where the counts of a node's columns come from. RowSource has the rows in memory,
// SumsOfNode the sums that a database has counted.
//
// A Source has
//   Stat, stat()                 what is counted (histogram_stat.hpp)
//   codes()                      the columns' codes
//   cells()                      the layout of their cells in a node's counts
//   node_stat()                  of the node: problem() with frame, control(), impurity(), and what
//                                the Stat asks
//   view(node, c)                a column, as a BinView
//   in_memory                    whether rows are
//   ByValue                      working space of the following functions
// and if rows are in memory
//   search(node, c, scratch, result, team)
//   resolve(node, c, scratch, result)
//   finish(node, c, scratch, result)
//   offer(node, c, scratch, result, team, out)
//                                search a column that is not counted
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../base/contract.hpp"
#include "../../base/team.hpp"
#include "../choose/column_result.hpp"
#include "../door/node_search.hpp"
#include "histogram_stat.hpp"

namespace tectree {

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
  if constexpr (Source::in_memory) {
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
  }
  return true;
}

}  // namespace tectree

// The searches are most of the core's code. Here each is compiled once: TECTREE_SEARCHES_APART
// (Makevars) excludes them from all files but search_*.cpp.
#pragma once

#include <tectree/search/classes/class_stat.hpp>
#include <tectree/search/numbers/mean_stat.hpp>
#include <tectree/search/sorted/sorted_search.hpp>
#include <tectree/search/sorted/sorted_task.hpp>

namespace tectree {

// The searches of small nodes, to which those on codes pass on.
#define TECTREE_SMALL(...)                          \
  template std::unique_ptr<NodeSearch> make_sorted( \
      const Frame&, const Sample&, Arena<std::uint16_t>, SortedTask<__VA_ARGS__>, int)

extern TECTREE_SMALL(ClassStat<std::uint16_t, WholeWeight>);
extern TECTREE_SMALL(ClassStat<std::uint16_t, RealWeight>);
extern TECTREE_SMALL(MeanStat<std::uint16_t, LeastSquares>);

}  // namespace tectree

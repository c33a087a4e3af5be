// refused: a Stat must have add_rows(tally, first, last), which returns the case weight
#include <tectree/search/classes/class_stat.hpp>
#include <tectree/search/sorted/sorted_task.hpp>

using namespace tectree;

struct Lacking : ClassStat<std::uint16_t, WholeWeight> {
  using ClassStat::ClassStat;
#ifndef COMPLETE
  void add_rows(double*, const Entry<std::uint16_t>*, const Entry<std::uint16_t>*) const {}
#endif
};

SortedTask<Lacking> task_of(Lacking stat) {
  return SortedTask<Lacking>(std::move(stat));
}

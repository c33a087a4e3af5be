// refused: a Stat must have impurity()
#include <tectree/search/numbers/mean_stat.hpp>
#include <tectree/search/sorted/sorted_task.hpp>

using namespace tectree;

struct Lacking : MeanStat<std::uint16_t, LeastSquares> {
  using MeanStat::MeanStat;
#ifndef COMPLETE
  double impurity() const = delete;
#endif
};

SortedTask<Lacking> task_of(Lacking stat) {
  return SortedTask<Lacking>(std::move(stat));
}

// refused: a Task must have resolve(arena, node, c, scratch, result), which scores an open column
#include <tectree/search/numbers/mean_stat.hpp>
#include <tectree/search/sorted/sorted_search.hpp>

using namespace tectree;

using Row = std::uint16_t;

struct Lacking : SortedTask<MeanStat<Row, LeastSquares>> {
  using SortedTask::SortedTask;
#ifndef COMPLETE
  void resolve() const {}
#endif
};

std::unique_ptr<NodeSearch> search_of(const Frame& frame, const Sample& sample, Arena<Row> arena,
                                      Lacking task) {
  return make_sorted(frame, sample, std::move(arena), std::move(task), 1);
}

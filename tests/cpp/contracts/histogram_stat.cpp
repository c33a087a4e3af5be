// refused: a histogram's statistic of rows must have rest(cells, node, part)
#include <tectree/search/histogram/histogram_search.hpp>
#include <tectree/search/statistic/number_histogram.hpp>

using namespace tectree;

struct Lacking : NumberHistogram {
  using NumberHistogram::NumberHistogram;
#ifndef COMPLETE
  std::shared_ptr<const void> rest(const CellLayout&, const Node&, const void*) const = delete;
#endif
};

std::unique_ptr<NodeSearch> search(RowSource<Lacking> source) {
  return std::make_unique<HistogramSearch<Lacking>>(std::move(source), 0, 1);
}

// refused: a histogram's statistic must have rest(cells, node, part)
#include <tectree/search/histogram/count_source.hpp>
#include <tectree/search/histogram/histogram_search.hpp>
#include <tectree/search/statistic/table_of_numbers.hpp>

using namespace tectree;

struct Lacking : TableOfNumbers {
  using TableOfNumbers::TableOfNumbers;
#ifndef COMPLETE
  std::shared_ptr<const void> rest(const CellLayout&, const Node&, const void*) const = delete;
#endif
};

std::unique_ptr<NodeSearch> search(CountSource<Lacking> source) {
  return std::make_unique<HistogramSearch<CountSource<Lacking>>>(std::move(source), 0, 1);
}

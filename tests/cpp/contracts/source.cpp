// refused: a Source must have count(node, parent, team)
#include <tectree/search/histogram/count_source.hpp>
#include <tectree/search/histogram/histogram_search.hpp>
#include <tectree/search/statistic/table_of_numbers.hpp>

using namespace tectree;

struct Lacking : CountSource<TableOfNumbers> {
  using CountSource<TableOfNumbers>::CountSource;
#ifndef COMPLETE
  std::shared_ptr<const void> count(const Node&, const void*, Team&) = delete;
#endif
};

std::unique_ptr<NodeSearch> search(Lacking source) {
  return std::make_unique<HistogramSearch<Lacking>>(std::move(source), 0, 1);
}

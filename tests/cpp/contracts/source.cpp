// refused: a Source must have count(node, parent, team)
#include <tectree.hpp>

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

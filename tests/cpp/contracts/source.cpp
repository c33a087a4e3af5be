// refused: a Source must have view(node, c)
#include <tectree/search/histogram/histogram_columns.hpp>
#include <tectree/search/statistic/table_of_numbers.hpp>

using namespace tectree;

struct Lacking : SumsOfNode {
  using SumsOfNode::SumsOfNode;
#ifndef COMPLETE
  BinView view(const Node&, std::uint32_t) const = delete;
#endif
};

void search(Lacking& source) {
  HistogramColumns<Lacking>(source, 1);
}

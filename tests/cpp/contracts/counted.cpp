// refused: a counted column must have admissible()
#include <tectree/search/statistic/table_of_numbers.hpp>

#include <tectree/search/histogram/look_inside.hpp>

using namespace tectree;

struct Lacking : SummedColumn<NumberTotal> {
  using SummedColumn::SummedColumn;
#ifndef COMPLETE
  bool admissible() const = delete;
#endif
};

void search(Lacking& column, std::vector<BinPlace>& places) {
  offer_edges(column, places);
}

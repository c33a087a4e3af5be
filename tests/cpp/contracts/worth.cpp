// refused: a Worth must have of_intervals(cuts)
#include <tectree/criterion/registry.hpp>
#include <tectree/search/groups/class_worth.hpp>

using namespace tectree;

struct Lacking : ClassWorth {
  using ClassWorth::ClassWorth;
#ifndef COMPLETE
  Measures of_intervals(const std::vector<std::size_t>&) = delete;
#endif
};

void search(Lacking& worth, const GroupColumn& column, Team& team, ColumnResult& result) {
  search_groups(worth, column, team, result);
}

// What each policy requires of the search, and where it sends rows with a missing value.
#include "check.h"

#include <tectree/missing/policies.hpp>

using namespace tectree;

namespace {

Winner winner(std::vector<double> weight, int filled = no_branch) {
  Winner w;
  w.branch_weight = std::move(weight);
  w.filled = filled;
  return w;
}

}  // namespace

TEST(the_heaviest_branch_takes_them) {
  const MissingPolicy& majority = missing_policy("majority");
  CHECK(majority.branch(winner({1.0})) == 0);
  CHECK(majority.branch(winner({1.0, 2.0})) == 1);
  CHECK(majority.branch(winner({3.0, 2.0, 2.5})) == 0);
  CHECK(majority.branch(winner({0.0, 0.0, 0.1, 0.0})) == 2);
}

TEST(the_first_of_equal_branches_takes_them) {
  const MissingPolicy& majority = missing_policy("majority");
  CHECK(majority.branch(winner({2.0, 2.0})) == 0);
  CHECK(majority.branch(winner({1.0, 2.0, 2.0})) == 1);
  double ten_tenths = 0.0;
  for (int i = 0; i < 10; ++i) ten_tenths += 0.1;
  CHECK(ten_tenths != 1.0);
  CHECK(majority.branch(winner({ten_tenths, 1.0})) == 0);
  CHECK(majority.branch(winner({1.0, 1.0 + 1e-9})) == 1);
}

TEST(rows_go_to_the_branch_where_the_search_counted_them) {
  for (const char* name : {"mode", "learned"})
    CHECK(missing_policy(name).branch(winner({5.0, 1.0}, 1)) == 1);
  CHECK(missing_policy("learned").branch(winner({5.0, 1.0})) == 0);
}

TEST(each_policy_counts_and_sends_its_own_way) {
  using Unknown = SearchControl::Unknown;
  const auto is = [](const char* name, Unknown search, UnknownRows rows, int surrogates) {
    const MissingPolicy& p = missing_policy(name);
    return p.search == search && p.rows == rows && p.surrogates.most == surrogates;
  };
  CHECK(is("majority", Unknown::ignored, UnknownRows::branch, 0));
  CHECK(is("drop", Unknown::ignored, UnknownRows::stop, 0));
  CHECK(is("mode", Unknown::filled, UnknownRows::branch, 0));
  CHECK(is("learned", Unknown::learned, UnknownRows::branch, 0));
  CHECK(is("fractional", Unknown::grouped, UnknownRows::share, 0));
  CHECK(is("surrogate", Unknown::scaled, UnknownRows::branch, 5));
  CHECK(missing_policy("surrogate", {}, UnknownRows::stop).rows == UnknownRows::stop);
}

TEST(an_unknown_policy_is_refused) {
  for (const char* name : {"", "dorp", "Majority"}) {
    CHECK_THROWS(missing_policy(name));
  }
}

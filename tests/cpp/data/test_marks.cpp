// The marks of columns: equal for equal values, different after any exchange of two values.
#include "check.h"

#include <tectree/data/marks.hpp>

using namespace tectree;

namespace {

Mark mark(const std::vector<double>& x) {
  Frame frame;
  frame.add_numbers(x);
  return mark_of(frame.columns[0], Sample{x.size()});
}

bool same(const Mark& a, const Mark& b) {
  return std::fabs(a.sum - b.sum) <= 1e-12 * b.size;
}

}  // namespace

TEST(a_mark_is_the_sum_of_values_by_their_places) {
  double sum = 0.0, size = 0.0;
  std::vector<double> x;
  for (int i = 0; i < 100; ++i) {
    x.push_back(std::sin(7.0 * i) * 1e3);
    sum += x.back() * detail::place_of(i);
    size += std::fabs(x.back() * detail::place_of(i));
  }
  CHECK(same(mark(x), {sum, size}) && std::fabs(mark(x).size - size) <= 1e-12 * size);
}

TEST(any_exchange_of_two_values_is_detected) {
  const double inf = std::numeric_limits<double>::infinity();
  const double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> x = {0.0, none, inf, -inf, 1e300, -1e300, 3.0, 2.0, 1e-9};
  for (const double large : {1.0, 1e300}) {
    if (large == 1.0) x[4] = 5.0, x[5] = -5.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        std::vector<double> y = x;
        std::swap(y[i], y[j]);
        CHECK(!same(mark(x), mark(y)));
      }
    }
    x = {0.0, none, inf, -inf, 1e300, -1e300, 3e299, 2e299, 1e291};
  }
}

TEST(levels_and_whole_numbers_are_numbers_and_rows_are_in_their_order) {
  const std::vector<int> codes = {3, 1, missing_code, 2};
  const std::vector<double> x = {3.0, 1.0, std::numeric_limits<double>::quiet_NaN(), 2.0};
  const std::vector<double> picked = {2.0, 3.0, 3.0};
  const std::vector<int> rows = {4, 1, 1};
  Frame frame;
  frame.add_numbers(x);
  frame.add_levels(codes, 3);
  Team team(2);
  const std::vector<Mark> all = marks_of(frame, Sample{4}, team);
  CHECK(all[0].sum == all[1].sum && all[0].size == all[1].size);
  const std::vector<Mark> some = marks_of(frame, Sample{3, rows.data()}, team);
  CHECK(some[0].sum == mark(picked).sum && some[1].sum == mark(picked).sum);
}

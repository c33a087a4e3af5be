// The mean of some rows' numbers and their mean square about it, against long sums.
#include "check.h"

#include <tectree/search/numbers/number_problem.hpp>

#include <cmath>
#include <vector>

#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

Centre long_sums(const Numbers& numbers, const std::vector<std::uint32_t>& rows) {
  long double weight = 0, sum = 0, squares = 0;
  for (std::uint32_t row : rows) {
    weight += numbers.w(row);
    sum += static_cast<long double>(numbers.w(row)) * numbers.y[row];
  }
  for (std::uint32_t row : rows) {
    const long double d = numbers.y[row] - sum / weight;
    squares += numbers.w(row) * d * d;
  }
  return {static_cast<double>(weight), static_cast<double>(sum / weight),
          static_cast<double>(squares / weight)};
}

bool close(double a, double b) {
  return std::fabs(a - b) <= 1e-13 * std::fabs(b);
}

}  // namespace

TEST(the_centre_of_any_number_of_rows_is_that_of_long_sums) {
  Random random(1);
  for (bool weighted : {false, true}) {
    for (double offset : {0.0, 1e6, 1e15}) {
      Numbers numbers;
      for (int i = 0; i < 500; ++i) {
        numbers.y.push_back(offset + random.uniform());
        if (weighted) numbers.weight.push_back(0.1 + random.uniform());
      }
      for (int n : {1, 2, 3, 4, 5, 7, 8, 9, 333}) {
        std::vector<std::uint32_t> rows;
        for (int i = 0; i < n; ++i) rows.push_back(static_cast<std::uint32_t>(random.below(500)));
        const Centre found = numbers.centre<LeastSquares>(rows.data(), rows.size()),
                     expected = long_sums(numbers, rows);
        CHECK(close(found.weight, expected.weight));
        CHECK(close(found.mean, expected.mean));
        CHECK(std::fabs(found.loss - expected.loss) <= 1e-12 * expected.loss + 1e-20 * offset);
      }
    }
  }
}

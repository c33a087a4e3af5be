// The cells of rows with numbers, and their totals, as whole numbers.
#pragma once

#include <cmath>
#include <cstdint>

#include "../../search/statistic/table_of_numbers.hpp"
#include "wide_int.hpp"

namespace tectree {

// The rows with a value, by its code, and the sums of their numbers and of the squares, in whole
// multiples of a unit.
struct SumCell {
  std::uint32_t column;
  int code;
  double n = 0.0;
  WideInt sum, squares;
  double rows = 0.0;
};

struct SumTotal {
  double n = 0.0;
  WideInt sum, squares;

  void operator+=(const SumTotal& more) {
    n += more.n;
    sum += more.sum;
    squares += more.squares;
  }
  // A whole number near the mean.
  WideInt middle() const { return n > 0.0 ? WideInt(std::round(sum.value() / n)) : WideInt(); }
  // The same for the rows' numbers minus c: each sum is rounded once, when it is small.
  NumberTotal about(const WideInt& c) const {
    const WideInt all = c * WideInt(n);
    WideInt less = sum, spread = squares;
    less -= all;
    // From the squares, c (2 sum - n c) is subtracted.
    WideInt twice = sum;
    twice += less;
    spread -= c * twice;
    return {n, less.value(), spread.value()};
  }
};

}  // namespace tectree

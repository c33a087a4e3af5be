// Two numbers that distinguish a column of a sample from others, and from its own values in another
// order.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../base/team.hpp"
#include "frame.hpp"

namespace tectree {

// The sum of value times place, and that of absolute values, the scale for comparing the first.
struct Mark {
  double sum = 0.0, size = 0.0;
};

namespace detail {

// From -1/2 to 1/2, scaled such that no sum is infinite. Neighbours are far apart, and two places
// are equal only 2^32 rows apart.
inline double place_of(std::size_t i) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(i) * 2654435769u) * 0x1p-96;
}

}  // namespace detail

// Infinite and missing values count as separate values, beyond all others.
inline Mark mark_of(const Column& column, const Sample& sample) {
  Mark known, odd;
  double most = 0.7;
  each_value(column, sample, [&](std::size_t i, double x) {
    const double place = detail::place_of(i);
    if (std::isfinite(x)) {
      known.sum += x * place;
      known.size += std::fabs(x * place);
      most = std::max(most, std::fabs(x));
    } else {
      const double as = std::isnan(x) ? 1.7 : x > 0 ? 1.0 : -1.0;
      odd.sum += as * place;
      odd.size += std::fabs(as * place);
    }
    return true;
  });
  const double beyond = std::min(1.3 * most, 1e307);
  return {known.sum + beyond * odd.sum, known.size + beyond * odd.size};
}

// One mark per column; levels count as numbers.
inline std::vector<Mark> marks_of(const Frame& frame, const Sample& sample, Team& team) {
  std::vector<Mark> marks(frame.columns.size());
  team.each_if(Team::worth(sample.size * marks.size()), marks.size(),
               [&](std::size_t c, Team&) { marks[c] = mark_of(frame.columns[c], sample); });
  return marks;
}

}  // namespace tectree

// Columns of numbers for the tests of sorting and coding, one for each kind of difficulty.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/extremes.h"
#include "support/random.h"

namespace support {

enum class Shape {
  any,         // all signs, exponents and mantissas
  ties,        // whole numbers, many equal
  equal,       // one value
  neighbours,  // 1 and the doubles that follow it: the upper halves of their bits agree
  tiny,        // denormals, both signs
  edges,       // infinities, denormals, the largest numbers, 0 and -0
  rising,
  falling,
  gaps  // ties with missing values
};

constexpr Shape all_shapes[] = {Shape::any,        Shape::ties,    Shape::equal,
                                Shape::neighbours, Shape::tiny,    Shape::edges,
                                Shape::rising,     Shape::falling, Shape::gaps};

inline double number_of(Shape shape, std::size_t i, Random& random) {
  static const std::vector<double> edges = extremes();
  const double x = static_cast<double>(i);
  switch (shape) {
    case Shape::any:
      return random.any_double();
    case Shape::ties:
      return random.below(40) - 20;
    case Shape::equal:
      return -2.5;
    case Shape::neighbours:
      return 1.0 + random.below(200) * std::numeric_limits<double>::epsilon();
    case Shape::tiny:
      return (random.below(200) - 100) * std::numeric_limits<double>::denorm_min();
    case Shape::edges:
      return random.chance(0.1) ? -0.0 : random.one_of(edges);
    case Shape::rising:
      return x / 3;
    case Shape::falling:
      return -x / 3;
    case Shape::gaps:
      break;
  }
  return random.chance(0.3) ? std::numeric_limits<double>::quiet_NaN() : random.below(30) / 4.0;
}

inline std::vector<double> numbers_of(Shape shape, std::size_t n, Random& random) {
  std::vector<double> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = number_of(shape, i, random);
  return out;
}

// The positions of the numbers in ascending order, stable, missing ones last.
inline std::vector<std::size_t> stable_order(const std::vector<double>& x) {
  std::vector<std::size_t> order(x.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (std::isnan(x[a]) || std::isnan(x[b])) return std::isnan(x[b]) && !std::isnan(x[a]);
    return x[a] < x[b];
  });
  return order;
}

}  // namespace support

// Data with columns that gain exactly nothing.
#pragma once

#include <utility>

#include "grow/random_table.h"

namespace support {

// Two columns that are uninformative alone and determine the class together, an uninformative one
// with many values, and two slightly informative ones. A row's class is that of its position, so
// gains are exactly 0.
inline Table balanced_table(std::size_t n, Random& random) {
  Table table;
  std::vector<double> a, b, many, little, less;
  table.n_classes = 2;
  for (std::size_t i = 0; i < n; ++i) {
    a.push_back(static_cast<double>(i % 2 + 1));
    b.push_back(static_cast<double>(i / 2 % 2 + 1));
    many.push_back(static_cast<double>(i / 4));
    table.y.push_back(a[i] == b[i] ? 1 : 2);
    little.push_back(random.chance(0.1) ? table.y[i] : random.uniform() * 2);
    less.push_back(random.chance(0.02) ? table.y[i] : random.uniform() * 2);
  }
  table.add(tectree::Kind::nominal, 2, std::move(a));
  table.add(tectree::Kind::ordered, 2, std::move(b));
  for (auto* x : {&many, &little, &less}) table.add_numbers(std::move(*x));
  return table;
}

}  // namespace support

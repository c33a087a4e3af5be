// Random data with all the problems of real data: ties, missing values, empty levels, weights.
#pragma once

#include "grow/table.h"
#include "support/random.h"

namespace support {

enum class Weights { unit, whole, fraction };

inline std::vector<double> random_column(std::size_t n, int levels, double missing, bool ties,
                                         Random& random) {
  std::vector<double> x(n);
  const int spread = random.between(2, 12);
  for (double& v : x) {
    v = levels > 0 ? random.between(1, levels)
        : ties     ? random.below(spread) / 2.0
                   : random.uniform() * 10 - 5;
    if (random.chance(missing)) v = std::numeric_limits<double>::quiet_NaN();
  }
  return x;
}

inline void add_random_column(Table& table, std::size_t n, tectree::Kind kind, double missing,
                              bool ties, Random& random) {
  const int levels = kind == tectree::Kind::numeric ? 0 : random.between(1, 6);
  table.add(kind, levels, random_column(n, levels, missing, ties, random));
}

// The response depends on the first columns, so there is something to find.
inline void add_response(Table& table, std::size_t n, int n_classes, Random& random) {
  table.n_classes = n_classes;
  for (std::size_t i = 0; i < n; ++i) {
    double signal = 0;
    for (std::size_t c = 0; c < table.x.size() && c < 2; ++c)
      signal += std::isnan(table.x[c][i]) ? 1 : table.x[c][i];
    const int lean = static_cast<int>(std::floor(signal)) + random.below(3);
    if (n_classes > 0) {
      table.y.push_back(random.chance(0.2) ? random.between(1, n_classes)
                                           : (lean % n_classes + n_classes) % n_classes + 1);
    } else {
      table.number.push_back(random.chance(0.5) ? lean : lean + random.uniform());
    }
  }
}

inline void add_weights(Table& table, std::size_t n, Weights weights, Random& random) {
  if (weights == Weights::unit) return;
  for (std::size_t i = 0; i < n; ++i) {
    table.weight.push_back(weights == Weights::whole ? random.between(1, 4)
                                                     : random.between(1, 40) / 16.0 + 0.1);
  }
}

// Up to 4 columns of random kinds; n_classes 0: regression.
inline Table random_table(std::size_t n, int n_classes, Weights weights, Random& random) {
  Table table;
  const int columns = random.between(1, 4);
  for (int c = 0; c < columns; ++c) {
    const int kind = random.below(4);
    const double missing = random.chance(0.3) ? 0.2 : 0.0;
    add_random_column(table, n, static_cast<tectree::Kind>(kind == 3 ? 0 : kind), missing,
                      random.chance(0.6), random);
  }
  add_response(table, n, n_classes, random);
  add_weights(table, n, weights, random);
  return table;
}

// More than 4,096 rows: a continuous column, one with few values (binned), both with missing
// values, an ordered and a nominal one.
inline Table large_table(std::size_t n, int n_classes, Weights weights, Random& random) {
  using tectree::Kind;
  Table table;
  table.add_numbers(random_column(n, 0, 0.0, false, random));
  table.add_numbers(random_column(n, 0, 0.1, true, random));
  table.add_numbers(random_column(n, 0, 0.15, false, random));
  table.add(Kind::ordered, 9, random_column(n, 9, 0.05, true, random));
  table.add(Kind::nominal, 5, random_column(n, 5, 0.1, true, random));
  add_response(table, n, n_classes, random);
  add_weights(table, n, weights, random);
  return table;
}

}  // namespace support

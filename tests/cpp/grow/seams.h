// Records with their frequencies, and the comparison of trees of records and of rows.
#pragma once

#include "check.h"
#include "grow/table.h"
#include "support/random.h"

namespace seams {

using support::Random;
using support::Table;

// The same splits of the same rows, with numbers equal up to rounding.
inline bool near_tree(const tectree::Tree& a, const tectree::Tree& b) {
  const auto near = [](const std::vector<double>& x, const std::vector<double>& y) {
    bool all = x.size() == y.size();
    for (std::size_t i = 0; all && i < x.size(); ++i)
      all = check::near(x[i], y[i], 1e-9 * (1e-3 + std::fabs(y[i])));
    return all;
  };
  return a.kind == b.kind && a.variable == b.variable && a.breaks == b.breaks &&
         a.level == b.level && a.level_child == b.level_child && a.child == b.child &&
         a.default_child == b.default_child && near(a.weight, b.weight) && near(a.yval, b.yval) &&
         near(a.impurity, b.impurity) && near(a.gain, b.gain) && near(a.share, b.share);
}

inline void add_factors_of_three(tectree::Problem& problem) {
  problem.factors.prior = {0.5, 1.25, 1.5};
  problem.factors.split = {0.75, 1.25, 1.5};
}

// From rows, by "majority".
inline tectree::Tree grown_from_rows(const tectree::Problem& problem,
                                     const tectree::StopRule& stop) {
  tectree::Team team(1);
  return tectree::grow_tree(problem, stop, tectree::missing_policy("majority"), team);
}

// A tree without the parts that distinguish rows from counts of rows.
inline bool same_tree(const tectree::Tree& a, const tectree::Tree& b) {
  return a.size() == b.size() && a.kind == b.kind && a.variable == b.variable && a.n == b.n &&
         a.weight == b.weight && a.breaks == b.breaks && a.level == b.level &&
         a.level_child == b.level_child && a.child == b.child && a.yval == b.yval &&
         a.impurity == b.impurity && a.gain == b.gain && a.score == b.score &&
         a.default_child == b.default_child;
}

// Records with few values, some of them missing, and their frequencies.
inline Table records(int classes, bool missing, Random& random) {
  constexpr int n = 400;
  Table table;
  table.n_classes = classes;
  const auto values = [&](int levels, double first) {
    std::vector<double> x;
    for (int i = 0; i < n; ++i)
      x.push_back(missing && random.chance(0.1) ? std::nan("") : first + random.below(levels));
    return x;
  };
  table.add_numbers(values(12, -3));
  table.add_numbers(values(40, 0));
  table.add(tectree::Kind::nominal, 4, values(4, 1));
  table.add(tectree::Kind::ordered, 6, values(6, 1));
  table.add(tectree::Kind::nominal, 9, values(9, 1));
  for (int i = 0; i < n; ++i) {
    const double x = table.x[0][i] + table.x[2][i];
    table.y.push_back(std::isnan(x) || random.chance(0.3) ? random.between(1, classes)
                                                          : 1 + static_cast<int>(x + 3) % classes);
    table.weight.push_back(random.between(1, 30));
  }
  return table;
}

// Every record repeated by its frequency.
inline Table rows_of(const Table& records) {
  Table rows;
  rows.n_classes = records.n_classes;
  for (std::size_t c = 0; c < records.x.size(); ++c) {
    std::vector<double> x;
    for (std::size_t i = 0; i < records.rows(); ++i)
      x.insert(x.end(), static_cast<std::size_t>(records.weight[i]), records.x[c][i]);
    rows.add(records.kind[c], records.n_levels[c], x);
  }
  for (std::size_t i = 0; i < records.rows(); ++i)
    rows.y.insert(rows.y.end(), static_cast<std::size_t>(records.weight[i]), records.y[i]);
  for (std::size_t i = 0; i < records.number.size(); ++i)
    rows.number.insert(rows.number.end(), static_cast<std::size_t>(records.weight[i]),
                       records.number[i]);
  return rows;
}

// Records with numbers; `whole` ones have exact sums.
inline Table number_records(bool missing, bool whole, double about, Random& random) {
  Table table = records(3, missing, random);
  table.n_classes = 0;
  for (std::size_t i = 0; i < table.y.size(); ++i) {
    const double noise = whole ? random.below(5) : 2 * random.uniform();
    table.number.push_back(about + 3 * table.y[i] + noise);
  }
  return table;
}

}  // namespace seams

// Random columns with every kind of values, for a new case.
#pragma once

#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

#include "roads/problem.h"
#include "support/random.h"

namespace roads {

using support::Random;
using tectree::Kind;

enum class Values {
  two,
  twelve,
  two_hundred,
  three_hundred,
  continuous,
  skewed,
  constant,
  nominal,
  ordered
};
constexpr int kinds_of_values = 9;

class Columns {
 protected:
  explicit Columns(std::uint64_t seed) : random_(seed) {}

  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return *(choices.begin() + random_.below(static_cast<int>(choices.size())));
  }

  bool large() const { return n_ > 1000; }
  bool huge() const { return n_ > 10000; }

  int levels_for_groups() {
    // All groupings are tried for up to 12 levels, which takes long with many classes.
    if (absolute_) return random_.between(1, 5);
    if (small_) return random_.chance(0.95) ? random_.between(1, 6) : random_.between(7, 10);
    if (random_.chance(0.7)) return random_.between(2, 6);
    if (large()) return one_of({7, 14, 40});
    return one_of({8, 13, 20, 40});
  }

  void add_column(Values values, double missing) {
    const bool by_level = values == Values::nominal || values == Values::ordered;
    const int levels =
        by_level ? (values == Values::nominal ? levels_for_groups() : one_of({2, 5, 12, 60, 300}))
                 : 0;
    const double step = one_of({1.0, 1.0, 0.25, 0.1, 1e-7, 3e5});
    std::vector<double> x(n_);
    // Nearly constant columns seldom arise by chance.
    const double crowd = small_ && random_.chance(0.1) ? one_of({0.5, 0.8, 0.95}) : 0.0;
    const double alike = crowd > 0.0 ? value_of(values, levels, step) : 0.0;
    for (double& v : x) {
      v = crowd > 0.0 && random_.chance(crowd) ? alike : value_of(values, levels, step);
      if (missing > 0.0 && random_.chance(missing)) v = std::numeric_limits<double>::quiet_NaN();
    }
    const Kind kind = values == Values::nominal   ? Kind::nominal
                      : values == Values::ordered ? Kind::ordered
                                                  : Kind::numeric;
    case_.table.add(kind, levels, std::move(x));
  }

  double value_of(Values values, int levels, double step) {
    switch (values) {
      case Values::two:
        return step * random_.below(2);
      case Values::twelve:
        return step * random_.below(12);
      case Values::two_hundred:
        return step * random_.below(200);
      case Values::three_hundred:
        return step * random_.below(300);
      case Values::continuous:
        return 10 * random_.uniform() - 5;
      case Values::skewed:
        return step * std::floor(std::exp(8 * random_.uniform() * random_.uniform()) - 1);
      case Values::constant:
        return step * 7;
      case Values::nominal:
      case Values::ordered:
        break;
    }
    const double u = random_.uniform();
    return 1 + std::floor(levels * (levels > 6 ? u * u : u));
  }

  // Two values, twelve or as many as rows; the second class above the first or below.
  void add_perfect() {
    const int kind = random_.below(3);
    const double sign = one_of({-1.0, 1.0});
    std::vector<double> x(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      const double within = kind == 0   ? 0.0
                            : kind == 1 ? random_.below(6) / 6.0
                                        : 0.9 * random_.uniform();
      x[i] = sign * (case_.table.y[i] + within);
    }
    case_.table.add(Kind::numeric, 0, std::move(x));
  }

  Random random_;
  Case case_;
  std::size_t n_ = 0;      // rows
  bool absolute_ = false;  // the criterion is l1
  bool small_ = false;     // so few rows, levels and classes that everything can be tried
};

}  // namespace roads

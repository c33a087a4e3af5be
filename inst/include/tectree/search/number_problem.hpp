// What the searches of one regression share, and the pieces both of its tasks need.
#pragma once

#include <utility>
#include <vector>

#include "../data/frame.hpp"
#include "../tally/sums.hpp"
#include "ways.hpp"

namespace tectree {

struct NumberProblem {
  const Frame* frame = nullptr;
  const Sample* sample = nullptr;
  SearchControl control;
  std::vector<double> inverse;  // 1 / i, for whoever divides by numbers of rows; may be empty
};

// 1 / i for i up to n; nothing is divided by 0.
inline std::vector<double> inverses(std::size_t n) {
  std::vector<double> out(n + 1, 0.0);
  for (std::size_t i = 1; i <= n; ++i) out[i] = 1.0 / static_cast<double>(i);
  return out;
}

// Of some rows, whatever their order: what they weigh, and the sum of their numbers less a centre.
struct CentredSum {
  CarefulSum weight, sum;
};

// The numbers and weights of an arena's rows; weight empty where all are 1.
struct Numbers {
  std::vector<double> y, weight;

  double w(std::size_t row) const { return weight.empty() ? 1.0 : weight[row]; }
  // Where all rows count 1 a tally of ranks keeps no weights.
  template <class Tally>
  void add_to(Tally& tally, double value, std::size_t row) const {
    if (weight.empty()) {
      tally.add(value);
    } else {
      tally.add(value, weight[row]);
    }
  }

  template <class Entry>
  CentredSum centred(double centre, const Entry* first, const Entry* last) const {
    CentredSum out;
    for (const Entry* e = first; e < last; ++e) {
      out.weight.add(w(e->row));
      out.sum.add(w(e->row) * (y[e->row] - centre));
    }
    return out;
  }

  template <class Rows>
  Numbers of_rows(const Rows& rows, std::size_t begin, std::size_t n) const {
    Numbers out;
    for (std::size_t i = begin; i < begin + n; ++i) {
      out.y.push_back(y[rows[i]]);
      if (!weight.empty()) out.weight.push_back(weight[rows[i]]);
    }
    return out;
  }

  // Of some rows, with weights of their own.
  template <class Rows>
  Numbers with_weights(const Rows& rows, std::vector<double> weights) const {
    Numbers out;
    for (const auto row : rows) out.y.push_back(y[row]);
    out.weight = std::move(weights);
    return out;
  }
};

// How far the gain that running sums tell may be off, ties included.
inline double slack_of_sums(double impurity, std::size_t rows) {
  return impurity * (1.2e-10 + 4e-16 * static_cast<double>(rows));
}

inline bool by_level(const Column& column, const SearchControl& control) {
  return column.kind == Kind::nominal && control.nominal != SearchControl::Nominal::ordered;
}

}  // namespace tectree

// A sample with numbers, levels and missing values, used by two tests.
#pragma once

#include <cmath>
#include <vector>

#include <tectree/grow/grow_tree.hpp>

#include "support/random.h"

namespace parts {

using namespace tectree;
using support::Random;

struct Data {
  std::vector<std::vector<double>> real;
  std::vector<std::vector<int>> whole;
  std::vector<int> code;
  std::vector<double> number, weight;
  std::vector<int> used;
  Problem problem;
};

// `holes`: whether values are missing.
inline void make(Data& d, std::size_t n, const char* criterion, bool weights, Random& random,
                 bool holes = true) {
  d.code.resize(n);
  d.number.resize(n);
  d.weight.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    d.code[i] = 1 + random.below(3);
    d.number[i] = d.code[i] + random.uniform();
    d.weight[i] = 1 + random.below(3);
  }
  const auto missing = [&](double rate) { return holes && random.chance(rate); };
  d.real.assign(3, std::vector<double>(n));
  d.whole.assign(2, std::vector<int>(n));
  for (std::size_t i = 0; i < n; ++i) {
    d.real[0][i] = d.code[i] + 3 * random.uniform();
    d.real[1][i] = missing(0.1) ? NAN : random.below(20) + d.code[i];
    d.real[2][i] = missing(0.05) ? NAN : random.uniform();
    d.whole[0][i] = missing(0.1) ? missing_code : 1 + (random.below(3) + d.code[i]) % 5;
    d.whole[1][i] = 1 + random.below(4);
    if (i % 17 != 0) d.used.push_back(static_cast<int>(i) + 1);
  }
  Problem& p = d.problem;
  for (const auto& x : d.real) {
    p.frame.columns.emplace_back();
    p.frame.columns.back().real = x.data();
  }
  for (const auto& x : d.whole) {
    p.frame.columns.emplace_back();
    p.frame.columns.back().kind = Kind::nominal;
    p.frame.columns.back().n_levels = 5;
    p.frame.columns.back().whole = x.data();
  }
  p.frame.columns.back().kind = Kind::ordered;
  p.frame.n_rows = n;
  p.sample.size = d.used.size();
  p.sample.rows = d.used.data();
  if (weights) p.sample.weights = d.weight.data();
  p.criterion = criterion;
  p.parameter = 1.0;
  p.control.min_bucket = 5;
  const bool regression = p.criterion == "l1" || p.criterion == "l2";
  p.response.n_classes = regression ? 0 : 3;
  if (regression) {
    p.response.number = d.number.data();
  } else {
    p.response.code = d.code.data();
  }
}

// The positions of part 0 (all), 1 (most) or 2 (few) of the sample.
inline std::vector<std::uint32_t> positions(const Data& d, int part, Random& random) {
  std::vector<std::uint32_t> kept;
  for (std::size_t i = 0; i < d.used.size(); ++i) {
    if (part == 0 || random.chance(part == 1 ? 0.9 : 0.1))
      kept.push_back(static_cast<std::uint32_t>(i));
  }
  return kept;
}

}  // namespace parts

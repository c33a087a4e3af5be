// The rows as used by the forward pass: centred responses, scaled by weights, and the order of
// every column.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../base/team.hpp"
#include "../data/order.hpp"
#include "spline_basis.hpp"

namespace tectree {

class SplineRows {
 public:
  SplineRows(const SplineData& data, Team& team) : in(data) {
    prepare_rows();
    sort_columns(team);
  }

  const SplineData& in;
  std::vector<double> root;                // by row, of its weight
  std::vector<double> root_y, weighted_y;  // centred responses
  double total_weight = 0;
  std::vector<char> two_values;  // by column: at most two

  // The rows by their values in column j.
  const std::uint32_t* order(std::size_t j) const { return order_.data() + j * in.rows; }

  double squares_of_responses() const {
    double out = 0;
    for (double y : root_y) out += y * y;
    return out;
  }

 private:
  void prepare_rows() {
    const std::size_t n = in.rows;
    root.assign(n, 1.0);
    total_weight = 0;
    for (std::size_t i = 0; i < n; ++i) total_weight += in.weight(i);
    if (in.weights)
      for (std::size_t i = 0; i < n; ++i) root[i] = std::sqrt(in.weights[i]);
    root_y.resize(n * in.responses);
    weighted_y.resize(n * in.responses);
    for (std::size_t r = 0; r < in.responses; ++r) {
      const double* y = in.y + r * n;
      double mean = 0;
      for (std::size_t i = 0; i < n; ++i) mean += in.weight(i) * y[i];
      mean /= total_weight;
      for (std::size_t i = 0; i < n; ++i) {
        root_y[r * n + i] = root[i] * (y[i] - mean);
        weighted_y[r * n + i] = in.weight(i) * (y[i] - mean);
      }
    }
  }

  void sort_columns(Team& team) {
    order_.resize(in.rows * in.columns);
    two_values.assign(in.columns, 0);
    team.each(in.columns, [&](std::size_t j, Team&) {
      std::vector<Keyed> items(in.rows), spare;
      const double* x = in.column(j);
      for (std::size_t i = 0; i < in.rows; ++i) items[i] = keyed(x[i], i);
      std::uint32_t* out = order_.data() + j * in.rows;
      std::size_t at = 0;
      int values = 0;
      in_order(
          items, spare, [&](std::uint32_t i) { return x[i]; },
          [&](std::uint32_t i, bool is_new) {
            out[at++] = i;
            values = std::min(values + (is_new ? 1 : 0), 3);
          });
      two_values[j] = values <= 2;
    });
  }

  std::vector<std::uint32_t> order_;  // column by column
};

}  // namespace tectree

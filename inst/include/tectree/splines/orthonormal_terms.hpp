// The existing terms, orthonormalised one after another, and the residuals of other columns. Rows
// are scaled by the roots of their weights.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "knot_scan.hpp"
#include "spline_rows.hpp"

namespace tectree {

class OrthonormalTerms {
 public:
  // A column times a parent, minus its projection on the first terms.
  struct Rest {
    std::vector<double> values;
    std::size_t taken = 0;  // terms besides the intercept
  };

  // Only the intercept, and room for `most` terms, including it.
  OrthonormalTerms(const SplineRows& rows, int most) : rows_(rows) {
    stride_ = (static_cast<std::size_t>(most) + 4) / 4 * 4;
    centred_.assign(rows.in.rows * stride_, 0.0);
    orthonormal_.push_back(rows.root);
    const double length = std::sqrt(rows.total_weight);
    for (double& q : orthonormal_[0]) q /= length;
  }

  // The next term, orthonormal to the previous ones, for the scans.
  void enter(const SplineTerm& term) {
    const std::size_t t = orthonormal_.size(), n = rows_.in.rows;
    orthonormal_.emplace_back(n, 0.0);
    if (!term.used) return;
    std::vector<double>& q = orthonormal_[t];
    Rest rest;
    start_rest(term.values.data(), nullptr, rest);
    const double square = take_out_terms(rest);
    q = std::move(rest.values);
    if (!(square > 0)) {
      q.assign(n, 0.0);
      return;
    }
    const double length = std::sqrt(square);
    for (double& v : q) v /= length;
    const double mean = mean_of(q);
    // Centred again: the intercept is not among the places.
    for (std::size_t i = 0; i < n; ++i)
      centred_[i * stride_ + places_] = rows_.root[i] * (q[i] - rows_.root[i] * mean);
    place_of_.push_back(t);
    ++places_;
  }

  // b x (or b), centred.
  void start_rest(const double* b, const double* x, Rest& rest) const {
    const std::size_t n = rows_.in.rows;
    std::vector<double>& out = rest.values;
    out.resize(n);
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = x ? b[i] * x[i] : b[i];
      mean += rows_.in.weight(i) * out[i];
    }
    mean /= rows_.total_weight;
    for (std::size_t i = 0; i < n; ++i) out[i] = rows_.root[i] * (out[i] - mean);
    rest.taken = 0;
  }

  // Removes the projection on new terms; returns the remaining square.
  double take_out_terms(Rest& rest) const {
    for (; rest.taken < places_; ++rest.taken)
      take_out(orthonormal_[place_of_[rest.taken]], rest.values);
    double square = 0;
    for (double v : rest.values) square += v * v;
    return square;
  }

  // The weighted mean of what it stands for, which is 0 up to rounding.
  double mean_of(const std::vector<double>& q) const {
    double mean = 0;
    for (std::size_t i = 0; i < q.size(); ++i) mean += rows_.root[i] * q[i];
    return mean / rows_.total_weight;
  }

  // By term its products with the responses.
  void make_products() {
    products_.assign(blocks() * 4 * rows_.in.responses, 0.0);
    for (std::size_t r = 0; r < rows_.in.responses; ++r) {
      const double* y = rows_.root_y.data() + r * rows_.in.rows;
      for (std::size_t t = 0; t < places_; ++t) {
        const std::vector<double>& q = orthonormal_[place_of_[t]];
        double sum = 0;
        for (std::size_t i = 0; i < rows_.in.rows; ++i) sum += y[i] * q[i];
        products_[r * blocks() * 4 + t] = sum;
      }
    }
  }

  // The data of the scans, once make_products() has seen all terms.
  ScanView view() const {
    ScanView view;
    view.rows = rows_.in.rows;
    view.responses = rows_.in.responses;
    view.blocks = blocks();
    view.stride = stride_;
    view.terms = centred_.data();
    view.products = products_.data();
    view.y = rows_.weighted_y.data();
    view.weights = rows_.in.weights;
    view.total_weight = rows_.total_weight;
    return view;
  }

 private:
  static void take_out(const std::vector<double>& q, std::vector<double>& out) {
    double part[4] = {0, 0, 0, 0};
    const std::size_t n = out.size(), whole = n / 4 * 4;
    for (std::size_t i = 0; i < whole; i += 4)
      for (std::size_t k = 0; k < 4; ++k) part[k] += q[i + k] * out[i + k];
    for (std::size_t i = whole; i < n; ++i) part[0] += q[i] * out[i];
    const double beta = (part[0] + part[1]) + (part[2] + part[3]);
    for (std::size_t i = 0; i < whole; i += 4)
      for (std::size_t k = 0; k < 4; ++k) out[i + k] -= beta * q[i + k];
    for (std::size_t i = whole; i < n; ++i) out[i] -= beta * q[i];
  }

  std::size_t blocks() const { return (places_ + 3) / 4; }

  const SplineRows& rows_;
  std::vector<std::vector<double>> orthonormal_;  // by term
  std::vector<std::size_t> place_of_;             // terms that the scans use
  std::size_t places_ = 0, stride_ = 0;
  std::vector<double> centred_;   // row by row
  std::vector<double> products_;  // response by response
};

}  // namespace tectree

// All knots of one column with one parent, in time proportional to rows x terms (Friedman, 1991,
// section 3.9): from one knot to the next, the hinge's products with the orthonormal terms and with
// the responses change by running sums.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "spline_basis.hpp"

namespace tectree {

// Data that do not depend on the column and the parent. Terms are in blocks of four, which the
// compiler vectorises; the rest of the last block is 0.
struct ScanView {
  std::size_t rows = 0, responses = 0;
  std::size_t blocks = 0;            // of the terms, without the intercept
  std::size_t stride = 0;            // from row to row of `terms`
  const double* terms = nullptr;     // row by row: centred orthonormal terms, weighted
  const double* products = nullptr;  // response by response: their products with the responses
  const double* y = nullptr;         // centred responses, weighted
  const double* weights = nullptr;   // or nullptr
  double total_weight = 0;
  double most_gain = 0;  // a larger gain is a rounding error
  double tolerance = 0;  // the smallest part of a hinge's square outside the terms

  std::size_t padded() const { return blocks * 4; }
};

// The column times the parent, entered as a whole: known before the scan.
struct WholeTerm {
  bool there = false;
  std::vector<double> column;    // by row, as `terms`
  std::vector<double> products;  // by response
  double gain = 0;
};

struct Knot {
  long at = -1;  // position in the order of the column; -1: none is better than the whole column
  double gain = 0;
};

class KnotScan {
 public:
  Knot find(const ScanView& in, const double* x, const std::uint32_t* order, const double* parent,
            const Spans& spans, const WholeTerm& whole) {
    reset(in);
    Knot best{-1, whole.gain};
    const long n = static_cast<long>(in.rows);
    const double base = x[order[n - 1]];
    double sum = 0, squares = 0, with_x = 0, squares_with_x = 0, below = 0;
    double pending = 0, x1 = 0;
    long wait = spans.start;
    for (long i = n - 2; i >= spans.end; --i) {
      const std::size_t row = order[i + 1];
      const double x0 = x[order[i]] - base;
      const double step = x1 - x0, b = parent[row];
      if (b != 0) {
        const double w = in.weights ? in.weights[row] : 1.0;
        move(in, pending, b, row, whole);
        pending = 0;
        sum += w * b;
        squares += w * b * b;
        with_x += w * b * x1;
        squares_with_x += w * b * b * x1;
      }
      pending += step;
      const double before = below;
      below = with_x - sum * x0;
      square_ += step * (2 * squares_with_x - squares * (x0 + x1)) +
                 (before * before - below * below) / in.total_weight;
      for (std::size_t r = 0; r < in.responses; ++r) {
        if (b != 0) y_sum_[r] += in.y[r * in.rows + row] * b;
        y_product_[r] += step * y_sum_[r];
      }
      x1 = x0;
      if (b > 0 && square_ > 0 && --wait == 0) {
        wait = spans.step;
        move(in, pending, 0, row, whole);
        pending = 0;
        const double gain = whole.gain + hinge_gain(in, whole);
        if (gain > best.gain && gain < in.most_gain) best = {i, gain};
      }
    }
    return best;
  }

 private:
  void reset(const ScanView& in) {
    slope_.assign(in.padded(), 0.0);
    product_.assign(in.padded(), 0.0);
    y_sum_.assign(in.responses, 0.0);
    y_product_.assign(in.responses, 0.0);
    whole_slope_ = whole_product_ = square_ = 0;
  }

  // The knot moves down by `step`; then the row joins those above it.
  void move(const ScanView& in, double step, double b, std::size_t row, const WholeTerm& whole) {
    const double* terms = in.terms + row * in.stride;
    double* slope = slope_.data();
    double* product = product_.data();
    if (b == 0) {
      if (step == 0) return;
      for (std::size_t t = 0; t < in.blocks; ++t, slope += 4, product += 4)
        for (int k = 0; k < 4; ++k) product[k] += step * slope[k];
    } else {
      for (std::size_t t = 0; t < in.blocks; ++t, slope += 4, product += 4, terms += 4) {
        for (int k = 0; k < 4; ++k) {
          product[k] += step * slope[k];
          slope[k] += b * terms[k];
        }
      }
    }
    if (whole.there) {
      whole_product_ += step * whole_slope_;
      if (b != 0) whole_slope_ += b * whole.column[row];
    }
  }

  // What the hinge explains beyond the terms.
  double hinge_gain(const ScanView& in, const WholeTerm& whole) const {
    const double rest = square_ - dot(in, product_.data()) - whole_product_ * whole_product_;
    if (!(rest / square_ > in.tolerance)) return 0;
    double out = 0;
    for (std::size_t r = 0; r < in.responses; ++r) {
      double own = y_product_[r] - dot(in, in.products + r * in.padded());
      if (whole.there) own -= whole.products[r] * whole_product_;
      out += own * own / rest;
    }
    return out;
  }

  double dot(const ScanView& in, const double* other) const {
    const double* product = product_.data();
    double part[4] = {0, 0, 0, 0};
    for (std::size_t t = 0; t < in.blocks; ++t, product += 4, other += 4)
      for (int k = 0; k < 4; ++k) part[k] += product[k] * other[k];
    return (part[0] + part[1]) + (part[2] + part[3]);
  }

  std::vector<double> slope_, product_;  // by term
  std::vector<double> y_sum_, y_product_;
  double whole_slope_ = 0, whole_product_ = 0;
  double square_ = 0;  // of the centred hinge
};

}  // namespace tectree

// The backward pass: removes, one by one, the term whose loss raises the squared error least, and
// keeps the subset of each size (Miller, 2002, section 3). It only uses the triangle of a QR
// decomposition.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "../base/team.hpp"

namespace tectree {

// By size minus one: the squared error of the subset and its terms.
struct Subsets {
  std::vector<double> rss;
  std::vector<std::vector<int>> terms;
};

class BackwardPass {
 public:
  // `triangle`: terms x terms, column by column; `products`: Q'y, response by response; `rest`: the
  // squared error of all terms. Term 0, the intercept, stays.
  BackwardPass(const double* triangle, const double* products, std::size_t terms,
               std::size_t responses, double rest)
      : m_(terms), k_(responses), rest_(rest) {
    r_.assign(triangle, triangle + terms * terms);
    z_.assign(products, products + terms * responses);
    order_.resize(terms);
    for (std::size_t t = 0; t < terms; ++t) order_[t] = static_cast<int>(t);
  }

  // With one response, better subsets met on the way are kept too: the first terms in the order of
  // the forward pass, and in the later orders.
  Subsets run(Team& team) {
    out_.rss.assign(m_, HUGE_VAL);
    out_.terms.resize(m_);
    report(1, m_);
    for (std::size_t size = m_; size > 1; --size) {
      team.check();
      const std::size_t gone = cheapest(size);
      if (gone + 1 == size && k_ == 1) continue;
      move_to_end(gone, size);
      if (k_ == 1) {
        report(gone + 1, size - 1);
      } else {
        out_.rss[size - 2] = HUGE_VAL;
        report(size - 1, size - 1);
      }
    }
    return std::move(out_);
  }

 private:
  double& r(std::size_t i, std::size_t j) { return r_[i + j * m_]; }
  double& z(std::size_t i, std::size_t k) { return z_[i + k * m_]; }

  // The given number of first terms of the order.
  void report(std::size_t from, std::size_t to) {
    double rss = rest_;
    std::vector<double> by_size(m_ + 1);
    for (std::size_t size = m_; size >= 1; --size) {
      by_size[size] = rss;
      for (std::size_t k = 0; k < k_; ++k) rss += z(size - 1, k) * z(size - 1, k);
    }
    for (std::size_t size = from; size <= to; ++size) {
      if (!(by_size[size] < out_.rss[size - 1])) continue;
      out_.rss[size - 1] = by_size[size];
      out_.terms[size - 1].assign(order_.begin(), order_.begin() + static_cast<long>(size));
    }
  }

  // For the first `size` terms without the intercept. The squared error rises by b^2 / d, with the
  // coefficient b and the diagonal d of the inverse of R'R.
  std::size_t cheapest(std::size_t size) {
    inverse_.assign(size * size, 0.0);
    for (std::size_t j = 0; j < size; ++j) {
      double* column = inverse_.data() + j * size;
      column[j] = 1 / r(j, j);
      for (std::size_t i = j; i-- > 0;) {
        double sum = 0;
        for (std::size_t l = i + 1; l <= j; ++l) sum += r(i, l) * column[l];
        column[i] = -sum / r(i, i);
      }
    }
    std::size_t best = size - 1;
    double least = HUGE_VAL;
    for (std::size_t t = 1; t < size; ++t) {
      double d = 0, rise = 0;
      for (std::size_t j = t; j < size; ++j) {
        const double v = inverse_[t + j * size];
        d += v * v;
      }
      for (std::size_t k = 0; k < k_; ++k) {
        double b = 0;
        for (std::size_t j = t; j < size; ++j) b += inverse_[t + j * size] * z(j, k);
        rise += b * b / d;
      }
      if (rise < least) {
        least = rise;
        best = t;
      }
    }
    return best;
  }

  // The term at `from` becomes the last of the first `size`; rotations restore the triangle.
  void move_to_end(std::size_t from, std::size_t size) {
    for (std::size_t j = from; j + 1 < size; ++j) {
      std::swap(order_[j], order_[j + 1]);
      for (std::size_t i = 0; i < m_; ++i) std::swap(r(i, j), r(i, j + 1));
      const double a = r(j, j), b = r(j + 1, j), length = std::hypot(a, b);
      if (length == 0) continue;
      const double c = a / length, s = b / length;
      for (std::size_t l = j; l < m_; ++l) rotate(r(j, l), r(j + 1, l), c, s);
      for (std::size_t k = 0; k < k_; ++k) rotate(z(j, k), z(j + 1, k), c, s);
      r(j + 1, j) = 0;
    }
  }

  static void rotate(double& upper, double& lower, double c, double s) {
    const double u = upper;
    upper = c * u + s * lower;
    lower = c * lower - s * u;
  }

  std::size_t m_, k_;
  double rest_;
  std::vector<double> r_, z_, inverse_;
  std::vector<int> order_;
  Subsets out_;
};

}  // namespace tectree

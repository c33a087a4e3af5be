// Tests of whether groups of rows differ: for a table of groups by classes, and for the means of
// groups of numbers.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "tail.hpp"

namespace tectree {

// A statistic and its p value; df is 0 if there is none.
struct Test {
  double statistic = 0.0;
  double df = 0.0, df2 = 0.0;  // df2: of an F statistic, otherwise 0
  double log_p = 0.0;
  double log_times = 0.0;  // of the number that multiplies p: one per division considered

  bool exists() const { return df > 0.0; }
  double log_adjusted() const { return std::fmin(0.0, log_p + log_times); }
  // -log10 of the adjusted p value: the score of a split.
  double worth() const { return exists() ? -log_adjusted() / 2.30258509299404568402 : 0.0; }
};

enum class TestBy { pearson, likelihood, row_effects, means };

// Groups by classes, row by row; groups without weight must have been removed.
class CountTable {
 public:
  void start(std::size_t classes) {
    k_ = classes;
    rows_ = 0;
    cell_.clear();
  }
  void add(const double* counts) {
    cell_.insert(cell_.end(), counts, counts + k_);
    ++rows_;
  }

  Test test(TestBy by) {
    drop_empty_classes();
    Test out;
    if (rows_ < 2 || k_ < 2) return out;
    if (by == TestBy::row_effects && k_ > 2) {
      out.statistic = row_effects();
      out.df = static_cast<double>(rows_ - 1);
    } else {
      out.statistic = by == TestBy::pearson ? pearson() : likelihood();
      out.df = static_cast<double>((rows_ - 1) * (k_ - 1));
    }
    out.log_p = log_p_chi_square(out.statistic, static_cast<int>(out.df));
    return out;
  }

 private:
  double at(std::size_t i, std::size_t s) const { return cell_[i * k_ + s]; }

  // Classes that occur in no group are uninformative; the others keep their scores 1, 2, ...
  void drop_empty_classes() {
    column_.assign(k_, 0.0);
    row_.assign(rows_, 0.0);
    n_ = 0.0;
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t s = 0; s < k_; ++s) {
        column_[s] += at(i, s);
        row_[i] += at(i, s);
      }
      n_ += row_[i];
    }
    score_.clear();
    std::size_t to = 0;
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t s = 0; s < k_; ++s) {
        if (column_[s] > 0.0) cell_[to++] = cell_[i * k_ + s];
      }
    }
    for (std::size_t s = 0; s < k_; ++s) {
      if (!(column_[s] > 0.0)) continue;
      column_[score_.size()] = column_[s];
      score_.push_back(static_cast<double>(s));
    }
    k_ = score_.size();
    column_.resize(k_);
  }

  double pearson() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t s = 0; s < k_; ++s) {
        const double expected = row_[i] * column_[s] / n_, off = at(i, s) - expected;
        sum += off * off / expected;
      }
    }
    return sum;
  }

  double likelihood() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t s = 0; s < k_; ++s) {
        const double n = at(i, s);
        if (n > 0.0) sum += n * std::log(n * n_ / (row_[i] * column_[s]));
      }
    }
    return std::fmax(0.0, 2 * sum);
  }

  // Goodman's (1979) row effects model, log m_is = a_i + b_s + t_i x_s with the scores x of the
  // classes, against independence. Within a row it is a multinomial logit. The likelihood is
  // concave and is maximised by Newton's method, with the t_i eliminated.
  double row_effects() {
    b_.resize(k_);
    for (std::size_t s = 0; s < k_; ++s) b_[s] = std::log(column_[s] / n_);
    t_.assign(rows_, 0.0);
    const double independent = log_likelihood(b_, t_);
    double best = independent;
    for (int round = 0; round < 200; ++round) {
      newton_step();
      double size = 1.0, reached = -HUGE_VAL;
      for (int halvings = 0; halvings < 40; ++halvings, size /= 2) {
        move(size);
        reached = log_likelihood(b_new_, t_new_);
        if (reached >= best) break;
      }
      if (!(reached >= best)) break;
      b_.swap(b_new_);
      t_.swap(t_new_);
      const double by = reached - best;
      best = reached;
      if (by <= 1e-12 * (1.0 + std::fabs(best))) break;
    }
    return std::fmax(0.0, 2 * (best - independent));
  }

  // The probabilities of row i.
  void shares_of(std::size_t i, const std::vector<double>& b, const std::vector<double>& t) {
    p_.resize(k_);
    double most = -HUGE_VAL, sum = 0.0;
    for (std::size_t s = 0; s < k_; ++s) most = std::fmax(most, p_[s] = b[s] + t[i] * score_[s]);
    for (double& p : p_) sum += p = std::exp(p - most);
    for (double& p : p_) p /= sum;
    log_sum_ = most + std::log(sum);
  }
  double log_likelihood(const std::vector<double>& b, const std::vector<double>& t) {
    double sum = 0.0;
    for (std::size_t i = 0; i < rows_; ++i) {
      shares_of(i, b, t);
      for (std::size_t s = 0; s < k_; ++s) {
        if (at(i, s) > 0.0) sum += at(i, s) * (b[s] + t[i] * score_[s] - log_sum_);
      }
    }
    return sum;
  }

  // b_0 and t_0 are fixed; rows i > 0 have H_i = n_i var_i(x), the covariances with b, and the
  // gradient.
  void newton_step() {
    const std::size_t m = k_ - 1;
    std::vector<double> g(m, 0.0), h(m * m, 0.0), cross(rows_ * m), own(rows_), slope(rows_);
    for (std::size_t i = 0; i < rows_; ++i) {
      shares_of(i, b_, t_);
      double mean = 0.0, square = 0.0;
      for (std::size_t s = 0; s < k_; ++s) {
        mean += p_[s] * score_[s];
        square += p_[s] * score_[s] * score_[s];
        slope[i] += score_[s] * (at(i, s) - row_[i] * p_[s]);
      }
      own[i] = row_[i] * std::fmax(square - mean * mean, 1e-12);
      for (std::size_t s = 0; s < m; ++s) {
        g[s] += at(i, s + 1) - row_[i] * p_[s + 1];
        cross[i * m + s] = row_[i] * p_[s + 1] * (score_[s + 1] - mean);
        for (std::size_t r = 0; r < m; ++r)
          h[s * m + r] += row_[i] * p_[s + 1] * ((s == r ? 1.0 : 0.0) - p_[r + 1]);
      }
      if (i == 0) continue;
      for (std::size_t s = 0; s < m; ++s) {
        g[s] -= cross[i * m + s] * slope[i] / own[i];
        for (std::size_t r = 0; r < m; ++r)
          h[s * m + r] -= cross[i * m + s] * cross[i * m + r] / own[i];
      }
    }
    for (std::size_t s = 0; s < m; ++s) h[s * m + s] += 1e-10 * n_;
    solve(h, g);
    step_b_.assign(k_, 0.0);
    step_t_.assign(rows_, 0.0);
    for (std::size_t s = 0; s < m; ++s) step_b_[s + 1] = g[s];
    for (std::size_t i = 1; i < rows_; ++i) {
      double rest = slope[i];
      for (std::size_t s = 0; s < m; ++s) rest -= cross[i * m + s] * g[s];
      step_t_[i] = rest / own[i];
    }
  }
  void move(double size) {
    b_new_ = b_;
    t_new_ = t_;
    for (std::size_t s = 0; s < k_; ++s) b_new_[s] += size * step_b_[s];
    for (std::size_t i = 0; i < rows_; ++i) t_new_[i] += size * step_t_[i];
  }

  // Solves h x = g in place, for symmetric positive h: Gaussian elimination with pivots.
  static void solve(std::vector<double>& h, std::vector<double>& g) {
    const std::size_t m = g.size();
    for (std::size_t c = 0; c < m; ++c) {
      std::size_t pivot = c;
      for (std::size_t r = c + 1; r < m; ++r) {
        if (std::fabs(h[r * m + c]) > std::fabs(h[pivot * m + c])) pivot = r;
      }
      if (h[pivot * m + c] == 0.0) continue;
      for (std::size_t s = 0; s < m; ++s) std::swap(h[c * m + s], h[pivot * m + s]);
      std::swap(g[c], g[pivot]);
      for (std::size_t r = 0; r < m; ++r) {
        if (r == c) continue;
        const double f = h[r * m + c] / h[c * m + c];
        for (std::size_t s = c; s < m; ++s) h[r * m + s] -= f * h[c * m + s];
        g[r] -= f * g[c];
      }
    }
    for (std::size_t c = 0; c < m; ++c) g[c] = h[c * m + c] == 0.0 ? 0.0 : g[c] / h[c * m + c];
  }

  std::size_t k_ = 0, rows_ = 0;
  std::vector<double> cell_, column_, row_, score_;
  double n_ = 0.0;
  std::vector<double> b_, t_, b_new_, t_new_, step_b_, step_t_, p_;
  double log_sum_ = 0.0;
};

// Groups of numbers: for each its weight, the sum of its deviations from a common centre, and the
// sum of their squares.
class MeansTable {
 public:
  void start() { *this = MeansTable(); }
  void add(double weight, double sum, double squares) {
    const double part = sum * sum / weight;
    n_ += weight;
    sum_ += sum;
    squares_ += squares;
    parts_ += part;
    groups_ += 1.0;
  }
  // One-way analysis of variance. Differences of sums of squares below `rounding` may be rounding
  // errors; zero variance within groups counts as `rounding`, so F is finite.
  Test test() const {
    Test out;
    const double df2 = n_ - groups_;
    if (groups_ < 2.0 || !(df2 > 0.0)) return out;
    const double total = squares_ - sum_ * sum_ / n_, between = parts_ - sum_ * sum_ / n_;
    out.df = groups_ - 1.0;
    out.df2 = df2;
    const double rounding = 1e-12 * squares_;
    if (!(total > rounding) || !(between > rounding)) return out;
    const double within = std::fmax(squares_ - parts_, rounding);
    out.statistic = (between / out.df) / (within / df2);
    out.log_p = log_p_f(out.statistic, out.df, df2);
    return out;
  }

 private:
  double n_ = 0.0, sum_ = 0.0, squares_ = 0.0, parts_ = 0.0, groups_ = 0.0;
};

}  // namespace tectree

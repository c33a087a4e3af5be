// Sums that do not depend on the order of their terms.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tectree {

// Two numbers in one register, added and multiplied by one instruction each.
using Pair __attribute__((vector_size(2 * sizeof(double)))) = double;

// A sum of doubles, or two of them side by side. The rounding error of each addition is kept
// (Knuth's two-sum) and added at the end, so the order of the terms matters only if they almost
// cancel.
template <class T>
class CarefulSumOf {
 public:
  void add(const T& x) {
    const T sum = sum_ + x, added = sum - sum_;
    rounded_off_ += (sum_ - (sum - added)) + (x - added);
    sum_ = sum;
  }
  T value() const { return sum_ + rounded_off_; }

 private:
  T sum_{}, rounded_off_{};
};

using CarefulSum = CarefulSumOf<double>;
using CarefulSums = CarefulSumOf<Pair>;

// Numbers as whole multiples of a small unit, so that sums and differences of sums are exact. The
// unit is the smallest with which the sum of n such numbers fits into 64 bits.
class WholeScale {
 public:
  WholeScale() = default;
  // `most`: the maximum distance of the `n` numbers from the centre; positive.
  WholeScale(double centre, double most, std::size_t n) : centre_(centre) {
    int rows_bits = 1;
    while (n >> rows_bits != 0) ++rows_bits;
    const int bits = std::min(62 - rows_bits, 50);
    unit_ = std::ldexp(most, -bits);
    per_unit_ = std::ldexp(1.0, bits) / most;
    coarseness_ = std::max(bits - (36 - rows_bits) / 2, 0);
  }

  double unit() const { return unit_; }
  // How many low bits a number loses before it is squared.
  int coarseness() const { return coarseness_; }
  double coarse_square() const { return std::ldexp(1.0, 2 * coarseness_); }

  // A number in units, off by less than 1.1 of them.
  std::int64_t of(double y) const { return static_cast<std::int64_t>((y - centre_) * per_unit_); }

 private:
  double centre_ = 0.0, unit_ = 1.0, per_unit_ = 1.0;
  int coarseness_ = 0;
};

class WholeSums {
 public:
  static constexpr int squares_at = 26;  // bit of the word that holds rows and squares
  static constexpr std::size_t most_rows = (std::size_t{1} << squares_at) - 1;

  std::int64_t sum = 0;

  void add(std::int64_t x, int coarseness) {
    const auto size = static_cast<std::uint64_t>(x < 0 ? -x : x);
    const std::uint64_t coarse = (size >> coarseness) + 1;
    sum += x;
    rows_and_squares_ += (coarse * coarse << squares_at) + 1;
  }
  void operator+=(const WholeSums& more) {
    sum += more.sum;
    rows_and_squares_ += more.rows_and_squares_;
  }
  void operator-=(const WholeSums& part) {
    sum -= part.sum;
    rows_and_squares_ -= part.rows_and_squares_;
  }

  std::uint32_t n() const { return static_cast<std::uint32_t>(rows_and_squares_ & most_rows); }
  friend double rows_of(const WholeSums& of) { return of.n(); }
  // An upper bound of the sum of squares, close unless the numbers are much smaller than those the
  // scale was made for; in units of WholeScale::coarse_square().
  double squares_at_most() const { return static_cast<double>(rows_and_squares_ >> squares_at); }

 private:
  // Both in one word: adding rows to such sums takes most of the time of a large node.
  std::uint64_t rows_and_squares_ = 0;
};

}  // namespace tectree

// Columns of whole numbers in a narrow range, as counts, ages, ratings and codes have: what a sort
// or a table of values would find is found by counting.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "frame.hpp"

namespace tectree {

class WholeValues {
 public:
  // None where a value is no whole number, or their range is too wide to count in.
  static std::optional<WholeValues> of(const Column& column, const Sample& sample) {
    constexpr int far = 1 << 20;
    int least = far, most = -far;
    for (std::size_t i = 0; i < sample.size; ++i) {
      const double x = column.value(sample.row(i));
      if (std::isnan(x)) continue;
      if (!(x > -far && x < far)) return std::nullopt;
      const int whole = static_cast<int>(x);
      if (whole != x) return std::nullopt;
      least = std::min(least, whole);
      most = std::max(most, whole);
    }
    if (most < least) return std::nullopt;
    const auto width = static_cast<std::size_t>(most - least) + 1;
    if (width > std::max<std::size_t>(1024, 2 * sample.size)) return std::nullopt;
    return WholeValues(column, sample, least, width);
  }

  std::size_t distinct() const { return distinct_; }
  // The value at a place.
  double value(std::size_t place) const { return least_ + static_cast<double>(place); }
  // A row's place in the range; that of rows without a value is width().
  std::size_t place(double x) const {
    return std::isnan(x) ? width() : static_cast<std::size_t>(static_cast<int>(x) - least_);
  }
  std::size_t width() const { return count_.size() - 1; }
  std::uint32_t count(std::size_t place) const { return count_[place]; }

 private:
  WholeValues(const Column& column, const Sample& sample, int least, std::size_t width)
      : least_(least), count_(width + 1, 0) {
    for (std::size_t i = 0; i < sample.size; ++i) ++count_[place(column.value(sample.row(i)))];
    distinct_ = width - static_cast<std::size_t>(std::count(count_.begin(), count_.end() - 1, 0u));
  }

  int least_;
  std::vector<std::uint32_t> count_;  // by place, the missing last
  std::size_t distinct_ = 0;
};

}  // namespace tectree

// Columns of whole numbers in a narrow range, such as counts, ages, ratings and codes: counting
// replaces a sort or a table of values.
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
  // None if a value is not a whole number, or their range is too wide to count.
  static std::optional<WholeValues> of(const Column& column, const Sample& sample) {
    constexpr int far = 1 << 20;
    int least = far, most = -far;
    const bool all = each_value(column, sample, [&](std::size_t, double x) {
      if (std::isnan(x)) return true;
      if (!(x > -far && x < far)) return false;
      const int whole = static_cast<int>(x);
      least = std::min(least, whole);
      most = std::max(most, whole);
      return whole == x;
    });
    if (!all || most < least) return std::nullopt;
    const auto width = static_cast<std::size_t>(most - least) + 1;
    if (width > std::max<std::size_t>(1024, 2 * sample.size)) return std::nullopt;
    return WholeValues(column, sample, least, width);
  }

  std::size_t distinct() const { return distinct_; }
  // The value at a place.
  double value(std::size_t place) const { return least_ + static_cast<double>(place); }
  // A row's place in the range; that of a missing value is width().
  std::size_t place(double x) const {
    return std::isnan(x) ? width() : static_cast<std::size_t>(static_cast<int>(x) - least_);
  }
  std::size_t width() const { return occurs_.size() - 1; }
  bool occurs(std::size_t place) const { return occurs_[place] != 0; }

 private:
  // Marks the value without reading the place first: counting would wait for the last row with the
  // same value.
  WholeValues(const Column& column, const Sample& sample, int least, std::size_t width)
      : least_(least), occurs_(width + 1, 0) {
    each_value(column, sample, [&](std::size_t, double x) {
      occurs_[place(x)] = 1;
      return true;
    });
    distinct_ = static_cast<std::size_t>(std::count(occurs_.begin(), occurs_.end() - 1, 1));
  }

  int least_;
  std::vector<std::uint8_t> occurs_;  // by place, missing last
  std::size_t distinct_ = 0;
};

}  // namespace tectree

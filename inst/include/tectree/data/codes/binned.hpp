// A column with few distinct values as one byte per row: counting its values in a node needs no
// order, and nothing moves when a node is divided.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <vector>

#include "../frame.hpp"
#include "../order.hpp"
#include "../whole_values.hpp"

namespace tectree {

struct Binned {
  static constexpr std::size_t most = 255;
  std::vector<std::uint8_t> code;  // by row; in the order of the values, missing last
  std::vector<double> values;      // of each code
  std::uint8_t missing() const { return static_cast<std::uint8_t>(values.size()); }
};

namespace detail {

// The distinct values of a numeric column while they are few: an open-addressing table of at most
// `most`.
class FewValues {
 public:
  // The value's number in order of appearance; none if there are too many values.
  std::optional<std::uint8_t> number(std::uint64_t key) {
    std::size_t at = (key * 0x9E3779B97F4A7C15ull) >> 54;
    while (slot_[at] >= 0) {
      if (keys_[slot_[at]] == key) return static_cast<std::uint8_t>(slot_[at]);
      at = (at + 1) & 1023;
    }
    if (keys_.size() == Binned::most) return std::nullopt;
    slot_[at] = static_cast<std::int16_t>(keys_.size());
    keys_.push_back(key);
    return static_cast<std::uint8_t>(slot_[at]);
  }
  const std::vector<std::uint64_t>& keys() const { return keys_; }
  FewValues() : slot_(1024, -1) {}

 private:
  std::vector<std::int16_t> slot_;
  std::vector<std::uint64_t> keys_;
};

inline double key_value(std::uint64_t key) {
  const std::uint64_t bits = key ^ ((key >> 63) ? std::uint64_t{1} << 63 : ~std::uint64_t{0});
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

inline bool bin_whole(const WholeValues& whole, const Column& column, const Sample& sample,
                      Binned& out) {
  if (whole.distinct() > Binned::most) return false;
  std::vector<std::uint8_t> code(whole.width() + 1);
  for (std::size_t place = 0; place < whole.width(); ++place) {
    code[place] = static_cast<std::uint8_t>(out.values.size());
    if (whole.occurs(place)) out.values.push_back(whole.value(place));
  }
  code.back() = out.missing();
  out.code.resize(sample.size);
  return each_value(column, sample, [&](std::size_t i, double x) {
    out.code[i] = code[whole.place(x)];
    return true;
  });
}

inline bool bin_numbers(const Column& column, const Sample& sample, Binned& out) {
  if (const auto whole = WholeValues::of(column, sample))
    return bin_whole(*whole, column, sample, out);
  FewValues few;
  out.code.resize(sample.size);
  std::vector<std::uint32_t> missing;
  const bool all = each_value(column, sample, [&](std::size_t i, double x) {
    if (std::isnan(x)) {
      missing.push_back(static_cast<std::uint32_t>(i));
      return true;
    }
    const auto number = few.number(order_key(x));
    if (number) out.code[i] = *number;
    return number.has_value();
  });
  if (!all) return false;
  const auto& keys = few.keys();
  std::vector<std::uint8_t> by_value(keys.size()), rank(keys.size());
  std::iota(by_value.begin(), by_value.end(), std::uint8_t{0});
  std::sort(by_value.begin(), by_value.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  for (std::size_t r = 0; r < keys.size(); ++r) {
    rank[by_value[r]] = static_cast<std::uint8_t>(r);
    out.values.push_back(key_value(keys[by_value[r]]));
  }
  for (auto& c : out.code) c = keys.empty() ? 0 : rank[c];
  for (auto i : missing) out.code[i] = out.missing();
  return true;
}

inline void bin_levels(const Column& column, const Sample& sample, Binned& out) {
  out.code.resize(sample.size);
  for (int l = 1; l <= column.n_levels; ++l) out.values.push_back(l);
  for (std::size_t i = 0; i < sample.size; ++i) {
    const int code = column.level(sample.row(i));
    out.code[i] = code == missing_code ? out.missing() : static_cast<std::uint8_t>(code - 1);
  }
}

}  // namespace detail

}  // namespace tectree

// Read-only views of the caller's data: they neither own nor copy values.
#pragma once

#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tectree {

enum class Kind { numeric = 0, ordered = 1, nominal = 2 };

constexpr int missing_code = INT_MIN;  // as in R's integer vectors

// One or two bytes per row, and the number or level of each code: NaN for missing, never -0.
struct Packed {
  const std::uint8_t* one = nullptr;
  const std::uint16_t* two = nullptr;
  const double* values = nullptr;

  double operator[](std::size_t row) const { return values[one ? one[row] : two[row]]; }
};

// One predictor: doubles, integers or packed values if it is numeric, otherwise level codes
// 1..n_levels.
struct Column {
  Kind kind = Kind::numeric;
  int n_levels = 0;
  const double* real = nullptr;
  const int* whole = nullptr;
  Packed packed = {};

  bool present() const { return real || whole || packed.values; }
  bool has_levels() const { return whole || (packed.values && kind != Kind::numeric); }

  // A missing value is NaN; -0 and 0 are one value.
  double value(std::size_t row) const {
    if (real) return real[row] + 0.0;
    return whole ? number(whole[row]) : packed[row];
  }
  int level(std::size_t row) const { return whole ? whole[row] : code_of(packed[row]); }
  static double number(int code) {
    return code == missing_code ? std::numeric_limits<double>::quiet_NaN() : code;
  }
  static int code_of(double level) {
    return std::isnan(level) ? missing_code : static_cast<int>(level);
  }
  // Prefetches a value.
  void fetch(std::size_t row) const {
    if (real) {
      __builtin_prefetch(real + row);
    } else if (whole) {
      __builtin_prefetch(whole + row);
    } else if (packed.one) {
      __builtin_prefetch(packed.one + row);
    } else {
      __builtin_prefetch(packed.two + row);
    }
  }
};

struct Frame {
  std::vector<Column> columns;
  std::size_t n_rows = 0;

  // A column over the caller's values, which must outlive the frame.
  void add_numbers(const std::vector<double>& values) {
    columns.push_back({Kind::numeric, 0, values.data(), nullptr});
    n_rows = values.size();
  }
  // Codes 1..n_levels.
  void add_levels(const std::vector<int>& codes, int n_levels, Kind kind = Kind::nominal) {
    columns.push_back({kind, n_levels, nullptr, codes.data()});
    n_rows = codes.size();
  }
  void add_numbers(std::vector<double>&&) = delete;
  void add_levels(std::vector<int>&&, int, Kind = Kind::nominal) = delete;
};

// The rows that take part, with their weights. Position i of the sample is row(i) of the frame.
struct Sample {
  std::size_t size = 0;
  const int* rows = nullptr;        // 1-based, increasing; null: all rows
  const double* weights = nullptr;  // by row of the frame; null: all 1
  const double* own = nullptr;      // by position, instead of these; or null
  // Sizes, by row of the frame or by position. Both null: the weights.
  const double* sizes = nullptr;
  const double* own_sizes = nullptr;

  std::size_t row(std::size_t i) const { return rows ? static_cast<std::size_t>(rows[i]) - 1 : i; }
  double weight(std::size_t i) const { return own ? own[i] : weights ? weights[row(i)] : 1.0; }
  // Whether sizes differ from the weights.
  bool sized() const { return sizes || own_sizes; }
  double size_at(std::size_t i) const {
    return own_sizes ? own_sizes[i] : sizes ? sizes[row(i)] : weight(i);
  }
};

// Calls use(i, value) for the sample's rows in order while it returns true; the column's storage
// type is checked once. Returns whether it reached the end.
template <class Use>
bool each_value(const Column& column, const Sample& sample, Use use) {
  const auto run = [&](auto value_at) {
    std::size_t i = 0;
    while (i < sample.size && use(i, value_at(i))) ++i;
    return i == sample.size;
  };
  const double* real = column.real;
  const int *whole = column.whole, *rows = sample.rows;
  if (real && rows) return run([=](std::size_t i) { return real[rows[i] - 1] + 0.0; });
  if (real) return run([=](std::size_t i) { return real[i] + 0.0; });
  if (whole && rows) return run([=](std::size_t i) { return Column::number(whole[rows[i] - 1]); });
  if (whole) return run([=](std::size_t i) { return Column::number(whole[i]); });
  const Packed packed = column.packed;
  if (rows) return run([=](std::size_t i) { return packed[rows[i] - 1]; });
  return run([=](std::size_t i) { return packed[i]; });
}

// Class codes 0..n_classes-1 or numbers, by row of the frame.
struct Response {
  int n_classes = 0;          // 0: regression
  const int* code = nullptr;  // 1-based
  const double* number = nullptr;

  bool is_class() const { return n_classes > 0; }
};

}  // namespace tectree

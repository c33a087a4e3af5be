// The bytes of a fuzzed input, read as numbers; past the end they are 0.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace fuzz {

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  std::size_t left() const { return size_ - at_; }
  int byte() { return at_ < size_ ? data_[at_++] : 0; }
  // 0..n-1, n at most 256
  int below(int n) { return byte() % n; }
  int between(int least, int most) { return least + below(most - least + 1); }
  bool flag() { return (byte() & 1) != 0; }
  // One of two usual values, seldom the second.
  bool seldom() { return byte() >= 224; }

  std::int32_t any_int() {
    std::uint32_t bits = 0;
    for (int i = 0; i < 4; ++i) bits = bits << 8 | static_cast<std::uint32_t>(byte());
    std::int32_t out = 0;
    std::memcpy(&out, &bits, sizeof out);
    return out;
  }
  // Any double, also NaN and infinities.
  double any_double() {
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8 | static_cast<std::uint64_t>(byte());
    double out = 0.0;
    std::memcpy(&out, &bits, sizeof out);
    return out;
  }
  // A quarter of a small whole number, with many ties.
  double small() { return (byte() - 128) / 4.0; }

  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return *(choices.begin() + below(static_cast<int>(choices.size())));
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

}  // namespace fuzz

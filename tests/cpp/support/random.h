// Numbers for tests: the same on every machine and with every compiler.
#pragma once

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace support {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  // 0..n-1
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  int between(int least, int most) { return least + below(most - least + 1); }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  bool chance(double p) { return uniform() < p; }
  // Any double except NaN: every sign, exponent and mantissa.
  double any_double() {
    for (;;) {
      const std::uint64_t b = bits();
      double x = 0.0;
      std::memcpy(&x, &b, sizeof x);
      if (x == x) return x;
    }
  }
  template <class T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[static_cast<std::size_t>(below(static_cast<int>(i)))]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace support

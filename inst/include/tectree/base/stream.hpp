// Random numbers of one node: its own stream, seeded by the seed of the tree and the path to the
// node, so neither the order of growth nor the threads change what is drawn. SplitMix64 (Steele,
// Lea & Flood 2014).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tectree {

class Stream {
 public:
  explicit Stream(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += step;
    return mixed(state_);
  }
  // One of 0, ..., n - 1, uniformly.
  std::size_t below(std::size_t n) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(n));
  }
  // Uniform on [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  // The seed of a numbered part, derived from this seed.
  static std::uint64_t part(std::uint64_t seed, std::size_t number) {
    return mixed(seed + step * (static_cast<std::uint64_t>(number) + 1));
  }

 private:
  static constexpr std::uint64_t step = 0x9E3779B97F4A7C15u;
  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }

  std::uint64_t state_;
};

}  // namespace tectree

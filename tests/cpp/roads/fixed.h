// Cases that failed once, by generator and seed, included in each run. A change of the generator
// turns them into other problems.
#pragma once

#include <cstdint>
#include <vector>

namespace roads {

inline const std::vector<std::uint64_t>& fixed_cases() {
  static const std::vector<std::uint64_t> seeds{};
  return seeds;
}
inline const std::vector<std::uint64_t>& fixed_small_cases() {
  static const std::vector<std::uint64_t> seeds{};
  return seeds;
}
inline const std::vector<std::uint64_t>& fixed_extremes() {
  static const std::vector<std::uint64_t> seeds{};
  return seeds;
}

}  // namespace roads

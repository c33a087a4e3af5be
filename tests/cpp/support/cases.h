// The number of random cases in a run, and the first one: the environment variables TECTREE_CASES
// and TECTREE_SEED.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace support {

inline double number_in_environment(const char* name, double usual) {
  const char* text = std::getenv(name);
  return text && *text ? std::atof(text) : usual;
}

// TECTREE_CASES times the usual number, at least one.
inline std::uint64_t cases(double usual) {
  return static_cast<std::uint64_t>(
      std::fmax(1.0, std::nearbyint(usual * number_in_environment("TECTREE_CASES", 1.0))));
}

// Cases are numbered; those of one run come after those of another.
inline std::uint64_t first_case(std::uint64_t per_run) {
  return per_run * static_cast<std::uint64_t>(number_in_environment("TECTREE_SEED", 0.0));
}

}  // namespace support

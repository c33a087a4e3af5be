// Entropies by their textbook formulas, in long double, to compare the kernel with.
#pragma once

#include <cmath>
#include <vector>

namespace support {

using Counts = std::vector<double>;

inline double sum(const Counts& counts) {
  long double n = 0;
  for (double c : counts) n += c;
  return static_cast<double>(n);
}

// S_q of the shares; near q = 1, where 1 - q cancels, by the form of expm1.
inline double tsallis(const Counts& counts, double q) {
  const long double n = sum(counts), r = static_cast<long double>(q) - 1;
  long double s = 0;
  for (double c : counts) {
    if (!(c > 0)) continue;
    const long double p = c / n;
    s -= r == 0 ? p * std::log(p) : p * std::expm1(r * std::log(p)) / r;
  }
  return static_cast<double>(s);
}

// The same by the definition alone, (sum p^q - 1) / (1 - q); not near q = 1.
inline double tsallis_by_definition(const Counts& counts, double q) {
  const long double n = sum(counts);
  long double s = 0;
  for (double c : counts) {
    if (c > 0) s += std::pow(c / n, static_cast<long double>(q));
  }
  return static_cast<double>((s - 1) / (1 - static_cast<long double>(q)));
}

inline double bits(const Counts& counts) {
  return tsallis(counts, 1.0) / std::log(2.0);
}

}  // namespace support

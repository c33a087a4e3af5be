// Doubles at the limits of the number line, ascending, all different.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

namespace support {

inline std::vector<double> extremes() {
  using Limits = std::numeric_limits<double>;
  const double inf = Limits::infinity(), most = Limits::max(), least = Limits::min();
  const double denormal = Limits::denorm_min();
  const std::vector<double> positive = {denormal,
                                        2 * denormal,
                                        3 * denormal,
                                        std::nextafter(least, 0.0),
                                        least,
                                        std::nextafter(least, 1.0),
                                        1e-300,
                                        0.5,
                                        std::nextafter(1.0, 0.0),
                                        1.0,
                                        std::nextafter(1.0, 2.0),
                                        3.0,
                                        4503599627370497.0,
                                        1e300,
                                        most / 2,
                                        std::nextafter(most, 0.0),
                                        most,
                                        inf};
  std::vector<double> all;
  for (auto x = positive.rbegin(); x != positive.rend(); ++x) all.push_back(-*x);
  all.push_back(0.0);
  all.insert(all.end(), positive.begin(), positive.end());
  return all;
}

}  // namespace support

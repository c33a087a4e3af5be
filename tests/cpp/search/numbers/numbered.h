// A sorted column with a numeric response, and whether a scan of its cuts keeps those that matter.
#pragma once

#include <tectree/data/arena.hpp>
#include <tectree/search/choose/column_result.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "support/random.h"

namespace support {

struct Numbered {
  std::vector<tectree::Entry<std::uint32_t>> entries;
  std::vector<double> y;  // by row

  std::uint32_t n() const { return static_cast<std::uint32_t>(y.size()); }
  double of(std::uint32_t i) const { return y[entries[i].row]; }
  bool tied(std::uint32_t at) const { return entries[at - 1].rank == entries[at].rank; }
};

// `shape` 0: random numbers; 1: a step; 2: one number far from the others.
inline Numbered random_numbers(std::uint32_t n, int ties, int shape, Random& random) {
  Numbered out;
  out.y.resize(n);
  std::vector<std::uint32_t> rows(n);
  for (std::uint32_t i = 0; i < n; ++i) rows[i] = i;
  random.shuffle(rows);
  std::uint32_t rank = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (i > 0 && !random.chance(ties / 10.0)) ++rank;
    out.entries.push_back({rank, rows[i]});
    const double noise = random.between(-50, 50) / 16.0;
    out.y[rows[i]] = shape == 0   ? noise
                     : shape == 1 ? noise + (i < n / 3 ? 9 : 0)
                     : i == n / 2 ? 1e6
                                  : 0.0;
  }
  return out;
}

// Whether the contenders of a scan of the first `known` entries include every cut that ties with
// the best, and no inadmissible cut; gain(at) is the true one.
template <class Gain>
bool holds_the_best(const Numbered& c, std::uint32_t known, std::uint32_t least, double impurity,
                    tectree::Contenders contenders, Gain gain) {
  const auto found = contenders.settle();
  std::vector<std::pair<std::uint32_t, double>> cuts;
  double best = -HUGE_VAL;
  for (std::uint32_t at = std::max(least, 1u); at < known && known - at >= least; ++at) {
    if (c.tied(at)) continue;
    cuts.push_back({at, gain(at)});
    best = std::max(best, cuts.back().second);
  }
  std::size_t next = 0;
  bool right = true;
  for (const auto& [at, value] : cuts) {
    const bool here = next < found.size() && found[next].at == at;
    if (here) right = right && found[next++].high >= value;
    right = right && (here || value < best - 1e-10 * impurity);
  }
  return right && next == found.size() && (cuts.empty() || contenders.floor() <= best);
}

}  // namespace support

// A sorted column with classes, and the true cut measure of each of its cuts.
#pragma once

#include <tectree/criterion/registry.hpp>
#include <tectree/search/scan/class_scan.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "support/random.h"

namespace support {

inline bool close(double a, double b) {
  return a == b || std::fabs(a - b) <= 1e-12 * std::max(std::fabs(a), std::fabs(b));
}

struct Scanned {
  std::vector<tectree::Entry<std::uint32_t>> entries;  // row i is the i-th
  std::vector<std::uint16_t> label;
  std::vector<double> weight;
  int k = 2;

  std::uint32_t size() const { return static_cast<std::uint32_t>(entries.size()); }
  double total_weight() const {
    double n = 0;
    for (double w : weight) n += w;
    return n;
  }
  template <class Count>
  std::vector<Count> total() const {
    std::vector<Count> t(static_cast<std::size_t>(k), Count{0});
    for (std::size_t i = 0; i < label.size(); ++i) t[label[i]] += static_cast<Count>(weight[i]);
    return t;
  }
};

// `shape` 0: random classes; 1: one class dies out to the right; 2: one row of a class far from the
// others.
inline Scanned random_column(std::uint32_t n, int k, int ties, int weights, int shape,
                             Random& random) {
  Scanned c;
  c.k = k;
  std::uint32_t rank = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (i > 0 && !random.chance(ties / 10.0)) ++rank;
    c.entries.push_back({rank, i});
    const bool early = i < n / 3;
    const int label = shape == 0   ? random.below(k)
                      : shape == 1 ? (early ? random.below(k) : 0)
                                   : (i == n / 2 ? k - 1 : 0);
    c.label.push_back(static_cast<std::uint16_t>(label));
    c.weight.push_back(weights == 0   ? 1
                       : weights == 1 ? random.between(1, 9)
                                      : random.between(1, 90) / 16.0 + 0.1);
  }
  return c;
}

struct TrueCut {
  std::uint32_t at;
  double value, gain;  // in units of S_q
};

// Every cut between different values with at least `least` on each side, from its counts.
inline std::vector<TrueCut> true_cuts(const Scanned& c, const tectree::Criterion& criterion,
                                      double least) {
  std::vector<TrueCut> cuts;
  std::vector<double> left(static_cast<std::size_t>(c.k), 0.0), right(left.size());
  double n_l = 0;
  for (std::uint32_t i = 0; i + 1 < c.size(); ++i) {
    left[c.label[i]] += c.weight[i];
    n_l += c.weight[i];
    if (c.entries[i].rank == c.entries[i + 1].rank || n_l < least - 1e-9) continue;
    // Recomputed, so nothing is left of subtracted terms.
    std::fill(right.begin(), right.end(), 0.0);
    double n_r = 0;
    for (std::uint32_t j = i + 1; j < c.size(); ++j) {
      right[c.label[j]] += c.weight[j];
      n_r += c.weight[j];
    }
    if (n_r < least - 1e-9) break;
    tectree::Partition p;
    p.start(c.k);
    p.add(left.data(), n_l);
    p.add(right.data(), n_r);
    const tectree::Measures m = criterion.measure(p);
    const bool ratio = criterion.form() == tectree::Form::ratio;
    cuts.push_back({i + 1, ratio ? m.cut : m.cut / criterion.unit(), m.gain / criterion.unit()});
  }
  return cuts;
}

// Is every contender admissible with a true upper end of its interval, and is every cut that ties
// with the best a contender? Cuts without gain may be missing.
inline bool hold_the_best(tectree::Contenders& contenders, const Scanned& c,
                          const tectree::Criterion& criterion, double least) {
  const double floor = contenders.floor();
  const std::vector<tectree::Contender> found = contenders.settle();
  double best = -HUGE_VAL;
  bool any = false, right = true;
  const auto cuts = true_cuts(c, criterion, least);
  for (const auto& t : cuts) {
    if (t.gain > 1e-9) best = std::max(best, t.value), any = true;
  }
  std::size_t next = 0;
  for (const auto& t : cuts) {
    const bool here = next < found.size() && found[next].at == t.at;
    if (here) right = right && found[next++].high >= t.value - 1e-14 * std::fabs(t.value);
    right = right && (here || !any || t.gain <= 1e-9 || t.value < best - 1e-10 * std::fabs(best));
  }
  return right && next == found.size() && (!any || floor <= best + 1e-14 * std::fabs(best));
}

}  // namespace support

// Every classification criterion by its printed formula, from the class counts of the branches.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/entropy.h"

namespace support {

struct Values {
  double cut = 0, gain = 0, score = 0;
};

using Branches = std::vector<Counts>;

inline Counts totals(const Branches& branches) {
  Counts total(branches[0].size(), 0.0);
  for (const Counts& b : branches) {
    for (std::size_t s = 0; s < b.size(); ++s) total[s] += b[s];
  }
  return total;
}

inline Counts sizes(const Branches& branches) {
  Counts n;
  for (const Counts& b : branches) n.push_back(sum(b));
  return n;
}

// S_q(D) - sum (n_j/n)^power S_q(D_j)
inline double entropy_lost(const Branches& branches, double q, double power) {
  const double n = sum(sizes(branches));
  double lost = tsallis(totals(branches), q);
  for (const Counts& b : branches) lost -= std::pow(sum(b) / n, power) * tsallis(b, q);
  return lost;
}

// sum p_js log2(p_js / (p_j p_s))
inline double mutual_bits(const Branches& branches) {
  const Counts total = totals(branches);
  const double n = sum(total);
  double bits = 0;
  for (const Counts& b : branches) {
    const double n_j = sum(b);
    for (std::size_t s = 0; s < b.size(); ++s) {
      if (b[s] > 0) bits += b[s] / n * std::log2(b[s] / n / (n_j / n * (total[s] / n)));
    }
  }
  return bits;
}

// The value of one S_b in beta-entropy.
inline double beta_unit(double b) {
  const long double r = 1 - static_cast<long double>(b), ln2 = std::log(2.0L);
  return static_cast<double>(r == 0 ? 1 / ln2 : r / std::expm1(r * ln2));
}

// If there is nothing to divide by, with rows of one class, nothing is gained.
inline double ratio(double gain, double by) {
  return by > 0 ? gain / by : 0.0;
}

inline Values same(double gain) {
  return {gain, gain, gain};
}

// `unknown`: the weight of one more group in the entropy of the branches' sizes.
inline Values naive_measure(const std::string& name, double q, const Branches& branches,
                            double unknown = 0.0) {
  const auto k = static_cast<double>(branches[0].size()), g = static_cast<double>(branches.size());
  Counts groups = sizes(branches);
  if (unknown > 0.0) groups.push_back(unknown);
  if (name == "tsallis") return same(entropy_lost(branches, q, 1));
  if (name == "gini") return same(entropy_lost(branches, 2, 1));
  if (name == "tsallis_mutual") return same(entropy_lost(branches, q, q));
  if (name == "beta") return same(beta_unit(q) * entropy_lost(branches, q, q));
  if (name == "tsallis_ratio") {
    const double gain = entropy_lost(branches, q, 1), score = ratio(gain, tsallis(groups, q));
    return {score, gain, score};
  }
  // Their p values have a separate test (criterion/test_association.cpp).
  if (name == "chisq") return {std::nan(""), entropy_lost(branches, 2, 1), std::nan("")};
  if (name == "chisq_lr" || name == "row_effects")
    return {std::nan(""), mutual_bits(branches), std::nan("")};
  const double gain = mutual_bits(branches), split_information = bits(groups);
  if (name == "gain_ratio") return {gain, gain, ratio(gain, split_information)};
  if (name == "cair") return {gain, gain, gain / std::max(std::log2(k), std::log2(g))};
  if (name == "effcami0" || name == "effcami1") {
    return {gain, gain, ratio(gain, g <= k ? split_information : bits(totals(branches)))};
  }
  return same(gain);  // shannon, cond_entropy, cami
}

inline double naive_impurity(const std::string& name, double q, const Counts& counts) {
  if (name == "gini" || name == "chisq") return tsallis(counts, 2);
  if (name == "beta") return beta_unit(q) * tsallis(counts, q);
  if (name.rfind("tsallis", 0) == 0) return tsallis(counts, q);
  return bits(counts);
}

// "all", "mean" or "mean_sd"
inline std::string naive_eligible(const std::string& name) {
  if (name == "effcami1") return "mean_sd";
  return name == "gain_ratio" || name == "cair" || name == "effcami0" ? "mean" : "all";
}

// Are branches weighted by n_j/n? Then two classes' best grouping is a cut of the levels' order.
inline bool naive_linear(const std::string& name, double q) {
  if (name == "tsallis_ratio") return false;
  return name == "tsallis_mutual" || name == "beta" ? q == 1 : true;
}

}  // namespace support

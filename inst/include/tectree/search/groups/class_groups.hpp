// Partitions of a column's groups of classes, as a criterion measures them.
#pragma once

#include <vector>

#include "../../criterion/contract.hpp"
#include "../../tally/kernel.hpp"
#include "divisions.hpp"
#include "intervals.hpp"

namespace tectree {

// phi for counts held as doubles, from the table where they are whole.
struct CountKernel {
  const Kernel* kernel = nullptr;
  const KernelTable* table = nullptr;
  double half_least = 0.5;  // of a row's weight

  double phi(double c) const {
    return table ? table->phi[static_cast<std::size_t>(c)] : kernel->phi(c);
  }
  double alpha(double c) const {
    return table ? table->alpha[static_cast<std::size_t>(c)] : kernel->alpha(c);
  }
  // What is left of `total` beside `part`: nothing, where only rounding is left.
  double rest(double total, double part) const {
    const double r = total - part;
    return r < half_least ? 0.0 : r;
  }
};

struct ClassContext {
  const Criterion* criterion = nullptr;
  const SearchControl* control = nullptr;
  CountKernel counts;
};

inline void start_partition(const Groups& groups, Partition& out) {
  out.start(groups.stride);
  out.share = groups.unknown.share;
  out.unknown = groups.unknown.weight;
}

// The partition in two of the groups whose left side has these counts.
inline void two_sides(const CountKernel& counts, const Groups& groups, const double* left,
                      double weight_left, Partition& out) {
  start_partition(groups, out);
  std::vector<double> right(groups.stride);
  for (int s = 0; s < groups.stride; ++s) right[s] = counts.rest(groups.total[s], left[s]);
  out.add(left, weight_left);
  out.add(right.data(), groups.n - weight_left);
}

inline void partition_of_intervals(const Groups& groups, const std::vector<std::size_t>& cuts,
                                   Partition& out) {
  start_partition(groups, out);
  each_interval(groups, cuts,
                [&](const double* counts, double weight, double) { out.add(counts, weight); });
}

// The partition of candidate `at`, each side the sum of its groups.
inline void partition_at(const Groups& groups, const GroupDivisions& divisions, std::uint32_t at,
                         Partition& out) {
  const std::vector<char> members = members_of(divisions, groups, at);
  start_partition(groups, out);
  for (const char side : {1, 0}) {
    std::vector<double> counts(groups.stride, 0.0);
    double weight = 0.0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (members[g] != side) continue;
      for (int s = 0; s < groups.stride; ++s) counts[s] += groups.of(g)[s];
      weight += groups.weight[g];
    }
    out.add(counts.data(), weight);
  }
}

}  // namespace tectree

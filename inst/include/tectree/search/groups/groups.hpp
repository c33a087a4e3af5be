// A column's values in one node, as groups of rows with the same value: used by every search except
// that of the plain cuts of a sorted column; and functions that visit every way to divide the
// groups in two, which the searches and the list of all candidates share.
#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "../../data/arena.hpp"
#include "../missing/unknown.hpp"

namespace tectree {

// Each group's rows have a tally of `stride` numbers: its class counts, or the sum of its numbers;
// none for absolute deviations.
struct Groups {
  int stride = 0;
  // The number, or the level's code, ascending. NaN: of the missing values, if they are a group of
  // their own; the last.
  std::vector<double> value;
  std::vector<double> weight;           // by group
  std::vector<double> own_case_weight;  // likewise; empty if it is the weight
  std::vector<double> own_size;         // likewise; empty if it is the case weight
  std::vector<double> tally;
  std::vector<double> total;       // summed over groups
  double n = 0.0;                  // sum of the weights
  double total_case_weight = 0.0;  // sum of the case weights
  double total_size = 0.0;         // sum of the sizes
  UnknownWeight unknown;

  std::size_t size() const { return value.size(); }
  bool has_unknown() const { return !value.empty() && std::isnan(value.back()); }
  std::size_t with_value() const { return size() - has_unknown(); }
  const std::vector<double>& case_weights() const {
    return own_case_weight.empty() ? weight : own_case_weight;
  }
  // The quantity that min_bucket bounds.
  const std::vector<double>& sizes() const { return own_size.empty() ? case_weights() : own_size; }
  const double* of(std::size_t g) const { return tally.data() + g * stride; }
  double* of(std::size_t g) { return tally.data() + g * stride; }

  void start(int width) {
    stride = width;
    value.clear();
    weight.clear();
    own_case_weight.clear();
    own_size.clear();
    tally.clear();
    unknown = UnknownWeight();
  }
  void add(double v) {
    value.push_back(v);
    weight.push_back(0.0);
    tally.resize(tally.size() + stride, 0.0);
  }
  void finish() {
    total.assign(stride, 0.0);
    for (std::size_t g = 0; g < size(); ++g) {
      for (int s = 0; s < stride; ++s) total[s] += of(g)[s];
    }
    n = total_case_weight = total_size = std::accumulate(weight.begin(), weight.end(), 0.0);
  }
  // If rows have their own sizes.
  void set_sizes(std::vector<double> of_groups) {
    own_size = std::move(of_groups);
    total_size = std::accumulate(own_size.begin(), own_size.end(), 0.0);
  }
  // If class factors differ: the weights collected so far are case weights, and the weight of a
  // group is the sum of its class counts.
  void weigh_by_counts() {
    own_case_weight = weight;
    for (std::size_t g = 0; g < size(); ++g)
      weight[g] = std::accumulate(of(g), of(g) + stride, 0.0);
    n = std::accumulate(weight.begin(), weight.end(), 0.0);
  }
};

// One group for each value of sorted entries. add_rows(tally, first, last) adds the rows of entries
// to a group's tally and returns their case weight; value_of(row).
template <class Index, class AddRows, class ValueOf>
void collect_runs(const Entry<Index>* first, const Entry<Index>* last, int width, Groups& out,
                  AddRows add_rows, ValueOf value_of) {
  out.start(width);
  while (first < last) {
    out.add(value_of(first->row));
    const Entry<Index>* next = end_of_run(first, last);
    out.weight.back() = add_rows(out.of(out.size() - 1), first, next);
    first = next;
  }
  out.finish();
}

// One group for each level that occurs, for a column that is not sorted; returns whether every row
// is in one. add(tally, weight) adds the rows to the tallies and case weights of their levels;
// missing values are added after the last level, and are a group if `with_unknown`.
template <class Add>
bool collect_levels(std::size_t levels, int width, bool with_unknown, Groups& out, Add add) {
  const auto stride = static_cast<std::size_t>(width);
  out.start(width);
  out.tally.assign((levels + 1) * stride, 0.0);
  out.weight.assign(levels + 1, 0.0);
  add(out.tally.data(), out.weight.data());
  const bool complete = with_unknown || !(out.weight[levels] > 0.0);
  for (std::size_t level = 0; level < levels + with_unknown; ++level) {
    const std::size_t g = out.size();
    if (!(out.weight[level] > 0.0)) continue;
    out.value.push_back(level < levels ? static_cast<double>(level + 1) : std::nan(""));
    out.weight[g] = out.weight[level];
    if (g != level) std::copy_n(out.of(level), stride, out.of(g));
  }
  out.weight.resize(out.size());
  out.tally.resize(out.size() * stride);
  out.finish();
  return complete;
}

// The groups on the left of a division: the sums of their tallies, weights, case weights and sizes,
// and how many have a value.
struct LeftSide {
  const double* sums;
  double weight = 0.0, case_weight = 0.0, size = 0.0;
  std::size_t with_value = 0;
};

// f(c, left) for c = 1..m-1: the first c groups of `order` on the left.
template <class F>
void each_prefix(const Groups& groups, const std::vector<std::uint32_t>& order, F f) {
  std::vector<double> sums(groups.stride, 0.0);
  const std::size_t with_value = groups.with_value();
  LeftSide left{sums.data()};
  for (std::size_t c = 1; c < order.size(); ++c) {
    const std::uint32_t g = order[c - 1];
    for (int s = 0; s < groups.stride; ++s) sums[s] += groups.of(g)[s];
    left.weight += groups.weight[g];
    left.case_weight += groups.case_weights()[g];
    left.size += groups.sizes()[g];
    left.with_value += g < with_value;
    f(static_cast<std::uint32_t>(c), left);
  }
}

// f(m + g, left) for each group g with a value: it and the missing values on the left.
template <class F>
void each_pair_with_unknown(const Groups& groups, F f) {
  const std::size_t last = groups.size() - 1;
  std::vector<double> sums(groups.stride);
  for (std::size_t g = 0; g < last; ++g) {
    for (int s = 0; s < groups.stride; ++s) sums[s] = groups.of(g)[s] + groups.of(last)[s];
    const LeftSide left{sums.data(), groups.weight[g] + groups.weight[last],
                        groups.case_weights()[g] + groups.case_weights()[last],
                        groups.sizes()[g] + groups.sizes()[last], 1};
    f(static_cast<std::uint32_t>(groups.size() + g), left);
  }
}

// f(mask, left) for mask = 1..2^(m-1)-1: group i on the left if bit i is set, the last never. A
// mask's sums are those of the mask without its lowest bit, plus that group.
template <class F>
void each_grouping(const Groups& groups, F f) {
  const std::uint32_t masks = std::uint32_t{1} << (groups.size() - 1);
  const std::size_t k = groups.stride;
  std::vector<double> sums(masks * k, 0.0);
  std::vector<LeftSide> sides(masks, {sums.data()});
  for (std::uint32_t mask = 1; mask < masks; ++mask) {
    const LeftSide& rest = sides[mask & (mask - 1)];
    std::size_t g = 0;
    while (!((mask >> g) & 1u)) ++g;
    double* here = sums.data() + mask * k;
    for (std::size_t s = 0; s < k; ++s) here[s] = rest.sums[s] + groups.of(g)[s];
    sides[mask] = {here, rest.weight + groups.weight[g],
                   rest.case_weight + groups.case_weights()[g], rest.size + groups.sizes()[g],
                   rest.with_value + 1};
    f(mask, sides[mask]);
  }
}

}  // namespace tectree

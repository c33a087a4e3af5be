// A column's values in one node, as groups of rows: what every search but the plain cut of a sorted
// column works on. Enumerators below visit candidate ways to split the groups; the searches and the
// listing of all candidates (for people) share them.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "../../data/arena.hpp"
#include "../missing/unknown.hpp"

namespace tectree {

// For classification `tally` holds class counts; for squared error (weight, sum); stride wide, a
// group a row.
struct Groups {
  int stride = 0;
  std::vector<double> value;        // the number, or the level's code; ascending
  std::vector<double> weight;       // by group
  std::vector<double> case_weight;  // likewise; empty where it is the weight
  std::vector<double> tally;
  std::vector<double> total;  // summed over groups
  double n = 0.0;             // of the weights
  double whole_size = 0.0;    // of the sizes
  UnknownWeight unknown;

  std::size_t size() const { return value.size(); }
  // What min_bucket bounds.
  const std::vector<double>& sizes() const { return case_weight.empty() ? weight : case_weight; }
  const double* of(std::size_t g) const { return tally.data() + g * stride; }
  double* of(std::size_t g) { return tally.data() + g * stride; }

  void start(int width) {
    stride = width;
    value.clear();
    weight.clear();
    case_weight.clear();
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
    n = whole_size = std::accumulate(weight.begin(), weight.end(), 0.0);
  }
  // Collected by case weight, with class counts that are not sums of those: a group weighs what its
  // counts sum to.
  void weigh_by_counts() {
    case_weight = weight;
    for (std::size_t g = 0; g < size(); ++g)
      weight[g] = std::accumulate(of(g), of(g) + stride, 0.0);
    n = std::accumulate(weight.begin(), weight.end(), 0.0);
  }
};

// A group for each value of sorted entries. `put(tally, first, last)` adds the rows of entries to a
// group's tally and returns their weight; value_of(row).
template <class Index, class Put, class ValueOf>
void collect_runs(const Entry<Index>* first, const Entry<Index>* last, int width, Groups& out,
                  Put put, ValueOf value_of) {
  out.start(width);
  while (first < last) {
    out.add(value_of(first->row));
    const Entry<Index>* next = end_of_run(first, last);
    out.weight.back() = put(out.of(out.size() - 1), first, next);
    first = next;
  }
  out.finish();
}

// A group for each of some levels that one of the rows has, of a column that is not sorted; whether
// each row has one. add(tally, weight) adds the rows to the tallies and weights of their levels;
// those without one come behind the last.
template <class Add>
bool collect_levels(std::size_t levels, int width, Groups& out, Add add) {
  const auto stride = static_cast<std::size_t>(width);
  out.start(width);
  out.tally.assign((levels + 1) * stride, 0.0);
  out.weight.assign(levels + 1, 0.0);
  add(out.tally.data(), out.weight.data());
  const bool complete = !(out.weight[levels] > 0.0);
  for (std::size_t level = 0; level < levels; ++level) {
    const std::size_t g = out.size();
    if (!(out.weight[level] > 0.0)) continue;
    out.value.push_back(static_cast<double>(level + 1));
    out.weight[g] = out.weight[level];
    if (g != level) std::copy_n(out.of(level), stride, out.of(g));
  }
  out.weight.resize(out.size());
  out.tally.resize(out.size() * stride);
  out.finish();
  return complete;
}

// Some of the groups, as they go left: the sums of their tallies, what they weigh, their size.
struct LeftSide {
  const double* sums;
  double weight = 0.0, size = 0.0;
};

// f(c, left) for c = 1..m-1: the first c groups of `order` on the left.
template <class F>
void each_prefix(const Groups& groups, const std::vector<std::uint32_t>& order, F f) {
  std::vector<double> sums(groups.stride, 0.0);
  LeftSide left{sums.data()};
  for (std::size_t c = 1; c < order.size(); ++c) {
    const std::uint32_t g = order[c - 1];
    for (int s = 0; s < groups.stride; ++s) sums[s] += groups.of(g)[s];
    left.weight += groups.weight[g];
    left.size += groups.sizes()[g];
    f(static_cast<std::uint32_t>(c), left);
  }
}

// f(mask, left) for mask = 1..2^(m-1)-1: group i on the left where bit i is set, the last never. A
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
    sides[mask] = {here, rest.weight + groups.weight[g], rest.size + groups.sizes()[g]};
    f(mask, sides[mask]);
  }
}

}  // namespace tectree

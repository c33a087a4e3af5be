// Every way to split one column in a node, in the order that settles ties.
#pragma once

#include <functional>
#include <numeric>

#include "oracle/bag.h"

namespace oracle {

using tectree::Kind;
using tectree::Split;
using tectree::SplitKind;
using Nominal = tectree::SearchControl::Nominal;

// The values of a column in a node, ascending, with their totals.
struct Groups {
  std::size_t column = 0;
  std::vector<double> value;
  std::vector<Bag> bag;
  int classes_present = 0;
  std::size_t last_class = 0;
  bool last_is_unknown = false;  // the last group is that of missing values
};

inline void find_classes(Groups& groups) {
  Bag all;
  for (const Bag& bag : groups.bag) all.add(bag);
  groups.classes_present = 0;
  for (std::size_t s = 0; s < all.counts.size(); ++s) {
    if (all.counts[s] > 0) ++groups.classes_present, groups.last_class = s;
  }
}

inline bool has_unknown_alone(const Groups& groups, const Split& split) {
  if (!groups.last_is_unknown) return false;
  for (std::size_t i = 0; i + 1 < split.level_child.size(); ++i) {
    if (split.level_child[i] != split.level_child[0]) return false;
  }
  return true;
}

// Tries a split with the bags of its non-empty branches.
using Try = std::function<void(const Split&, const std::vector<Bag>&)>;

// Between neighbouring values; the next to an infinite one is finite, or the finite neighbour.
inline double midpoint(double a, double b) {
  if (std::isinf(a) && std::isinf(b)) return 0.0;
  if (std::isinf(a)) return std::nextafter(b, a);
  if (std::isinf(b)) return a;
  const double t = a + (b - a) / 2;
  return t >= b ? a : t;
}

inline Split value_split(const Table& table, const Groups& groups,
                         const std::vector<std::size_t>& cuts) {
  Split s;
  s.column = static_cast<int>(groups.column);
  s.branches = static_cast<int>(cuts.size()) + 1;
  const bool number = table.kind[groups.column] == Kind::numeric;
  s.kind = !number            ? SplitKind::level
           : cuts.size() == 1 ? SplitKind::threshold
                              : SplitKind::intervals;
  for (std::size_t c : cuts) {
    const double a = groups.value[c - 1], b = groups.value[c];
    s.breaks.push_back(number ? midpoint(a, b) : std::floor((a + b) / 2));
  }
  return s;
}

// Cuts in two: the left side grows, the right side is a suffix.
inline void try_cuts(const Table& table, const Groups& groups, const Try& attempt) {
  const std::size_t m = groups.value.size();
  std::vector<Bag> right(m);
  for (std::size_t g = m; g-- > 1;) {
    right[g] = groups.bag[g];
    if (g + 1 < m) right[g].add(right[g + 1]);
  }
  Bag left;
  for (std::size_t cut = 1; cut < m; ++cut) {
    left.add(groups.bag[cut - 1]);
    attempt(value_split(table, groups, {cut}), {left, right[cut]});
  }
}

// Cuts into g intervals, by recursion on the first cut.
inline void try_intervals(const Table& table, const Groups& groups, std::size_t g,
                          std::vector<std::size_t>& cuts, std::vector<Bag>& bags,
                          const Try& attempt) {
  const std::size_t from = cuts.empty() ? 0 : cuts.back(), m = groups.value.size();
  Bag here;
  for (std::size_t to = from + 1; to <= m; ++to) {
    here.add(groups.bag[to - 1]);
    if ((g == 1) != (to == m)) continue;
    bags.push_back(here);
    if (g == 1) {
      attempt(value_split(table, groups, cuts), bags);
    } else {
      cuts.push_back(to);
      try_intervals(table, groups, g - 1, cuts, bags, attempt);
      cuts.pop_back();
    }
    bags.pop_back();
  }
}

inline void try_group(const Groups& groups, const std::vector<char>& member, const Try& attempt) {
  Split s;
  s.kind = SplitKind::subset;
  s.column = static_cast<int>(groups.column);
  s.branches = 2;
  std::vector<Bag> bags(2);
  for (std::size_t g = 0; g < groups.value.size(); ++g) {
    const int child = member[g] == member[0] ? 0 : 1;
    s.level.push_back(static_cast<int>(groups.value[g]));
    s.level_child.push_back(child);
    bags[static_cast<std::size_t>(child)].add(groups.bag[g]);
  }
  attempt(s, bags);
}

// Levels by share of the later class (or by mean), the first c of them together.
inline void try_prefixes(const Groups& groups, bool classes, const Try& attempt) {
  const std::size_t m = groups.value.size();
  std::vector<std::size_t> order(m);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t g) {
    const Bag& b = groups.bag[g];
    return classes ? b.counts[groups.last_class] / b.weight() : static_cast<double>(b.s / b.w);
  };
  double largest = 0.0;
  for (std::size_t g = 0; g < m; ++g) largest = std::max(largest, std::fabs(key(g)));
  // Keys that differ only by rounding are equal.
  const auto rounded = [&](std::size_t g) {
    return largest > 0.0 ? std::nearbyint(key(g) / largest * 1e10) : 0.0;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rounded(a) < rounded(b); });
  std::vector<char> member(m, 0);
  for (std::size_t c = 0; c + 1 < m; ++c) {
    member[order[c]] = 1;
    try_group(groups, member, attempt);
  }
}

inline void try_groupings(const Groups& groups, const Try& attempt) {
  const std::size_t m = groups.value.size();
  for (unsigned mask = 1; mask < (1u << (m - 1)); ++mask) {
    std::vector<char> member(m, 0);
    for (std::size_t g = 0; g < m; ++g) member[g] = (mask >> g) & 1u;
    try_group(groups, member, attempt);
  }
}

// No grouping beats the best prefix: the others matter if that one lacks min_bucket and no prefix
// that reaches it is as good.
inline bool best_prefix_holds(const Setting& setting, const Groups& groups, bool classes) {
  const double least = setting.control.min_bucket;
  double best = -HUGE_VAL, held = -HUGE_VAL;
  try_prefixes(groups, classes, [&](const Split& split, const std::vector<Bag>& bags) {
    const double cut = measure_of(setting, bags).cut;
    best = std::max(best, cut);
    if (!has_unknown_alone(groups, split) && reaches(bags[0], least) && reaches(bags[1], least))
      held = std::max(held, cut);
  });
  Bag all;
  for (const Bag& bag : groups.bag) all.add(bag);
  if (!reaches(all, 2.0 * least)) return true;
  return held > -HUGE_VAL && held >= best - 1e-10 * best - 1e-13 * impurity_of(setting, all);
}

inline void try_best_groups(const Setting& setting, const Groups& groups, bool classes,
                            const Try& attempt) {
  if (best_prefix_holds(setting, groups, classes)) {
    try_prefixes(groups, classes, attempt);
  } else {
    try_groupings(groups, attempt);
  }
}

inline void try_all_levels(const Table& table, const Groups& groups, const Try& attempt) {
  Split s;
  s.kind = SplitKind::multiway;
  s.column = static_cast<int>(groups.column);
  s.branches = table.n_levels[groups.column];
  attempt(s, groups.bag);
}

// If branches are weighted by n_j / n, and the entropy is concave.
inline bool has_linear_weights(const Setting& setting) {
  if (setting.criterion == "tsallis" && !(setting.parameter > 0.0)) return false;
  return support::naive_linear(setting.criterion, setting.parameter);
}

inline void try_splits(const Table& table, const Setting& setting, const Groups& groups,
                       const Try& attempt) {
  if (groups.value.size() < 2) return;
  const Kind kind = table.kind[groups.column];
  const Nominal nominal = setting.control.nominal;
  if (kind == Kind::numeric && setting.control.intervals > 2) {
    std::vector<std::size_t> cuts;
    std::vector<Bag> bags;
    for (int g = 2; g <= setting.control.intervals; ++g) {
      try_intervals(table, groups, static_cast<std::size_t>(g), cuts, bags, attempt);
    }
  } else if (kind != Kind::nominal || nominal == Nominal::ordered) {
    try_cuts(table, groups, attempt);
  } else if (nominal == Nominal::multiway) {
    try_all_levels(table, groups, attempt);
  } else if (setting.criterion == "l2" || setting.criterion == "poisson") {
    try_best_groups(setting, groups, false, attempt);
  } else if (!is_regression(setting) && groups.classes_present <= 2 &&
             has_linear_weights(setting)) {
    try_best_groups(setting, groups, true, attempt);
  } else {
    try_groupings(groups, attempt);
  }
}

}  // namespace oracle

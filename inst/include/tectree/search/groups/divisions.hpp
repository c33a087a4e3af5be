// The ways in which a column's groups may be divided, and the split that each stands for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "../../base/stream.hpp"
#include "../choose/best_cut.hpp"
#include "../choose/column_result.hpp"
#include "../choose/ties.hpp"
#include "groups.hpp"

namespace tectree {

enum class DivisionKind { prefixes, groupings, multiway };

// How the groups of a column may be divided in two (or by all levels).
struct GroupDivisions {
  DivisionKind kind = DivisionKind::prefixes;
  std::vector<std::uint32_t> order;
  bool exact = true;
  // No grouping beats the best prefix; an admissible one may beat the best admissible prefix.
  bool bounded_by_prefixes = false;
};

inline std::vector<std::uint32_t> natural_order(std::size_t m) {
  std::vector<std::uint32_t> order(m);
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

inline std::vector<char> members_of(const GroupDivisions& divisions, const Groups& groups,
                                    std::uint32_t at) {
  return divisions.kind == DivisionKind::groupings ? mask_members(groups.size(), at)
                                                   : prefix_members(divisions.order, at);
}

template <class F>
void each_division(const Groups& groups, const GroupDivisions& divisions, F f) {
  if (divisions.kind == DivisionKind::groupings) {
    each_grouping(groups, f);
  } else {
    each_prefix(groups, divisions.order, f);
  }
}

// The sizes of both sides of candidate `at`, whose weights are known.
class SideSizes {
 public:
  SideSizes(const Groups& groups, const GroupDivisions& divisions) {
    if (groups.case_weight.empty() || divisions.kind == DivisionKind::multiway) return;
    whole_ = groups.whole_size();
    if (divisions.kind == DivisionKind::groupings) {
      left_.assign(std::size_t{1} << (groups.size() - 1), 0.0);
      for (std::size_t mask = 1; mask < left_.size(); ++mask) {
        std::size_t g = 0;
        while (!((mask >> g) & 1u)) ++g;
        left_[mask] = left_[mask & (mask - 1)] + groups.case_weight[g];
      }
      return;
    }
    left_.assign(1, 0.0);
    for (std::uint32_t g : divisions.order) left_.push_back(left_.back() + groups.case_weight[g]);
  }
  double left(std::uint32_t at, double weight) const { return left_.empty() ? weight : left_[at]; }
  double right(std::uint32_t at, double weight) const {
    return left_.empty() ? weight : whole_ - left_[at];
  }

 private:
  std::vector<double> left_;
  double whole_ = 0.0;
};

inline Split split_of(const GroupDivisions& divisions, const Groups& groups, int column, Kind kind,
                      bool by_value, std::uint32_t at) {
  if (!by_value) return subset_split(column, groups, members_of(divisions, groups, at));
  return cut_between(column, kind, groups.value[at - 1], groups.value[at]);
}

inline bool divided_by_value(const SearchControl& control, Kind kind) {
  return kind != Kind::nominal || control.nominal == SearchControl::Nominal::ordered;
}

// Whether several intervals are looked for in a column.
inline bool wants_intervals(const SearchControl& control, Kind kind) {
  return kind == Kind::numeric && control.intervals > 2;
}

// Whether thresholds, or cuts of an order of levels, are all that is looked for.
inline bool divides_plainly(const SearchControl& control, Kind kind) {
  return !control.random_cuts && divided_by_value(control, kind) && !wants_intervals(control, kind);
}

// One division drawn at random where cuts are: between two values, a number drawn from the least to
// the largest; of levels, some of them in a random order.
struct DrawnDivision {
  GroupDivisions divisions;
  std::uint32_t at = 0;
};
inline DrawnDivision draw_division(const Groups& groups, bool by_value, Stream stream) {
  const std::size_t m = groups.size();
  DrawnDivision out{{DivisionKind::prefixes, natural_order(m), false}, 1};
  if (by_value) {
    const double least = groups.value.front(), most = groups.value.back(), u = stream.uniform();
    const double drawn = least * (1 - u) + most * u;
    while (out.at + 1 < m && groups.value[out.at] <= drawn) ++out.at;
  } else {
    stream.shuffle(out.divisions.order);
    out.at = static_cast<std::uint32_t>(1 + stream.below(m - 1));
  }
  return out;
}
inline std::vector<double> branch_weights(const Split& split, const Groups& groups) {
  std::vector<double> weight(split.branches, 0.0);
  const SplitView view = split.view();
  for (std::size_t g = 0; g < groups.size(); ++g)
    weight[route_value(view, groups.value[g])] += groups.sizes()[g];
  return weight;
}

inline void keep(ColumnResult& result, Split split, const Groups& groups, const Measures& m,
                 bool exact, bool enough) {
  std::vector<double> weights = branch_weights(split, groups);
  keep(result, std::move(split), std::move(weights), m, exact, enough);
}

inline bool enough_large_branches(const Groups& groups, double min_bucket) {
  int large = 0;
  for (double size : groups.sizes()) large += reaches(size, min_bucket);
  return large >= 2;
}

// Whether a column offers one division drawn at random.
inline bool draws_cuts(const SearchControl& control, Kind kind) {
  return control.random_cuts &&
         (divided_by_value(control, kind) || control.nominal != SearchControl::Nominal::multiway);
}

}  // namespace tectree

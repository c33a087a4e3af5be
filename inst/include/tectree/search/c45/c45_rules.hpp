// The rules by which C4.5 release 8 finds a split, as in Quinlan's book and its best-known port,
// J48. They work with any criterion: its cut measure replaces C4.5's information gain, its score
// C4.5's gain ratio.
//
//   1. A threshold leaves least_side() on either side; values closer than `one_value` are equal.
//      Cuts are tried from the lowest up, and a later one must be better by more than `clearly`.
//   2. The choice among many cuts costs information: deduction() is subtracted from the best one's
//      measure.
//   3. Rows with a missing value count by the missing-value policy. C4.5's is `fractional`:
//      measures are those of the known rows times their share of the node's weight; the unknown
//      rows are one more group of the split information.
//   4. winning_column() determines which columns compete, and which one wins.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "../../criterion/contract.hpp"
#include "../../data/arena.hpp"
#include "../groups/class_worth.hpp"
#include "../groups/divisions.hpp"
#include "../scan/class_scan.hpp"

namespace tectree {
namespace c45 {

constexpr double one_value = 1e-5;
constexpr double clearly = 1e-6;
constexpr double near_mean = 1e-3;

inline bool apart(double a, double b) {
  return a + one_value < b;
}

// The minimum case weight of a side of a threshold. The bound of 25 applies even if `min_bucket` is
// larger: in C4.5 it limits the share of the known weight.
inline double least_side(double min_bucket, double known, int classes) {
  const double share = 0.1 * known / classes;
  return share <= min_bucket + clearly ? min_bucket : std::min(share, 25.0);
}

// The minimum side as a count, minus `clearly` as everywhere in C4.5.
template <class W>
typename W::Count least_side_count(double least) {
  if constexpr (W::whole) {
    const double count = std::fmax(std::ceil(least - clearly), 1.0);
    return count < 4294967295.0 ? static_cast<std::uint32_t>(count) : 4294967295u;
  } else {
    return least - clearly;
  }
}

// The information needed to choose one of `cuts` cuts, per row, in the criterion's units; 0 for a
// criterion that does not measure information.
inline double deduction(const Criterion& criterion, double cuts, double weight) {
  const bool information = criterion.kernel().q() == 1.0 && criterion.form() != Form::ratio;
  return information ? criterion.unit() * std::log(cuts) / weight : 0.0;
}

// The measures of a threshold, the best of `tried`, in a node of this weight.
inline Measures of_threshold(const Criterion& criterion, const Partition& known, double weight,
                             double tried) {
  const Measures m = criterion.measure(known);
  const double less = deduction(criterion, tried, weight);
  if (!(less > 0.0 && m.gain > 0.0)) return m;
  return m.times((m.gain - less) / m.gain);
}

inline bool good_threshold(const Measures& m, double min_gain) {
  return m.finite() && m.cut >= clearly && m.gain > min_gain;
}

// The measures `m` of a split by levels, of rows with this weight; none if the gain of all rows
// together is below `clearly`.
inline Measures of_levels(const Measures& m, double weight) {
  return std::fabs(m.gain) * weight < clearly ? Measures{} : m;
}

// Even a split without gain is part of the mean over the columns, unless min_gain is positive.
inline bool good_levels(const Measures& m, double min_gain) {
  return m.finite() && (min_gain <= 0.0 || m.gain > min_gain);
}

// What the rules need to know about the whole sample, by column.
struct Facts {
  std::vector<char> close;        // it has neighbouring values that are not apart()
  std::vector<char> many_levels;  // it does not enter the mean
};

// Nominal columns with more than 0.3 levels per row, unless all columns are like that.
inline std::vector<char> columns_of_many_levels(const Frame& frame, const Sample& sample,
                                                const SearchControl& control) {
  const double bound = 0.3 * static_cast<double>(sample.size);
  std::vector<char> many;
  for (const Column& column : frame.columns) {
    many.push_back(!divided_by_value(control, column.kind) && !(bound - column.n_levels > clearly));
  }
  if (std::find(many.begin(), many.end(), 0) == many.end()) many.assign(many.size(), 0);
  return many;
}

template <class Index>
bool has_close_values(const Column& column, const Sample& sample, const Arena<Index>& arena,
                      const ArenaColumn<Index>& sorted) {
  if (column.whole) return false;
  const std::size_t known = sorted.known(0, arena.n);
  const auto value = [&](std::size_t i) {
    return column.value(sample.row(arena.position(sorted.entries[i].row)));
  };
  double last = known > 0 ? value(0) : 0.0;
  for (std::size_t i = 1; i < known; ++i) {
    if (sorted.entries[i].rank == sorted.entries[i - 1].rank) continue;
    const double next = value(i);
    if (!apart(last, next)) return true;
    last = next;
  }
  return false;
}

// `arena`: of the whole sample, not yet divided.
template <class Index>
Facts facts_of_sample(const Frame& frame, const Sample& sample, const SearchControl& control,
                      const Arena<Index>& arena, Team& team) {
  Facts facts;
  facts.many_levels = columns_of_many_levels(frame, sample, control);
  facts.close.resize(frame.columns.size());
  const bool shared = Team::worth(sample.size * frame.columns.size());
  team.each_if(shared, frame.columns.size(), [&](std::size_t c, Team&) {
    facts.close[c] = frame.columns[c].kind == Kind::numeric &&
                     has_close_values(frame.columns[c], sample, arena, arena.columns[c]);
  });
  return facts;
}

// Columns whose cut measure is above the mean, or close to it, compete; the first wins unless a
// later one scores clearly more. Without a score above 0 there is no split. A split that gains too
// little does not enter the mean. `bound`: the smallest cut measure that competed.
inline std::optional<std::size_t> winning_column(const std::vector<ColumnResult>& results,
                                                 const std::vector<std::uint32_t>& columns,
                                                 Eligible rule, const Facts& facts, double& bound) {
  std::vector<double> cuts;
  for (std::uint32_t c : columns) {
    if (results[c].can_split() && !facts.many_levels[c]) cuts.push_back(results[c].winner.cut);
  }
  bound = HUGE_VAL;
  if (cuts.empty()) return std::nullopt;
  bound = eligibility_bound(cuts, rule) - (rule == Eligible::mean ? near_mean : 0.0);
  std::optional<std::size_t> winner;
  double best = 0.0;
  for (std::uint32_t c : columns) {
    const Winner& its = results[c].winner;
    if (!results[c].can_split() || its.cut < bound || !(its.score - best > clearly)) continue;
    best = its.score;
    winner = c;
  }
  return winner;
}

// ---- the cuts of one numeric column, from the lowest up -----------------------------------------
//
// Each is O(1) for any criterion and any number of classes. The running sums are those of
// class_scan.hpp; their drift is about 1e-12, far below `clearly`.

// The best cut so far, and how many have been tried.
struct Best {
  std::uint32_t at = 0;  // entries or groups on its left; 0: none yet
  double cut = 0.0;
  std::uint32_t tried = 0;

  void add(std::uint32_t here, double value) {
    if (!(value - cut > clearly)) return;
    at = here;
    cut = value;
  }
};

// `is_apart(a, b)`: whether a cut may lie between neighbouring entries. `unit`: of the criterion.
template <Form form, class Index, class W, class Apart>
Best scan(const ClassColumn<Index, W>& column, const CutValue& value, double unit, Apart is_apart,
          std::vector<BothSides<typename W::Count>>& sides) {
  const Entry<Index>* e = column.entries;
  Best best;
  each_place(column, sides, [&](std::uint32_t at, const auto& cut) TECTREE_ALWAYS {
    if (!is_apart(e[at - 1], e[at])) return;
    ++best.tried;
    best.add(at, cut.template measure<form>(value) * (form == Form::ratio ? 1.0 : unit));
  });
  return best;
}

// The same eight at a time: only the cuts that may be better are measured. `scan`: a started
// SimdScan.
template <Form form, class Simd, class Count, class Apart>
Best scan_by_simd(Simd& scan, const Entry<std::uint16_t>* e, const CutValue& value, double unit,
                  Count least, Apart is_apart) {
  Best best;
  best.tried = scan.template each_cut<form>(e, value, least, clearly / unit, is_apart,
                                            [&](std::uint32_t at, double measure) {
                                              best.add(at, measure * unit);
                                              return (best.cut + clearly) / unit;
                                            });
  return best;
}

}  // namespace c45

}  // namespace tectree

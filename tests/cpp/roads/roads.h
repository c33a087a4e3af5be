// The roads: all ways to the tree of a problem, which must all lead to the same one.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "roads/ahead.h"
#include "roads/oracle_prunings.h"
#include "roads/oracle_root.h"
#include "roads/problem.h"
#include "roads/same.h"
#include "roads/together.h"
#include "support/random.h"

namespace roads {

// Empty if the road admits the problem, otherwise why it does not.
using Refusal = const char*;
constexpr Refusal admitted = nullptr;

struct Road {
  const char* name;
  double least_share;  // minimum share of the cases on this road for a meaningful test
  Refusal (*refusal)(const Case&);
  // The difference from the tree grown in the usual way, empty if there is none.
  std::string (*run)(const Case&, const Tree&);
};

inline bool by_c45(const Case& c) {
  return c.is_class() && c.setting.control.rules == tectree::SearchControl::Rules::c45;
}
inline bool by_p_values(const Case& c) {
  return c.setting.stop.has_test() || tectree::by_p_value(Posed(c, {}).problem);
}
inline bool counts_one(const Case& c) {
  return c.table.weight.empty() && c.factors.plain();
}
inline bool shares_rows_out(const Case& c) {
  return c.missing == "fractional" && c.has_missing();
}

inline std::string difference(const Case& c, const Tree& usual, const Way& way, Terms terms) {
  const Posed posed(c, way);
  return Difference(usual, posed.grow(), terms).said();
}
inline std::string same_but_for_rounding(const Case& c, const Tree& usual, const Way& way) {
  Terms terms;
  terms.tolerance = close_by;
  return difference(c, usual, way, terms);
}
inline std::string same_to_the_bit(const Case& c, const Tree& usual, const Way& way) {
  return difference(c, usual, way, {});
}

// Which search

inline Refusal anything(const Case&) {
  return admitted;
}
inline std::string sorted_only(const Case& c, const Tree& usual) {
  Way way;
  way.sorted_only = true;
  return same_but_for_rounding(c, usual, way);
}
inline std::string sorted_wide(const Case& c, const Tree& usual) {
  Way way;
  way.sorted_only = true;
  way.small = 0;
  return same_but_for_rounding(c, usual, way);
}
inline std::string sorted_then_small(const Case& c, const Tree& usual) {
  Way way;
  way.sorted_only = true;
  way.small = c.small;
  return same_but_for_rounding(c, usual, way);
}

inline Way binned_way(const Case& c) {
  Way way;
  way.small = c.small;
  return way;
}
inline Refusal to_binned(const Case& c) {
  if (by_c45(c)) return "the rules of C4.5";
  if (tectree::by_p_value(Posed(c, {}).problem)) return "p values";
  if (c.rows() <= c.small) return "no more rows than a small node";
  const Posed posed(c, binned_way(c));
  tectree::Team team(1);
  tectree::Problem problem = posed.problem;
  problem.control.unknown = posed.missing().search;
  if (!tectree::columns_by_value(problem, posed.missing(), team))
    return "missing values that count";
  if (tectree::suits_histogram(problem, tectree::set_up(problem, team))) return admitted;
  return c.is_class() ? "a criterion without bounds" : "l1, or numbers with weights";
}
template <Refusal (*also)(const Case&)>
Refusal to_binned_and(const Case& c) {
  const Refusal other = also(c);
  return other ? other : to_binned(c);
}
inline std::string binned(const Case& c, const Tree& usual) {
  return same_but_for_rounding(c, usual, binned_way(c));
}
inline std::string binned_to_the_end(const Case& c, const Tree& usual) {
  Way way;
  way.small = 2;
  return same_but_for_rounding(c, usual, way);
}

inline Refusal to_drawn(const Case& c) {
  tectree::Problem problem = Posed(c, {}).problem;
  problem.control.unknown = tectree::missing_policy(c.missing).search;
  return tectree::may_sort_when_drawn(problem) ? admitted : "columns that are not drawn";
}
inline std::string sorted_when_drawn(const Case& c, const Tree& usual) {
  Way way;
  way.sorted_only = true;
  way.when_drawn = true;
  return same_but_for_rounding(c, usual, way);
}
inline std::string wide_when_drawn(const Case& c, const Tree& usual) {
  Way way;
  way.sorted_only = true;
  way.when_drawn = true;
  way.small = c.small;
  return same_but_for_rounding(c, usual, way);
}
inline std::string binned_when_drawn(const Case& c, const Tree& usual) {
  Way way = binned_way(c);
  way.when_drawn = true;
  way.threads = 2;
  return same_but_for_rounding(c, usual, way);
}

inline Refusal to_simd(const Case&) {
  return tectree::has_simd() ? admitted : "no SIMD here";
}
inline std::string without_simd(const Case& c, const Tree& usual) {
  Way way;
  way.simd = false;
  return same_to_the_bit(c, usual, way);
}
inline std::string binned_without_simd(const Case& c, const Tree& usual) {
  Way way = binned_way(c);
  way.simd = false;
  return same_but_for_rounding(c, usual, way);
}

// Threads

inline Refusal to_threads(const Case& c) {
  return c.rows() > 1000 || c.seed % 8 == 0 ? admitted : "few rows: one case of eight";
}
inline std::string two_threads(const Case& c, const Tree& usual) {
  Way way;
  way.threads = 2;
  return same_to_the_bit(c, usual, way);
}
inline Refusal to_ties(const Case& c) {
  return c.ties ? admitted : "no perfect columns that tie, in a table that is worth sharing out";
}
// The others finish before the calling thread has started its first column.
inline std::string one_thread_held_up(const Case& c, const Tree& usual) {
  Way way;
  way.threads = 2;
  way.held_up = true;
  return same_to_the_bit(c, usual, way);
}
inline std::string binned_two_threads(const Case& c, const Tree& usual) {
  Way way = binned_way(c);
  way.threads = 2;
  return same_but_for_rounding(c, usual, way);
}

// Weights

inline Refusal to_scaled_weights(const Case& c) {
  if (by_c45(c)) return "C4.5 counts rows: 25 a side at most, log2(cuts) / n";
  if (by_p_values(c)) return "weights are frequencies to a test";
  if (c.rows() > 10000 && c.seed % 4 != 0) return "many rows, slow with weights: one case of four";
  return admitted;
}
inline std::string scaled_weights(const Case& c, const Tree& usual, double by, Way way = {}) {
  way.weights = by;
  Terms terms;
  terms.weights = by;
  terms.tolerance = close_by;
  return difference(c, usual, way, terms);
}
inline std::string weights_of_two(const Case& c, const Tree& usual) {
  return scaled_weights(c, usual, 2.0);
}
inline std::string weights_of_a_half(const Case& c, const Tree& usual) {
  return scaled_weights(c, usual, 0.5);
}
// Weights and sizes separately.
inline std::string sizes_beside_weights(const Case& c, const Tree& usual, Way way = {}) {
  way.own_sizes = true;
  return scaled_weights(c, usual, 3.0, way);
}
inline std::string sizes_beside_weights_in_cells(const Case& c, const Tree& usual) {
  return sizes_beside_weights(c, usual, binned_way(c));
}
inline std::string binned_weights_of_two(const Case& c, const Tree& usual) {
  return scaled_weights(c, usual, 2.0, binned_way(c));
}
inline std::string binned_weights_of_a_half(const Case& c, const Tree& usual) {
  return scaled_weights(c, usual, 0.5, binned_way(c));
}
inline Refusal to_factors(const Case& c) {
  if (!c.is_class()) return "no classes";
  return to_scaled_weights(c);
}
// Factors of 1 have no effect; those of 2 take the road of class factors.
inline std::string doubled_factors(const Case& c, const Tree& usual, Way way) {
  way.factors = 2.0;
  Terms terms;
  terms.weights = 2.0;
  terms.tolerance = close_by;
  return difference(c, usual, way, terms);
}

inline std::string equal_factors(const Case& c, const Tree& usual) {
  return doubled_factors(c, usual, {});
}
inline std::string binned_equal_factors(const Case& c, const Tree& usual) {
  return doubled_factors(c, usual, binned_way(c));
}

// The order of rows and columns, and their storage

inline std::string rows_permuted(const Case& c, const Tree& usual) {
  Way way;
  for (std::size_t i = 0; i < c.rows(); ++i) way.order.push_back(i);
  support::Random random(c.seed + 1);
  random.shuffle(way.order);
  Terms terms;
  if (!counts_one(c) || !c.is_class() || shares_rows_out(c)) terms.tolerance = close_by;
  return difference(c, usual, way, terms);
}
inline std::string among_strangers(const Case& c, const Tree& usual) {
  Way way;
  support::Random random(c.seed + 2);
  for (std::size_t i = 0; i < c.rows(); ++i) {
    if (random.chance(0.2)) way.strangers.push_back(i);
  }
  if (way.strangers.empty()) way.strangers.push_back(0);
  return same_to_the_bit(c, usual, way);
}
inline Refusal to_integers(const Case& c) {
  for (std::size_t i = 0; i < c.table.x.size(); ++i) {
    if (c.table.n_levels[i] == 0 && Posed::whole_numbers(c.table.x[i])) return admitted;
  }
  return "no column of whole numbers";
}
inline std::string whole_numbers(const Case& c, const Tree& usual) {
  Way way;
  way.integers = true;
  return same_to_the_bit(c, usual, way);
}
// Whether nothing is drawn at random.
inline Refusal to_certain(const Case& c) {
  const tectree::SearchControl& control = c.setting.control;
  return control.max_columns > 0 || control.random_ties || control.random_cuts ? "a random search"
                                                                               : admitted;
}
inline Refusal to_twins(const Case& c) {
  if (const Refusal random = to_certain(c)) return random;
  using Rule = tectree::Eligible;
  const auto rule = c.setting.control.eligible;
  if (rule == Rule::mean_sd || (rule == Rule::own && c.setting.criterion == "effcami1"))
    return "the standard deviation of the columns' cuts";
  if (c.missing == "surrogate" && c.has_missing()) return "a copy is its column's best surrogate";
  return admitted;
}
inline std::string columns_duplicated(const Case& c, const Tree& usual) {
  Way way;
  way.twins = true;
  Terms terms;
  terms.twins = true;
  return difference(c, usual, way, terms);
}
inline std::string binned_duplicated(const Case& c, const Tree& usual) {
  Way way = binned_way(c);
  way.twins = true;
  Terms terms;
  terms.twins = true;
  terms.tolerance = close_by;
  return difference(c, usual, way, terms);
}

inline const std::vector<Road>& all_roads() {
  static const std::vector<Road> all{
      {"sorted", 1.0, anything, sorted_only},
      {"sorted on 32 bits", 1.0, anything, sorted_wide},
      {"sorted, then small nodes", 1.0, anything, sorted_then_small},
      {"binned", 0.2, to_binned, binned},
      {"binned to the end", 0.2, to_binned, binned_to_the_end},
      {"sorted when drawn", 0.03, to_drawn, sorted_when_drawn},
      {"sorted when drawn, then small nodes", 0.03, to_drawn, wide_when_drawn},
      {"binned, then sorted when drawn", 0.005, to_binned_and<to_drawn>, binned_when_drawn},
      {"sorted, looking ahead", 0.1, to_ahead, ahead_on_sorted},
      {"binned, looking ahead", 0.03, to_binned_and<to_ahead>, ahead_on_codes},
      {"without SIMD", 0.0, to_simd, without_simd},
      {"binned without SIMD", 0.2, to_binned, binned_without_simd},
      {"two threads", 0.1, to_threads, two_threads},
      {"two threads, one held up", 0.001, to_ties, one_thread_held_up},
      {"binned with two threads", 0.015, to_binned_and<to_threads>, binned_two_threads},
      {"weights of 2", 0.65, to_scaled_weights, weights_of_two},
      {"weights of 0.5", 0.65, to_scaled_weights, weights_of_a_half},
      {"sizes beside weights", 0.65, to_scaled_weights,
       [](const Case& c, const Tree& usual) { return sizes_beside_weights(c, usual); }},
      {"class factors of 2", 0.5, to_factors, equal_factors},
      {"binned, weights of 2", 0.2, to_binned_and<to_scaled_weights>, binned_weights_of_two},
      {"binned, weights of 0.5", 0.2, to_binned_and<to_scaled_weights>, binned_weights_of_a_half},
      {"binned, sizes beside weights", 0.2, to_binned_and<to_scaled_weights>,
       sizes_beside_weights_in_cells},
      {"binned, class factors of 2", 0.15, to_binned_and<to_factors>, binned_equal_factors},
      {"rows permuted", 1.0, anything, rows_permuted},
      {"rows among others", 1.0, anything, among_strangers},
      {"whole numbers", 0.5, to_integers, whole_numbers},
      {"columns duplicated", 0.7, to_twins, columns_duplicated},
      {"binned, columns duplicated", 0.2, to_binned_and<to_twins>, binned_duplicated},
      {"subset of a sample", 1.0, anything, subset_of_a_sample},
      {"grown together", 0.3, to_forest, grown_together},
      {"root's candidates", 0.8, to_certain, candidates_of_root},
      {"oracle", 0.1, to_oracle, by_oracle},
      {"oracle, pruned", 0.1, to_oracle, by_prunings},
  };
  return all;
}

// Those of small problems.
inline const std::vector<Road>& oracle_roads() {
  static const std::vector<Road> all{
      {"oracle, small", 0.9, to_oracle, by_oracle},
      {"oracle, small, pruned", 0.9, to_oracle, by_prunings},
      {"oracle, small, candidates", 0.8, to_oracle_candidates, candidates_of_oracle},
      {"oracle, small, new rows", 0.9, to_oracle, predicted_by_oracle},
  };
  return all;
}

}  // namespace roads

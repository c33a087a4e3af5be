// Which split represents a column in a node, and which column wins.
#pragma once

#include <map>
#include <optional>

#include "oracle/missing.h"

namespace oracle {

struct Found {
  Split split;
  Values values;
  bool enough = true;  // whether the gain suffices for a split
  int side = -1;       // of the missing values, if it is learned
  double left = 1;     // the share of the measures that remains once the grouping is named
};

// `margin`: multiplies the tolerances. A decision that a slightly smaller or larger margin changes
// is a matter of rounding.
class Chooser {
 public:
  Chooser(const Problem& problem, const Rows& rows, double margin)
      : problem_(problem),
        setting_(problem.setting),
        rows_(rows),
        margin_(margin),
        impurity_(impurity_of(setting_, bag_of(problem, rows, Counting::search))) {}

  // The first of the largest; values that differ by rounding tie.
  std::size_t first_best(const std::vector<double>& values) const {
    const double best = *std::max_element(values.begin(), values.end());
    const auto ties = [&](double v) {
      return best - v <=
             margin_ * (1e-10 * std::max(std::fabs(best), std::fabs(v)) + 1e-13 * impurity_);
    };
    std::size_t i = 0;
    while (!ties(values[i])) ++i;
    return i;
  }

  // Whether branches are large enough: two of the branches per level, otherwise all.
  bool holds_sizes(const std::vector<Bag>& bags, SplitKind kind) const {
    std::size_t large = 0;
    for (const Bag& b : bags) large += reaches(b, problem_.least_size());
    return large >= (kind == SplitKind::multiway ? 2 : bags.size());
  }

  // Every split of a column that meets the sizes, with its measures and its number of branches.
  std::vector<std::pair<std::size_t, Found>> all_of_column(std::size_t column) const {
    const Table& table = problem_.table;
    const std::vector<double> x = searched(problem_, rows_, column);
    const Groups groups = groups_of(problem_, rows_, column, x);
    const Rows unknown = unknown_rows(rows_, x);
    const UnknownCount count = count_unknown(problem_, rows_, unknown);
    std::vector<std::pair<std::size_t, Found>> out;
    const auto attempt = [&](const Split& split, const std::vector<Bag>& bags, int side) {
      if (!holds_sizes(bags, split.kind)) return;
      Values v = measure_of(setting_, bags, count.group);
      for (double* value : {&v.cut, &v.gain, &v.score}) *value *= count.share;
      const std::size_t levels = groups.value.size() - groups.last_is_unknown;
      out.push_back({bags.size(),
                     {split, v, gains_enough(v), side,
                      left_of(split, bags, levels, count.share > 0 ? v.gain / count.share : 0)}});
    };
    if (problem_.missing == "learned" && !unknown.empty() &&
        divides_in_two(table, setting_, column)) {
      try_both_sides(table, setting_, groups, bag_of(problem_, unknown, Counting::search), attempt);
    } else {
      try_splits(table, setting_, groups, [&](const Split& split, const std::vector<Bag>& bags) {
        attempt(split, bags, -1);
      });
    }
    return out;
  }

  // The best cut measure for each number of branches, and of those the best score: among the splits
  // that gain enough or, if there is none, among all.
  std::optional<Found> best_of_column(std::size_t column) const {
    const auto all = all_of_column(column);
    const bool any = std::any_of(all.begin(), all.end(), [](auto& f) { return f.second.enough; });
    std::map<std::size_t, std::vector<Found>> by_branches;
    for (const auto& [branches, found] : all) {
      if (found.enough == any) by_branches[branches].push_back(found);
    }
    std::vector<Found> best;
    std::vector<double> score;
    for (const auto& [branches, some] : by_branches) {
      std::vector<double> cut;
      for (const Found& f : some) cut.push_back(f.values.cut);
      best.push_back(some[first_best(cut)]);
      score.push_back(best.back().values.score);
    }
    if (best.empty()) return std::nullopt;
    Found found = best[first_best(score)];
    for (double* value : {&found.values.cut, &found.values.gain, &found.values.score})
      *value *= found.left;
    found.enough = found.enough && gains_enough(found.values);
    return found;
  }

  // A column must reach the mean of the cut measures, or that minus a standard deviation.
  double least_cut(const std::vector<Found>& best) const {
    const std::string rule = eligibility(setting_);
    if (rule == "all") return -HUGE_VAL;
    const double n = static_cast<double>(best.size());
    double mean = 0, squares = 0;
    for (const Found& f : best) mean += f.values.cut / n;
    for (const Found& f : best) squares += (f.values.cut - mean) * (f.values.cut - mean);
    const double sd = rule == "mean_sd" && n > 1 ? std::sqrt(squares / (n - 1)) : 0;
    return mean - sd - margin_ * 1e-10 * std::max(1.0, std::fabs(mean));
  }

  std::optional<Found> winner() const {
    std::vector<Found> best, eligible;
    for (std::size_t c = 0; c < problem_.table.x.size(); ++c) {
      if (const auto found = best_of_column(c)) best.push_back(*found);
    }
    std::vector<double> score;
    const double least = least_cut(best);
    for (const Found& f : best) {
      if (!f.enough || f.values.cut < least) continue;
      eligible.push_back(f);
      score.push_back(f.values.score);
    }
    if (eligible.empty()) return std::nullopt;
    return eligible[first_best(score)];
  }

  // "all", "mean" or "mean_sd": the user's setting, or the criterion's.
  static std::string eligibility(const Setting& setting) {
    using Rule = tectree::Eligible;
    switch (setting.control.eligible) {
      case Rule::all:
        return "all";
      case Rule::mean:
        return "mean";
      case Rule::mean_sd:
        return "mean_sd";
      default:
        return is_regression(setting) ? "all" : support::naive_eligible(setting.criterion);
    }
  }

 private:
  // A grouping of levels takes the logarithm of the number of groupings to name.
  double left_of(const Split& split, const std::vector<Bag>& bags, std::size_t levels,
                 double gain) const {
    const auto column = static_cast<std::size_t>(split.column);
    const bool pays = problem_.table.n_levels[column] > setting_.control.free_levels;
    if (!pays || split.kind != SplitKind::subset || levels < 3) return 1;
    const double naming =
        setting_.control.copies * std::log((std::pow(2.0, static_cast<double>(levels) - 1) - 1) /
                                           (static_cast<double>(levels) - 1));
    Bag all;
    for (const Bag& b : bags) all.add(b);
    double told = 0;  // about all rows, in nats
    if (is_regression(setting_)) {
      told =
          static_cast<double>(all.size) * gain / impurity_ / (setting_.criterion == "l1" ? 1 : 2);
    } else {
      double w = 0;
      for (const double c : all.counts) w += c;
      for (const Bag& b : bags) {
        double here = 0;
        for (const double c : b.counts) here += c;
        for (std::size_t k = 0; k < b.counts.size(); ++k) {
          if (b.counts[k] > 0)
            told += b.counts[k] / w * std::log(b.counts[k] * w / here / all.counts[k]);
        }
      }
      told *= static_cast<double>(all.size);
    }
    return gain > 0 && naming > 0 ? std::max(0.0, 1 - naming / told) : 1;
  }
  bool gains_enough(const Values& v) const {
    const double least = setting_.control.min_gain;
    return v.gain > (least < 0 ? least : least + margin_ * 1e-12 * impurity_);
  }

  const Problem& problem_;
  const Setting& setting_;
  const Rows& rows_;
  const double margin_, impurity_;
};

}  // namespace oracle

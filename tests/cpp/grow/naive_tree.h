// A tree grown by trying everything, recursively: no presorting, no running sums, no tables.
#pragma once

#include <map>
#include <memory>

#include "grow/naive_learned.h"

namespace support {

class NaiveTree {
 public:
  NaiveTree(const Table& table, const Setting& setting)
      : table_(table), setting_(setting), stop_(stop_of(setting)) {}

  NaiveNode grow() const { return grow(all_rows(table_), 0); }

 private:
  struct Best {
    Split split;
    Values values;
    bool enough = true;  // of a gain to be made
    int side = -1;       // of the rows without a value, where it is learned
  };

  bool stops(const Rows& rows, const NaiveNode& node) const {
    const double least = stop_.min_split;
    return is_pure(table_, rows) || node.weight < least - 1e-9 * std::max(1.0, least) ||
           node.depth >= stop_.max_depth;
  }

  NaiveNode grow(const Rows& rows, int depth) const {
    NaiveNode node = naive_leaf(table_, setting_, rows, depth);
    if (stops(rows, node)) return node;
    const std::unique_ptr<Best> best = best_split(rows, node.impurity);
    if (!best) return node;
    node.split = best->split;
    node.gain = best->values.gain;
    node.score = best->values.score;
    std::vector<Rows> parts(static_cast<std::size_t>(node.split.branches));
    Rows unknown;
    for (std::size_t r : rows) {
      const double v = table_.x[static_cast<std::size_t>(node.split.column)][r];
      (std::isnan(v) ? unknown : parts[branch_of(node.split, v)]).push_back(r);
    }
    node.missing = best->side < 0 ? heaviest(parts) : best->side;
    Rows& taker = parts[static_cast<std::size_t>(node.missing)];
    taker.insert(taker.end(), unknown.begin(), unknown.end());
    for (const Rows& part : parts)
      node.child.push_back(part.empty() ? naive_empty_leaf(node) : grow(part, depth + 1));
    return node;
  }

  static std::size_t branch_of(const Split& split, double v) {
    if (split.kind == SplitKind::multiway) return static_cast<std::size_t>(v) - 1;
    if (split.kind == SplitKind::subset) {
      std::size_t i = 0;
      while (split.level[i] != static_cast<int>(v)) ++i;
      return static_cast<std::size_t>(split.level_child[i]);
    }
    std::size_t below = 0;
    for (double b : split.breaks) below += b < v;
    return below;
  }

  int heaviest(const std::vector<Rows>& parts) const {
    int best = 0;
    double most = 0;
    for (std::size_t j = 0; j < parts.size(); ++j) {
      double w = 0;
      for (std::size_t r : parts[j]) w += table_.w(r);
      if (w > most * (1 + 1e-12)) {
        most = w;
        best = static_cast<int>(j);
      }
    }
    return best;
  }

  static std::size_t first_best(const std::vector<double>& values, double impurity) {
    const double best = *std::max_element(values.begin(), values.end());
    const auto ties = [&](double v) {
      return best - v <= 1e-10 * std::max(std::fabs(best), std::fabs(v)) + 1e-13 * impurity;
    };
    std::size_t i = 0;
    while (!ties(values[i])) ++i;
    return i;
  }

  bool admissible(const std::vector<Bag>& bags, SplitKind kind) const {
    const double least = setting_.control.min_bucket;
    std::size_t large = 0;
    for (const Bag& b : bags) large += b.weight() >= least - 1e-9 * std::max(1.0, least);
    return large >= (kind == SplitKind::multiway ? 2 : bags.size());
  }

  bool gains(const Values& v, double impurity) const {
    const double least = setting_.control.min_gain;
    return v.gain > (least < 0 ? least : least + 1e-12 * impurity);
  }

  // The best cut measure for each number of branches, of those the best score: of the splits that
  // gain enough or, where there is none, of all.
  std::unique_ptr<Best> best_of_column(const Rows& rows, std::size_t column,
                                       double impurity) const {
    std::vector<Best> all;
    std::vector<std::size_t> branches;
    bool any = false;
    const auto attempt = [&](const Split& split, const std::vector<Bag>& bags, int side) {
      if (!admissible(bags, split.kind)) return;
      const Values v = measure_of(setting_, bags);
      all.push_back({split, v, gains(v, impurity), side});
      branches.push_back(bags.size());
      any = any || all.back().enough;
    };
    const Groups groups = groups_of(table_, setting_, rows, column);
    const Bag unknown = bag_of_unknown(table_, setting_, rows, column);
    if (setting_.missing == "learned" && unknown.w > 0 &&
        divides_in_two(table_, setting_, column)) {
      try_both_sides(table_, setting_, groups, unknown, attempt);
    } else {
      try_splits(table_, setting_, groups, [&](const Split& split, const std::vector<Bag>& bags) {
        attempt(split, bags, -1);
      });
    }
    std::map<std::size_t, std::vector<Best>> by_branches;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].enough == any) by_branches[branches[i]].push_back(all[i]);
    }
    std::vector<Best> best;
    for (auto& [g, some] : by_branches) {
      std::vector<double> cut;
      for (const Best& b : some) cut.push_back(b.values.cut);
      best.push_back(some[first_best(cut, impurity)]);
    }
    if (best.empty()) return nullptr;
    std::vector<double> score;
    for (const Best& b : best) score.push_back(b.values.score);
    return std::make_unique<Best>(best[first_best(score, impurity)]);
  }

  std::string rule() const {
    using Rule = tectree::Eligible;
    switch (setting_.control.eligible) {
      case Rule::all:
        return "all";
      case Rule::mean:
        return "mean";
      case Rule::mean_sd:
        return "mean_sd";
      default:
        return is_regression(setting_) ? "all" : naive_eligible(setting_.criterion);
    }
  }

  double bound(const std::vector<Best>& best) const {
    if (rule() == "all") return -HUGE_VAL;
    const double n = static_cast<double>(best.size());
    double mean = 0, squares = 0;
    for (const Best& b : best) mean += b.values.cut / n;
    for (const Best& b : best) squares += (b.values.cut - mean) * (b.values.cut - mean);
    const double sd = rule() == "mean_sd" && n > 1 ? std::sqrt(squares / (n - 1)) : 0;
    return mean - sd - 1e-10 * std::max(1.0, std::fabs(mean));
  }

  std::unique_ptr<Best> best_split(const Rows& rows, double impurity) const {
    std::vector<Best> best, eligible;
    for (std::size_t c = 0; c < table_.x.size(); ++c) {
      if (auto found = best_of_column(rows, c, impurity)) best.push_back(*found);
    }
    std::vector<double> score;
    for (const Best& b : best) {
      if (!b.enough || b.values.cut < bound(best)) continue;
      eligible.push_back(b);
      score.push_back(b.values.score);
    }
    if (eligible.empty()) return nullptr;
    return std::make_unique<Best>(eligible[first_best(score, impurity)]);
  }

  const Table& table_;
  const Setting& setting_;
  tectree::StopRule stop_;
};

}  // namespace support

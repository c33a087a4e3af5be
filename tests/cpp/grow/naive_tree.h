// A tree grown by trying everything, recursively: no presorting, no running sums, no tables.
#pragma once

#include <memory>

#include "grow/naive_candidates.h"

namespace support {

struct NaiveNode {
  double n = 0, weight = 0, yval = 0, impurity = 0, gain = 0, score = 0;
  Counts share;
  int depth = 0, missing = -1;
  Split split;
  std::vector<NaiveNode> child;
};

class NaiveTree {
 public:
  using Rows = std::vector<std::size_t>;
  NaiveTree(const Table& table, const Setting& setting)
      : table_(table), setting_(setting), stop_(stop_of(setting)) {}

  NaiveNode grow() const {
    Rows rows(table_.rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return grow(rows, 0);
  }

  // A column's values in the root.
  Groups groups_of_all(std::size_t column) const {
    Rows rows(table_.rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return groups_of(rows, column);
  }

 private:
  struct Best {
    Split split;
    std::vector<double> weight;
    Values values;
  };

  Bag bag_of(const Rows& rows) const {
    Bag bag;
    for (std::size_t r : rows) bag.add(row_bag(r));
    return bag;
  }
  Bag row_bag(std::size_t r) const {
    Bag b;
    b.w = table_.w(r);
    if (table_.n_classes > 0) {
      b.counts.assign(static_cast<std::size_t>(table_.n_classes), 0.0);
      b.counts[static_cast<std::size_t>(table_.y[r] - 1)] = table_.w(r);
      return b;
    }
    const long double d = static_cast<long double>(table_.number[r]) - table_.number[0];
    b.s = b.w * d;
    b.ss = b.w * d * d;
    if (setting_.criterion == "l1") b.numbers = {{table_.number[r], table_.w(r)}};
    return b;
  }

  NaiveNode leaf(const Rows& rows, int depth) const {
    NaiveNode node;
    const Bag bag = bag_of(rows);
    node.n = static_cast<double>(rows.size());
    node.weight = bag.weight();
    node.impurity = impurity_of(setting_, bag);
    node.depth = depth;
    for (double c : bag.counts) node.share.push_back(c / sum(bag.counts));
    for (std::size_t s = 0; s < node.share.size(); ++s) {
      if (node.share[s] > node.share[static_cast<std::size_t>(node.yval)] * (1 + 1e-12))
        node.yval = static_cast<double>(s);
    }
    if (setting_.criterion == "l2")
      node.yval = static_cast<double>(table_.number[0] + bag.s / bag.w);
    if (setting_.criterion == "l1") node.yval = naive_median(bag.numbers);
    return node;
  }

  bool stops(const Rows& rows, const NaiveNode& node) const {
    bool pure = true;
    for (std::size_t r : rows) {
      pure = pure && (table_.n_classes > 0 ? table_.y[r] == table_.y[rows[0]]
                                           : table_.number[r] == table_.number[rows[0]]);
    }
    return pure || node.weight < stop_.min_split - 1e-9 * std::max(1.0, stop_.min_split) ||
           node.depth >= stop_.max_depth;
  }

  NaiveNode grow(const Rows& rows, int depth) const {
    NaiveNode node = leaf(rows, depth);
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
      std::isnan(v) ? unknown.push_back(r) : parts[branch_of(node.split, v)].push_back(r);
    }
    node.missing = heaviest(parts);
    Rows& taker = parts[static_cast<std::size_t>(node.missing)];
    taker.insert(taker.end(), unknown.begin(), unknown.end());
    for (const Rows& part : parts) {
      node.child.push_back(part.empty() ? empty_leaf(node) : grow(part, depth + 1));
    }
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

  static NaiveNode empty_leaf(const NaiveNode& parent) {
    NaiveNode node;
    node.depth = parent.depth + 1;
    node.share = parent.share;
    node.yval = parent.yval;
    return node;
  }

  Groups groups_of(const Rows& rows, std::size_t column) const {
    std::map<double, Bag> by_value;
    Bag all;
    for (std::size_t r : rows) {
      const double v = table_.x[column][r];
      if (std::isnan(v)) continue;
      by_value[v].add(row_bag(r));
      all.add(row_bag(r));
    }
    Groups groups;
    groups.column = column;
    for (auto& [value, bag] : by_value) {
      groups.value.push_back(value);
      groups.bag.push_back(std::move(bag));
    }
    for (std::size_t s = 0; s < all.counts.size(); ++s) {
      if (!(all.counts[s] > 0)) continue;
      ++groups.classes_present;
      groups.last_class = s;
    }
    return groups;
  }

  static std::size_t first_best(const std::vector<double>& values, double impurity) {
    const double best = *std::max_element(values.begin(), values.end());
    std::size_t i = 0;
    while (best - values[i] >
           1e-10 * std::max(std::fabs(best), std::fabs(values[i])) + 1e-13 * impurity)
      ++i;
    return i;
  }

  bool admissible(const std::vector<Bag>& bags, SplitKind kind) const {
    const double least = setting_.control.min_bucket;
    std::size_t large = 0;
    for (const Bag& b : bags) large += b.weight() >= least - 1e-9 * std::max(1.0, least);
    return large >= (kind == SplitKind::multiway ? 2 : bags.size());
  }

  // The best cut measure for each number of branches, of those the best score.
  std::unique_ptr<Best> best_of_column(const Rows& rows, std::size_t column,
                                       double impurity) const {
    std::map<std::size_t, std::vector<Best>> by_branches;
    try_splits(table_, setting_, groups_of(rows, column),
               [&](const Split& split, const std::vector<Bag>& bags) {
                 if (!admissible(bags, split.kind)) return;
                 const Values v = measure_of(setting_, bags);
                 if (v.gain > setting_.control.min_gain + 1e-12 * impurity)
                   by_branches[bags.size()].push_back({split, {}, v});
               });
    std::vector<Best> best;
    for (auto& [g, all] : by_branches) {
      std::vector<double> cut;
      for (const Best& b : all) cut.push_back(b.values.cut);
      best.push_back(all[first_best(cut, impurity)]);
    }
    if (best.empty()) return nullptr;
    std::vector<double> score;
    for (const Best& b : best) score.push_back(b.values.score);
    return std::make_unique<Best>(best[first_best(score, impurity)]);
  }

  double bound(const std::vector<Best>& best) const {
    using Rule = tectree::SearchControl::Rule;
    const Rule rule = setting_.control.eligible;
    std::string name = rule == Rule::all ? "all" : rule == Rule::mean ? "mean" : "mean_sd";
    if (rule == Rule::own)
      name = is_regression(setting_) ? "all" : naive_eligible(setting_.criterion);
    if (name == "all") return -HUGE_VAL;
    const double n = static_cast<double>(best.size());
    double mean = 0, squares = 0;
    for (const Best& b : best) mean += b.values.cut / n;
    for (const Best& b : best) squares += (b.values.cut - mean) * (b.values.cut - mean);
    const double sd = name == "mean_sd" && n > 1 ? std::sqrt(squares / (n - 1)) : 0;
    return mean - sd - 1e-10 * std::max(1.0, std::fabs(mean));
  }

  std::unique_ptr<Best> best_split(const Rows& rows, double impurity) const {
    std::vector<Best> best, eligible;
    for (std::size_t c = 0; c < table_.x.size(); ++c) {
      if (auto found = best_of_column(rows, c, impurity)) best.push_back(*found);
    }
    std::vector<double> score;
    for (const Best& b : best) {
      if (b.values.cut < bound(best)) continue;
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

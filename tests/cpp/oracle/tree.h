// A tree grown by trying everything: no presorting, no running sums, no tables.
//
// If the core's tree is given, growth follows it: a split of the core that would be chosen with
// slightly smaller or larger tolerances is chosen, since rounding decides there.
#pragma once

#include <list>

#include "oracle/c45.h"
#include "oracle/surrogates.h"

namespace oracle {

class Growth {
 public:
  explicit Growth(const Problem& problem, const tectree::Tree* seen = nullptr)
      : problem_(problem), stop_(problem.setting.stop), seen_(seen) {}

  Node grow() {
    const Rows rows = all_rows(problem_.table);
    Node root = leaf_of(problem_, rows, 0);
    open({&root, rows, 0});
    while (!open_.empty()) split(next());
    return root;
  }

 private:
  struct Open {
    Node* node;
    Rows rows;
    int at;  // its position in the tree that is followed; -1: none
    Found found = {};
    double weighted_gain = 0.0;
  };

  bool best_first() const { return stop_.max_leaves < HUGE_VAL; }

  bool stops(const Rows& rows, int depth) const {
    Bag bag;
    for (const Row& r : rows) bag.size += r.size;
    return rows.size() < 2 || is_pure(problem_.table, rows) ||
           !reaches(bag, problem_.min_split()) || depth >= stop_.max_depth;
  }

  static bool same(const std::optional<Found>& found, const Split& split) {
    if (!found) return split.kind == SplitKind::leaf;
    return tectree::same_split(found->split, split);
  }

  std::optional<Found> choose(const Open& open) const {
    const auto with = [&](double margin) { return oracle::choose(problem_, open.rows, margin); };
    const auto found = with(1.0);
    if (!seen_ || open.at < 0 || same(found, seen_->split_at(open.at))) return found;
    for (double margin : {0.999, 1.001}) {
      const auto other = with(margin);
      if (same(other, seen_->split_at(open.at))) return other;
    }
    return found;
  }

  // A node that may be split.
  void open(Open node) {
    if (stops(node.rows, node.node->depth)) return;
    const auto found = choose(node);
    if (!found) return;
    node.found = *found;
    const double gain = found->values.gain;
    const bool gains = std::fabs(gain) > 1e-12 * node.node->impurity;
    node.weighted_gain = gains ? gain * node.node->weight : 0.0;
    open_.push_back(std::move(node));
  }

  // The newest; best-first, the oldest of those with the largest gain times weight.
  Open next() {
    auto best = open_.begin();
    for (auto at = open_.begin(); at != open_.end(); ++at) {
      const double a = at->weighted_gain, b = best->weighted_gain;
      const double slack = 1e-10 * std::max(std::fabs(a), std::fabs(b));
      if (!best_first() || a > b + slack) best = at;
    }
    Open out = std::move(*best);
    open_.erase(best);
    return out;
  }

  void split(const Open& open) {
    Node& node = *open.node;
    const int branches = open.found.split.branches;
    if (leaves_ + branches - 1 > stop_.max_leaves) return;
    leaves_ += branches - 1;
    node.split = open.found.split;
    node.gain = open.found.values.gain;
    node.score = open.found.values.score;
    node.missing = branch_of_unknown(problem_, open.rows, node.split, open.found.side);
    node.surrogates = SurrogateFinder(problem_, open.rows, node.split).find();
    const std::vector<Rows> parts = deal(problem_, open.rows, node);
    for (const Rows& part : parts) {
      node.child.push_back(part.empty() ? empty_leaf(node)
                                        : leaf_of(problem_, part, node.depth + 1));
    }
    const bool followed =
        seen_ && open.at >= 0 && tectree::same_split(node.split, seen_->split_at(open.at));
    for (std::size_t j = 0; j < parts.size(); ++j) {
      const int at =
          followed ? seen_->child[static_cast<std::size_t>(seen_->child_start[open.at]) + j] : -1;
      if (!parts[j].empty()) this->open({&node.child[j], parts[j], at});
    }
  }

  const Problem& problem_;
  const tectree::StopRule& stop_;
  const tectree::Tree* seen_;
  std::list<Open> open_;
  double leaves_ = 1;
};

}  // namespace oracle

// The search of one boosted tree, behind the same interface as all searches.
//
// A node's rows are summed by code; of two children only the smaller is counted. Cuts lie between
// codes: no bin is looked into, since the next tree corrects a cut that is slightly off. What a
// branch contains is known from these sums, so its rows are divided only if it is searched. A node
// knows the bounds of the leaves below it, if predictors have directions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../choose/best_cut.hpp"
#include "../door/node_search.hpp"
#include "gradient_cuts.hpp"
#include "gradient_rows.hpp"

namespace tectree {

class GradientSearch : public NodeSearch {
 public:
  GradientSearch(const GradientData& data, std::shared_ptr<GradientRows> rows,
                 std::shared_ptr<const TreeColumns> columns, Team& team)
      : GradientSearch(data, std::move(rows), std::move(columns),
                       static_cast<std::size_t>(team.size())) {
    // Growth knows the columns of a node; here all nodes have those of the tree.
    node_columns_ = std::shared_ptr<const std::vector<std::uint32_t>>(columns_, &columns_->all);
    auto known = std::make_shared<Known>();
    const Range all{0, rows_->size(), node_columns_.get(), 0};
    known->cells = rows_->count(all, *columns_, team);
    // Every row is in some cell of the first column.
    for (std::size_t i = 0; i < columns_->first[1]; ++i) known->total.add(known->cells[i]);
    known->weight = is_weighted(data.sample)
                        ? weigh(all, team, [](std::uint32_t) { return 0; }).of[0]
                        : count_of(known->total);
    root_ = {rows_->size(), 0, node_columns_, std::move(known), 0};
  }

  Node root() const override { return root_; }

  NodeFacts describe(const Node& node, double*) override {
    const Known& known = known_of(node);
    const GradientSums sums = rows_->scale().sums(known.total);
    NodeFacts facts;
    facts.n = node.n_rows;
    facts.weight = known.weight;
    facts.yval = data_.rule.value(sums.g, sums.h);
    return facts;
  }

  const Winner* best(Node& node, Team& team) override {
    Known& known = known_of(node);
    const std::size_t n = columns_->all.size();
    found_.assign(n, GradientCut());
    team.each_if(Team::worth(known.cells.size()), n, [&](std::size_t i, Team& inner) {
      found_[i] = cut_of(i, known, static_cast<std::size_t>(inner.worker()));
    });
    std::size_t chosen = 0;
    for (std::size_t i = 1; i < n; ++i) {
      if (found_[i].gain > found_[chosen].gain * (1 + 1e-10)) chosen = i;
    }
    if (!(found_[chosen].gain > 0.0)) return nullptr;
    make_winner(node, chosen, known, team);
    return &winner_;
  }

  void divide_rows(const Node& node, const Split& split, const MissingRoute& missing_route,
                   std::vector<Node>& children) override {
    const CodeColumn& column = data_.columns[static_cast<std::size_t>(split.column)];
    side_of_codes(split.view(), column, missing_route.branch, side_);
    const Known& known = known_of(node);
    children.clear();
    std::uint64_t begin = node.key;
    for (std::size_t j = 0; j < 2; ++j) {
      auto own = std::make_shared<Known>();
      own->total = known.part[j].total;
      own->weight = known.part[j].weight;
      own->bounds =
          known.bounds.of_child(known.direction, j == 1, known.part[0].value, known.part[1].value);
      const auto n = static_cast<std::size_t>(rows_->scale().rows(own->total));
      children.push_back({n, begin, node_columns_, std::move(own), Stream::part(node.stream, j)});
      begin += n;
    }
    split_column_ = static_cast<std::size_t>(split.column);
  }

  void divide_columns(const Node& node, std::vector<Node>& children,
                      const std::vector<char>& searched, Team& team) override {
    rows_->divide(range_of(node), data_.columns[split_column_], side_, team);
    const std::size_t large = children[1].n_rows > children[0].n_rows ? 1 : 0, less = 1 - large;
    std::vector<GradientCell> part = rows_->count(range_of(children[less]), *columns_, team);
    if (searched[large]) {
      std::vector<GradientCell>& cells = known_of(children[large]).cells;
      cells = known_of(node).cells;
      for (std::size_t i = 0; i < part.size(); ++i) cells[i].take(part[i]);
    }
    if (searched[less]) known_of(children[less]).cells = std::move(part);
  }

  std::unique_ptr<NodeSearch> shrink(const Node&) override { return nullptr; }
  std::unique_ptr<NodeSearch> fork() const override {
    auto out = std::unique_ptr<GradientSearch>(new GradientSearch(data_, rows_, columns_, 1));
    out->node_columns_ = node_columns_;
    return out;
  }

 private:
  // A branch of a node's best split.
  struct Part {
    GradientCell total;
    double weight = 0.0;  // sum of the case weights
    double value = 0.0;
  };
  // What is known about a node, and about its best split, once it is found.
  struct Known {
    std::vector<GradientCell> cells;  // of a node that is searched
    GradientCell total;
    double weight = 0.0;
    LeafBounds bounds;
    int direction = 0;
    std::array<Part, 2> part;
  };

  GradientSearch(const GradientData& data, std::shared_ptr<GradientRows> rows,
                 std::shared_ptr<const TreeColumns> columns, std::size_t threads)
      : data_(data),
        rows_(std::move(rows)),
        columns_(std::move(columns)),
        cuts_(threads, GradientCuts(rows_->scale(), data.rule)) {}

  // Growth hands on what this search knows about its nodes as constant.
  static Known& known_of(const Node& node) {
    return *std::const_pointer_cast<Known>(std::static_pointer_cast<const Known>(node.counts));
  }

  // The best cut of a column.
  GradientCut cut_of(std::size_t place, const Known& known, std::size_t worker) {
    const std::uint32_t c = columns_->all[place];
    return cuts_[worker].best(data_.columns[c], c, known.cells.data() + columns_->first[place],
                              known.total, known.bounds, rows_->leaf_of_level(place));
  }

  void make_winner(const Node& node, std::size_t chosen, Known& known, Team& team) {
    const std::uint32_t c = columns_->all[chosen];
    const CodeColumn& column = data_.columns[c];
    const GradientCut cut = cut_of(chosen, known, 0);
    const std::vector<int>& order = cuts_[0].order();  // found_ was found with other orders
    known.direction = data_.rule.direction(c);
    known.part[0] = {cut.on_left, 0.0, cut.left};
    known.part[1] = {known.total, 0.0, cut.right};
    known.part[1].total.take(cut.on_left);
    winner_ = Winner();
    winner_.filled = cut.filled;
    if (column.kind == Kind::nominal) {
      std::vector<std::pair<int, int>> side = side_of_levels(order, cut);
      if (const double* leaf = rows_->leaf_of_level(chosen))
        add_absent(leaf, column.codes, order, cut, side);
      std::sort(side.begin(), side.end());
      winner_.split = group_levels(static_cast<int>(c), side);
      if (side.front().second == 1) {
        std::swap(known.part[0], known.part[1]);
        if (winner_.filled != no_branch) winner_.filled = 1 - winner_.filled;
      }
    } else {
      winner_.split = cut_between(static_cast<int>(c), column.kind, column.most[order[cut.at]],
                                  column.least[order[cut.next]]);
    }
    weigh_parts(node, column, known, team);
    // Per weight, like all gains; growth multiplies by the node's.
    winner_.gain = winner_.cut = winner_.score = cut.gain / known.weight;
  }

  struct Weights {
    double of[2] = {0.0, 0.0};
    Weights& operator+=(const Weights& x) {
      for (int j = 0; j < 2; ++j) of[j] += x.of[j];
      return *this;
    }
  };
  // The sums of the case weights by side_of(row), 0 or 1.
  template <class SideOf>
  Weights weigh(const Range& node, Team& team, SideOf side_of) const {
    return sum_over(node.size(), 1, team, [&](std::size_t first, std::size_t end) {
      Weights out;
      for (std::size_t i = node.begin + first; i < node.begin + end; ++i) {
        const std::uint32_t row = (*rows_)[i];
        out.of[side_of(row)] += data_.sample.weight(row);
      }
      return out;
    });
  }

  // Rows with a missing value count where they go.
  void weigh_parts(const Node& node, const CodeColumn& column, Known& known, Team& team) {
    Weights weights;
    if (is_weighted(data_.sample)) {
      side_of_codes(winner_.split.view(), column, winner_.filled, side_);
      column.with_codes([&](const auto* code) {
        weights = weigh(range_of(node), team, [&](std::uint32_t row) { return side_[code[row]]; });
      });
    } else {
      for (std::size_t j = 0; j < 2; ++j) weights.of[j] = count_of(known.part[j].total);
    }
    for (std::size_t j = 0; j < 2; ++j) {
      known.part[j].weight = weights.of[j];
      winner_.branch_weight.push_back(weights.of[j]);
    }
  }
  static bool is_weighted(const Sample& sample) { return sample.weights || sample.own; }
  double count_of(const GradientCell& total) const {
    return static_cast<double>(rows_->scale().rows(total));
  }

  // The levels of a node and their sides of the cut, 0 or 1.
  static std::vector<std::pair<int, int>> side_of_levels(const std::vector<int>& order,
                                                         const GradientCut& cut) {
    std::vector<std::pair<int, int>> out;
    for (std::size_t i = 0; i < order.size(); ++i)
      out.emplace_back(order[i] + 1, static_cast<int>(i) > cut.at ? 1 : 0);
    return out;
  }

  // Levels that the node does not have, but rows outside the tree, go by their leaves.
  static void add_absent(const double* leaf, int levels, const std::vector<int>& order,
                         const GradientCut& cut, std::vector<std::pair<int, int>>& side) {
    std::vector<char> present(static_cast<std::size_t>(levels), 0);
    for (int b : order) present[static_cast<std::size_t>(b)] = 1;
    const double middle = leaf[order[cut.at]] / 2 + leaf[order[cut.next]] / 2;
    for (int b = 0; b < levels; ++b) {
      if (!present[static_cast<std::size_t>(b)] && leaf[b] != GradientRows::unknown_leaf)
        side.emplace_back(b + 1, leaf[b] > middle ? 1 : 0);
    }
  }

  // The branch with the lowest level is the left one; `side` is sorted.
  static Split group_levels(int column, const std::vector<std::pair<int, int>>& side) {
    const int first = side.front().second;
    Split out{SplitKind::subset, column, 2, {}, {}, {}};
    for (const auto& [level, branch] : side) {
      out.level.push_back(level);
      out.level_child.push_back(branch == first ? 0 : 1);
    }
    return out;
  }

  const GradientData& data_;
  std::shared_ptr<GradientRows> rows_;  // shared by forks
  std::shared_ptr<const TreeColumns> columns_;
  std::shared_ptr<const std::vector<std::uint32_t>> node_columns_;
  Node root_;
  std::vector<GradientCuts> cuts_;  // by worker
  std::vector<GradientCut> found_;
  Winner winner_;
  // The latest split, until its columns are divided.
  std::size_t split_column_ = 0;
  std::vector<std::uint8_t> side_;  // by code
};

}  // namespace tectree

// The search of one boosted tree, behind the same interface as all searches.
//
// A node's rows are summed by code; of two children only the smaller is counted. Cuts lie between
// codes: no bin is looked into, since the next tree corrects a cut that is slightly off. A node
// knows the bounds of the leaves below it, if predictors have directions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "../choose/best_cut.hpp"
#include "../door/node_search.hpp"
#include "../sorted/divide_node.hpp"
#include "gradient_cuts.hpp"

namespace tectree {

// What the trees of one boosting run share.
struct GradientData {
  const Frame& frame;
  const Sample& sample;
  const CodeColumns& columns;
  GradientRule rule;
};

// The rows of one tree: their positions, which growth divides, and their gradients.
struct GradientRows {
  std::vector<std::uint32_t> rows;
  const Gradients& gradients;  // of all rows
  GradientScale scale;
  std::vector<GradientCell> cell;  // by position

  GradientRows(std::vector<std::uint32_t> positions, const Gradients& of)
      : rows(std::move(positions)), gradients(of), scale(of), cell(of.g.size()) {
    for (std::uint32_t i : rows) cell[i] = scale.of(of.g[i], of.h[i]);
  }
};

class GradientSearch : public NodeSearch {
 public:
  using Columns = std::vector<std::uint32_t>;

  // `columns`: those of the tree, increasing.
  GradientSearch(const GradientData& data, std::shared_ptr<GradientRows> rows,
                 std::shared_ptr<const Columns> columns, int threads)
      : data_(data),
        rows_(std::move(rows)),
        all_(std::move(columns)),
        branches_(data.sample.size),
        cuts_(static_cast<std::size_t>(threads), GradientCuts(rows_->scale, data.rule)) {
    auto first = std::make_shared<std::vector<std::size_t>>(1, 0);
    for (std::uint32_t c : *all_)
      first->push_back(first->back() + static_cast<std::size_t>(data.columns[c].codes) + 1);
    first_ = std::move(first);
  }
  GradientSearch(const GradientSearch&) = default;

  Node root() const override { return {rows_->rows.size(), 0, all_, nullptr, 0}; }

  NodeFacts describe(const Node& handle, double*) override {
    const Range node = range_of(handle);
    NodeFacts facts;
    double g = 0.0, h = 0.0;
    for (std::size_t i = node.begin; i < node.end; ++i) {
      const std::uint32_t row = rows_->rows[i];
      g += rows_->gradients.g[row];
      h += rows_->gradients.h[row];
      facts.weight += data_.sample.weight(row);
    }
    facts.n = node.size();
    facts.yval = data_.rule.value(g, h);
    return facts;
  }

  const Winner* best(Node& node, Team& team) override {
    auto known = std::const_pointer_cast<Known>(std::static_pointer_cast<const Known>(node.counts));
    if (!known) known = std::make_shared<Known>();
    if (known->cells.empty()) known->cells = count(range_of(node), team);
    node.counts = known;
    const std::vector<GradientCell>& cells = known->cells;
    GradientCell total;  // every row is in some cell of the first column
    for (std::size_t i = (*first_)[0]; i < (*first_)[1]; ++i) total.add(cells[i]);
    const std::size_t n = all_->size();
    found_.assign(n, GradientCut());
    team.each_if(Team::worth(cells.size()), n, [&](std::size_t i, Team& inner) {
      const std::uint32_t c = (*all_)[i];
      found_[i] = cuts_[static_cast<std::size_t>(inner.worker())].best(
          data_.columns[c], c, cells.data() + (*first_)[i], total, known->bounds);
    });
    std::size_t chosen = 0;
    for (std::size_t i = 1; i < n; ++i) {
      if (found_[i].gain > found_[chosen].gain * (1 + 1e-10)) chosen = i;
    }
    if (!(found_[chosen].gain > 0.0)) return nullptr;
    make_winner(node, chosen, *known, total);
    return &winner_;
  }

  void divide_rows(const Node& node, const Split& split, const MissingRoute& missing_route,
                   std::vector<Node>& children) override {
    const CodeColumn& column = data_.columns[static_cast<std::size_t>(split.column)];
    const auto row_of = [&](std::uint32_t row) { return data_.sample.row(row); };
    divide_marked_rows(
        rows_->rows, node, data_.frame, split, missing_route, branches_, spare_, row_of,
        [&](auto put) {
          const Range range = range_of(node);
          if (!column.wide.empty()) {
            return mark_by_value(split.view(),
                                 data_.frame.columns[static_cast<std::size_t>(split.column)],
                                 rows_->rows, range, row_of, put);
          }
          mark_by_byte(
              split.view(), column.code.data(), static_cast<std::size_t>(column.codes),
              [&](std::size_t b) { return column.most[b]; }, rows_->rows, range, put);
        },
        children);
  }

  void divide_columns(const Node& node, std::vector<Node>& children,
                      const std::vector<char>& searched, Team& team) override {
    const auto of = std::static_pointer_cast<const Known>(node.counts);
    const std::size_t large = children[1].n_rows > children[0].n_rows ? 1 : 0, less = 1 - large;
    std::vector<GradientCell> part = count(range_of(children[less]), team);
    for (std::size_t j : {less, large}) {
      if (!searched[j]) continue;
      auto own = std::make_shared<Known>();
      own->bounds = of->bounds.of_child(of->direction, j == 1, of->left, of->right);
      if (j == large) {
        own->cells = of->cells;
        for (std::size_t i = 0; i < part.size(); ++i) own->cells[i].take(part[i]);
      } else {
        own->cells = part;
      }
      children[j].counts = std::move(own);
    }
  }

  std::unique_ptr<NodeSearch> shrink(const Node&) override { return nullptr; }
  std::unique_ptr<NodeSearch> fork() const override {
    auto out = std::make_unique<GradientSearch>(*this);
    out->cuts_.resize(1, GradientCuts(rows_->scale, data_.rule));
    return out;
  }

 private:
  // What is known about a node, and about its best split, once it is found.
  struct Known {
    std::vector<GradientCell> cells;
    LeafBounds bounds;
    int direction = 0;
    double left = 0.0, right = 0.0;
  };

  std::vector<GradientCell> count(const Range& node, Team& team) const {
    std::vector<GradientCell> out(first_->back()), own(node.size());
    const std::uint32_t* row = rows_->rows.data() + node.begin;
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = rows_->cell[row[i]];
    team.each_if(Team::worth(own.size() * all_->size()), all_->size(), [&](std::size_t c, Team&) {
      GradientCell* to = out.data() + (*first_)[c];
      data_.columns[(*all_)[c]].with_codes([&](const auto* code) {
        for (std::size_t i = 0; i < own.size(); ++i) to[code[row[i]]].add(own[i]);
      });
    });
    return out;
  }

  void make_winner(const Node& node, std::size_t chosen, Known& known, const GradientCell& total) {
    const std::uint32_t c = (*all_)[chosen];
    const CodeColumn& column = data_.columns[c];
    GradientCuts& cuts = cuts_[0];  // its order is that of another column
    const GradientCut cut =
        cuts.best(column, c, known.cells.data() + (*first_)[chosen], total, known.bounds);
    const std::vector<int>& order = cuts.order();
    known.direction = data_.rule.direction(c);
    known.left = cut.left;
    known.right = cut.right;
    winner_ = Winner();
    winner_.filled = cut.filled;
    bool swapped = false;
    if (column.kind == Kind::nominal) {
      winner_.split = group_levels(static_cast<int>(c), order, cut.at);
      swapped = std::min_element(order.begin(), order.end()) - order.begin() > cut.at;
      if (swapped) {
        std::swap(known.left, known.right);
        if (winner_.filled != no_branch) winner_.filled = 1 - winner_.filled;
      }
    } else {
      winner_.split = cut_between(static_cast<int>(c), column.kind, column.most[order[cut.at]],
                                  column.least[order[cut.next]]);
    }
    // Per weight, like all gains; growth multiplies by the node's.
    const auto [left, right, unknown] = weigh_sides(range_of(node), column, order, cut.at);
    winner_.branch_weight = {swapped ? right : left, swapped ? left : right};
    const double weight = left + right + unknown;
    winner_.gain = winner_.cut = winner_.score = cut.gain / weight;
  }

  // The case weights of the rows on both sides of a cut, and of those with a missing value.
  std::array<double, 3> weigh_sides(const Range& node, const CodeColumn& column,
                                    const std::vector<int>& order, int at) const {
    std::vector<unsigned char> side(static_cast<std::size_t>(column.codes) + 1, 2);
    for (std::size_t i = 0; i < order.size(); ++i)
      side[static_cast<std::size_t>(order[i])] = static_cast<int>(i) > at ? 1 : 0;
    std::array<double, 3> out{};
    column.with_codes([&](const auto* code) {
      for (std::size_t i = node.begin; i < node.end; ++i) {
        const std::uint32_t row = rows_->rows[i];
        out[side[code[row]]] += data_.sample.weight(row);
      }
    });
    return out;
  }

  // The branch with the lowest level is the left one.
  static Split group_levels(int column, const std::vector<int>& order, int at) {
    std::vector<std::pair<int, int>> side;
    for (std::size_t i = 0; i < order.size(); ++i)
      side.emplace_back(order[i] + 1, static_cast<int>(i) > at ? 1 : 0);
    std::sort(side.begin(), side.end());
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
  std::shared_ptr<const Columns> all_;
  std::shared_ptr<const std::vector<std::size_t>> first_;  // where a column's cells start
  RowBranches branches_;
  std::vector<std::uint32_t> spare_;
  std::vector<GradientCuts> cuts_;  // by worker
  std::vector<GradientCut> found_;
  Winner winner_;
};

}  // namespace tectree

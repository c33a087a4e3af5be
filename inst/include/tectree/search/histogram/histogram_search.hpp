// Room search/histogram/: the search of large nodes, and of columns with few values, on codes.
//
// A column with many values has at most 255 bins, one with few values has one code per value. A
// node's rows are counted by code, and only bins that may contain the best cut are looked into.
// Exact, with the same tree as the sorted search. It is faster while a node has more rows than a
// column has cells, because counting reads one byte per row in order while sorted columns jump
// about in memory. Of the two children of a split only the smaller is counted; the larger is the
// remainder of the parent. The Stat (histogram_stat.hpp) knows what is counted.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "../choose/column_choice.hpp"
#include "histogram_columns.hpp"
#include "row_source.hpp"

namespace tectree {

template <class Stat>
class HistogramSearch : public NodeSearch {
  using Source = RowSource<Stat>;
  static_assert(counts_rows<Stat>());

 public:
  using Columns = std::vector<std::uint32_t>;

  // Nodes of at most `pass_on_at` rows continue in their own arena; 0: none.
  HistogramSearch(Source source, std::size_t pass_on_at, int threads)
      : source_(std::move(source)),
        pass_on_at_(pass_on_at),
        columns_(source_, threads),
        choice_(columns_.results(), node_stat().eligible()) {}

  std::unique_ptr<NodeSearch> fork() const override { return of(source_, 1); }
  std::unique_ptr<NodeSearch> with_problem(
      const std::shared_ptr<const ClassProblem>& problem) const override {
    if constexpr (std::is_same_v<typename Stat::Problem, ClassProblem>) {
      return of(source_.with_problem(problem), columns_.threads());
    } else {
      return nullptr;
    }
  }

  Node root() const override {
    auto columns = std::make_shared<Columns>(source_.codes().size());
    std::iota(columns->begin(), columns->end(), 0u);
    Node all = source_.root();
    all.columns = std::move(columns);
    return all;
  }

  NodeFacts describe(const Node& node, double* share) override {
    return source_.describe(node, share);
  }

  const Winner* best(Node& node, Team& team) override {
    source_.begin(node);  // totals and impurity, by the sorted search's Stat
    if (!node_stat().may_gain()) return nullptr;
    if (!node.counts || !source_.stat().serves(node, node_stat()))
      node.counts = source_.count(node, nullptr, team);
    return search_drawn(node_stat().control(), *node.columns, node.stream, drawn_,
                        [&](const Columns& columns) { return winner(node, columns, team); });
  }

  Tried promising(Node& node, std::size_t most, Team& team) override {
    const Winner* best = this->best(node, team);
    if (!node_stat().may_gain()) return {};
    std::optional<Winner> first;
    if (best) first = *best;
    const Columns& columns = *node.columns;
    std::vector<std::vector<Offer>> offers(columns.size());
    team.each_if(worth_sharing(node, columns), columns.size(), [&](std::size_t i, Team& inner) {
      columns_.offer(node, columns[i], inner.worker(), inner, offers[i]);
    });
    Promising all(std::move(offers), first ? &*first : nullptr, node_stat().impurity(),
                  node_stat().eligible());
    Tried out = all.take(most, [&](Offer& offer) { columns_.complete(node, offer); });
    for (std::size_t i = out.first_is_best; i < out.splits.size(); ++i)
      fill_in(node, out.splits[i]);
    return out;
  }

  std::vector<std::unique_ptr<NodeSearch>> divide_into_parts(const Node& node, const Winner& winner,
                                                             Team& team) override {
    if (!source_.any_unknown(node, winner.split.column)) return {};
    if constexpr (Stat::has_parts) {
      if (Stat::counts_parts(node_stat())) {
        const auto make = [&](auto source) -> std::unique_ptr<NodeSearch> {
          return std::make_unique<HistogramSearch<typename Stat::OfParts>>(
              std::move(source), pass_on_at_, columns_.threads());
        };
        return source_.divide_into_parts(node, winner, pass_on_at_, columns_.threads(), team, make);
      }
    }
    const auto own = source_.sorted(node, team, columns_.threads());
    Node root = own->root();
    root.columns = node.columns;
    root.stream = node.stream;
    return own->divide_into_parts(root, winner, team);
  }

  bool each_row(const Node& node, const NodeSearch::UseRow& use) const override {
    source_.each_row(node, use);
    return true;
  }

  void divide_rows(const Node& node, const Split& split, const MissingRoute& missing_route,
                   std::vector<Node>& children) override {
    source_.divide(node, split, missing_route, children);
  }

  // Passes what is known to the children that will be searched here.
  void divide_columns(const Node& node, std::vector<Node>& children,
                      const std::vector<char>& searched, Team& team) override {
    source_.divide_columns(node, team);
    if (!node.counts || children.size() != 2) return;
    const bool some_left = children[0].n_rows + children[1].n_rows < node.n_rows;
    if (some_left) return;  // missing values that leave the tree are in neither
    const std::size_t large = children[1].n_rows > children[0].n_rows ? 1 : 0, less = 1 - large;
    const auto wants = [&](std::size_t j) {
      return searched[j] && children[j].n_rows > pass_on_at_;
    };
    if (!wants(large)) return;
    const auto part = source_.count(children[less], node.counts.get(), team);
    children[large].counts = source_.stat().rest(source_.cells(), node, part.get());
    if (wants(less)) children[less].counts = part;
  }

  std::unique_ptr<NodeSearch> gather(Node& node, Team& team) override {
    auto own = source_.gather(node, pass_on_at_, team);
    if (!own) return nullptr;
    node.key = 0;
    return of(std::move(*own), columns_.threads());
  }

  std::unique_ptr<NodeSearch> shrink(const Node& node) override {
    return source_.shrunk(node, columns_.threads());
  }

  Node copy(const Node& node, std::unique_ptr<RowOrder>& order) override {
    source_.copy(node, order_in(order));
    Node copied = node;
    copied.key = 0;
    return copied;
  }
  void swap(std::unique_ptr<RowOrder>& order) override { source_.swap(order_in(order)); }

 private:
  std::unique_ptr<NodeSearch> of(Source source, int threads) const {
    return std::make_unique<HistogramSearch>(std::move(source), pass_on_at_, threads);
  }

  static typename Source::Order& order_in(std::unique_ptr<RowOrder>& order) {
    if (!order) order = std::make_unique<typename Source::Order>();
    return static_cast<typename Source::Order&>(*order);
  }

  // Looks at cells, and more closely at rows.
  bool worth_sharing(const Node& node, const Columns& columns) const {
    return Team::worth(source_.cells().size() + node.n_rows * columns.size());
  }

  const auto& node_stat() const { return source_.node_stat(); }

  // Among some of the node's columns.
  const Winner* winner(const Node& node, const Columns& all, Team& team) {
    team.each_if(worth_sharing(node, all), all.size(), [&](std::size_t i, Team& inner) {
      columns_.look(node, all[i], inner.worker(), inner);
    });
    const std::optional<std::size_t> chosen = node_stat().best_cut_wins()
                                                  ? choose_by_cut(node, all, team)
                                                  : choose_by_spans(node, all, team);
    if (!chosen) return nullptr;
    Winner* winner = columns_.winner(node, static_cast<std::uint32_t>(*chosen));
    fill_in(node, *winner);
    return winner;
  }
  void fill_in(const Node& node, Winner& winner) const {
    if (node_stat().control().unknown == SearchControl::Unknown::filled)
      winner.filled = source_.filled_branch(node, winner.split);
  }

  // The column of the best cut, once the edges of all have been tried.
  std::optional<std::size_t> choose_by_cut(const Node& node, const Columns& all, Team& team) {
    const std::vector<ColumnResult>& results = columns_.results();
    double floor = -HUGE_VAL;
    for (std::uint32_t c : all) {
      if (results[c].may_split()) floor = std::max(floor, results[c].low);
    }
    team.each_if(worth_sharing(node, all), all.size(), [&](std::size_t i, Team& inner) {
      if (results[all[i]].is_open()) columns_.look_closely(node, all[i], floor, inner.worker());
    });
    return choice_.by_cut(all, node_stat().impurity(), [&](const Columns& winners) {
      for (std::uint32_t c : winners) columns_.resolve(node, c, 0);
    });
  }

  std::optional<std::size_t> choose_by_spans(const Node& node, const Columns& all, Team& team) {
    if constexpr (Stat::by_cut_alone) {
      return std::nullopt;
    } else {
      team.each_if(worth_sharing(node, all), all.size(), [&](std::size_t i, Team& inner) {
        columns_.find_span(node, all[i], inner.worker());
      });
      const auto score = [&](const Columns& columns, double reach) {
        team.each_if(worth_sharing(node, all), columns.size(), [&](std::size_t i, Team& inner) {
          columns_.narrow(node, columns[i], reach, inner.worker());
        });
      };
      const auto span_of = [](std::uint32_t) {};  // every column has one
      return choice_.by_spans(all, node_stat().impurity(), static_cast<std::size_t>(team.size()),
                              score, span_of);
    }
  }

  HistogramSearch(const HistogramSearch&) = delete;  // its columns point into it

  Source source_;
  std::size_t pass_on_at_;
  HistogramColumns<Source> columns_;
  DrawnColumns drawn_;
  ColumnChoice choice_;
};

}  // namespace tectree

// Room search/histogram/: the search of large nodes, and of columns with few values, on codes.
//
// A column with many values has at most 255 bins, one with few values has one code per value. A
// node's rows are counted by code, and only bins that may contain the best cut are looked into.
// Exact, with the same tree as the sorted search. It is faster while a node has more rows than a
// column has cells, because counting reads one byte per row in order while sorted columns jump
// about in memory. Of the two children of a split only the smaller is counted; the larger is the
// remainder of the parent. The Stat (histogram_stat.hpp) knows what is counted. Columns that it
// does not count are searched by value, and nodes with few rows continue in sorted columns.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "../choose/column_choice.hpp"
#include "../sorted/sorted_search.hpp"
#include "histogram_columns.hpp"

namespace tectree {

// Rows in memory as a Source (histogram_stat.hpp). The Task of the sorted search measures nodes,
// and searches columns that are not counted. Copies share the rows.
template <class StatOf>
class RowSource {
 public:
  using Stat = StatOf;
  using Task = typename Stat::Task;
  using Problem = typename Stat::Problem;
  using ByValue = typename Task::Scratch;
  static constexpr bool in_memory = true;

  // `kept`: the positions that take part, increasing.
  RowSource(Task task, const std::shared_ptr<const Codes>& codes, std::vector<std::uint32_t> kept)
      : RowSource(task,
                  std::make_shared<CodedRows>(
                      codes, std::move(kept), task.stat().problem()->sample->size,
                      *task.stat().problem()->sample,
                      [&](std::uint32_t c) {
                        return !(*codes)[c].by_value && Stat::counts(*task.stat().problem(), c);
                      }),
                  Stat(task.stat(), task.stat().problem()->sample->size)) {}
  RowSource(Task of_rows, std::shared_ptr<CodedRows> coded, Stat counts)
      : rows(std::move(coded)), task(std::move(of_rows)), stat_(std::move(counts)) {}
  // The same rows with another criterion.
  RowSource with_problem(const std::shared_ptr<const Problem>& problem) const {
    return {task.with_problem(problem), rows, stat_.with_problem(*problem)};
  }

  const Stat& stat() const { return stat_; }
  const auto& node_stat() const { return task.stat(); }
  const Codes& codes() const { return *rows->codes; }
  const CellLayout& cells() const { return rows->cells; }
  BinView view(const Node& node, std::uint32_t c) const {
    return {task.stat().problem()->frame->columns[c], codes()[c], &rows->sample,
            rows->of(range_of(node)), node.n_rows};
  }
  std::shared_ptr<const void> count(const Node& node, const void* parent, Team& team) {
    return stat_.count(*rows, task.stat(), range_of(node), parent, team);
  }

  // Columns that are not counted are searched by the Task.
  std::shared_ptr<CodedRows> rows;
  Task task;

 private:
  Stat stat_;
};

template <class Stat>
class HistogramSearch : public RowSearch<std::uint32_t> {
  using Source = RowSource<Stat>;
  using Problem = typename Stat::Problem;
  static_assert(counts_rows<Stat>());

 public:
  using Columns = std::vector<std::uint32_t>;

  // Nodes of at most `pass_on_at` rows continue in their own arena; 0: none.
  HistogramSearch(Source source, std::size_t pass_on_at, int threads)
      : RowSearch(*source.node_stat().problem()->frame, *source.node_stat().problem()->sample,
                  source.node_stat().control(), source.rows, threads),
        source_(std::move(source)),
        pass_on_at_(pass_on_at),
        columns_(source_, threads),
        choice_(columns_.results(), node_stat().eligible()) {}

  std::unique_ptr<NodeSearch> fork() const override {
    return std::unique_ptr<NodeSearch>(new HistogramSearch(*this, source_, 1));
  }
  std::unique_ptr<NodeSearch> with_problem(
      const std::shared_ptr<const ClassProblem>& problem) const override {
    if constexpr (std::is_same_v<Problem, ClassProblem>) {
      return std::unique_ptr<NodeSearch>(
          new HistogramSearch(*this, source_.with_problem(problem), columns_.threads()));
    } else {
      return nullptr;
    }
  }

  NodeFacts describe(const Node& node, double* share) override {
    return source_.task.stat().describe(arena_, range_of(node), share);
  }

  const Winner* best(Node& node, Team& team) override {
    source_.task.stat().begin(arena_, range_of(node));  // totals and impurity
    if (!node_stat().may_gain()) return nullptr;
    if (!node.counts || !source_.stat().serves(node, node_stat()))
      node.counts = source_.count(node, nullptr, team);
    return search_drawn(control_, *node.columns, node.stream, drawn_,
                        [&](const Columns& columns) { return winner(node, columns, team); });
  }

  Tried promising(Node& node, std::size_t most, Team& team) override {
    const Winner* best = this->best(node, team);
    const auto offer = [&](std::uint32_t c, Team& inner, std::vector<Offer>& out) {
      columns_.offer(node, c, inner.worker(), inner, out);
    };
    return promising_of(range_of(node), best, most, node_stat(), worth_sharing(node, *node.columns),
                        team, offer, [&](Offer& one) { columns_.complete(node, one); });
  }

  std::vector<std::unique_ptr<NodeSearch>> divide_into_parts(const Node& node, const Winner& winner,
                                                             Team& team) override {
    if (counts_parts()) return RowSearch::divide_into_parts(node, winner, team);
    if (!any_unknown(range_of(node), winner.split.column)) return {};
    const auto own = sorted(node, team);
    Node root = own->root();
    root.stream = node.stream;
    return own->divide_into_parts(root, winner, team);
  }

  // Passes what is known to the children that will be searched here.
  void divide_columns(const Node& node, std::vector<Node>& children,
                      const std::vector<char>& searched, Team& team) override {
    RowSearch::divide_columns(node, children, searched, team);
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
    const Range range = range_of(node);
    constexpr std::size_t part = 8;  // nodes with a smaller part of the rows have them far apart
    if (range.size() <= pass_on_at_ || range.size() > arena_.n / part) return nullptr;
    auto own = std::make_shared<CodedRows>(*source_.rows, range, source_.rows->list(range), team);
    auto task = source_.task.shrink(arena_, own->arena, range, {});
    Stat counts(source_.stat(), range, *source_.rows, task.stat());
    node.key = 0;
    return std::make_unique<HistogramSearch>(
        Source(std::move(task), std::move(own), std::move(counts)), pass_on_at_,
        columns_.threads());
  }

  std::unique_ptr<NodeSearch> shrink(const Node& node) override {
    return sorted_in(small_arena(range_of(node), source_.rows->sample, ranks(), unsorted()),
                     range_of(node));
  }

 private:
  HistogramSearch(const HistogramSearch& from, Source source, int threads)
      : RowSearch(from, source.node_stat().control(), threads),
        source_(std::move(source)),
        pass_on_at_(from.pass_on_at_),
        columns_(source_, threads),
        choice_(columns_.results(), node_stat().eligible()) {}
  HistogramSearch(const HistogramSearch&) = delete;  // its columns point into it

  // ---- for RowSearch ----------------------------------------------------------------------------

  double case_weight(std::uint32_t row) const override { return node_stat().case_weight(row); }
  double node_weight(std::uint32_t row) const override { return node_stat().node_weight(row); }
  double part_unit() const override { return node_stat().problem()->part_unit; }
  bool counts_parts() const {
    if constexpr (Stat::has_parts) return Stat::counts_parts(node_stat());
    return false;
  }
  // On codes, or in a small arena.
  std::unique_ptr<NodeSearch> search_of(const Taken<std::uint32_t>& taken, const Range& node,
                                        Team& team, bool) const override {
    if constexpr (Stat::has_parts) {
      if (taken.rows.size() > std::min(pass_on_at_, most_small)) {
        auto own = std::make_shared<CodedRows>(*source_.rows, node, taken.rows, team);
        auto task = source_.task.template take<std::uint32_t>(taken);
        typename Stat::OfParts counts(task.stat(), own->arena.n, part_unit());
        return std::make_unique<HistogramSearch<typename Stat::OfParts>>(
            RowSource<typename Stat::OfParts>(std::move(task), std::move(own), std::move(counts)),
            pass_on_at_, columns_.threads());
      }
    }
    auto small = source_.rows->small_arena(node, taken.rows, taken.place, frame_,
                                           source_.rows->sample, ranks(), unsorted());
    return make_sorted(frame_, sample_, std::move(small),
                       source_.task.template take<std::uint16_t>(taken), columns_.threads());
  }

  // ---- in sorted columns ------------------------------------------------------------------------

  const std::shared_ptr<const Ranks>& ranks() const { return node_stat().problem()->ranks; }
  // The columns whose levels need no order.
  auto unsorted() const {
    return [&](std::uint32_t c) {
      if constexpr (std::is_same_v<Problem, ClassProblem>)
        return needs_no_order(control_, frame_.columns[c], node_stat().classes());
      return false;
    };
  }
  // The sorted search of a node, whose rows are those of the arena.
  template <class Index>
  std::unique_ptr<NodeSearch> sorted_in(Arena<Index> arena, const Range& node) const {
    auto task = source_.task.shrink(arena_, arena, node, {});
    return make_sorted(frame_, sample_, std::move(arena), std::move(task), columns_.threads());
  }
  // The same of a node of any size.
  std::unique_ptr<NodeSearch> sorted(const Node& handle, Team& team) {
    if (handle.n_rows <= most_small) return shrink(handle);
    const Range node = range_of(handle);
    CodedRows own(*source_.rows, node, source_.rows->list(node), team);
    team.each(own.arena.present.size(), [&](std::size_t i, Team&) {
      const std::uint32_t c = own.arena.present[i];
      detail::sort_column(frame_.columns[c], own.sample, own.arena.columns[c]);
    });
    return sorted_in(std::move(own.arena), node);
  }

  // ---- the contest of a node's columns ----------------------------------------------------------

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
    fill_in(range_of(node), *winner);
    return winner;
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

  Source source_;
  std::size_t pass_on_at_;
  HistogramColumns<Source> columns_;
  DrawnColumns drawn_;
  ColumnChoice choice_;
};

}  // namespace tectree

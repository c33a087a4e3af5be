// The search for large nodes: every column on at most 255 codes, counted by class, and looked at
// closely only where the best cut may lie. Exact, and the same tree as the presorted search: it is
// the better one while a node is large, because counting reads a byte a row in order where sorted
// columns jump about in memory.
//
// Of the two children of a split only the smaller is counted; the larger is what is left of the
// parent's counts.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "../data/coarse_rows.hpp"
#include "class_task.hpp"
#include "coarse_columns.hpp"
#include "coarse_data.hpp"
#include "column_choice.hpp"
#include "presorted.hpp"
#include "take_part.hpp"

namespace tectree {

class CoarseSearch : public NodeSearch {
 public:
  static constexpr int most_classes = 6;  // the corners of a bin's counts are 2 to this power
  static constexpr std::size_t most_counts = 1 << 19;  // held for every open node

  // Whether the bounds hold for the problem, a look at the bounds can spare columns a closer one,
  // and the counts are small enough to keep.
  static bool suits(const ClassProblem& p) {
    const Kernel& kernel = p.criterion->kernel();
    const bool concave =
        kernel.q() > 0.0 && (p.criterion->form() != Form::power || kernel.q() <= 2.0);
    return concave && (p.best_cut_wins() || p.criterion->form() == Form::linear) &&
           p.n_classes <= most_classes && p.control.intervals <= 2 &&
           p.frame->columns.size() * (Binned::most + 1) * p.n_classes <= most_counts;
  }

  using Coded = CoarseData;

  // `rows`: the positions that take part, increasing.
  CoarseSearch(std::shared_ptr<const ClassProblem> problem, std::shared_ptr<const Coded> coded,
               std::vector<std::uint32_t> rows, std::size_t small, int threads)
      : CoarseSearch(
            problem,
            std::make_shared<CoarseRows>(std::move(coded), std::move(rows), problem->n_classes),
            RowBranches(0), small, threads) {
    branch_ = RowBranches(label_.size());
  }

  std::unique_ptr<NodeSearch> fork() const override {
    return std::unique_ptr<NodeSearch>(new CoarseSearch(problem_, shared_, branch_, small_, 1));
  }

  const std::shared_ptr<const ClassProblem>& problem() const { return problem_; }
  // The search by another criterion of the same rows, wherever they are moved.
  std::unique_ptr<CoarseSearch> by(std::shared_ptr<const ClassProblem> problem) const {
    return std::unique_ptr<CoarseSearch>(
        new CoarseSearch(std::move(problem), shared_, branch_, small_, columns_.threads()));
  }

  Range root() const override {
    auto all = std::make_shared<std::vector<std::uint32_t>>(coded_.size());
    std::iota(all->begin(), all->end(), 0u);
    return {0, rows_.size(), std::move(all), nullptr};
  }

  NodeFacts describe(const Range& node, double* share) override {
    count_classes(node);
    return class_facts(*problem_, total_, node.size(), share);
  }

  const Winner* best(Range& node, Team& team) override {
    if (!node.counts) node.counts = shared_->count(node, labels_, team);
    count_classes(node);
    const std::vector<double> total(total_.begin(), total_.end());
    impurity_ = problem_->criterion->impurity(total.data(), k(), static_cast<double>(node.size()));
    const CoarseNode counted{node, total_};
    const std::vector<std::uint32_t>& columns = *node.columns;
    team.each(columns.size(), [&](std::size_t i, Team& inner) {
      columns_.look(counted, columns[i], inner.worker());
    });
    const std::optional<std::size_t> chosen =
        problem_->best_cut_wins() ? choose_by_cut(counted, team) : choose_by_spans(counted, team);
    drop_constant(columns_.slots(), node);
    return chosen ? &columns_.slots()[*chosen].winner : nullptr;
  }

  void divide_rows(const Range& node, const Split& split, const Detour& detour,
                   std::vector<Range>& children) override {
    divide_marked_rows(
        rows_, node, frame_, split, detour, branch_, spare_rows_,
        [&](std::uint32_t row) { return sample_.row(row); },
        [&](auto put) { mark_branches(node, split, put); }, children);
  }

  void divide_columns(const Range& node, std::vector<Range>& children,
                      const std::vector<char>& searched, Team& team) override {
    if (children.size() != 2) return;
    const std::size_t large = children[1].size() > children[0].size() ? 1 : 0, less = 1 - large;
    const auto wants = [&](std::size_t j) { return searched[j] && children[j].size() > small_; };
    if (!wants(large)) return;
    const auto part = shared_->count(children[less], labels_, team);
    children[large].counts = shared_->rest(node, *part);
    if (wants(less)) children[less].counts = part;
  }

  using Small = PresortedSearch<std::uint16_t, ClassTask<std::uint16_t, UnitWeight>>;

  std::unique_ptr<NodeSearch> shrink(const Range& node) override { return shrunk(node); }

  std::unique_ptr<Small> shrunk(const Range& node) {
    Arena<std::uint16_t> arena;
    arena.n = node.size();
    arena.columns.resize(coded_.size());
    arena.present = *node.columns;
    arena.rows.resize(arena.n);
    std::iota(arena.rows.begin(), arena.rows.end(), std::uint16_t{0});
    arena.origin.assign(rows_.begin() + node.begin, rows_.begin() + node.end);
    std::vector<std::uint16_t> label(arena.n);
    for (std::size_t i = 0; i < arena.n; ++i) label[i] = label_[arena.origin[i]];
    ClassTask<std::uint16_t, UnitWeight> task(problem_, std::move(label), {});
    RowSorting space;
    for (std::uint32_t c : arena.present) {
      const CoarseColumn& column = coded_[c];
      ArenaColumn<std::uint16_t>& out = arena.columns[c];
      const bool codes = column.coded && column.exact && task.scans_codes(c) &&
                         take_codes(column.binned, arena.origin.data(), arena.n, out.binned);
      if (!codes) sort_rows(frame_.columns[c], column, sample_, arena.origin, space, out);
    }
    return std::make_unique<Small>(frame_, sample_, std::move(arena), std::move(task),
                                   columns_.threads());
  }

  // A part of the rows in an order of its own. swap() puts it in the place of the rows that the
  // search and its like work on; copy() takes the rows of a node.
  struct Page {
    std::vector<std::uint32_t> rows;
  };
  void swap(Page& page) { rows_.swap(page.rows); }
  void copy(const Range& node, Page& page) const {
    page.rows.assign(rows_.begin() + node.begin, rows_.begin() + node.end);
  }

 private:
  CoarseSearch(std::shared_ptr<const ClassProblem> problem, std::shared_ptr<CoarseRows> shared,
               RowBranches branch, std::size_t small, int threads)
      : shared_(std::move(shared)),
        problem_(std::move(problem)),
        frame_(*problem_->frame),
        sample_(*problem_->sample),
        label_(shared_->coded->label),
        rows_(shared_->rows),
        coded_(shared_->coded->columns),
        small_(small),
        columns_(problem_, shared_, threads),
        branch_(std::move(branch)),
        choice_(columns_.slots(),
                effective(problem_->control.eligible, problem_->criterion->eligible())) {}

  int k() const { return problem_->n_classes; }

  template <class Put>
  void mark_branches(const Range& node, const Split& split, Put put) const {
    const CoarseColumn& column = coded_[split.column];
    const Column& values = frame_.columns[split.column];
    const bool in_order = split.kind == SplitKind::threshold || split.kind == SplitKind::level;
    if (!in_order || !column.coded) {
      mark_by_value(
          split.view(), values, rows_, node, [&](std::uint32_t row) { return sample_.row(row); },
          put);
    } else if (column.exact) {
      mark_by_code(column.binned, rows_, node, split.breaks[0], put);
    } else {
      const auto value = [&](std::uint32_t row) { return values.value(sample_.row(row)); };
      mark_by_bin(column, rows_, node, split.breaks[0], value, put);
    }
  }

  void count_classes(const Range& node) {
    total_.assign(k(), 0);
    for (std::size_t i = node.begin; i < node.end; ++i) ++total_[label_[rows_[i]]];
  }

  std::optional<std::size_t> choose_by_cut(const CoarseNode& node, Team& team) {
    const std::vector<std::uint32_t>& columns = *node.range.columns;
    const double floor = floor_of(columns);
    team.each(columns.size(), [&](std::size_t i, Team& inner) {
      if (columns_.slots()[columns[i]].open)
        columns_.look_closely(node, columns[i], floor, inner.worker());
    });
    return choice_.by_cut(columns, impurity_, [&](const std::vector<std::uint32_t>& winners) {
      for (std::uint32_t c : winners) columns_.resolve(node, c, 0);
    });
  }

  std::optional<std::size_t> choose_by_spans(const CoarseNode& node, Team& team) {
    const std::vector<std::uint32_t>& all = *node.range.columns;
    team.each(all.size(),
              [&](std::size_t i, Team& inner) { columns_.foresee(node, all[i], inner.worker()); });
    const auto score = [&](const std::vector<std::uint32_t>& columns, double reach) {
      team.each(columns.size(), [&](std::size_t i, Team& inner) {
        columns_.narrow(node, columns[i], reach, inner.worker());
      });
    };
    return choice_.by_spans(all, impurity_, team.size(), score);
  }

  // The best cut known of all columns.
  double floor_of(const std::vector<std::uint32_t>& columns) const {
    double floor = -HUGE_VAL;
    for (std::uint32_t c : columns) {
      const Slot& slot = columns_.slots()[c];
      if (slot.open || slot.found) floor = std::max(floor, slot.low);
    }
    return floor;
  }

  std::shared_ptr<CoarseRows> shared_;
  std::shared_ptr<const ClassProblem> problem_;
  const Frame& frame_;
  const Sample& sample_;
  const std::vector<std::uint16_t>& label_;
  std::vector<std::uint32_t>& rows_;
  const std::vector<CoarseColumn>& coded_;
  std::size_t small_;
  CoarseColumns columns_;
  std::vector<std::uint32_t> total_, spare_rows_;
  std::vector<std::uint16_t> labels_;
  RowBranches branch_;
  ColumnChoice choice_;
  double impurity_ = 0.0;
};

}  // namespace tectree

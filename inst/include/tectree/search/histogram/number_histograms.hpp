// The search for large nodes under least squares, as coarse_search.hpp is for classes: every column
// of many values on quantile bins, whose rows, sums and squares bound what a cut inside may gain.
// Exact, and the same tree as the sorted search. Columns of few values and factors are searched
// by value, as there.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "../sorted/sorted_search.hpp"
#include "histogram_base.hpp"
#include "number_columns.hpp"

namespace tectree {

class NumberHistograms : public HistogramBase {
 public:
  static constexpr std::size_t most_cells = 1 << 17;  // held for every open node
  static constexpr PassOn pass_on{2048, 2048, 512};

  // Whether the best cut wins, every column can be coded, and the sums are small enough to keep.
  static bool suits(const NumberProblem& p) {
    const std::vector<Column>& columns = p.frame->columns;
    const auto has_code = [](const Column& column) {
      return column.kind == Kind::numeric || column.n_levels <= static_cast<int>(Binned::most);
    };
    return effective(p.control.eligible, Eligible::all) == Eligible::all &&
           p.control.intervals <= 2 && std::all_of(columns.begin(), columns.end(), has_code) &&
           columns.size() * (Binned::most + 1) <= most_cells &&
           p.sample->size <= WholeSums::most_rows;
  }
  // Whether squares of the numbers, and of far smaller units, stay within the range of a double.
  static bool suits(const std::vector<double>& y) {
    double most = 0.0;
    for (double number : y) most = std::max(most, std::fabs(number));
    const auto n = static_cast<double>(y.size());
    return most > 1e-100 && std::isfinite(16.0 * most * most * n * n);
  }

  using Problem = NumberProblem;
  using Coded = CodedNumbers;

  // `rows`: the positions that take part, increasing.
  NumberHistograms(std::shared_ptr<const NumberProblem> problem, std::shared_ptr<const Coded> coded,
                   std::vector<std::uint32_t> rows, std::size_t small, int threads)
      : NumberHistograms(problem, std::make_shared<NumberCells>(std::move(coded), std::move(rows)),
                         RowBranches(0), small, threads) {
    branch_ = RowBranches(shared_->number.size());
  }

  std::unique_ptr<NodeSearch> fork() const override {
    return std::unique_ptr<NodeSearch>(new NumberHistograms(problem_, shared_, branch_, small_, 1));
  }

  NodeFacts describe(const Range& node, double* share) override {
    return task_.describe(shared_->arena, node, share);
  }

  const Winner* best(Range& node, Team& team) override {
    task_.begin(shared_->arena, node);
    if (!task_.varies()) return nullptr;
    const double impurity = task_.impurity();
    if (!node.counts || !NumberCells::fine_enough(node, impurity)) {
      const WholeScale scale = shared_->rescale(node, task_.mean());
      node.counts = shared_->count(node, scale, numbers_, team);
    }
    const NumberNode known{node, task_.mean(), impurity};
    const std::vector<std::uint32_t>& columns = *node.columns;
    team.each(columns.size(), [&](std::size_t i, Team& inner) {
      const std::uint32_t c = columns[i];
      ColumnResult& result = columns_.results()[c];
      result.reset();
      if (NumberCells::summed(coded_[c])) {
        columns_.look(known, c);
      } else {
        task_.column(shared_->arena, node, c, by_value_[inner.worker()], result, inner);
      }
    });
    const auto chosen = choose_by_cut(columns_, choice_, known, impurity, team);
    drop_constant(columns_.results(), node);
    return chosen ? &columns_.results()[*chosen].winner : nullptr;
  }

  void divide_columns(const Range& node, std::vector<Range>& children,
                      const std::vector<char>& searched, Team& team) override {
    hand_down(
        node, children, searched,
        [&](const Range& child) {
          return shared_->count(child, NumberCells::sums_of(node).scale, numbers_, team);
        },
        [&](const NumberSums& part) { return shared_->rest(node, part); });
  }

  std::unique_ptr<NodeSearch> shrink(const Range& node) override {
    auto arena = small_arena(node, [&](std::uint32_t c) { return task_.scans_codes(c); });
    auto task = task_.shrink(shared_->arena, arena, node, {});
    return std::make_unique<SortedSearch<std::uint16_t, decltype(task)>>(
        frame_, sample_, std::move(arena), std::move(task), columns_.threads());
  }

 private:
  NumberHistograms(std::shared_ptr<const NumberProblem> problem,
                   std::shared_ptr<NumberCells> shared, RowBranches branch, std::size_t small,
                   int threads)
      : HistogramBase(*problem->frame, *problem->sample, shared->coded->columns, shared->arena.rows,
                      std::move(branch), small),
        problem_(std::move(problem)),
        shared_(std::move(shared)),
        task_(problem_, shared_->coded->numbers),
        columns_(problem_, shared_, threads),
        by_value_(threads),
        choice_(columns_.results(), Eligible::all) {}

  using Task = MeanTask<std::uint32_t>;

  std::shared_ptr<const NumberProblem> problem_;
  std::shared_ptr<NumberCells> shared_;
  Task task_;
  NumberColumns columns_;
  std::vector<Task::Scratch> by_value_;  // by worker
  ColumnChoice choice_;
  std::vector<std::int64_t> numbers_;
};

}  // namespace tectree
